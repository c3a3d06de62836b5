"""Gates: conditions that a run must meet to pass, such as ``semtrace.exact[language=php] >= 0.5``.

:func:`~pytest_codereason.results.verdicts.grammar.parse_gate` reads them, and
:func:`~pytest_codereason.results.verdicts.judging.judge_gates` gives their verdicts.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, NoReturn

from pytest_codereason.core import AxisValue, Metric
from pytest_codereason.core.answers import H50, LAPSE
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import UsageError
from pytest_codereason.results.records.axes import UNCHANGED, find_reference

if TYPE_CHECKING:
    from pytest_codereason.results.runs.run_info import RunInfo, SuiteInfo

#: Stands among the axes of a gate for the model: ``semtrace.exact[model=small] >= 0.8`` judges one of several.
MODEL = "model"
#: Stands in a gate for what the earlier run measured: ``semtrace.exact >= baseline - 2%``.
BASELINE = "baseline"

OPERATORS: Mapping[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}


class GateError(UsageError):
    """A gate cannot be read or judged. The message shows the gate with a caret at ``column``, which counts from 1."""

    def __init__(self, text: str, column: int, complaint: str) -> None:
        shown = "".join(character if character.isprintable() else " " for character in text)
        super().__init__(f"gate {text!r}, column {column}: {complaint}\n    {shown}\n    {' ' * (column - 1)}^")
        self.column = column


@dataclass(frozen=True, slots=True)
class GateText:
    """The text of a gate, and at which columns its parts begin, by their names: ``suite``, ``value of digits``."""

    text: str = ""
    columns: Mapping[str, int] = field(default_factory=dict)

    def complain(self, part: str, complaint: str) -> GateError:
        """The error whose caret stands under a part of the gate."""
        return GateError(self.text, self.columns.get(part, 1), complaint)


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a gate measures: a metric of a suite, over all answers or those at some axis values, or its drop.

    The drop of ``misleading.exact[perturbation=comments]`` is the metric at ``perturbation=vanilla`` minus the metric
    at ``perturbation=comments``, over the same programs.
    """

    suite: str
    metric: str
    where: tuple[tuple[str, str], ...] = ()  #: axis and value, as typed; also ``model`` and its label
    is_drop: bool = False

    def __str__(self) -> str:
        inside = ",".join(f"{axis}={value}" for axis, value in self.where)
        name = f"{self.suite}.{self.metric}" + (f"[{inside}]" if inside else "")
        return f"drop({name})" if self.is_drop else name


@dataclass(frozen=True, slots=True)
class Bound:
    """What a gate compares a quantity with: a number, or what the baseline measured plus or times a number."""

    number: float
    from_baseline: bool = False
    is_factor: bool = False  #: whether the number multiplies what the baseline measured

    def __str__(self) -> str:
        if not self.from_baseline:
            return spell_number(self.number)
        if self.is_factor:
            return f"{BASELINE} * {spell_number(self.number)}"
        sign = "-" if self.number < 0 else "+"
        return f"{BASELINE} {sign} {spell_number(abs(self.number))}" if self.number else BASELINE


@dataclass(frozen=True, slots=True)
class Gate:
    """One condition on one quantity."""

    quantity: Quantity
    op: str
    bound: Bound
    source: GateText = field(default=GateText(), compare=False, repr=False)

    @property
    def name(self) -> str:
        """The quantity that is judged: ``semtrace.exact[language=php]``."""
        return str(self.quantity)

    @property
    def condition(self) -> str:
        """The condition that the quantity must meet: ``>= 0.5``."""
        return f"{self.op} {self.bound}"

    def __str__(self) -> str:
        return f"{self.name} {self.condition}"

    def holds(self, value: float) -> bool:
        """Whether ``value`` satisfies the condition. For a bound from the baseline it is the difference to that run."""
        return OPERATORS[self.op](value, self.bound.number)

    @property
    def model(self) -> str | None:
        """The label of the only model that is judged; ``None`` if all models are."""
        return dict(self.quantity.where).get(MODEL)

    def list_models(self, run: RunInfo) -> list[str]:
        """The models of a run that are judged: the one that the gate names, else all but baselines.

        Of a run that has baselines alone, all are judged.
        """
        if self.model is not None:
            return [self.model]
        return [label for label, model in run.models.items() if not model.is_baseline] or list(run.models)

    def find_metric(self, suite: SuiteInfo) -> Metric:
        """The metric of the suite that the gate is about.

        Raises:
            GateError: the suite has no such metric; lists those that it has.
        """
        metrics = {metric.name: metric for metric in (*suite.measured, *suite.fitted)}
        name = self.quantity.metric
        if name in (H50, LAPSE) and name not in metrics:
            raise self.source.complain(
                "metric",
                f"{self.quantity.suite} has no curve, so it has no {name}: that needs one axis along which questions "
                "get harder, such as steps or level, with at least three values",
            )
        return (
            metrics[name]
            if name in metrics
            else self._refuse("metric", name, f"metric of {self.quantity.suite}", metrics)
        )

    def check(self, run: RunInfo) -> None:
        """Checks before anything is asked that ``run`` will measure what the gate judges.

        Raises:
            GateError: the run has no such suite, metric, axis or value, and lists those that it has; or a drop has
                nothing to drop from; or the number is none that the metric can have.
        """
        if self.quantity.suite not in run.suites:
            for file, reason in run.left_out.items():
                if file.rpartition("/")[2] == f"{self.quantity.suite}.suite.toml":
                    raise self.source.complain("suite", f"the suite {self.quantity.suite!r} is left out: {reason}")
            self._refuse("suite", self.quantity.suite, "suite", run.suites)
        suite = run.suites[self.quantity.suite]
        metric = self.find_metric(suite)
        self._check_fitted(suite, metric)
        lowest = -1 if self.quantity.is_drop or self.bound.from_baseline else 0
        is_share = metric.is_share or (metric.curve is not None and metric.proportion)
        if is_share and not lowest <= self.bound.number <= 1:
            size = abs(self.bound.number)
            hint = f": write {spell_number(size)}%" if 1 < size <= 100 else ""
            if self.source.text.rstrip().endswith("%"):
                hint = ", so at most 100%" if size > 1 else ""
            raise self.source.complain("number", f"{metric.name} is a share between 0 and 1{hint}")
        values = self.resolve_values(suite.axes)
        if self.quantity.is_drop and not self.find_origin(suite.axes, values):
            raise self.source.complain(
                "quantity",
                f"a drop needs an axis of {self.quantity.suite} that can go back to {' or '.join(UNCHANGED)}, "
                "as in drop(misleading.exact[perturbation=comments])",
            )
        if self.model not in (None, *run.models):
            self._refuse(f"value of {MODEL}", str(self.model), "model of the run", run.models)

    def _check_fitted(self, suite: SuiteInfo, metric: Metric) -> None:
        """Checks what only a metric that is fitted over an axis can be asked, and what it cannot.

        Raises:
            GateError: the gate asks the wrong kind of metric.
        """
        bound, is_horizon = self.bound, metric.name == H50 and metric.curve is not None
        if bound.is_factor and not is_horizon:
            raise self.source.complain(
                "sign", f"only {H50} is compared by a factor: write {BASELINE} + or - a number for {metric.name}"
            )
        if metric.curve is None:
            if suite.chosen_axis:
                raise self.source.complain(
                    "metric",
                    f"{self.quantity.suite} chooses its questions by the answers, so about half of these are right "
                    f"whatever the model is: judge {H50} or {LAPSE}",
                )
            return
        if self.quantity.is_drop:
            raise self.source.complain("quantity", f"{metric.name} has no drop: it is fitted over {metric.curve}")
        if metric.curve in dict(self.quantity.where):
            complaint = f"{metric.name} is fitted over {metric.curve}, so it has no value at one of them"
            raise self.source.complain(f"axis {metric.curve}", complaint)
        if is_horizon and bound.from_baseline and not bound.is_factor and bound.number:
            raise self.source.complain("sign", f"{H50} is compared by a factor: write {BASELINE} * 0.8")
        if is_horizon and bound.number <= 0 and (bound.is_factor or not bound.from_baseline):
            raise self.source.complain("number", f"{H50} is above 0")

    def resolve_values(self, axes: Mapping[str, Sequence[AxisValue]]) -> dict[str, AxisValue]:
        """The axis values as the suite has them: the text ``2`` is the number 2 where the suite has a number.

        Raises:
            GateError: the suite has no such axis or value; lists those that it has.
        """
        resolved: dict[str, AxisValue] = {}
        for axis, text in self.quantity.where:
            if axis == MODEL:
                continue
            if axis not in axes:
                self._refuse(f"axis {axis}", axis, f"axis of {self.quantity.suite}", axes)
            matches = [value for value in axes[axis] if _is_written(text, value)]
            if not matches:
                self._refuse(f"value of {axis}", text, f"value of {axis}", map(_spell_value, axes[axis]))
            resolved[axis] = matches[0]
        return resolved

    @staticmethod
    def find_origin(axes: Mapping[str, Sequence[AxisValue]], values: Mapping[str, AxisValue]) -> dict[str, AxisValue]:
        """Where a drop from ``values`` begins: the axes that have a value that changes nothing, with that value."""
        references = {axis: find_reference(axes[axis]) for axis in values}
        return {axis: value for axis, value in references.items() if value in UNCHANGED and values[axis] != value}

    def _refuse(self, part: str, name: str, what: str, known: Iterable[str]) -> NoReturn:
        names = list(known)
        there = ", ".join(names)
        raise self.source.complain(part, f"no {what} is called {name!r}{suggest_name(name, names)}; there is {there}")


def spell_number(number: float) -> str:
    """A number as a gate writes it, without an exponent."""
    return f"{Decimal(repr(number)).normalize():f}"


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
