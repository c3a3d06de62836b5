"""Which line gave a variable the value that another line reads."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_codereason.questions.moments.candidate import Kind, MomentCandidate, measure_entropy
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine

#: So many lines write the variable.
LEAST_WRITERS = 2


class WriterKind(Kind):
    """``writer``: the line that wrote the v that visit k of L reads.

    Two lines or more write the variable, each alone on its line, and nothing else does. The first visit is left out, at
    which the answer mostly is the line that gives the variable its first value, and L itself is no answer, as it mostly
    is where L adds to the variable. Among what is left L reads what two lines or more have written, so the text alone
    does not tell. The naive answer is the last of the lines by text.
    """

    name = "writer"

    def list_candidates(self, run: WitnessedRun) -> Iterator[MomentCandidate]:
        """A moment for each visit of a line that reads a variable."""
        for place in run.visits:
            function = run.name_function(place)
            if function is None:
                continue
            for name in run.lines.files[place.file].list_variables(function):
                yield from self._list_visits(run, place, name, function)

    def _list_visits(
        self, run: WitnessedRun, place: ProgramLine, name: str, function: str
    ) -> Iterator[MomentCandidate]:
        lines = run.lines.files[place.file]
        writers = lines.find_writers(name, function)
        if writers is None or len(writers) < LEAST_WRITERS or not lines.reads(place.line, name, function):
            return
        found = run.list_writers(place, writers)
        asked = [
            (visit, event, line)
            for visit, (event, line) in enumerate(zip(run.visits[place], found, strict=True), 1)
            if visit > 1 and line is not None
        ]
        if len({line for *_, line in asked} - {place.line}) < LEAST_WRITERS:
            return
        weight = measure_entropy(line for *_, line in asked)
        for visit, event, line in asked:
            yield MomentCandidate(
                place=place,
                answer=ProgramLine(place.file, line),
                visit=visit,
                visits=len(found),
                depth=event,
                names=(name,),
                weight=weight,
                excluded={"the line itself": place},
                naive=ProgramLine(place.file, max(writers)),
                options=tuple(ProgramLine(place.file, each) for each in sorted(writers)),
            )
