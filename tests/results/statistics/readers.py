"""Made-up readers with a known horizon, asked as a suite asks them: how far the estimates are from the truth.

``python -m tests.results.statistics.readers`` prints the table of ``docs/adaptive.md``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from pytest_codereason.core import derive_seed
from pytest_codereason.core.adaptive import Adaptive, Seen
from pytest_codereason.results.statistics.horizon import Curve, RungCount, Rungs, average_horizons, fit_curve
from pytest_codereason.results.statistics.rounds import Decide, choose_round, leave_open

#: 0 and the rungs of a suite up to 4,096 executed steps.
PLACES = (0.0, *sorted({2.0**k for k in range(13)} | {1.5 * 2**k for k in range(1, 12)}))
RUNGS = Rungs(1, 4096)
PROGRAMS = 24
RULES = Adaptive(over="steps", rungs=PLACES)
#: Asks all of its budget, however sure it is.
NEVER_SURE = replace(RULES, precision=0.01)


class Reader(NamedTuple):
    """A reader: half of its answers are right at ``h50``."""

    h50: float
    slope: float = 1.5
    lapse: float = 0.02

    def chance(self, place: float) -> float:
        """How likely it is right at a place."""
        if place == 0:
            return 1 - self.lapse
        half: float = self.h50 / (1 - 2 * self.lapse) ** (1 / self.slope)
        return float((1 - self.lapse) / (1 + (place / half) ** self.slope))


class Asked(NamedTuple):
    """A cell that has been asked to its end."""

    curve: Curve
    asked: int
    ended: str


def ask(
    reader: Reader,
    rules: Adaptive,
    seed: int,
    places: Sequence[float] = PLACES,
    is_decided: Decide = leave_open,
) -> Asked:
    """Asks a reader round by round."""
    luck = np.random.default_rng(seed)
    rungs = {place: Seen(left=PROGRAMS) for place in places}
    asked = number = 0
    while True:
        name = partial(derive_seed, seed, number)
        chosen = choose_round(rungs, rules, asked, name, is_decided)
        if isinstance(chosen, str):
            tallies = {place: RungCount(seen.right, seen.scored) for place, seen in rungs.items()}
            return Asked(fit_curve(tallies), asked, chosen)
        for rung in chosen:
            seen, right = rungs[rung], luck.random() < reader.chance(rung)
            rungs[rung] = seen._replace(right=seen.right + right, scored=seen.scored + 1, left=seen.left - 1)
        asked, number = asked + len(chosen), number + 1


@dataclass
class Trial:
    """What became of many readers of different horizons, slopes and lapse rates."""

    covered: float = 0.0  #: the share whose interval holds the truth
    passed: float = 0.0  #: the share that passes a gate just above its horizon, by chance alone
    failed: float = 0.0  #: the share that fails a gate just below it
    error: float = 0.0  #: of log2 h50, the root of the mean square
    asked: float = 0.0  #: questions
    ends: Counter[str] = field(default_factory=Counter)


def try_readers(rules: Adaptive, readers: int, seed: int = 1) -> Trial:
    """Asks ``readers`` with horizons of 2 to 2,048, slopes of 0.8 to 2.2 and lapse rates up to 5 %."""
    draws, trial = np.random.default_rng(seed), Trial()
    for number in range(readers):
        log, slope, lapse = draws.uniform(1, 11), draws.uniform(0.8, 2.2), draws.uniform(0, 0.05)
        asked = ask(Reader(2**log, slope, lapse), rules, number)
        low, under, middle, over, high = asked.curve.log_h50(np.array([0.025, 0.05, 0.5, 0.95, 0.975]))
        trial.covered += (low <= log <= high) / readers
        trial.passed += (under > log) / readers
        trial.failed += (over < log) / readers
        trial.error += (middle - log) ** 2 / readers
        trial.asked += asked.asked / readers
        trial.ends[asked.ended] += 1
    trial.error **= 0.5
    return trial


def tell_apart(ratio: float, pairs: int, *, slope: float, cells: int = 1) -> float:
    """The share of pairs of readers in which the better one is surely (5 %) better, with 64 questions a cell."""
    told = 0
    for number in range(pairs):
        h50 = 2 ** np.random.default_rng(number).uniform(2, 9)
        sides = [
            [
                ask(Reader(h50 * times, slope), NEVER_SURE, 1000 * number + 10 * cell + side).curve
                for cell in range(cells)
            ]
            for side, times in ((1, 1.0), (2, ratio))
        ]
        worse, better = (
            average_horizons(curves, RUNGS, [10 * side + cell for cell in range(cells)])
            for side, curves in enumerate(sides, 1)
        )
        told += bool(np.quantile(better - worse, 0.05) > 0)
    return told / pairs


def main() -> None:
    """Prints the tables."""
    print("| batch | octaves | questions | error of log2 h50 | interval holds | passes wrongly | fails wrongly |")
    for rules in (RULES, replace(RULES, precision=1.5), replace(RULES, batch=16), NEVER_SURE):
        trial = try_readers(rules, 1_000)
        shares = " | ".join(f"{100 * share:.1f} %" for share in (trial.covered, trial.passed, trial.failed))
        print(f"| {rules.batch} | {rules.precision} | {trial.asked:.0f} | {trial.error:.2f} | {shares} |")
    print("| slope | cells | ratio | told apart |")
    for slope, cells in ((1.0, 1), (1.5, 1), (2.2, 1), (1.5, 2), (1.5, 3)):
        for ratio in (1.0, 2.0):
            print(
                f"| {slope} | {cells} | {ratio:.0f} | {100 * tell_apart(ratio, 300, slope=slope, cells=cells):.0f} % |"
            )


if __name__ == "__main__":
    main()
