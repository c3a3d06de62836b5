"""What the moments of a run show: who visits a line, what comes next, what was held."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from pytest_codereason.core import Language, Program
from pytest_codereason.core.execution import Execution
from pytest_codereason.core.language.moments import LineProbe, Moments
from pytest_codereason.core.text.own_lines import OWN_LINES, OwnLines
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
    def unordered(self) -> Collection[ProgramLine]:
        """The lines that ran while the library compared things, as sorting does.

        How often it compares which is its own affair: who reads the program cannot know it.
        """
        tracer, found = self.language.tracer, set[ProgramLine]()
        opened: int | None = None
        comparing, sorting = set[ProgramLine](), set[ProgramLine]()
        for place in self.visits:
            text, function = self.lines.files[place.file].read_statement(place.line)
            if re.split(r"[.:]", function)[-1] in tracer.comparing:
                comparing.add(place)
            if not {match[1] for match in tracer.sorting.finditer(text)} <= self.lines.functions:
                sorting.add(place)
        for event, frame in enumerate(self.moments.frames):
            place = self.find_place(event)
            if opened is not None and frame > opened:
                found.add(place)
            else:
                opened = frame if place in comparing or place in sorting else None
        return found | comparing

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

    def list_writers(self, place: ProgramLine, writers: Collection[int]) -> Sequence[int | None]:
        """Which of these lines ran last in its frame before each visit of a line; ``None`` where none did."""
        last, found = dict[int, int](), list[int | None]()
        for frame, line in zip(self.moments.frames, self.moments.lines, strict=True):
            if line == place.line and self.moments.files[frame] == place.file:
                found.append(last.get(frame))
            if line in writers:
                last[frame] = line
        return found

    def is_own(self, place: ProgramLine) -> bool:
        """Whether a line stands in the program as it was before changes, which add others."""
        return self._own is None or place in self._own

    @cached_property
    def _own(self) -> Collection[ProgramLine] | None:
        known: OwnLines | None = self.program.facts.get(OWN_LINES)
        return None if known is None else {ProgramLine(*each) for each in known.list_lines(self.program)}

    def has_own_name(self, file: str, name: str) -> bool:
        """Whether a variable stands on a line that :meth:`is_own`."""
        return any(self.is_own(ProgramLine(file, line)) for line in self.lines.files[file].list_uses(name))

    def is_ours(self, place: ProgramLine) -> bool:
        """Whether a line holds one statement, or a condition that stands alone."""
        return self.lines.find_plain(place) is not None or self.lines.find_branch(place) is not None

    def name_function(self, place: ProgramLine) -> str | None:
        """The function around a line; empty outside of functions."""
        statement, branch = self.lines.find_plain(place), self.lines.find_branch(place)
        if statement is not None:
            return statement.function
        return None if branch is None else branch.function
