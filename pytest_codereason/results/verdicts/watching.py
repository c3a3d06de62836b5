"""Watches the records of a run as they come, and says when every gate is decided.

Example: a suite of 400 programs and the gate ``semtrace.exact >= 0.8``. The programs are asked in a random order that
is fixed before the first question. Once the first 90 programs of this order have all their answers, the gate may be
decided, and the other 310 need not be asked.

Short answers arrive first, and they are right more often. So a gate never looks at what has arrived: it looks at the
longest beginning of the order that is complete. ``results/statistics/betting.py`` says why it may look all the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from pytest_codereason.core import AxisValue, Metric, Record
from pytest_codereason.results.measures.measures import find_scored
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import EarlyGate, RunInfo
from pytest_codereason.results.statistics.betting import LEVEL, exceeds, limit_mean
from pytest_codereason.results.statistics.intervals import Floats
from pytest_codereason.results.verdicts.baselines import find_counterpart
from pytest_codereason.results.verdicts.gates import Gate
from pytest_codereason.results.verdicts.planned import PlannedQuestion, place_program

_LOOKS = 100  # a gate looks again once its programs have grown by one of so many


class Watch:
    """The gates of a run, and what is known of each.

    Args:
        run: what the run will measure; the gates have been checked against it.
        planned: every question of the run.
        seed: of the order of programs.
        baseline: the earlier run, if a gate names it.
    """

    def __init__(
        self,
        gates: Sequence[Gate],
        run: RunInfo,
        planned: Iterable[PlannedQuestion],
        *,
        seed: int,
        baseline: RunData | None = None,
    ) -> None:
        judged = [(gate, model) for gate in gates for model in gate.list_models(run)]
        #: gates that are judged at the end alone, because their figure is no mean of numbers from 0 to 1
        self.unwatched = [str(gate) for gate in gates if not _is_mean(gate, run)]
        self._gates: dict[tuple[str, str], list[_WatchedGate]] = {}
        for gate, model in judged:
            if _is_mean(gate, run):
                suite = run.suites[gate.quantity.suite]
                metric, where = gate.find_metric(suite), gate.resolve_values(suite.axes)
                earlier = _score_baseline(gate, model, metric, baseline) if gate.bound.from_baseline else None
                watched = _WatchedGate(gate, model, metric, where, LEVEL / len(judged), earlier)
                self._gates.setdefault((gate.quantity.suite, model), []).append(watched)
        for question in planned:
            for watched in self._gates.get((question.suite, question.model), ()):
                watched.plan(question)
        for watched in self._list_gates():
            watched.arrange(seed)
            if watched.lacks_pairs and str(watched.gate) not in self.unwatched:
                self.unwatched.append(str(watched.gate))

    def take(self, record: Record) -> None:
        """Takes one record."""
        for watched in self._gates.get((record.suite, record.model), ()):
            watched.take(record)

    @property
    def decided(self) -> bool:
        """Whether every gate is decided."""
        gates = self._list_gates()
        return bool(gates) and not self.unwatched and all(watched.verdict for watched in gates)

    def describe(self) -> list[EarlyGate]:
        """What is known of each gate that is decided, for ``run.json``."""
        return [watched.describe() for watched in self._list_gates() if watched.verdict]

    def _list_gates(self) -> list[_WatchedGate]:
        return [watched for several in self._gates.values() for watched in several]


def _is_mean(gate: Gate, run: RunInfo) -> bool:
    return is_watched(gate, gate.find_metric(run.suites[gate.quantity.suite]))


def is_watched(gate: Gate, metric: Metric) -> bool:
    """Whether the gate is about one model's mean of numbers from 0 to 1, and about one side of a number."""
    bounded = bool(metric.binary or metric.proportion or metric.outcome) and not metric.k and not metric.ratio
    return bounded and not metric.curve and gate.op != "==" and not gate.quantity.is_drop and gate.bound.rival is None


def _score_baseline(gate: Gate, model: str, metric: Metric, baseline: RunData | None) -> _Earlier:
    """What the baseline has; nothing if it is gone."""
    label = find_counterpart(model, baseline.run) if baseline is not None else None
    if baseline is None or label is None:
        return _Earlier({}, frozenset())
    subject = next(each for each in baseline.subjects if each.model == label)
    rows = baseline.select_subject(baseline.select_suite(gate.quantity.suite), subject)
    scored = find_scored(rows, metric)
    ids, samples = (rows[name].to_numpy()[scored.places].tolist() for name in ("id", "sample"))
    answered = frozenset(rows["id"].astype(str)) - frozenset(rows["id"][rows["outcome"] == "error"].astype(str))
    return _Earlier(dict(zip(zip(map(str, ids), samples, strict=True), scored.values.tolist(), strict=True)), answered)


class _Earlier(NamedTuple):
    """What the baseline has."""

    values: Mapping[tuple[str, int], float]  #: what an answer adds to the metric, by question and sample
    answered: frozenset[str]  #: questions without an unanswered sample


@dataclass
class _Program:
    """The answers to one program that a gate is about."""

    place: int
    left: int = 0  #: answers that have not come
    most: int = 0  #: answers in all
    total: float = 0.0
    count: int = 0
    earlier: float = 0.0  #: the total of the baseline over the same answers


@dataclass
class _WatchedGate:
    """One gate on one model."""

    gate: Gate
    model: str
    metric: Metric
    where: Mapping[str, AxisValue]
    level: float  #: how often it may fail although its condition holds
    #: what the baseline has, if the gate names it: differences to it, from -1 to 1, are then moved to 0 to 1
    earlier: _Earlier | None = None
    verdict: str = ""  #: ``PASS``, ``FAIL``, or empty while it is open
    _programs: dict[str, _Program] = field(default_factory=dict)
    _plans: dict[str, str] = field(default_factory=dict)
    _of: dict[str, str] = field(default_factory=dict)  # program by question
    _order: list[_Program] = field(default_factory=list)
    _complete: int = 0  # programs at the beginning of the order that have all their answers
    _look: int = 1  # so many complete programs are looked at next

    def plan(self, question: PlannedQuestion) -> None:
        """Learns of a question, unless the gate is not about it."""
        if all(question.axes.get(axis, value) == value for axis, value in self.where.items()):
            program = self._programs.setdefault(question.program, _Program(0))
            program.left += question.samples
            program.most += question.samples
            self._of[question.id] = question.program
            self._plans[question.program] = question.plan

    def arrange(self, seed: int) -> None:
        """Puts the programs into their random order, once all are known."""
        for name, program in self._programs.items():
            program.place = place_program(seed, self._plans[name], name)
        self._order = sorted(self._programs.values(), key=lambda program: program.place)

    @property
    def lacks_pairs(self) -> bool:
        """Whether the baseline lacks the answer to a question of the gate, so that nobody can judge it."""
        return self.earlier is not None and not self.earlier.answered.issuperset(self._of)

    def take(self, record: Record) -> None:
        """Takes a record of the gate's suite and model."""
        name = self._of.get(record.id)
        if name is None or record.outcome == "error":  # a program without an answer stays incomplete
            return
        program = self._programs[name]
        program.left -= 1
        value, earlier = (
            self._score(record),
            0.0 if self.earlier is None else self.earlier.values.get((record.id, record.sample)),
        )
        if value is not None and earlier is not None:
            program.total += value
            program.earlier += earlier
            program.count += 1
        while self._complete < len(self._order) and not self._order[self._complete].left:
            self._complete += 1
        if not self.verdict and self._complete >= self._look:
            self._look = self._complete + max(1, self._complete // _LOOKS)
            self._decide()

    def _score(self, record: Record) -> float | None:
        """What a record adds to the metric, as :mod:`~pytest_codereason.results.measures.measures` has it; ``None`` if
        it does not count.
        """
        axes = {"language": record.language, **record.axes}
        if record.outcome not in self.metric.of or any(axes.get(axis) != value for axis, value in self.where.items()):
            return None
        if self.metric.outcome:
            return float(record.outcome == self.metric.outcome)
        value = record.metrics.get(self.metric.name)
        if value is None and self.metric.higher_is_better and self.metric.only is None:
            return 0.0
        return None if value is None else float(value)

    def _measure(self) -> tuple[Floats, Floats]:
        """The value of each complete program, and the share of it that was not measured, such as skipped questions.

        Each program counts by its answers, so that the mean is the mean over answers.
        """
        seen = self._order[: self._complete]
        most = max(program.most for program in self._order)
        totals, counts = np.array([[program.total, program.count] for program in seen]).reshape(-1, 2).T
        if self.earlier is not None:
            totals = (totals - [program.earlier for program in seen] + counts) / 2
        return totals / most, 1 - counts / most

    def _move(self, difference: float) -> float:
        """Where a difference to the baseline stands between 0 and 1."""
        return difference if self.earlier is None else (difference + 1) / 2

    def _move_back(self, place: float) -> float:
        return place if self.earlier is None else 2 * place - 1

    def _decide(self) -> None:
        values, padding = self._measure()
        bound, population = self._move(self.gate.bound.number), len(self._order)
        if not 0 <= bound <= 1:
            return
        high, low = ("PASS", "FAIL") if self.gate.op in (">", ">=") else ("FAIL", "PASS")
        levels = {"PASS": LEVEL, "FAIL": self.level}
        if exceeds(values + padding * bound, bound, population, levels[high])[-1]:
            self.verdict = high
        elif exceeds(1 - values - padding * bound, 1 - bound, population, levels[low])[-1]:
            self.verdict = low

    def describe(self) -> EarlyGate:
        """The verdict and its evidence: limits that hold although somebody looked after every program.

        A gate that is decided has answers: skipped questions alone move no limit.
        """
        values, padding = self._measure()
        is_lower = self.gate.op in (">", ">=")
        below, above = (LEVEL, self.level) if is_lower else (self.level, LEVEL)
        low, high = limit_mean(values, len(self._order), below=below, above=above, padding=padding)
        seen = self._order[: self._complete]
        answers = sum(program.count for program in seen)
        return EarlyGate(
            gate=str(self.gate),
            model=self.model,
            verdict="PASS" if self.verdict == "PASS" else "FAIL",
            value=sum(program.total for program in seen) / answers,
            baseline=None if self.earlier is None else sum(program.earlier for program in seen) / answers,
            at_least=self._move_back(low),
            at_most=self._move_back(high),
            n=answers,
            programs=self._complete,
            of=len(self._order),
            questions=len(self._of),
        )
