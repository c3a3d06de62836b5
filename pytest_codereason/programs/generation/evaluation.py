"""Computes the output of a generated program, and makes sure that it ends and gives the same in every language."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from pytest_codereason.core.language.pseudocode import (
    Assign,
    Augment,
    Block,
    CountLoop,
    Each,
    Expression,
    If,
    Invocation,
    Leave,
    Literal,
    Module,
    Mutate,
    Name,
    Operation,
    Return,
    Statement,
    While,
)

#: Most statements that are executed, and rounds of loops, by the end of the last loop.
STEPS = 200
#: The greatest absolute value of a whole number; the most characters, and elements.
LARGEST, LONGEST, MOST = 999_999, 40, 20

_PLAIN: Mapping[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "max": max,
    "min": min,
    "length": len,
    "size": len,
    "concatenate": operator.add,
    "upper": str.upper,
    "text": str,
    "new": lambda *items: [*items],
    "contains": operator.contains,
    "==": operator.eq,
    "same": operator.eq,
    "!=": operator.ne,
    "different": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "not": operator.not_,
}


class PortabilityError(Exception):
    """A statement fails, does not end, or has another effect in some language."""

    statement: Statement | None = None


class _Signal(Exception):
    """The way out of a block, for ``break``, ``continue`` and ``return``."""

    def __init__(self, word: str, value: Any = None) -> None:
        super().__init__(word)
        self.word, self.value = word, value


def evaluate(module: Module) -> tuple[Any, Mapping[int, bool]]:
    """The value of the call (int, str, bool or list of int), and by id which ``holds`` and ``fails`` negate.

    ``holds`` negates a condition that is false at first, ``fails`` a condition that is true at first. From then on the
    condition stays negated.

    Raises:
        PortabilityError: a statement does not have the same effect in every language; the error names the statement.
    """
    machine = _Machine(module)
    return machine.call(module.functions[-1].name, [*map(_copy, module.arguments)]), machine.turned


def _copy(value: Any) -> Any:
    return [*value] if isinstance(value, tuple) else value


def _check_size(value: Any) -> Any:
    match value:
        case bool():
            return value
        case int():
            fits = abs(value) <= LARGEST
        case str():
            fits = len(value) <= LONGEST
        case _:
            fits = len(value) <= MOST
    if not fits:
        raise PortabilityError
    return value


class _Machine:
    def __init__(self, module: Module) -> None:
        self._functions = {function.name: function for function in module.functions}
        self._steps = 0
        self.turned: dict[int, bool] = {}
        self._loops = 0  # under way
        self._busy: list[list[int]] = []  # lists that a loop goes over
        self._scope: dict[str, Any] = {}

    def call(self, name: str, arguments: list[Any]) -> Any:
        function, outer = self._functions[name], self._scope
        self._scope = {parameter.name: value for parameter, value in zip(function.parameters, arguments, strict=True)}
        try:
            self._block(function.body)
        except _Signal as signal:
            return signal.value
        finally:
            self._scope = outer
        raise AssertionError(f"{name} does not return")

    def _block(self, block: Block) -> None:
        for statement in block:
            self._step()
            try:
                self._run(statement)
            except PortabilityError as error:
                error.statement = error.statement or statement
                raise

    def _step(self) -> None:
        self._steps += 1
        if (
            self._steps > STEPS and self._loops
        ):  # which statement is to blame: what follows a long loop does nothing wrong
            raise PortabilityError

    def _run(self, statement: Statement) -> None:
        match statement:
            case Assign(target, value):
                self._scope[target.name] = self._evaluate(value)
            case Augment(target, symbol, value):
                self._scope[target.name] = self._evaluate(Operation(symbol, (target, value)))
            case Mutate():
                self._mutate(statement)
            case If(branches):
                for condition, body in branches:
                    if condition is None or self._evaluate(condition):
                        self._block(body)
                        break
            case CountLoop() | Each() | While():
                self._loops += 1
                try:
                    self._run_loop(statement)
                finally:
                    self._loops -= 1
            case Leave(word):
                raise _Signal(word)
            case Return(value):
                raise _Signal("return", self._evaluate(value))

    def _mutate(self, statement: Mutate) -> None:
        items: list[int] = self._scope[statement.target.name]
        operands = [*map(self._evaluate, statement.operands)]
        if any(items is busy for busy in self._busy):
            raise PortabilityError
        match statement.operator:
            case "append":
                items.append(*operands)
                _check_size(items)
            case "sort":
                items.sort()
            case "pop":
                if not items:
                    raise PortabilityError
                items.pop()
            case "put":
                index, value = operands
                if not 0 <= index < len(items):
                    raise PortabilityError
                items[index] = value

    def _run_loop(self, loop: CountLoop | Each | While) -> None:
        match loop:
            case CountLoop(variable, stop, body):
                rounds = self._evaluate(stop)
                for number in range(rounds):
                    self._scope[variable.name] = number
                    if self._round(body):
                        break
                    if self._evaluate(stop) != rounds:  # other languages look again at each round
                        raise PortabilityError
            case Each(variable, over, body):
                items = self._evaluate(over)
                if items == "":  # where it is cut into characters, some languages find an empty one
                    raise PortabilityError
                self._busy.append(items)
                for item in items:
                    self._scope[variable.name] = item
                    if self._round(body):
                        break
                self._busy.pop()
            case While(condition, step, body):
                while self._evaluate(condition):
                    if self._round((step, *body)):
                        break

    def _round(self, body: Block) -> bool:
        """Runs the body once. Returns whether the loop is left."""
        self._step()
        try:
            self._block(body)
        except _Signal as signal:
            if signal.word == "return":
                raise
            return signal.word == "break"
        return False

    def _evaluate(self, expression: Expression) -> Any:
        match expression:
            case Literal(value):
                return _copy(value)
            case Name(name):
                return self._scope[name]
            case Invocation(function, arguments):
                return self.call(function, [*map(self._evaluate, arguments)])
            case Operation("and", (left, right)):
                return self._evaluate(left) and self._evaluate(right)
            case Operation("or", (left, right)):
                return self._evaluate(left) or self._evaluate(right)
            case Operation("holds" | "fails" as wanted, (condition,)):
                holds = bool(self._evaluate(condition))
                return holds != self.turned.setdefault(id(expression), holds != (wanted == "holds"))
            case Operation(symbol, operands):
                return _check_size(_operate(symbol, *map(self._evaluate, operands)))


def _operate(symbol: str, *operands: Any) -> Any:
    if symbol in _PLAIN:
        return _PLAIN[symbol](*operands)
    first, second = (*operands, -1)[:2]
    match symbol:
        case "//" | "%":
            if first < 0 or second <= 0:  # languages round in several ways
                raise PortabilityError
            return first // second if symbol == "//" else first % second
        case "item" | "character" | "last":
            index = len(first) - 1 if symbol == "last" else second
            if not 0 <= index < len(first):
                raise PortabilityError
            return first[index]
        case "from" | "until":
            if not 0 <= second <= len(first):
                raise PortabilityError
            return first[second:] if symbol == "from" else first[:second]
    raise AssertionError(symbol)
