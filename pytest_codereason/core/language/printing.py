"""A printer writes generated programs in one language.

Programs are first made in no language, see :mod:`~pytest_codereason.core.language.pseudocode`. :class:`Printer` holds
what all languages share, and each language says in its ``printer.py`` what differs. The printer of Python writes ``x //
2`` because its table has ``"//": infix("//", PRODUCT)``; that of JavaScript has ``"//": wrapped("Math.floor({} /
{})")``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

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
    FunctionDefinition,
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
    Type,
    While,
    thaw,
    walk_statements,
)

#: How tightly operators bind, from the loosest.
OR, AND, NOT, COMPARISON, SUM, PRODUCT, UNARY, ATOM = range(8)


class Form(NamedTuple):
    """How an operation is written: its text, how tightly it binds, and how tightly each operand must."""

    text: str
    level: int
    operands: tuple[int, ...]


def infix(symbol: str, level: int) -> Form:
    """``left symbol right``."""
    return Form(f"{{}} {symbol} {{}}", level, (level, level + 1))


def wrapped(text: str) -> Form:
    """A form that encloses its operands: ``len({})``."""
    return Form(text, ATOM, (OR, OR, OR))


def postfix(text: str) -> Form:
    """A form after its first operand that encloses the others: ``{}[{}]``."""
    return Form(text, ATOM, (ATOM, OR, OR))


#: Operators that are the same in every language.
COMMON: Mapping[str, Form] = {
    **{symbol: infix(symbol, SUM) for symbol in "+-"},
    **{symbol: infix(symbol, PRODUCT) for symbol in "*%"},
    **{symbol: infix(symbol, COMPARISON) for symbol in ("==", "!=", "<", ">", "<=", ">=")},
}
#: Logical operators of languages that write blocks in braces.
BRACES: Mapping[str, Form] = {
    "and": infix("&&", AND),
    "or": infix("||", OR),
    "not": Form("!{}", UNARY, (UNARY,)),
}

#: Operators that take any number of operands, which stand in a row: ``[{}]``.
ROWS = frozenset({"new", "cell"})


class Printer(ABC):
    """Writes generated programs in one language.

    Args:
        write_value: writes a value as a literal of the language.
    """

    #: Where several languages can be drawn, Hypothesis shrinks towards the one with the lowest rank.
    rank: ClassVar[int] = 100
    #: Whether a function can stand at the top level of a file. SemTrace is written in these languages only.
    top_level: ClassVar[bool] = True
    forms: ClassVar[Mapping[str, Form]]  #: by operator, see :data:`~pytest_codereason.core.language.pseudocode.TYPES`
    mutations: ClassVar[Mapping[str, str]]  #: by operator: the list, then the operands
    opening: ClassVar[str] = " {"  #: what ends the line above a block
    semicolon: ClassVar[str] = ";"
    condition: ClassVar[str] = "({})"
    group: ClassVar[str] = "[{}]"  #: around places that are assigned at once
    branches: ClassVar[tuple[str, str, str]] = ("if ", "} else if ", "} else")  #: of ``if``, ``elif``, ``else``

    def __init__(self, write_value: Callable[[Any], str]) -> None:
        self._write_value = write_value

    @abstractmethod
    def write_program(self, module: Module) -> str:
        """The text of a program."""

    @abstractmethod
    def write_header(self, function: FunctionDefinition) -> str:
        """The line above a function's body."""

    @abstractmethod
    def write_count(self, variable: str, stop: str) -> str:
        """The header of a loop that counts from 0."""

    @abstractmethod
    def write_each(self, variable: str, over: str, kind: Type) -> str:
        """The header of a loop over the elements of a list or the characters of a string."""

    def write_class(self, fields: tuple[str, ...]) -> Iterator[str]:
        """The lines of the class ``Cell``, which is made with the values of its fields.

        Only programs of the source ``horizon`` have one.
        """
        raise NotImplementedError(f"{type(self).__name__} writes no class: give it a method write_class(fields)")

    def write_definitions(self, module: Module) -> Iterator[str]:
        """The class of a program, if it has one, and its functions."""
        if module.fields:
            yield "\n".join(self.write_class(module.fields))
        for function in module.functions:
            yield "\n".join(self.write_function(function))

    def write_call(self, module: Module) -> str:
        """The entry call."""
        return f"{module.functions[-1].name}({self.write_arguments(module)})"

    def write_arguments(self, module: Module) -> str:
        """The arguments of the entry call, without the brackets."""
        return ", ".join(map(self.write_literal, module.arguments))

    def write_literal(self, value: Datum) -> str:
        """The literal of a value."""
        return self._write_value(thaw(value))

    def write_name(self, name: str) -> str:
        """A variable."""
        return name

    def write_field(self, cell: str, field: str) -> str:
        """``x.a``."""
        return f"{cell}.{field}"

    def write_assignment(self, target: Name, value: str, *, declares: bool, once: bool) -> str:
        """``x = value``; ``once`` where nothing else ever changes ``x``."""
        return f"{self.write_name(target.name)} = {value}"

    def write_augmentation(self, target: str, operator: str, value: str) -> str:
        """``x += value``."""
        return f"{target} {'+' if operator == 'concatenate' else operator}= {value}"

    def write_setting(self, place: Place, value: str) -> str:
        """``d["a"] = value``."""
        return f"{self.write_expression(place)} = {value}"

    def write_swap(self, places: list[str]) -> str:
        """``[a, b] = [b, a]``."""
        left, right = (self.group.format(", ".join(each)) for each in (places, [*places[1:], places[0]]))
        return f"{left} = {right}"

    def lower(self, statement: Statement) -> Block:
        """The statements that stand in the text for one."""
        match statement:
            case ExecutedStep(body):
                return tuple(part for inner in body for part in self.lower(inner))
            case Swap():
                return self.lower_swap(statement)
            case _:
                return (statement,)

    def lower_swap(self, swap: Swap) -> Block:
        """The statements that swap places; a language that cannot assign several at once needs more than one."""
        return (swap,)

    def write_expression(self, expression: Expression, level: int = OR) -> str:
        """An expression where an operand must bind so tightly."""
        match expression:
            case Literal(value):
                return self.write_literal(value)
            case Name(name):
                return self.write_name(name)
            case Field(cell, field):
                return self.write_field(self.write_name(cell.name), field)
            case Invocation(function, arguments):
                return f"{function}({', '.join(map(self.write_expression, arguments))})"
            case Operation(operator, operands):
                form = self.forms[operator]
                if operator in ROWS:
                    texts = [", ".join(map(self.write_expression, operands))]
                else:
                    texts = [*map(self.write_expression, operands, form.operands)]
                text = form.text.format(*texts)
                return text if form.level >= level else f"({text})"

    def write_function(self, function: FunctionDefinition) -> Iterator[str]:
        """The lines of a function."""
        yield self.write_header(function) + self.opening
        writer = _Body(self, Counter(_list_changes(function.body)))
        yield from writer.block(function.body, frozenset(function.parameters))
        yield from self.close_block()

    def close_block(self) -> Iterator[str]:
        """The line below a block."""
        yield "}"


def _list_changes(block: Block) -> Iterator[Name]:
    """The variable of each assignment."""
    for statement in walk_statements(block):
        match statement:
            case Assign(target) | Augment(target) | While(step=Augment(target)):
                yield target
            case Swap(places):
                yield from (place for place in places if isinstance(place, Name))


class _Body:
    """Writes the statements of one function; ``changes`` says how often each variable is assigned to."""

    def __init__(self, printer: Printer, changes: Counter[Name]) -> None:
        self._printer, self._changes = printer, changes

    def block(self, block: Block, known: frozenset[Name]) -> Iterator[str]:
        for statement in (part for one in block for part in self._printer.lower(one)):
            yield from (f"    {line}" for line in self._statement(statement, known))
            if isinstance(statement, Assign):
                known |= {statement.target}

    def _statement(self, statement: Statement, known: frozenset[Name]) -> Iterator[str]:
        printer = self._printer
        match statement:
            case If(branches):
                yield from self._print_branches(branches, known)
                yield from printer.close_block()
            case CountLoop(variable, stop, body):
                header = printer.write_count(printer.write_name(variable.name), printer.write_expression(stop, SUM + 1))
                yield from self._print_loop(header, body, known | {variable})
            case Each(variable, over, body):
                header = printer.write_each(printer.write_name(variable.name), printer.write_name(over.name), over.type)
                yield from self._print_loop(header, body, known | {variable})
            case While(condition, step, body):
                header = f"while {printer.condition.format(printer.write_expression(condition))}"
                yield from self._print_loop(header, (step, *body), known)
            case _:
                yield self._print_simple(statement, known) + printer.semicolon

    def _print_branches(
        self, branches: tuple[tuple[Expression | None, Block], ...], known: frozenset[Name]
    ) -> Iterator[str]:
        printer = self._printer
        first, other, last = printer.branches
        for place, (condition, body) in enumerate(branches):
            if condition is None:
                head = last
            else:
                head = (other if place else first) + printer.condition.format(printer.write_expression(condition))
            yield head + printer.opening
            yield from self.block(body, known)

    def _print_loop(self, header: str, body: Block, known: frozenset[Name]) -> Iterator[str]:
        yield header + self._printer.opening
        yield from self.block(body, known)
        yield from self._printer.close_block()

    def _print_simple(self, statement: Statement, known: frozenset[Name]) -> str:
        printer = self._printer
        match statement:
            case Assign(target, value):
                once = self._changes[target] == 1
                return printer.write_assignment(
                    target, printer.write_expression(value), declares=target not in known, once=once
                )
            case Augment(target, operator, value):
                return printer.write_augmentation(
                    printer.write_name(target.name), operator, printer.write_expression(value)
                )
            case Mutate(target, operator, operands):
                texts = map(printer.write_expression, operands)
                return printer.mutations[operator].format(printer.write_name(target.name), *texts)
            case Set(place, value):
                return printer.write_setting(place, printer.write_expression(value))
            case Swap(places):
                return printer.write_swap([*map(printer.write_expression, places)])
            case Return(value):
                return f"return {printer.write_expression(value)}"
            case Leave(word):
                return word
        raise AssertionError(statement)
