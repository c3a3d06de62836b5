"""Gates: conditions that a run must meet to pass, such as ``semtrace.exact[language=php] >= 0.5``."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from pytest_codereason.core import AxisValue
from pytest_codereason.errors import UsageError
from pytest_codereason.results.values import Estimate
from pytest_codereason.text.suggestions import suggest_name
from pytest_codereason.text.wording import plural

if TYPE_CHECKING:
    from pytest_codereason.results.run_data import RunData, Subject
    from pytest_codereason.results.run_info import RunInfo

GRAMMAR = (
    "SUITE.METRIC[AXIS=VALUE,...] OP NUMBER, such as 'semtrace.exact >= 0.8' or 'semtrace.exact[language=php] >= 50%'"
)

#: Stands among the axes of a gate for the model: ``semtrace.exact[model=small] >= 0.8`` judges one of several.
MODEL = "model"

_OPERATORS: Mapping[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}
_GATE = re.compile(
    r"""\s* (?P<suite>[^\s\[\]<>=]+) \. (?P<metric>[^\s\[\]<>=.]+) \s*
        (?: \[ (?P<where>[^\[\]]*) \] \s* )?
        (?P<op>>=|<=|==|>|<) \s*
        (?P<number>-?\d+(?:\.\d*)?|-?\.\d+) \s* (?P<percent>%)? \s*""",
    re.VERBOSE,
)
_COMMA = re.compile(r",(?![^()]*\))")  # a value may hold commas in parentheses: dead-code(strength=3,density=1)


@dataclass(frozen=True, slots=True)
class Gate:
    """One condition on one metric of one suite, over all answers or those at some axis values."""

    suite: str
    metric: str
    where: tuple[tuple[str, str], ...]  #: axis and value, as typed; also ``model`` and its label
    op: str
    number: float

    @property
    def name(self) -> str:
        """The figure that is judged: ``semtrace.exact[language=php]``."""
        inside = ",".join(f"{axis}={value}" for axis, value in self.where)
        return f"{self.suite}.{self.metric}" + (f"[{inside}]" if inside else "")

    @property
    def condition(self) -> str:
        """The condition that the figure must meet: ``>= 0.5``."""
        return f"{self.op} {self.number:.10g}"

    def __str__(self) -> str:
        return f"{self.name} {self.condition}"

    def holds(self, value: float) -> bool:
        """Whether ``value`` satisfies the condition."""
        return _OPERATORS[self.op](value, self.number)

    def check(self, run: RunInfo) -> None:
        """Checks before anything is asked that ``run`` will measure what the gate judges.

        Raises:
            UsageError: the run has no such suite, metric, axis or value; lists those that it has.
        """
        suite = run.suites.get(self.suite)
        if suite is None:
            raise self._describe_unknown("suite", self.suite, run.suites)
        metrics = {metric.name: metric for metric in suite.measured}
        if self.metric not in metrics:
            raise self._describe_unknown(f"metric of {self.suite}", self.metric, metrics)
        if metrics[self.metric].is_share and not 0 <= self.number <= 1:
            hint = f": write {self.number:g}%" if 1 < self.number <= 100 else ""
            raise UsageError(f"gate '{self}': {self.metric} is a share between 0 and 1{hint}")
        self.resolve_values(suite.axes)
        if self.model not in (None, *run.models):
            raise self._describe_unknown("model of the run", str(self.model), run.models)

    @property
    def model(self) -> str | None:
        """The label of the only model that is judged; ``None`` if all are."""
        return dict(self.where).get(MODEL)

    def resolve_values(self, axes: Mapping[str, Sequence[AxisValue]]) -> dict[str, AxisValue]:
        """The axis values as the suite has them: the text ``2`` is the number 2 where the suite has a number."""
        resolved: dict[str, AxisValue] = {}
        for axis, text in self.where:
            if axis == MODEL:
                continue
            if axis not in axes:
                raise self._describe_unknown(f"axis of {self.suite}", axis, axes)
            matches = [value for value in axes[axis] if _is_written(text, value)]
            if not matches:
                raise self._describe_unknown(f"value of {axis}", text, map(_spell_value, axes[axis]))
            resolved[axis] = matches[0]
        return resolved

    def _describe_unknown(self, what: str, name: str, known: Iterable[str]) -> UsageError:
        names = list(known)
        return UsageError(
            f"gate '{self}': no {what} is called {name!r}{suggest_name(name, names)}; there is {', '.join(names)}"
        )


@dataclass(frozen=True, slots=True)
class GateResult:
    """The verdict of one gate on one model. ``value`` is ``None`` if no answer was scored."""

    gate: str
    model: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    passed: bool
    sentence: str


def parse_gate(text: str) -> Gate:
    """The gate that ``text`` writes.

    Raises:
        UsageError: the text is no gate; says why and shows the grammar.
    """
    match = _GATE.fullmatch(text)
    if match is None:
        raise UsageError(f"gate {text!r} cannot be read ({_describe_mistake(text)}): write {GRAMMAR}")
    where: list[tuple[str, str]] = []
    for pair in _COMMA.split(match["where"]) if match["where"] is not None else []:
        axis, equals, value = (part.strip() for part in pair.partition("="))
        if not (axis and equals and value):
            raise UsageError(f"gate {text!r} cannot be read ({pair.strip()!r} is not AXIS=VALUE): write {GRAMMAR}")
        if axis in dict(where):
            raise UsageError(f"gate {text!r} cannot be read (axis {axis!r} occurs twice): write {GRAMMAR}")
        where.append((axis, value))
    number = Decimal(match["number"]) / (100 if match["percent"] else 1)
    return Gate(match["suite"], match["metric"], tuple(where), match["op"], float(number))


def _describe_mistake(text: str) -> str:
    left, op, right = (part.strip() for part in re.split(r"(>=|<=|==|>|<|$)", text, maxsplit=1)[:3])
    if not op:
        return f"it has none of {' '.join(_OPERATORS)}"
    if not re.fullmatch(r"-?(\d+(\.\d*)?|\.\d+)\s*%?", right):
        return f"{right!r} is not a number" if right else f"no number after {op}"
    if left.count("[") != left.count("]"):
        return "a bracket is not closed"
    return f"{left!r} is not SUITE.METRIC"


def judge_gates(gates: Sequence[Gate], data: RunData, *, allow_partial: bool = False) -> list[GateResult]:
    """One verdict for each gate and model that it is about, in that order.

    A gate fails, whatever the figure, in three cases: no answer was scored; a question that the gate covers is
    unanswered (outcome ``error``); the run is partial (a selection, or incomplete), unless ``allow_partial``.
    """
    return [
        _judge_subject(gate, subject, data, allow_partial)
        for gate in gates
        for subject in data.subjects
        if gate.model in (None, subject.label)
    ]


def _judge_subject(gate: Gate, subject: Subject, data: RunData, allow_partial: bool) -> GateResult:
    from pytest_codereason.results.axes import select_value
    from pytest_codereason.results.measures import estimate_metric

    run = data.runs[subject.run]
    suite = run.suites[gate.suite]
    rows = data.select_subject(data.select_suite(gate.suite), subject)
    for axis, value in gate.resolve_values(suite.axes).items():
        rows = select_value(rows, axis, value)
    metric = next(metric for metric in suite.measured if metric.name == gate.metric)
    estimate = estimate_metric(rows, metric)
    errors = int((rows["outcome"] == "error").sum())
    partial = run.partial_because
    obstacles = [
        *(["no scored answers"] if estimate.value is None else []),
        *([f"{errors} unanswered"] if errors else []),
        *([f"PARTIAL: {partial}"] if partial and not allow_partial else []),
    ]
    holds = estimate.value is not None and gate.holds(estimate.value)
    passed = holds and not obstacles
    verdict = "passes" if passed else "would pass" if holds else "fails"
    clause = f"{gate.name} = {_format_figure(gate, estimate)} {verdict} {gate.condition}"
    notes = obstacles or ([f"PARTIAL, allowed: {partial}"] if partial else [])
    if bounds := estimate.bounds:
        cut_off = plural(bounds.truncated, "truncated answer")
        notes = [*notes, f"{bounds.all_wrong:.3f} to {bounds.all_right:.3f} with {cut_off}"]
    return GateResult(
        gate=str(gate),
        model=subject.label,
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        n=estimate.n,
        passed=passed,
        sentence=(f"{subject.label}: " if len(data.subjects) > 1 else "") + "; ".join([clause, *notes]),
    )


def _format_figure(gate: Gate, estimate: Estimate) -> str:
    """Three decimals, or as many more as the verdict needs to be seen to be right."""
    value, low, high = estimate.value, estimate.low, estimate.high
    if value is None:
        return f"undefined ({estimate.why})"
    text = f"{value:.3f}"
    for digits in range(4, 17):
        if gate.holds(float(text)) == gate.holds(value):
            break
        text = f"{value:.{digits}f}"
    limits = "" if low is None or high is None else f"{low:.2f} to {high:.2f}, "
    return f"{text} ({limits}n {estimate.n:,})"


def _spell_value(value: AxisValue) -> str:
    """An axis value as suite files write it: ``true``, ``2``, ``cot``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_written(text: str, value: AxisValue) -> bool:
    if _spell_value(value) == text:
        return True
    if isinstance(value, (bool, str)):
        return False
    try:
        return math.isclose(float(text), value, rel_tol=1e-12)
    except ValueError:
        return False
