"""Makes expressions from the numbers of a row and the names in scope."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from pytest_codereason.core.language.pseudocode import (
    Expression,
    FunctionDefinition,
    Invocation,
    Literal,
    Name,
    Operation,
    Type,
)
from pytest_codereason.programs.generation.rows import Row

T = TypeVar("T")

#: What texts are made of.
WORDS = ("a", "b", "ab", "ox", "cat", "tree", "lemon", "violet")
#: Variables of loops that count, by depth.
COUNTERS = ("i", "j", "h")
_ARITHMETIC = ("+", "-", "*", "max", "min", "+")
_DIVISION = ("//", "%")
_COMPARISONS = (">", "==", "<", "!=", "<=", ">=")
#: Selectors of an operand below this one choose a literal.
_LITERALS = 4


@dataclass(slots=True)
class VisibleNames:
    """The names that can be read here: parameters, then the names of each block around."""

    frames: list[list[Name]]
    fixed: set[Name] = field(default_factory=set)  #: variables of loops, which nothing else may change
    changes: list[Name] = field(default_factory=list)  #: what statements have changed, in their order

    def names(self, kind: Type) -> list[Name]:
        """The names of one type."""
        return [name for frame in self.frames for name in frame if name.type == kind]

    def latest(self, *kinds: Type, fixed: bool = True) -> list[Name]:
        """The names of some types, last changed first. Without the ``fixed`` ones, only names that may be changed."""
        names = [name for kind in kinds for name in self.names(kind) if fixed or name not in self.fixed]
        return [*dict.fromkeys([*[name for name in self.changes[::-1] if name in names], *names])]

    @property
    def counters(self) -> list[Name]:
        """The variables of loops that count, which may be indices."""
        return [name for name in self.names("int") if name.name in COUNTERS]

    def declare(self, name: Name) -> None:
        """Declares a name in the innermost block, if it is not declared yet."""
        if not any(name in frame for frame in self.frames):
            self.frames[-1].append(name)


def pick(items: Sequence[T], number: int) -> T:
    """One of ``items``, chosen by any whole number."""
    return items[number % len(items)]


def choose(items: Iterable[Expression], number: int) -> Expression:
    """One of several expressions, chosen by any whole number."""
    return pick([*items], number)


def prefer(items: Sequence[T], number: int) -> T:
    """One of ``items``, chosen by a whole number. Of the numbers 0 to 9, seven choose the first item."""
    return pick(items, max(0, number - 6))


@dataclass(frozen=True, slots=True)
class Expressions:
    """Makes the expressions of a row. The expressions may call the function ``called``."""

    scope: VisibleNames
    division: bool
    called: FunctionDefinition | None

    def of(self, kind: Type, row: Row) -> Expression:
        """An expression of a type; a bare variable if the row has no operator."""
        match kind:
            case "int":
                return self.arithmetic(row, self.ints)
            case "str":
                return self.text(row)
            case "bool":
                names = self.scope.latest("bool")
                return prefer(names, row.left) if names else self.condition(row)
            case _:  # the types that only other programs have are not asked for
                names = self.scope.latest("list")
                return prefer(names, row.left) if names else self.items(row)

    @property
    def ints(self) -> list[Expression]:
        """The whole numbers that can be read, the simplest first."""
        numbers, lists = self.scope.latest("int"), self.scope.names("list")
        readable = [_measure_name(name) for name in self.scope.latest("int", "list", "str")]
        readable += [Operation(part, (name, *index)) for name in lists for part, index in _ENDS]
        readable += [Operation("item", (name, number)) for name in lists for number in self.scope.counters]
        if self.called:
            arity = len(self.called.parameters)
            arguments: tuple[Expression, ...] = (*numbers, *[Literal(1)] * arity)
            readable.append(Invocation(self.called.name, arguments[:arity]))
        return readable

    def arithmetic(self, row: Row, alone: Sequence[Expression] = ()) -> Expression:
        """``left + right``, or ``left + right - other``. Without an operator: ``right``, or one of ``alone``."""
        left = prefer(alone or self.ints or [Literal(row.number)], row.left)
        symbol = pick(("", *_ARITHMETIC, *(_DIVISION if self.division else ())), row.operator)
        match symbol:
            case "":
                first = left if alone else self._draw_operand(row.right, row.number)
            case "//" | "%":
                first = Operation(symbol, (left, Literal(2 + row.number // 50)))
            case "*":
                first = Operation(symbol, (left, self._draw_operand(row.right, 2 + row.number // 100, left)))
            case _:
                first = Operation(symbol, (left, self._draw_operand(row.right, 1 + row.number, left)))
        second = pick(("", "", "", "", "+", "-"), row.link)
        return (
            Operation(second, (first, self._draw_operand(row.other, 1 + row.other_number, left))) if second else first
        )

    def operand(self, row: Row, least: int = 0, beside: Expression | None = None) -> Expression:
        """A literal from ``least`` on, or a readable value other than ``beside``."""
        return self._draw_operand(row.right, least + row.number, beside)

    def _draw_operand(self, selector: int, number: int, beside: Expression | None = None) -> Expression:
        ints = [one for one in self.ints if one != beside]
        return pick(ints, selector - _LITERALS) if ints and selector >= _LITERALS else Literal(number)

    def text(self, row: Row) -> Expression:
        """A string."""
        names = self.scope.latest("str")
        left: Expression = prefer(names, row.left) if names else Literal(pick(WORDS, row.left))
        match pick(("", "concatenate", "upper", "text", "character"), row.operator):
            case "concatenate":
                return Operation("concatenate", (left, self.word(row)))
            case "text" if self.ints:
                return Operation("text", (pick(self.ints, row.left),))
            case "upper":
                return Operation("upper", (left,))
            case "character" if names:
                return Operation("character", (left, choose([Literal(0), *self.scope.counters], row.right)))
            case _:
                return left

    def word(self, row: Row) -> Expression:
        """A string literal or the value of a name."""
        names = self.scope.names("str")
        return pick(names, row.right) if names and row.right >= _LITERALS else Literal(pick(WORDS, row.number))

    def items(self, row: Row) -> Expression:
        """A list literal, or a part of another list."""
        names = self.scope.names("list")
        match pick(("new", "from", "until"), row.operator):
            case ("from" | "until") as part if names:
                return Operation(part, (pick(names, row.left), Literal(1 + row.number // 300)))
            case _:
                first, second = (
                    self._draw_operand(row.right, row.number),
                    self._draw_operand(row.other, row.other_number),
                )
                return Operation("new", pick(((first,), (first, second)), row.link))

    def condition(self, row: Row) -> Expression:
        """A comparison or a boolean variable, or two of them joined."""
        first = self._test(row.left, row.operator, row.right, row.number)
        word = pick(("", "", "", "", "and", "or"), row.link)
        return Operation(word, (first, self.second(row))) if word else first

    def second(self, row: Row) -> Expression:
        """Another comparison of the same row."""
        return self._test(row.other, row.link // 6, 0, row.other_number)

    def _test(self, left: int, symbol: int, right: int, number: int) -> Expression:
        scope = self.scope
        lists = [Operation("contains", (name, Literal(number))) for name in scope.names("list")]
        subject = pick([*self.ints, *scope.names("str"), *scope.names("bool"), *lists], left)
        match subject:
            case Name(type="str"):
                others: list[Expression] = [Literal(pick(WORDS, number)), *scope.names("str")]
                return Operation(pick(("same", "different"), symbol), (subject, pick(others, right)))
            case Name(type="bool") | Operation("contains"):
                return Operation("not", (subject,)) if symbol % 2 else subject
            case _:
                # An element against an element would compare objects in Java.
                names = [name for name in scope.names("int") if name != subject]
                other = pick(names, right) if names and right >= 2 * _LITERALS - 1 else Literal(number)
                symbol = symbol % 7
                if symbol < len(_COMPARISONS) or not self.division:
                    return Operation(pick(_COMPARISONS, symbol), (subject, other))
                return Operation("==", (Operation("%", (subject, Literal(2 + number // 100))), Literal(right % 2)))


def _measure_name(name: Name) -> Expression:
    """The value of a name of a number; for a text or a list, its length."""
    return name if name.type == "int" else Operation("size" if name.type == "list" else "length", (name,))


_ENDS: tuple[tuple[str, tuple[Expression, ...]], ...] = (("item", (Literal(0),)), ("last", ()))
