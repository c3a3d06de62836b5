"""Which line runs next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pytest_codereason.questions.moments.candidate import Kind, MomentCandidate, measure_entropy
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine


class NextKind(Kind):
    """``next``: the line that runs after visit k of L.

    In this run L goes on to two lines or more, and the answer is not the most frequent one. No head of a loop is the
    answer or lies between, because languages differ in how often they come back to it. So a line is left out that else
    goes on to one line alone, such as an ``if`` at the end of a loop. No other function runs then.
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
            askable = {one for one in counts if run.is_ours(one) and not passes_head(run, place, one)}
            if len(askable) < 2:
                continue
            most = max(counts.values())
            frequent = [one for one, count in counts.items() if count == most]
            below = find_line_below(run, place)
            weight = measure_entropy(one for one in after if one is not None)
            for visit, (event, one) in enumerate(zip(events, after, strict=True), 1):
                if one in askable and run.is_followed(event):
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


def passes_head(run: WitnessedRun, place: ProgramLine, following: ProgramLine) -> bool:
    """Whether the way from a line to the next one leads back to the head of a loop, or out of it."""
    lines = run.lines.files[place.file]
    loop = lines.find_loop(place.line)
    if loop is None:
        return False
    return following.line <= place.line or following.line > lines.find_line(loop.span.end - 1)


def find_line_below(run: WitnessedRun, place: ProgramLine) -> ProgramLine:
    """The next line by text on which a statement or a condition stands."""
    lines = run.lines.files[place.file]
    starts = {lines.find_line(each.span.start) for each in lines.code.statements} | {*lines.branches}
    return ProgramLine(place.file, min((line for line in starts if line > place.line), default=place.line))
