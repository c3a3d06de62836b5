"""Computes the output of a generated program, and makes sure that it ends and gives the same in every language."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from pytest_codereason.core.language.pseudocode import (
    Assign,
    Augment,
    Block,
    CountLoop,
    Datum,
    Each,
    ExecutedStep,
    Expression,
    Field,
    If,
    Invocation,
    Leave,
    Literal,
    Module,
    Mutate,
    Name,
    Operation,
    Place,
    Return,
    Set,
    Statement,
    Swap,
    While,
    thaw,
)

#: Most statements that are executed, and rounds of loops, by the end of the last loop, unless a caller says otherwise.
STEPS = 200
#: The greatest absolute value of a whole number; the most characters, and elements.
LARGEST, LONGEST, MOST = 999_999, 40, 20


class PortabilityError(Exception):
    """A statement fails, does not end, or has another effect in some language."""

    statement: Statement | None = None


def _check_index(items: Any, index: int) -> int:
    if not 0 <= index < len(items):
        raise PortabilityError
    return index


def _check_division(left: int, right: int) -> None:
    if left < 0 or right <= 0:  # languages round in several ways
        raise PortabilityError


def _divide(left: int, right: int) -> int:
    _check_division(left, right)
    return left // right


def _take_rest(left: int, right: int) -> int:
    _check_division(left, right)
    return left % right


def _get_item(items: Any, index: int) -> Any:
    return items[_check_index(items, index)]


def _get_last(items: Any) -> Any:
    return _get_item(items, len(items) - 1)


def _cut(items: Any, start: int, stop: int) -> Any:
    if not 0 <= start <= stop <= len(items):
        raise PortabilityError
    return items[start:stop]


def _cut_from(items: Any, start: int) -> Any:
    return _cut(items, start, len(items))


def _cut_until(items: Any, stop: int) -> Any:
    return _cut(items, 0, stop)


#: What gives the value of each operator from those of its operands.
_OPERATORS: Mapping[str, Callable[..., Any]] = {
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
    "smallest": min,
    "get": operator.getitem,
    "earlier": lambda text, first, second: text[first] < text[second],
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
    "//": _divide,
    "%": _take_rest,
    **dict.fromkeys(("item", "row", "character"), _get_item),
    "last": _get_last,
    **dict.fromkeys(("from", "tail"), _cut_from),
    **dict.fromkeys(("until", "head"), _cut_until),
    "piece": _cut,
}


#: The variables that a function sees, with their values. A cell is a dict of its fields.
Scope = dict[str, Any]
#: Is called after each executed step, with the step and what the function that it stands in sees then.
Watch = Callable[[ExecutedStep, Scope], None]


class Evaluated(NamedTuple):
    """What an evaluation gives."""

    value: Any  #: of the call
    turned: Mapping[int, bool]  #: which ``holds`` and ``fails`` negate their condition, by id
    steps: int  #: how many steps were executed, see :class:`ExecutedStep`


class _Signal(Exception):
    """The way out of a block, for ``break``, ``continue`` and ``return``."""

    def __init__(self, word: str, value: Any = None) -> None:
        super().__init__(word)
        self.word, self.value = word, value


def evaluate(module: Module, *, limit: int = STEPS, watch: Watch | None = None, without: int = 0) -> Evaluated:
    """The value of the call as plain data, and what is told of the way to it.

    ``holds`` negates a condition that is false at first, ``fails`` a condition that is true at first. From then on the
    condition stays negated.

    Args:
        limit: the most statements that are executed, and rounds of loops, by the end of the last loop.
        watch: is called after each executed step.
        without: the number of an executed step, from 1, that is left out, to see what depends on it.

    Raises:
        PortabilityError: a statement does not have the same effect in every language; the error names the statement.
    """
    machine = Machine(module, limit=limit, watch=watch, without=without)
    value = machine.call(module.functions[-1].name, module.arguments)
    return Evaluated(value, machine.turned, machine.executed)


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


class Machine:
    """Runs calls of functions, or block by block what is not a program yet. See :func:`evaluate`."""

    def __init__(
        self,
        module: Module,
        *,
        limit: int = STEPS,
        watch: Watch | None = None,
        without: int = 0,
    ) -> None:
        self._functions = {function.name: function for function in module.functions}
        self._fields = module.fields
        self._limit, self.watch, self._without = limit, watch, without
        self._most = MOST if limit <= STEPS else limit  # elements: a longer run may make a longer list
        self._steps = 0
        self.executed = 0  #: steps, see :class:`ExecutedStep`
        self.turned: dict[int, bool] = {}
        self._loops = 0  # under way
        self._busy: list[list[int]] = []  # lists that a loop goes over
        self.scope: Scope = {}  #: what the function that runs sees

    def call(self, name: str, arguments: Iterable[Datum]) -> Any:
        """What a function returns for values."""
        return self._call(name, [*map(thaw, arguments)])

    def _call(self, name: str, arguments: list[Any]) -> Any:
        function, outer = self._functions[name], self.scope
        self.scope = {parameter.name: value for parameter, value in zip(function.parameters, arguments, strict=True)}
        try:
            self.run(function.body)
        except _Signal as signal:
            return signal.value
        finally:
            self.scope = outer
        raise AssertionError(f"{name} does not return")

    def run(self, block: Block) -> None:
        """Runs statements in the :attr:`scope`, which they change."""
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
            self._steps > self._limit and self._loops
        ):  # which statement is to blame: what follows a long loop does nothing wrong
            raise PortabilityError

    def _run(self, statement: Statement) -> None:
        match statement:
            case ExecutedStep():
                self._run_step(statement)
            case If(branches):
                for condition, body in branches:
                    if condition is None or self._evaluate(condition):
                        self.run(body)
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
            case _:
                self._change(statement)

    def _change(self, statement: Assign | Augment | Mutate | Set | Swap) -> None:
        match statement:
            case Assign(target, value):
                self.scope[target.name] = self._evaluate(value)
            case Set(place, value):
                self._put(place, self._evaluate(value))
            case Swap(places):
                first, *rest = map(self._evaluate, places)
                for place, value in zip(places, (*rest, first), strict=True):
                    self._put(place, value)
            case Augment(target, symbol, value):
                self.scope[target.name] = self._evaluate(Operation(symbol, (target, value)))
            case Mutate():
                self._mutate(statement)

    def _run_step(self, step: ExecutedStep) -> None:
        self.executed += 1
        if self.executed != self._without:
            self.run(step.body)
        if self.watch is not None:
            self.watch(step, self.scope)

    def _put(self, place: Place, value: Any) -> None:
        match place:
            case Name(name):
                self.scope[name] = value
            case Field(cell, field):
                self.scope[cell.name][field] = value
            case Operation(operands=(owner, key)):
                holder, where = map(self._evaluate, (owner, key))
                holder[where if isinstance(holder, dict) else _check_index(holder, where)] = value
            case _:
                raise AssertionError(place)

    def _mutate(self, statement: Mutate) -> None:
        items: list[int] = self.scope[statement.target.name]
        operands = [*map(self._evaluate, statement.operands)]
        if any(items is busy for busy in self._busy):
            raise PortabilityError
        match statement.operator:
            case "append":
                items.append(*operands)
                if len(items) > self._most:
                    raise PortabilityError
            case "sort":
                items.sort()
            case "pop":
                if not items:
                    raise PortabilityError
                items.pop()
            case "put":
                index, value = operands
                items[_check_index(items, index)] = value
            case "drop":
                del items[_check_index(items, 0)]
            case "remove":
                if operands[0] not in items:
                    raise PortabilityError
                items.remove(operands[0])
            case "postpone":
                items.append(items.pop(_check_index(items, operands[0])))
            case "rotate":
                count = _check_index(items, operands[0])
                items[:] = items[count:] + items[:count]

    def _run_loop(self, loop: CountLoop | Each | While) -> None:
        match loop:
            case CountLoop(variable, stop, body):
                rounds = self._evaluate(stop)
                for number in range(rounds):
                    self.scope[variable.name] = number
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
                    self.scope[variable.name] = item
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
            self.run(body)
        except _Signal as signal:
            if signal.word == "return":
                raise
            return signal.word == "break"
        return False

    def _evaluate(self, expression: Expression) -> Any:
        # Most of the time that programs take goes by here: a pattern with fields costs twice what its class does.
        match expression:
            case Name():
                return self.scope[expression.name]
            case Literal():
                return thaw(expression.value)
            case Operation():
                if (compute := _OPERATORS.get(expression.operator)) is None:
                    return self._decide(expression)
                return _check_size(compute(*map(self._evaluate, expression.operands)))
            case Field():
                return self.scope[expression.cell.name][expression.field]
            case Invocation():
                return self._call(expression.function, [*map(self._evaluate, expression.arguments)])

    def _decide(self, operation: Operation) -> Any:
        """An operation that does not only depend on the values of its operands."""
        match operation:
            case Operation("and", (left, right)):
                return self._evaluate(left) and self._evaluate(right)
            case Operation("or", (left, right)):
                return self._evaluate(left) or self._evaluate(right)
            case Operation("holds" | "fails" as wanted, (condition,)):
                holds = bool(self._evaluate(condition))
                return holds != self.turned.setdefault(id(operation), holds != (wanted == "holds"))
            case Operation("cell", values):
                return dict(zip(self._fields, map(self._evaluate, values), strict=True))
        raise AssertionError(operation)
