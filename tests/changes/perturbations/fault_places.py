"""Where a fault stands after a change, found without any map: the correct and the faulty program are changed alike."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import NamedTuple

from pytest_codereason.changes.stages.perturbation import Keep, parse, perturb
from pytest_codereason.core import Program
from pytest_codereason.core.facts import Fault
from pytest_codereason.core.text.planting import ChosenFault, WantedFault, plant
from pytest_codereason.errors import Skip
from pytest_codereason.questions.authoring.fault import _list_faults

#: Blanks and comments of one line: a gap may be followed by a comment that a perturbation has put there.
_NO_CODE = re.compile(r"(?:\s|(?:#(?= )|//)[^\n]*)*")


#: A perturbation may rename what differs, or lay it out anew.
_MOST_GROWN = 12


class Difference(NamedTuple):
    """The one stretch in which two texts differ."""

    start: int
    right: str  #: what stands there in the correct text
    wrong: str  #: and in the faulty text


def list_chosen(program: Program, operator: str) -> list[ChosenFault]:
    """The faults that an operator makes of a program."""
    try:
        return [ChosenFault.read(fault.text) for fault in _list_faults(program, WantedFault(operator))]
    except Skip:
        return []


def find_difference(right: str, wrong: str) -> Difference:
    least = min(len(right), len(wrong))
    start = next((i for i in range(least) if right[i] != wrong[i]), least)
    behind = next((i for i in range(least - start) if right[-1 - i] != wrong[-1 - i]), least - start)
    return Difference(start, right[start : len(right) - behind], wrong[start : len(wrong) - behind])


def find_lines(right: str, wrong: str, *, missing: bool, put_in: Container[str] = ()) -> tuple[int, ...]:
    """The lines to blame in the faulty text: where the texts begin to differ.

    Args:
        missing: whether a statement is missing: the line behind the gap, and the line before it.
        put_in: lines that a perturbation has put into the program, without their blanks. They stand beside no gap.
    """
    start, gone, new = find_difference(right, wrong)
    if not missing:
        text, shown = (wrong, new) if new.strip() else (right, gone)
        return (text.count("\n", 0, start + len(shown) - len(shown.lstrip())) + 1,)
    behind = _NO_CODE.match(wrong, start)
    start = behind.end() if behind else start
    lines = wrong.split("\n")
    first = line = wrong.count("\n", 0, start) + 1
    while line < len(lines) and lines[line - 1].strip() in put_in:
        line += 1
    above = [
        number
        for number, text in enumerate(lines[: first - 1], 1)
        if not _NO_CODE.fullmatch(text) and text.strip() not in put_in
    ]
    return (line, *above[-1:])


class Shown(NamedTuple):
    """A fault after a change."""

    right: str  #: the file of the correct program, changed as well
    wrong: str  #: the file of the faulty program
    fault: Fault

    @property
    def lines(self) -> set[int]:
        """The lines that the fact blames."""
        return {self.fault.line, *self.fault.also}


def change_both(program: Program, faulty: Program, perturbation: str, keep: Keep = "", seed: int = 0) -> Shown | None:
    """What a change makes of both programs; nothing where it is skipped."""
    try:
        right, wrong = (perturb(p, parse(perturbation), seed, "x", "fault", keep=keep) for p in (program, faulty))
    except Skip:
        return None
    fault = wrong.facts.fault
    return Shown(right.files[fault.file], wrong.files[fault.file], fault)


def find_error(program: Program, chosen: ChosenFault, perturbation: str, keep: Keep = "") -> str | None:
    """How the fact is wrong after a change: empty if it is right, ``None`` where nobody can say.

    A perturbation may draw other words for the faulty program than for the correct one, or copy what is faulty. Then
    the fact must still hold the faulty text.
    """
    faulty = plant(program, chosen)
    shown = change_both(program, faulty, perturbation, keep)
    if shown is None:
        return None
    before = find_difference(program.files[chosen.file], faulty.files[chosen.file])
    after = find_difference(shown.right, shown.wrong)
    missing = not chosen.text and program.files[chosen.file][: chosen.span.end].endswith("\n")
    grown = len(after.wrong) + len(after.right) - len(before.wrong) - len(before.right)
    if not after.wrong + after.right or abs(grown) > _MOST_GROWN:
        (start, end), *_ = shown.fault.spans
        old = faulty.files[chosen.file][slice(*faulty.facts.fault.spans[0])]
        if missing or "".join(shown.wrong[start:end].split()) != "".join(old.split()):
            return None
        stands = shown.wrong.count("\n", 0, start) + 1
        return "" if stands == shown.fault.line else f"{old!r} stands on line {stands}, not {shown.fault.line}"
    plain = change_both(program, faulty, "vanilla") if perturbation == "prints" else None
    put_in = {*map(str.strip, shown.wrong.split("\n"))} - {*map(str.strip, plain.wrong.split("\n"))} if plain else ()
    lines = find_lines(shown.right, shown.wrong, missing=missing, put_in=put_in)
    # Where a definition ends with the gap and is moved, the line before the gap is blamed alone.
    is_right = shown.lines <= {*lines} if missing else shown.lines == {*lines}
    return "" if is_right else f"{perturbation}: {chosen} is blamed on {shown.lines}, not {lines}:\n{shown.wrong}"
