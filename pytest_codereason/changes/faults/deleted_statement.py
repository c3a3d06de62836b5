"""Deleted statement: one line is missing."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_codereason.changes.faults._places import FaultPlaces
from pytest_codereason.changes.faults._shipped import ShippedFault
from pytest_codereason.core.faults import Injection
from pytest_codereason.core.language.structure import Span, Statement

_QUOTES = ('"', "'", "`")


class DeletedStatement(ShippedFault):
    """Leaves out one line with one statement: ``low += 1``, ``seen.add(item)``, ``continue``.

    A statement that gives a variable its first value stays, and so does the only statement of a block.
    """

    name = "deleted-statement"
    version = 1

    def find(self, places: FaultPlaces) -> Iterator[Injection]:
        """The program without each such statement."""
        variables = [binding for binding in places.code.bindings if binding.kind != "field"]
        starts = [[use.span.start for use in variable.uses if not use.in_call] for variable in variables]
        first = {min(uses) for uses in starts if uses}
        for statement in places.list_statements("expression", "assignment", "break", "continue"):
            start, end = statement.span
            text = places.text(statement.span)
            line = _find_line(places.source, statement)
            if line is None or text.startswith(_QUOTES) or any(start <= at < end for at in first):
                continue
            if _has_neighbours(places, statement):
                function = places.find_function(start)
                yield Injection(line, "", function.name if function else "", omission=True)


def _find_line(source: str, statement: Statement) -> Span | None:
    """The line of a statement with its line end, if the statement is alone there."""
    start, end = source.rfind("\n", 0, statement.span.start) + 1, source.find("\n", statement.span.end)
    if end < 0 or "\n" in source[statement.span.start : statement.span.end]:
        return None
    alone = not source[start : statement.span.start].strip() and not source[statement.span.end : end].strip(" \t\r;")
    return Span(start, end + 1) if alone else None


def _has_neighbours(places: FaultPlaces, statement: Statement) -> bool:
    """Whether other statements stand in its own block."""
    start, end = statement.span
    around = [block.span for block in places.code.blocks if block.span.start <= start and end <= block.span.end]
    if not around:
        return False
    block = max(around, key=lambda span: (span.start, -span.end))
    outer = [s.span for s in places.code.statements if s.span.start < start and end <= s.span.end]
    holder = max(outer, key=lambda span: span.start, default=None)
    if holder is not None and block.start <= holder.start:  # the body of another statement, without braces
        return False
    text = places.source[block.start : start] + places.source[end : block.end]
    return bool(text.strip(" \t\r\n;"))
