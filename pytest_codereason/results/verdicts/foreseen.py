"""Which gates so few programs cannot let pass, however well the model answers: said before anything is paid.

Example: 40 programs cannot show that a model is at most 3 points worse than its baseline. Even if all 40 pairs of
answers were equal, the difference could be -0.072. Some 98 programs would do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_codereason.core import Metric
from pytest_codereason.core.text.wording import count, plural
from pytest_codereason.results.runs.run_info import RunInfo
from pytest_codereason.results.verdicts.gates import Gate
from pytest_codereason.results.verdicts.levels import LEVEL
from pytest_codereason.results.verdicts.planned import PlannedQuestion


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A gate that cannot pass with the programs that will be asked."""

    gate: Gate
    programs: int
    needed: int  #: the fewest programs with which it can

    def __str__(self) -> str:
        text = f"the gate '{self.gate}' cannot pass with {plural(self.programs, 'program')}"
        if self.gate.bound.is_relative:
            return f"{text} unless one side is better: if all answers are equal, it takes {count(self.needed)}"
        if self.gate.quantity.is_drop:
            best = "no answer changes"
        else:
            best = "every answer is right" if self.gate.op in (">", ">=") else "the figure is 0"
        return f"{text}: it takes {count(self.needed)}, even if {best}"


def foresee(gates: Sequence[Gate], run: RunInfo, planned: Iterable[PlannedQuestion]) -> list[Foreseen]:
    """The gates, for a claim about programs like these, that cannot pass with the questions that are planned."""
    least = {gate: needed for gate in gates if (needed := count_least(gate, run)) is not None}
    programs: dict[Gate, set[tuple[str, str]]] = {gate: set() for gate in least}
    values = {gate: gate.resolve_values(run.suites[gate.quantity.suite].axes) for gate in least}
    for question in planned:
        for gate, about in values.items():
            if question.suite == gate.quantity.suite and all(
                question.axes.get(axis, value) == value for axis, value in about.items()
            ):
                programs[gate].add((question.plan, question.family or question.program))
    return [
        Foreseen(gate, len(programs[gate]), needed)
        for gate, needed in least.items()
        if 0 < len(programs[gate]) < needed
    ]


def count_least(gate: Gate, run: RunInfo) -> int | None:
    """The fewest programs with which a gate can pass if all answers are right, or equal on both sides.

    ``None`` if that is not known before: the figure is no mean of numbers from 0 to 1, the gate has ``==``, or it asks
    for more than equal answers.

    One family is added that is as bad as can be (``results/statistics/limits.py``). Among F others its weight is above
    1 - level^(1/F) in a share ``level`` of draws. So the gate passes if its margin is at least that.
    """
    if gate.op == "==" or not _is_between_ends(gate.find_metric(run.suites[gate.quantity.suite])):
        return None
    wants_much = gate.op in (">", ">=")
    best = 0.0 if gate.bound.is_relative or gate.quantity.is_drop else float(wants_much)
    margin = (best - gate.bound.number) * (1 if wants_much else -1)
    if not 0 < margin < 1:
        return None
    return math.ceil(math.log(LEVEL) / math.log1p(-margin))


def _is_between_ends(metric: Metric) -> bool:
    bounded = metric.binary or metric.proportion or metric.k or metric.ratio or metric.outcome
    return bool(bounded) and not metric.curve
