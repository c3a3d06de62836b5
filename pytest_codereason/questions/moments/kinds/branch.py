"""How a condition comes out, ten times in a row."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_codereason.questions.moments.candidate import Kind, MomentCandidate, measure_entropy
from pytest_codereason.questions.moments.witnessed import WitnessedRun

#: So many conditions are asked about.
LENGTH = 10
LEAST_TRUE, MOST_TRUE = 3, 7
#: Outcomes that repeat after so many are too simple.
MOST_PERIOD = 3


class BranchKind(Kind):
    """``branch``: whether the condition of L is true, at visit k and the nine after it.

    Three to seven of the ten are true, and they do not repeat after one, two or three. No exception in the condition
    may be caught by the same function: the line that runs next would not tell.
    """

    name = "branch"

    def list_candidates(self, run: WitnessedRun) -> Iterator[MomentCandidate]:
        """A moment for each row of ten."""
        for place in run.visits:
            branch = run.lines.find_branch(place)
            if branch is None or run.lines.files[place.file].may_go_on(branch):
                continue
            outcomes = run.list_outcomes(place)
            rows = [
                (start, "".join("T" if one else "F" for one in outcomes[start : start + LENGTH]))
                for start in range(len(outcomes) - LENGTH + 1)
                if None not in outcomes[start : start + LENGTH]
            ]
            weight = measure_entropy(row for _, row in rows)
            for start, row in rows:
                if is_varied(row):
                    yield MomentCandidate(
                        place=place,
                        answer=row,
                        visit=start + 1,
                        visits=len(outcomes),
                        depth=run.visits[place][start + LENGTH - 1],
                        weight=weight,
                        options=("T", "F"),
                    )


def is_varied(row: str) -> bool:
    """Whether outcomes are mixed and do not repeat."""
    repeats = any(row[period:] == row[:-period] for period in range(1, MOST_PERIOD + 1))
    return LEAST_TRUE <= row.count("T") <= MOST_TRUE and not repeats
