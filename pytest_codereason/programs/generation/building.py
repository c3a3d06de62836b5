"""Builds programs from rows of numbers. Any numbers make a program, and smaller numbers make a simpler program.

Hypothesis shrinks numbers and lists of rows best if no row depends on another. So rows of every kind have the same
fields. Names have fixed places, which do not move when other rows are removed. A row that makes no sense in its place
becomes a simpler statement.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal as OneOf

from pytest_codereason.core.language.pseudocode import (
    Assign,
    Augment,
    Block,
    CountLoop,
    Datum,
    Each,
    Expression,
    FunctionDefinition,
    If,
    Leave,
    Literal,
    Module,
    Mutate,
    Name,
    Operation,
    Return,
    Statement,
    Type,
    While,
    find_type_of_datum,
)
from pytest_codereason.programs.generation.expressions import COUNTERS, Expressions, VisibleNames, choose, pick
from pytest_codereason.programs.generation.rows import Row

#: The type of what a row changes, where it is not a whole number.
_CHANGES: Mapping[str, Type] = {
    **dict.fromkeys(("extend", "text"), "str"),
    **dict.fromkeys(("append", "put", "sort", "pop", "items"), "list"),
    "flag": "bool",
}
#: What changes a variable of a type.
_USUAL: Mapping[Type, str] = {"int": "augment", "str": "extend", "list": "append", "bool": "flag"}
#: Names of parameters and of variables, by type; of the variables of loops, by depth.
_PARAMETERS: Mapping[Type, Sequence[str]] = {
    "int": ("n", "m", "k"),
    "str": ("s", "t", "u"),
    "list": ("xs", "ys", "zs"),
    "bool": ("p", "q", "r"),
}
_VARIABLES: Mapping[Type, Sequence[str]] = {
    "int": ("x", "y", "z"),
    "str": ("text", "word"),
    "list": ("items", "parts"),
    "bool": ("found", "ready"),
}
_ELEMENTS, _LETTERS = ("v", "w", "o"), ("c", "d", "e")
#: The greatest depth of a statement.
DEPTH = 2
#: By how much the number of a row has to grow for its loop to run once more.
NUMBERS_PER_ROUND = 200


def build_function(
    name: str,
    types: Sequence[Type],
    rows: Sequence[Row],
    last: Row,
    result: Type,
    features: Collection[str],
    called: FunctionDefinition | None = None,
) -> FunctionDefinition:
    """A function with a statement for each row. ``last`` is the row of its ``return``."""
    seen: dict[Type, int] = {}
    parameters = []
    for kind in types:
        seen[kind] = seen.get(kind, -1) + 1
        parameters.append(Name(_PARAMETERS[kind][seen[kind]], kind))
    body = _Builder(parameters, rows, result, features, called).body(last)
    return FunctionDefinition(name, tuple(parameters), result, body)


def build_module(
    arguments: Sequence[Datum],
    rows: Sequence[Row],
    last: Row,
    latest: bool,
    features: Collection[str],
    called: FunctionDefinition | None = None,
) -> Module:
    """The program that calls ``f``. The call gives an int, or with ``latest`` the variable changed by the last row."""
    types = [find_type_of_datum(argument) for argument in arguments]
    known = {"int", *types, *(_CHANGES[row.kind] for row in rows if row.kind in {"text", "items", "flag"})}
    changes = [kind for row in rows if (kind := _find_changed_type(row)) in known]
    result: Type = (changes[-1] or "int") if latest and changes else "int"
    main = build_function("f", types, rows, last, result, features, called)
    return Module((called, main) if called else (main,), tuple(arguments))


def _turn(holds: bool, condition: Expression) -> Operation:
    return Operation("holds" if holds else "fails", (condition,))


def _find_changed_type(row: Row) -> Type | None:
    """The type of the variable that a row changes, if it is not compound."""
    return _CHANGES.get(row.kind, "int" if row.kind in {"augment", "assign"} else None)


class _Builder:
    def __init__(
        self,
        parameters: Sequence[Name],
        rows: Sequence[Row],
        result: Type,
        features: Collection[str],
        called: FunctionDefinition | None,
    ) -> None:
        self._rows, self._result, self._divides = [*rows], result, "division" in features
        self._scope = VisibleNames([[*parameters]])
        self._make = Expressions(self._scope, self._divides, called)

    def body(self, last: Row) -> Block:
        block = self._block(0, in_loop=False)
        return (*block, Return(self._make.of(self._result, last)))

    def _block(
        self,
        level: int,
        *,
        in_loop: bool,
        own: Sequence[Name] = (),
        branch: bool = False,
        leaves: Row | None = None,
    ) -> Block:
        """The next row, and the rows after it at this depth or deeper. A block is never empty."""
        if level:
            self._scope.frames.append([*own])
        block: list[Statement] = [self._leave(leaves)] if leaves else []
        first = True
        while first or (self._rows and self._rows[0].depth >= level):
            if block and branch and self._rows[0].kind in {"elif", "else"}:
                break
            row = self._rows.pop(0) if self._rows else None
            if level and first:
                row = self._live(row)
            if row is None:
                break
            first = False
            last = block[-1] if block else None
            if row.kind in {"elif", "else"} and isinstance(last, If) and last.branches[-1][0]:
                condition = _turn(row.branch == 0, self._make.condition(row)) if row.kind == "elif" else None
                block[-1] = If((*last.branches, (condition, self._block(level + 1, in_loop=in_loop, branch=True))))
            else:
                statement = self._statement(row, level, in_loop)
                block.append(statement)
                if isinstance(statement, Assign | Augment | Mutate):
                    self._scope.changes.append(statement.target)
        if level:
            self._scope.frames.pop()
        return tuple(block)

    def _live(self, row: Row | None) -> Row:
        """The row, if it changes a variable that may be returned; else the row of another kind, which changes one."""
        usual = _USUAL[self._result]
        if row is None:
            return Row(usual)
        return row if _find_changed_type(row) in {None, self._result} else row._replace(kind=usual)

    def _statement(self, row: Row, level: int, in_loop: bool) -> Statement:
        make = self._make
        if level < DEPTH and (compound := self._build_compound(row, level, in_loop)):
            return compound
        match row.kind:
            case "return":
                plain = self._result == "int" and row.target < 2
                value = Return(Literal(row.number) if plain else make.of(self._result, row))
                return value if level else If(((_turn(row.branch == 0, make.condition(row)), (value,)),))
            case "break" | "continue" if in_loop:
                return self._leave(row)
            case "extend" if names := self._scope.latest("str", fixed=False):
                return Augment(pick(names, max(0, row.target - 2)), "concatenate", make.word(row))
            case "text":
                return self._assign("str", row, level)
            case "items":
                return self._assign("list", row, level)
            case "flag":
                return self._assign("bool", row, level)
            case ("append" | "put" | "sort" | "pop") as change if names := self._scope.latest("list"):
                return self._mutate(change, pick(names, max(0, row.target - 2)), row)
            case "augment" if names := self._scope.latest("int", fixed=False):
                return self._augment(pick(names, max(0, row.target - 2)), row)
            case _:
                return self._assign("int", row, level)

    def _build_compound(self, row: Row, level: int, in_loop: bool) -> Statement | None:
        make = self._make
        match row.kind:
            case "if" | "elif" | "else":
                conditions: list[Expression | None] = [_turn(row.branch == (row.kind != "if"), make.condition(row))]
                if row.kind != "if":
                    conditions.append(_turn(row.branch == 0, make.second(row)) if row.kind == "elif" else None)
                return If(tuple((one, self._block(level + 1, in_loop=in_loop, branch=True)) for one in conditions))
            case "while" if names := self._scope.latest("int", fixed=False):
                return self._build_while(pick(names, max(0, row.target - 2)), row, level)
            case "each" if names := [*self._scope.names("list"), *self._scope.names("str")]:
                over = pick(names, row.left)
                own = Name(_ELEMENTS[level], "int") if over.type == "list" else Name(_LETTERS[level], "str")
                return Each(own, over, self._build_loop(own, level))
            case "count" | "each" | "while":
                own, ints = Name(COUNTERS[level], "int"), make.ints
                several = row.right >= 5 and ints
                stop = pick(ints, row.right) if several else Literal(1 + row.number // NUMBERS_PER_ROUND)
                return CountLoop(own, stop, self._build_loop(own, level))
            case "break" | "continue" if not in_loop:
                own = Name(COUNTERS[level], "int")
                return CountLoop(own, Literal(2 + row.other_number // 250), self._build_loop(own, level, row))
            case _:
                return None

    def _leave(self, row: Row) -> If:
        word: OneOf["break", "continue"] = "break" if row.kind == "break" else "continue"
        counters = self._scope.counters
        late = (
            Operation(pick((">", "=="), row.operator), (counters[-1], Literal(row.number // 400))) if counters else None
        )
        return If(((late or _turn(False, self._make.condition(row)), (Leave(word),)),))

    def _build_loop(self, own: Name, level: int, leaves: Row | None = None) -> Block:
        """The body of a loop with a variable. It begins with the ``break`` or ``continue`` of the row ``leaves``."""
        self._scope.fixed.add(own)
        return self._block(level + 1, in_loop=True, own=[own], leaves=leaves)

    def _build_while(self, name: Name, row: Row, level: int) -> While:
        comparison, symbol = pick(((">", "-"), ("<", "+"), (">", "//"))[: 3 if self._divides else 2], row.operator)
        step = Augment(name, symbol, Literal(2 if symbol == "//" else 1 + row.other_number // 10))
        condition = Operation(comparison, (name, Literal(row.number if comparison == "<" else row.number // 50)))
        return While(condition, step, self._block(level + 1, in_loop=True))

    def _augment(self, target: Name, row: Row) -> Augment:
        symbol = pick(("+", "-", "*"), row.operator)
        return Augment(
            target, symbol, Literal(2 + row.number // 100) if symbol == "*" else self._make.operand(row, 1, target)
        )

    def _assign(self, kind: Type, row: Row, level: int) -> Assign:
        make = self._make
        value = make.arithmetic(row) if kind == "int" else make.items(row) if kind == "list" else make.of(kind, row)
        # In a block of its own a new variable would soon be out of sight.
        known = self._scope.latest(kind, fixed=False) if level else []
        name = pick([*known, *([] if known else [Name(name, kind) for name in _VARIABLES[kind]])], row.target)
        self._scope.declare(name)
        return Assign(name, value)

    def _mutate(self, change: str, target: Name, row: Row) -> Mutate:
        match change:
            case "append":
                return Mutate(target, change, (self._make.arithmetic(row),))
            case "put":
                index = choose([Literal(0), *self._scope.counters], row.left)
                return Mutate(target, change, (index, self._make.operand(row)))
            case _:
                return Mutate(target, change)
