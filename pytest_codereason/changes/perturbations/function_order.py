"""Gives functions, methods and classes another order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from pytest_codereason import registry
from pytest_codereason.changes.perturbations._examples import read_examples
from pytest_codereason.changes.perturbations._places import parse_program
from pytest_codereason.core import Dose, Perturbation, Program
from pytest_codereason.core.doses import PerturbationExample
from pytest_codereason.core.language.structure import Code, Span, Unit
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.changes import Change, change
from pytest_codereason.core.text.edits import Move
from pytest_codereason.errors import Skip

_REST_OF_LINE = re.compile(r"[ \t\f;]*(?=\r?\n|\Z)")


class FunctionOrder(Perturbation):
    """Moves definitions among their siblings: functions of a file, methods of a class (the fourth study's M_f).

    A definition stays behind those that must be defined before it, and takes its comments along. Strength is the
    number of definitions that are taken out and put elsewhere; without a strength the order is drawn as a whole.
    """

    name = "function-order"
    version = 3
    doses = Dose.SETTINGS
    capabilities = frozenset({"syntax", "dialect"})

    @classmethod
    def examples(cls) -> Sequence[PerturbationExample]:
        """Programs of four languages, in ``examples/function_order.toml``."""
        return read_examples(cls.name)

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        """The program in another order. ``place`` is the quarter in which a definition stands that is moved.

        Raises:
            Skip: No definition can be moved, or the program may notice it.
        """
        code = parse_program(program)
        if looks := registry.language(program.language).dialect.sees_order & code.taken:
            raise Skip(f"the program may look at the order or the lines of its code: {min(looks)}")
        rows = [_Row(row, [dose.allows(code.source, d.span.start) for d in row], draws) for row in _list_rows(code)]
        moves = draws.shuffle([(row, place) for row in rows for place in row.list_moved()])
        if not moves:
            raise Skip(f"no definition can be moved{f' in quarter {dose.place}' if dose.place else ''}")
        count = sum(draws.chance(dose.density) for _ in moves)
        if dose.strength is not None:
            count = min(count, dose.strength)
        for _ in range(count):
            moves.remove(next(pair for pair in moves if pair[0].move(pair[1])))
        return change(program, Change(edits=tuple(edit for row in rows for edit in row.list_edits())))


class _Definition(NamedTuple):
    """A definition that can be moved."""

    span: Span  #: with its comments
    needs: frozenset[int]  #: the places in its row of those that it must stay behind


def _list_rows(code: Code) -> list[list[_Definition]]:
    """The definitions that can change places, sibling by sibling; each row has two or more.

    A definition that shares a line with other code stays, and so does what needs a definition that stays.
    """
    ends = {comment.span.start: comment.span.end for comment in code.comments}
    families: dict[str, list[Unit]] = {}
    for unit in code.units:
        families.setdefault(unit.parent, []).append(unit)
    rows = []
    for siblings in families.values():
        spans = {unit: span for unit in siblings if (span := _measure_lines(code.source, unit.span, ends))}
        while stuck := [unit for unit in spans if not unit.needs <= {other.name for other in spans}]:
            for unit in stuck:
                del spans[unit]
        places = {unit.name: place for place, unit in enumerate(spans)}
        row = [
            # what stands behind a definition was never needed: another thing has its name
            _Definition(span, frozenset(p for name in unit.needs if (p := places[name]) < places[unit.name]))
            for unit, span in spans.items()
        ]
        if len(row) > 1:
            rows.append(row)
    return rows


def _measure_lines(source: str, span: Span, ends: Mapping[int, int]) -> Span | None:
    """A definition with a comment behind it on its last line; ``None`` if other code shares one of its lines."""
    if source[source.rfind("\n", 0, span.start) + 1 : span.start].strip():
        return None
    at = span.end
    while at < len(source) and source[at] in " \t\f;":
        at += 1
    end = ends.get(at, span.end)
    return Span(span.start, end) if _REST_OF_LINE.match(source, end) else None


class _Row:
    """Siblings in the order of the source, with the order that is drawn for them."""

    def __init__(self, definitions: Sequence[_Definition], movable: Sequence[bool], draws: Draws) -> None:
        self._definitions = definitions
        self._present = list(range(len(definitions)))  # the places of the source, in the order of now
        self._target = _draw_order(definitions, movable, draws)
        self._settled = set(_find_kept(self._target, movable))

    def list_moved(self) -> list[int]:
        """The definitions that have to move to reach the drawn order."""
        return [place for place in range(len(self._definitions)) if place not in self._settled]

    def move(self, moved: int) -> bool:
        """Puts a definition where the drawn order has it, among those that stay and those that were moved.

        Returns:
            Whether it could be moved. Something that it needs, or that needs it, may have to move first. Of the
            definitions that are left, one always can.
        """
        others = [place for place in self._present if place != moved]
        rank = self._target.index(moved)
        before = {place for place in self._target[:rank] if place in self._settled}
        behind = {place for place in self._target[rank:] if place in self._settled}
        before |= self._definitions[moved].needs
        behind |= {place for place in others if moved in self._definitions[place].needs}
        least = max((at + 1 for at, place in enumerate(others) if place in before), default=0)
        most = min((at for at, place in enumerate(others) if place in behind), default=len(others))
        if least > most:
            return False
        others.insert(least, moved)
        self._present = others
        self._settled.add(moved)
        return True

    def list_edits(self) -> Iterator[Move]:
        """The moves of text that put the definitions into the order of now."""
        for place, definition in zip(self._present, self._definitions, strict=True):
            if self._definitions[place] is not definition:
                yield Move(self._definitions[place].span, definition.span.start)


def _draw_order(definitions: Sequence[_Definition], movable: Sequence[bool], draws: Draws) -> list[int]:
    """A drawn order that keeps every definition behind those that it needs, and keeps the immovable in their order.

    It is not the present order if there is another.
    """
    needs = [set(definition.needs) for definition in definitions]
    for first, second in pairwise(place for place, can in enumerate(movable) if not can):
        needs[second].add(first)
    order: list[int] = []
    waiting, placed = list(range(len(definitions))), set[int]()
    while waiting:
        chosen = draws.choice([place for place in waiting if needs[place] <= placed])
        order.append(chosen)
        placed.add(chosen)
        waiting.remove(chosen)
    if order != sorted(order):
        return order
    # The present order: the first definition with another that could stand here instead gives way to it.
    for at in order:
        free = [place for place in order[at + 1 :] if needs[place].issubset(order[:at])]
        if free:
            other = draws.choice(free)
            return [*order[:at], other, *(place for place in order[at:] if place != other)]
    return order


def _find_kept(order: Sequence[int], movable: Sequence[bool]) -> list[int]:
    """The most definitions that stand in ``order`` as they do in the source, all that are immovable among them."""
    weights = [1 if movable[place] else len(order) for place in order]
    best: list[tuple[int, list[int]]] = []
    for at, place in enumerate(order):
        weight, kept = max((best[i] for i in range(at) if order[i] < place), default=(0, []), key=lambda b: b[0])
        best.append((weight + weights[at], [*kept, place]))
    return max(best, key=lambda b: b[0])[1]
