"""Where an exception comes from that nobody catches, and of which type it is."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_codereason.questions.moments.candidate import Kind, MomentCandidate
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine

#: So many lines could raise by what stands on them.
LEAST_RAISING = 3


class RaiseKind(Kind):
    """``raise``: the line and the type.

    The run raises in a line of the program's own, and three lines or more could. The line is not the last ``raise`` by
    text, nor the last by text of the lines that ran.
    """

    name = "raise"

    def list_candidates(self, run: WitnessedRun) -> Iterator[MomentCandidate]:
        """The one moment, if there is one."""
        at = run.execution.raised_at
        if at is None or not run.is_ours(place := ProgramLine(*at)):
            return
        lines = run.lines.files[place.file]
        if sum(len(each.list_raising()) for each in run.lines.files.values()) < LEAST_RAISING:
            return
        last = max(line for file, line in run.visits if file == place.file)
        excluded = {"last line run by text": (ProgramLine(place.file, last), run.execution.error)}
        if (thrown := lines.find_last_raise()) is not None:
            excluded["last raise by text"] = ProgramLine(place.file, thrown), run.execution.error
        yield MomentCandidate(
            place=place,
            answer=(place, run.execution.error),
            visit=len(run.visits[place]),
            visits=len(run.visits[place]),
            depth=len(run.moments.lines),
            excluded=excluded,
        )
