"""The moments of a run: every line that ran, in order, and what variables held before some of them.

A program is traced twice. The first time without probes: that shows the moments, and where it is worth looking. The
second time with probes, which look at the variables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

#: The most moments of a run that are noted. The trace of a longer run is not whole.
MOST_EVENTS = 100_000
#: A probe looks at so many visits of its line, the first ones.
MOST_VISITS = 256
#: Characters of the longest value that is written.
MOST_TEXT = 2_000
#: Characters of all different values of a run together.
MOST_TEXTS = 400_000
#: What stands for a value in a :class:`LineVisit`: it is longer than that, holds itself, or has no literal; or the
#: variable has no value.
TOO_LARGE, UNBOUND = -1, -2


class LineProbe(NamedTuple):
    """Where a tracer looks at variables: before each of the first visits of a line."""

    file: str  #: of the program's files
    line: int  #: from 1
    names: tuple[str, ...]  #: variables that the function around the line can read


class LineVisit(NamedTuple):
    """What a probe saw before one visit of its line, for each of its names."""

    values: tuple[int, ...]  #: its place in :attr:`Moments.written`, or a mark
    #: the first of the names that held the very same object: ``(0, 0)`` if both held one
    same: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Moments:
    """The lines that a program ran, as events.

    A frame is one call of a function that is under way, or the code of a file. It keeps its number while it waits for
    the functions that it calls, and when a generator goes on.
    """

    files: tuple[str, ...]  #: the file of each frame
    frames: tuple[int, ...]  #: the frame of each event, by its number in ``files``
    lines: tuple[int, ...]  #: the line of each event, which is about to run
    #: whether every line was noted. Of a long run, and of one with several threads, none is
    whole: bool = True
    #: the file and line from which an exception came that nobody caught; ``None`` if there was none, or if other lines
    #: ran on its way
    raised_at: tuple[str, int] | None = None
    written: tuple[Any, ...] = ()  #: each value that a probe saw, once, as ``Values.decode`` reads it
    visits: tuple[tuple[LineVisit, ...], ...] = ()  #: what each probe saw, in the order of the probes

    def rename_files(self, names: Mapping[str, str]) -> Moments:
        """The same moments of files with other names."""
        at = self.raised_at
        return replace(
            self,
            files=tuple(names[file] for file in self.files),
            raised_at=None if at is None else (names[at[0]], at[1]),
        )

    def runs_like(self, other: Moments) -> bool:
        """Whether the same lines ran in the same order, and ended alike."""
        return (self.files, self.frames, self.lines) == (other.files, other.frames, other.lines) and (
            self.raised_at == other.raised_at
        )

    def sees_like(self, other: Moments) -> bool:
        """Whether the same lines ran, and the probes saw the same values."""
        mine, its = ([[visit.same for visit in seen] for seen in each.visits] for each in (self, other))
        return self.runs_like(other) and mine == its and self.list_seen() == other.list_seen()

    def check_probes(self, probes: Sequence[LineProbe]) -> None:
        """Checks that it says what these probes see.

        Raises:
            ValueError: The probes look at something else.
        """
        for probe, seen in zip(probes, self.visits, strict=True) if self.whole else ():
            if any(len(visit.values) != len(probe.names) for visit in seen):
                raise ValueError(f"not what a probe in line {probe.line} sees")

    def list_seen(self) -> list[list[list[Any]]]:
        """The values of each visit of each probe, as they were written."""
        return [
            [[self.written[at] if at >= 0 else at for at in visit.values] for visit in seen] for seen in self.visits
        ]


def read_moments(payload: Any, files: Sequence[str]) -> Moments:
    """The moments that a harness wrote::

        {"frames": [0, 0], "events": [[0, 1], 1, [1, 4], 1, [0, 2]], "whole": true, "raised": [0, 5],
         "written": [1, [2]], "visits": [[[[0, 1], [0, 1]]]]}

    ``frames`` has the place of each frame's file in ``files``. An event is the number of lines from the event before,
    if that has the same frame, or else its frame and its line. A visit is the places of the values, and for each name
    the first that held the same object.

    Raises:
        ValueError: No harness writes this.
    """
    frames = [_check(number, 0, len(files)) for number in payload["frames"]]
    owners, lines = list[int](), list[int]()
    frame, line = 0, 0
    for event in payload["events"]:
        if isinstance(event, list):
            frame, line = _check(event[0], 0, len(frames)), event[1]
        else:
            line += event
        owners.append(frame)
        lines.append(_check(line, 1))
    raised = payload["raised"]
    written = tuple(payload["written"])
    visits = tuple(
        tuple(_read_visit(values, same, len(written)) for values, same in seen) for seen in payload["visits"]
    )
    if len(lines) > MOST_EVENTS or any(len(seen) > MOST_VISITS for seen in visits):
        raise ValueError("more events than are noted")
    return Moments(
        files=tuple(files[number] for number in frames),
        frames=tuple(owners),
        lines=tuple(lines),
        whole=payload["whole"] is True,
        raised_at=None if raised is None else (files[_check(raised[0], 0, len(files))], _check(raised[1], 1)),
        written=written,
        visits=visits,
    )


def _read_visit(values: Sequence[int], same: Sequence[int], count: int) -> LineVisit:
    if len(values) != len(same):
        raise ValueError("each name has one value")
    return LineVisit(
        tuple(_check(value, UNBOUND, count) for value in values),
        tuple(_check(first, 0, number + 1) for number, first in enumerate(same)),
    )


def _check(number: Any, least: int, end: int | None = None) -> int:
    if type(number) is not int or number < least or (end is not None and number >= end):
        raise ValueError(f"{number!r} is no number from {least}")
    return number
