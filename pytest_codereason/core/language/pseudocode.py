"""Generated programs before a language writes them: expressions, statements, functions.

A name has one type wherever it appears. A variable is known in the block that declares it and in the blocks inside. So
every language can write a program as it is, one with static types and scopes of blocks too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from typing import Literal as OneOf

Type = OneOf["int", "str", "bool", "list", "dict", "grid", "cell"]
#: A grid is a tuple of rows, a dict maps texts to whole numbers. A cell is no datum: only a program makes one.
Datum = int | str | bool | tuple[int, ...] | tuple[tuple[int, ...], ...] | Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Literal:
    """A value as it stands; lists, dicts and grids are of whole numbers."""

    value: Datum


@dataclass(frozen=True, slots=True)
class Name:
    """A variable."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator or builtin on operands: ``+``, ``<``, ``and``, ``length``, ``item`` ...; see :data:`TYPES`."""

    operator: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """``x.a``: a field of a cell, which is a whole number."""

    cell: Name
    field: str


@dataclass(frozen=True, slots=True)
class Invocation:
    """A call of one of the program's own functions."""

    function: str
    arguments: tuple[Expression, ...]
    type: Type = "int"  #: of what it returns


Expression = Literal | Name | Operation | Field | Invocation
#: What can be changed where it stands: a variable, a field, or ``item``, ``row`` and ``get`` of one.
Place = Name | Field | Operation

#: The type of what each operator gives.
TYPES: Mapping[str, Type] = {
    **dict.fromkeys(("+", "-", "*", "//", "%", "max", "min", "length", "size", "item", "last"), "int"),
    **dict.fromkeys(("smallest", "get"), "int"),  # of a list; of a dict by a key
    **dict.fromkeys(("concatenate", "upper", "text", "character"), "str"),
    **dict.fromkeys(("head", "piece", "tail"), "str"),  # of a text: to a place, between two places, from a place
    **dict.fromkeys(("==", "!=", "<", ">", "<=", ">=", "same", "different", "contains"), "bool"),
    "earlier": "bool",  # whether the letter at one place of a text comes before that at another in the alphabet
    **dict.fromkeys(("and", "or", "not"), "bool"),
    **dict.fromkeys(("holds", "fails"), "bool"),  # a condition, turned to be so when it is first met; never printed
    **dict.fromkeys(("from", "until", "new", "row"), "list"),  # ``row`` is that of a grid
    "cell": "cell",  # a new one, with the values of its fields
}
#: The simplest value of each type.
SIMPLEST: Mapping[Type, Datum] = {"int": 0, "str": "", "bool": False, "list": (), "dict": {}}


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """``x = value``; declares ``x`` where no block around has it."""

    target: Name
    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Augment:
    """``x += value``, with ``+``, ``-``, ``*``, ``//`` or ``concatenate``."""

    target: Name
    operator: str
    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Mutate:
    """A change of a list in which nothing else is said than its name.

    ``append`` (value), ``pop``, ``sort``, ``put`` (index, value); ``drop`` of the first, ``remove`` of the first that
    has a value, ``postpone`` (index) of one to the end, ``rotate`` of so many from the beginning to the end.
    """

    target: Name
    operator: str
    operands: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Set:
    """``d["a"] = value``: another value in a place of a list, dict, grid or cell."""

    place: Place
    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Swap:
    """``a, b = b, a``: each place gets the value of the next one, and the last place that of the first."""

    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ExecutedStep:
    """Statements that are one operation, and count as one executed step. They are written as they are without it."""

    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class If:
    """Branches tried in turn; without a condition it is ``else``, which comes last."""

    branches: tuple[tuple[Expression | None, Block], ...]


@dataclass(frozen=True, slots=True, eq=False)
class CountLoop:
    """``for variable in range(stop)``."""

    variable: Name
    stop: Expression
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class Each:
    """A loop over the elements of a list, or the characters of a string."""

    variable: Name
    over: Name
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class While:
    """A loop that takes a step towards its end before anything else."""

    condition: Expression
    step: Augment
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class Leave:
    """``break`` or ``continue``."""

    word: OneOf["break", "continue"]


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    """The end of a function."""

    value: Expression


Statement = Assign | Augment | Mutate | Set | Swap | ExecutedStep | If | CountLoop | Each | While | Leave | Return
Block = tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class FunctionDefinition:
    """A function; its last statement returns, or all branches of it do."""

    name: str
    parameters: tuple[Name, ...]
    result: Type
    body: Block


@dataclass(frozen=True, slots=True)
class Module:
    """Functions, of which the last is called with some arguments."""

    functions: tuple[FunctionDefinition, ...]
    arguments: tuple[Datum, ...]
    fields: tuple[str, ...] = ()  #: of its class ``Cell``; empty if it has none


def find_type(expression: Expression) -> Type:
    """The type of its value."""
    match expression:
        case Name(type=kind):
            return kind
        case Operation(operator):
            return TYPES[operator]
        case Invocation(type=kind):
            return kind
        case Field():
            return "int"
        case Literal(value):
            return find_type_of_datum(value)


def find_type_of_datum(value: Datum) -> Type:
    """The type of a value."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, tuple):
        return "grid" if value and isinstance(value[0], tuple) else "list"
    return "int" if isinstance(value, int) else "str" if isinstance(value, str) else "dict"


def thaw(value: Datum) -> Any:
    """A value as plain data: lists for tuples, and a dict of its own."""
    if isinstance(value, (int, str)):
        return value
    return [*map(thaw, value)] if isinstance(value, tuple) else {**value}


def list_blocks(statement: Statement) -> tuple[Block, ...]:
    """The blocks within a statement."""
    match statement:
        case If(branches):
            return tuple(body for _, body in branches)
        case CountLoop() | Each() | While() | ExecutedStep():
            return (statement.body,)
        case _:
            return ()


def list_expressions(statement: Statement) -> tuple[Expression, ...]:
    """The expressions that a statement itself reads, without those of the statements within it."""
    match statement:
        case Assign() | Augment() | Return():
            return (statement.value,)
        case Set(place, value):
            return (place, value)
        case Swap(places):
            return places
        case Mutate():
            return statement.operands
        case If(branches):
            return tuple(condition for condition, _ in branches if condition is not None)
        case CountLoop():
            return (statement.stop,)
        case Each():
            return (statement.over,)
        case While():
            return (statement.condition, statement.step.value)
        case Leave() | ExecutedStep():
            return ()


def walk_statements(block: Block) -> Iterator[Statement]:
    """Every statement of a block and within its statements."""
    for statement in block:
        yield statement
        for inner in list_blocks(statement):
            yield from walk_statements(inner)


def walk_expressions(expression: Expression) -> Iterator[Expression]:
    """An expression and all within it."""
    yield expression
    match expression:
        case Operation(operands=inner) | Invocation(arguments=inner):
            for part in inner:
                yield from walk_expressions(part)
        case Field(cell):
            yield cell
