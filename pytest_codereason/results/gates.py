"""Gates: what a run must reach to pass, such as ``semtrace.exact[language=php] >= 0.5``."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pytest_codereason.core import AxisValue
from pytest_codereason.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

GRAMMAR = (
    "SUITE.METRIC[AXIS=VALUE,...] OP NUMBER, such as 'semtrace.exact >= 0.8' or 'semtrace.exact[language=php] >= 50%'"
)

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
    where: tuple[tuple[str, str], ...]  #: axis and value, as typed
    op: str
    number: float

    @property
    def name(self) -> str:
        """What is measured: ``semtrace.exact[language=php]``."""
        inside = ",".join(f"{axis}={value}" for axis, value in self.where)
        return f"{self.suite}.{self.metric}" + (f"[{inside}]" if inside else "")

    @property
    def condition(self) -> str:
        """What is asked of it: ``>= 0.5``."""
        return f"{self.op} {self.number:.10g}"

    def __str__(self) -> str:
        return f"{self.name} {self.condition}"

    def holds(self, value: float) -> bool:
        """Whether ``value`` satisfies the condition."""
        return _OPERATORS[self.op](value, self.number)

    def check(self, run: Mapping[str, Any]) -> None:
        """Holds the gate against the suites of ``run`` (content of ``run.json``), before anything is asked.

        Raises:
            UsageError: there is no such suite, metric, axis or value; names what there is.
        """
        suite = run["suites"].get(self.suite)
        if suite is None:
            raise self._unknown("suite", self.suite, run["suites"])
        metrics = {metric["name"]: metric for metric in suite["metrics"]}
        if self.metric not in metrics:
            raise self._unknown(f"metric of {self.suite}", self.metric, metrics)
        if metrics[self.metric]["binary"] and not 0 <= self.number <= 1:
            hint = f": write {self.number:g}%" if 1 < self.number <= 100 else ""
            raise UsageError(f"gate '{self}': {self.metric} is a share between 0 and 1{hint}")
        self.resolve(suite["axes"])

    def resolve(self, axes: Mapping[str, Sequence[AxisValue]]) -> dict[str, AxisValue]:
        """The typed axis values as the suite has them: ``"2"`` is 2 where the suite says 2."""
        found: dict[str, AxisValue] = {}
        for axis, text in self.where:
            if axis not in axes:
                raise self._unknown(f"axis of {self.suite}", axis, axes)
            match = [value for value in axes[axis] if _means(text, value)]
            if not match:
                raise self._unknown(f"value of {axis}", text, map(spell, axes[axis]))
            found[axis] = match[0]
        return found

    def _unknown(self, what: str, name: str, known: Iterable[str]) -> UsageError:
        return UsageError(f"gate '{self}': no {what} is called {name!r}; there is {', '.join(known)}")


@dataclass(frozen=True, slots=True)
class GateResult:
    """What one gate says about one model. ``value`` is ``None`` where nothing was scored."""

    gate: str
    model: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    passed: bool
    sentence: str


def parse(text: str) -> Gate:
    """The gate that ``text`` writes.

    Raises:
        UsageError: it is none; says why and shows the grammar.
    """
    found = _GATE.fullmatch(text)
    if found is None:
        raise UsageError(f"gate {text!r} cannot be read ({_complaint(text)}): write {GRAMMAR}")
    where: list[tuple[str, str]] = []
    for pair in _COMMA.split(found["where"]) if found["where"] is not None else []:
        axis, equals, value = (part.strip() for part in pair.partition("="))
        if not (axis and equals and value):
            raise UsageError(f"gate {text!r} cannot be read ({pair.strip()!r} is no AXIS=VALUE): write {GRAMMAR}")
        if axis in dict(where):
            raise UsageError(f"gate {text!r} cannot be read (axis {axis!r} stands there twice): write {GRAMMAR}")
        where.append((axis, value))
    number = Decimal(found["number"]) / (100 if found["percent"] else 1)
    return Gate(found["suite"], found["metric"], tuple(where), found["op"], float(number))


def _complaint(text: str) -> str:
    left, op, right = (part.strip() for part in re.split(r"(>=|<=|==|>|<|$)", text, maxsplit=1)[:3])
    if not op:
        return f"it has none of {' '.join(_OPERATORS)}"
    if not re.fullmatch(r"-?(\d+(\.\d*)?|\.\d+)\s*%?", right):
        return f"{right!r} is no number" if right else f"no number after {op}"
    if left.count("[") != left.count("]"):
        return "a bracket is not closed"
    return f"{left!r} is no SUITE.METRIC"


def judge(
    gates: Sequence[Gate], frame: pd.DataFrame, run: Mapping[str, Any], *, allow_partial: bool = False
) -> list[GateResult]:
    """One result for each gate and model, in that order.

    A gate fails, whatever the figure, where no answer was scored, where questions it covers went
    unanswered (outcome ``error``), and where the run is partial (a selection, or incomplete)
    unless ``allow_partial``.
    """
    return [_judge(gate, model, frame, run, allow_partial) for gate in gates for model in run["models"]]


def _judge(gate: Gate, model: str, frame: pd.DataFrame, run: Mapping[str, Any], allow_partial: bool) -> GateResult:
    from pytest_codereason.results.frame import axis_column
    from pytest_codereason.statistics.estimates import estimate

    suite = run["suites"][gate.suite]
    rows = frame[(frame["suite"] == gate.suite) & (frame["model"] == model)]
    for axis, wanted in gate.resolve(suite["axes"]).items():
        column = axis_column(axis)
        rows = rows[(rows[column] == wanted).fillna(False)] if column in rows else rows.iloc[:0]
    metric = next(m for m in suite["metrics"] if m["name"] == gate.metric)
    found = estimate(rows, metric)
    value = found["value"]
    errors = int((rows["outcome"] == "error").sum())
    partial = partial_because(run)
    obstacles = [
        *(["no scored answers"] if value is None else []),
        *([f"{errors} unanswered"] if errors else []),
        *([f"PARTIAL: {partial}"] if partial and not allow_partial else []),
    ]
    holds = value is not None and gate.holds(value)
    passed = holds and not obstacles
    verdict = "passes" if passed else "would pass" if holds else "fails"
    about = f"{gate.name} = {_figure(gate, found)} {verdict} {gate.condition}"
    notes = obstacles or ([f"PARTIAL, allowed: {partial}"] if partial else [])
    return GateResult(
        gate=str(gate),
        model=model,
        value=value,
        low=found["low"],
        high=found["high"],
        n=int(found["n"] or 0),
        passed=passed,
        sentence=(f"{model}: " if len(run["models"]) > 1 else "") + "; ".join([about, *notes]),
    )


def partial_because(run: Mapping[str, Any]) -> str | None:
    """Why a run says less than its suites would, ``None`` where it does not."""
    selection: str | None = run["selection"]
    return selection or (None if run["complete"] else "the run is incomplete")


def _figure(gate: Gate, found: Mapping[str, float | int | None]) -> str:
    """Three decimals, or as many more as it takes not to contradict the verdict."""
    value, low, high = found["value"], found["low"], found["high"]
    if value is None:
        return "undefined"
    text = f"{value:.3f}"
    for digits in range(4, 17):
        if gate.holds(float(text)) == gate.holds(value):
            break
        text = f"{value:.{digits}f}"
    limits = "" if low is None or high is None else f"{low:.2f} to {high:.2f}, "
    return f"{text} ({limits}n {found['n']:,})"


def spell(value: AxisValue) -> str:
    """An axis value as suite files write it: ``true``, ``2``, ``cot``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _means(text: str, value: AxisValue) -> bool:
    if spell(value) == text:
        return True
    if isinstance(value, (bool, str)):
        return False
    try:
        return math.isclose(float(text), value, rel_tol=1e-12)
    except ValueError:
        return False
