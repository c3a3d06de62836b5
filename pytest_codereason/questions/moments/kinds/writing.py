"""Which line gave a variable the value that another line reads."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_codereason.questions.moments.candidate import Kind, MomentCandidate, measure_entropy
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine

#: So many lines write the variable, and have written it before the moment.
LEAST_WRITERS = 2


class WriterKind(Kind):
    """``writer``: the line that wrote the v that visit k of L reads.

    Two lines or more write the variable, each alone on its line, and nothing else does. Two of them have run by then:
    before that only one can be the answer, which is mostly the line that gives the variable its first value. The answer
    is not L itself, as it mostly is where L adds to a variable, nor a line above it, in a block
    around it and in the same loop, with no other writer between: there the text says which it is.
    """

    name = "writer"
    naive_chance = 0.4

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
        above = max((line for line in writers if line < place.line), default=max(writers))
        forced = lines.find_plain_writer(place.line, writers)
        plain = {"the line above in its block": ProgramLine(place.file, forced)} if forced is not None else {}
        weight = measure_entropy(one.line for one in found if one is not None)
        for visit, (event, written) in enumerate(zip(run.visits[place], found, strict=True), 1):
            if written is not None and written.several >= LEAST_WRITERS:
                yield MomentCandidate(
                    place=place,
                    answer=ProgramLine(place.file, written.line),
                    visit=visit,
                    visits=len(found),
                    depth=event,
                    names=(name,),
                    weight=weight,
                    excluded={"the line itself": place, **plain},
                    naive=ProgramLine(place.file, above),
                    options=tuple(ProgramLine(place.file, each) for each in sorted(writers)),
                )
