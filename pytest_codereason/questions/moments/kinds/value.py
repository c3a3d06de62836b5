"""What a variable holds before one visit of a line."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from pytest_codereason.errors import NotALiteral
from pytest_codereason.questions.moments.candidate import Kind, MomentCandidate, measure_entropy
from pytest_codereason.questions.moments.code_lines import list_inside
from pytest_codereason.questions.moments.witnessed import Held, WitnessedRun

#: Characters of the longest answer.
MOST_ANSWER = 200
#: A variable must have so many different values.
LEAST_VALUES = 3
#: How much more often a variable is drawn for each of up to two assignments that change it.
_CHANGED = 4
#: The folder in which the sandbox runs programs. Who reads a program cannot know it.
_FOLDER = "/job/own"


class ValueKind(Kind):
    """``value`` of v before visit k of L.

    The variable has three values or more. No literal of the text or the call is an answer, nor
    a word or number in one, what the variable holds at the first or the last visit, what the
    program returns, how often the line has run, as a loop's counter would say, or that letter
    of a literal, as a loop through it would hold. A variable that only a loop or a call sets can
    often be read off the text, so those are drawn more often that assignments change.
    """

    name = "value"
    looks = True

    def list_candidates(self, run: WitnessedRun) -> Iterator[MomentCandidate]:
        """A moment for each variable and visit."""
        for number, probe in enumerate(run.probes):
            for place_of_name, name in enumerate(probe.names):
                held = run.list_held(number, place_of_name)
                yield from self._list_visits(run, number, name, held)

    def _list_visits(
        self, run: WitnessedRun, number: int, name: str, held: Sequence[Held | None]
    ) -> Iterator[MomentCandidate]:
        values = [one for one in held if one is not None]
        texts = [repr(one.text) for one in values]
        if len({*texts}) < LEAST_VALUES:
            return
        place = run.find_probed(number)
        writers = run.lines.files[place.file].count_writers(name, run.name_function(place) or "")
        events, weight = run.visits[place], measure_entropy(texts) * _CHANGED ** min(writers, 2)
        excluded: dict[str, object] = {"first visit": values[0].value, "last visit": values[-1].value}
        if run.execution.returned and run.program.call:
            excluded["returned value"] = run.execution.value
        for visit, one in enumerate(held, 1):
            if one is not None and is_fair_answer(run, one.value) and not _is_letter(run, one.value, visit):
                yield MomentCandidate(
                    place=place,
                    answer=one.value,
                    visit=visit,
                    visits=len(events),
                    depth=events[visit - 1],
                    names=(name,),
                    weight=weight,
                    excluded={**excluded, "number of the visit": visit, "visits before": visit - 1},
                )

    def equal(self, run: WitnessedRun, one: Any, other: Any) -> bool:
        """Whether two values are equal in the language."""
        return run.language.values.equal(one, other)


def _is_letter(run: WitnessedRun, value: Any, visit: int) -> bool:
    """Whether a value is the letter with the number of the visit in a literal."""
    return (
        isinstance(value, str) and len(value) == 1 and any(value == text[visit - 1 : visit] for text in run.lines.texts)
    )


def is_fair_answer(run: WitnessedRun, value: Any) -> bool:
    """Whether a value can be an answer: short, of plain data, no literal of the program, no place on this machine."""
    if not is_plain(value) or run.lines.is_literal(value):
        return False
    if any(isinstance(each, str) and _FOLDER in each for each in list_inside(value)):
        return False
    try:
        return len(run.language.values.write(run.language.values.read_back(value))) <= MOST_ANSWER
    except NotALiteral:
        return False


def is_plain(value: Any) -> bool:
    """Whether a value is what JSON can hold, or a tuple of it."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, (list, tuple)):
        return all(map(is_plain, value))
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_plain(item) for key, item in value.items())
    return value is None or isinstance(value, (bool, int, str))
