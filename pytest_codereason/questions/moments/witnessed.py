"""What the moments of a run show: who visits a line, what comes next, what was held."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from pytest_codereason.core import Language, Program
from pytest_codereason.core.execution import Execution
from pytest_codereason.core.language.moments import LineProbe, Moments
from pytest_codereason.questions.moments.code_lines import CodeLines
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine


class Held(NamedTuple):
    """What a variable held before one visit of a line."""

    text: Any  #: as the harness wrote it, so that equal values are found without reading them
    value: Any


class WitnessedRun:
    """A program, its text and the moments of its run. Visits are counted from 1 over the whole run."""

    def __init__(
        self,
        language: Language,
        program: Program,
        execution: Execution,
        moments: Moments,
        probes: Sequence[LineProbe] = (),
    ) -> None:
        self.language, self.program, self.execution, self.moments = language, program, execution, moments
        self.probes = probes
        self.lines = CodeLines(language, program)

    @cached_property
    def visits(self) -> Mapping[ProgramLine, Sequence[int]]:
        """The events that are visits of each line."""
        found: defaultdict[ProgramLine, list[int]] = defaultdict(list)
        for event, (frame, line) in enumerate(zip(self.moments.frames, self.moments.lines, strict=True)):
            found[ProgramLine(self.moments.files[frame], line)].append(event)
        return found

    @cached_property
    def _next(self) -> Mapping[int, int]:
        """The next event of the same frame."""
        found, last = {}, dict[int, int]()
        for event, frame in enumerate(self.moments.frames):
            if frame in last:
                found[last[frame]] = event
            last[frame] = event
        return found

    def find_next(self, event: int) -> ProgramLine | None:
        """The line that runs next in the same frame."""
        after = self._next.get(event)
        return None if after is None else self.find_place(after)

    def is_followed(self, event: int) -> bool:
        """Whether the very next line that runs is one of the same frame."""
        return self._next.get(event) == event + 1

    def find_place(self, event: int) -> ProgramLine:
        """The line of an event."""
        return ProgramLine(self.moments.files[self.moments.frames[event]], self.moments.lines[event])

    def list_outcomes(self, place: ProgramLine) -> Sequence[bool | None]:
        """Whether the condition on a line was true, visit by visit; ``None`` where an exception came instead."""
        branch = self.lines.find_branch(place)
        assert branch is not None
        found = list[bool | None]()
        for event in self.visits.get(place, ()):
            after = self.find_next(event)
            found.append(None if after is None else branch.first <= after.line <= branch.last)
        return found

    def list_held(self, probe: int, name: int) -> Sequence[Held | None]:
        """What a name held at each visit that a probe saw; ``None`` where that is nothing, or was not written."""
        return [
            self._values[visit.values[name]] if visit.values[name] >= 0 else None
            for visit in self.moments.visits[probe]
        ]

    @cached_property
    def _values(self) -> Sequence[Held | None]:
        found = list[Held | None]()
        for text in self.moments.written:
            try:
                found.append(Held(text, self.language.values.decode(text)))
            except Exception:  # a program may write anything, so the decoder may raise anything
                found.append(None)
        return found

    def find_probed(self, probe: int) -> ProgramLine:
        """The line of a probe."""
        return ProgramLine(self.probes[probe].file, self.probes[probe].line)

    def find_writer(self, event: int, writers: Collection[int]) -> int | None:
        """The last of these lines that ran in the frame of an event before it; ``None`` if none did."""
        events = self._of_frame[self.moments.frames[event]]
        for before in reversed(events[: self._places_in_frame[event]]):
            if self.moments.lines[before] in writers:
                return self.moments.lines[before]
        return None

    @cached_property
    def _of_frame(self) -> Mapping[int, list[int]]:
        """The events of each frame."""
        found = defaultdict(list)
        for event, frame in enumerate(self.moments.frames):
            found[frame].append(event)
        return found

    @cached_property
    def _places_in_frame(self) -> Mapping[int, int]:
        """How many events of the same frame are before each."""
        return {event: number for events in self._of_frame.values() for number, event in enumerate(events)}

    def is_ours(self, place: ProgramLine) -> bool:
        """Whether a line holds one statement, or a condition that stands alone."""
        return self.lines.find_plain(place) is not None or self.lines.find_branch(place) is not None

    def name_function(self, place: ProgramLine) -> str | None:
        """The function around a line; empty outside of functions."""
        statement, branch = self.lines.find_plain(place), self.lines.find_branch(place)
        if statement is not None:
            return statement.function
        return None if branch is None else branch.function
