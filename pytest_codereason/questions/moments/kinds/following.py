"""Which line runs next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pytest_codereason.questions.moments.candidate import Kind, MomentCandidate, measure_entropy
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine


class NextKind(Kind):
    """``next``: the line that runs after visit k of L.

    In this run L goes on to two lines or more, and the answer is not the most frequent one. The line of a loop's head
    is no answer, because languages differ in how often they come back to it. No other function runs in between.
    """

    name = "next"
    naive_chance = 0.3

    def list_candidates(self, run: WitnessedRun) -> Iterator[MomentCandidate]:
        """A moment for each visit."""
        for place, events in run.visits.items():
            if not run.is_ours(place):
                continue
            after = [run.find_next(event) for event in events]
            counts = Counter(one for one in after if one is not None)
            if len(counts) < 2:
                continue
            most = max(counts.values())
            frequent = [one for one, count in counts.items() if count == most]
            below = find_line_below(run, place)
            weight = measure_entropy(one for one in after if one is not None)
            for visit, (event, one) in enumerate(zip(events, after, strict=True), 1):
                if one is not None and run.is_followed(event) and run.is_ours(one):
                    yield MomentCandidate(
                        place=place,
                        answer=one,
                        visit=visit,
                        visits=len(events),
                        depth=event,
                        weight=weight,
                        excluded={f"most frequent {n}": other for n, other in enumerate(frequent)},
                        naive=below,
                    )


def find_line_below(run: WitnessedRun, place: ProgramLine) -> ProgramLine:
    """The next line by text on which a statement or a condition stands."""
    lines = run.lines.files[place.file]
    starts = {lines.find_line(each.span.start) for each in lines.code.statements} | {*lines.branches}
    return ProgramLine(place.file, min((line for line in starts if line > place.line), default=place.line))
