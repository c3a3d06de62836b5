"""Misplaced return: a function returns too early."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pytest_codereason.changes.faults._places import FaultPlaces
from pytest_codereason.changes.faults._shipped import ShippedFault
from pytest_codereason.changes.faults._variables import Variables
from pytest_codereason.core.faults import Injection
from pytest_codereason.core.language.structure import Binding, Function, Insertion, Span, Statement

_VALUE = re.compile(r"return\b\s*(.*?)\s*;?", re.DOTALL)
_GENERATOR = re.compile(r"\byield\b")
_LEAVING = frozenset({"return", "throw", "raise", "break", "continue"})
_DEFINITIONS = frozenset({"function", "class", "import"})


class MisplacedReturn(ShippedFault):
    """Inserts one ``return`` too early: at the end of a block, as if it were indented too far, or between statements.

    The value is one that the function returns elsewhere, and whose variables have a value already; not one that only a
    closure in the function can return. A language that refuses code behind a ``return`` has it at the ends of blocks
    only.
    """

    name = "misplaced-return"
    version = 3

    def find(self, places: FaultPlaces) -> Iterator[Injection]:
        """A return at each place in a function where something may be inserted."""
        variables = Variables(places)
        returns = [(places.find_function(s.span.start), s) for s in places.code.statements if s.kind == "return"]
        for insertion in places.code.insertions:
            function = places.find_function(insertion.at)
            if insertion.place != "statement" or not insertion.reachable or function not in places.functions:
                continue
            assert function is not None
            own = [statement for around, statement in returns if around == function]
            if not _is_early(places, insertion, function):
                continue
            text = _choose_return(places, variables, insertion, function, own)
            if text is not None:
                yield Injection(
                    Span(insertion.at, insertion.at),
                    f"{insertion.before}{text}{insertion.after}",
                    function.name,
                    len(insertion.before),
                )


def _is_early(places: FaultPlaces, insertion: Insertion, function: Function) -> bool:
    """Whether a return there would skip something: between two statements, or at the end of an inner block."""
    if (insertion.before + insertion.after).count("\n") != 1 or not function.body.start < insertion.at:
        return False
    inside = [
        s for s in places.code.statements if function.body.start <= s.span.start and s.span.end <= function.body.end
    ]
    before = [s for s in inside if s.span.end <= insertion.at and _indent(places, s) == insertion.indent]
    if not before:
        return False
    previous = max(before, key=lambda s: s.span.start)
    if previous.kind in _LEAVING:
        return False
    following = next((s for s in inside if s.span.start >= insertion.at), None)
    beside = following is not None and not places.source[insertion.at : following.span.start].strip()
    if following is not None and beside and _indent(places, following) == insertion.indent:
        return not places.forms.refuses_dead_code and following.kind not in _LEAVING | _DEFINITIONS
    return previous.depth > 0


def _indent(places: FaultPlaces, statement: Statement) -> str:
    line = places.source.rfind("\n", 0, statement.span.start) + 1
    return places.source[line : statement.span.start]


def _choose_return(
    places: FaultPlaces, variables: Variables, insertion: Insertion, function: Function, returns: Sequence[Statement]
) -> str | None:
    """The statement that is inserted: with the function's last value that can be had there, or without a value."""
    bare, valued = places.forms.returning
    values: list[tuple[bool, str]] = []
    for statement in reversed(returns):
        match = _VALUE.fullmatch(places.text(statement.span))
        if match is None or "\n" in match[1]:
            continue
        if not match[1]:
            return bare
        used = list(variables.list_used(statement.span))
        if all(variables.has_value(binding, insertion.at) for binding in used) and all(
            variables.is_seen(binding, insertion.at) or _is_within(binding, statement.span) for binding in used
        ):
            values.append((not used, match[1]))
    if values:
        return valued.format(min(values, key=lambda value: value[0])[1])
    return bare if not returns or _GENERATOR.search(places.text(function.body)) else None


def _is_within(binding: Binding, span: Span) -> bool:
    """Whether a variable is one of a closure or comprehension in a statement."""
    return all(span.start <= use.span.start < span.end for use in binding.uses if not use.in_call)
