"""How often a line runs."""

from __future__ import annotations

from collections.abc import Iterator, Sized

from pytest_codereason.questions.moments.candidate import Kind, MomentCandidate
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine

LEAST, MOST = 2, 30
#: A line's weight is this power of its visits: so no number is right in more than one of ten shipped programs.
_STEEPNESS = 4


class VisitsKind(Kind):
    """``visits`` of L, a plain statement in a loop or a branch.

    The number is no literal of the text or the call, nor the length of an argument, nor the number of rounds of the
    loop around the line. Small numbers are the more frequent, so large ones are more likely drawn.
    """

    name = "visits"

    def list_candidates(self, run: WitnessedRun) -> Iterator[MomentCandidate]:
        """A moment for each line."""
        lengths = {
            f"length of argument {n}": len(one)
            for n, one in enumerate(run.lines.arguments, 1)
            if isinstance(one, Sized)
        }
        for place, events in run.visits.items():
            statement = run.lines.find_plain(place)
            if statement is None or statement.depth < 1 or not LEAST <= len(events) <= MOST:
                continue
            if not run.lines.is_literal(len(events)):
                yield MomentCandidate(
                    place=place,
                    answer=len(events),
                    visits=len(events),
                    depth=events[-1],
                    weight=float(len(events) ** _STEEPNESS),
                    excluded={**lengths, **self._count_rounds(run, place)},
                    options=tuple(range(LEAST, MOST + 1)),
                )

    def _count_rounds(self, run: WitnessedRun, place: ProgramLine) -> dict[str, int]:
        """How often the first line in the loop around a line runs. In Java a ``try`` before it does not."""
        lines = run.lines.files[place.file]
        loop = lines.find_loop(place.line)
        if loop is None:
            return {}
        starts = sorted(each.span.start for each in lines.code.statements)
        inside = [start for start in starts if loop.span.start < start < loop.span.end]
        places = [ProgramLine(place.file, lines.find_line(start)) for start in inside]
        return {"rounds of the loop": next(len(run.visits[each]) for each in places if each in run.visits)}
