"""Gates: conditions that a run must meet to pass, such as ``semtrace.exact[language=php] >= 0.5``.

:func:`~pytest_codereason.results.verdicts.grammar.parse_gate` reads them, and
:func:`~pytest_codereason.results.verdicts.judging.judge_gates` gives their verdicts.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import product
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
#: Stands in a gate for each value of an axis: ``semtrace.exact[language=*] >= 0.8`` is a gate for every language.
EACH = "*"
#: Stands in a gate for what the earlier run measured: ``semtrace.exact >= baseline - 2%``.
BASELINE = "baseline"
#: The parts of a gate's text that name the other model: ``s.exact[model=b] >= s.exact[model=a] - 3%``.
AGAINST, AGAINST_MODEL = "other side", "other model"

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

    @property
    def model(self) -> str | None:
        """The label of the only model that it is about; ``None`` if the quantity names none."""
        return dict(self.where).get(MODEL)

    @property
    def about(self) -> tuple[str, str, frozenset[tuple[str, str]], bool]:
        """What it measures, whichever model it is: two sides of a gate must agree in this."""
        return self.suite, self.metric, frozenset(each for each in self.where if each[0] != MODEL), self.is_drop

    def put(self, values: Mapping[str, str]) -> Quantity:
        """The quantity with other values of some axes that it names."""
        return replace(self, where=tuple((axis, values.get(axis, value)) for axis, value in self.where))

    def __str__(self) -> str:
        inside = ",".join(f"{axis}={value}" for axis, value in self.where)
        name = f"{self.suite}.{self.metric}" + (f"[{inside}]" if inside else "")
        return f"drop({name})" if self.is_drop else name


@dataclass(frozen=True, slots=True)
class Bound:
    """What a gate compares a quantity with: a number, or what somebody else measured plus or times a number.

    Somebody else is the baseline, an earlier run, or another model of the same run.
    """

    number: float
    from_baseline: bool = False
    is_factor: bool = False  #: whether the number multiplies what the other side measured
    against: Quantity | None = None  #: the same quantity of another model of the run

    @property
    def is_relative(self) -> bool:
        """Whether two sides are compared, answer by answer."""
        return self.from_baseline or self.against is not None

    @property
    def rival(self) -> str | None:
        """The label of the other model of the run that the gate compares with."""
        return None if self.against is None else self.against.model

    @property
    def by(self) -> str:
        """Whose figure the other side is, as it stands behind a number: ``in the baseline``, ``by alpha``."""
        return "in the baseline" if self.rival is None else f"by {self.rival}"

    def __str__(self) -> str:
        return self.spell(BASELINE if self.against is None else str(self.against))

    def spell(self, other: str) -> str:
        """The bound with this text for the other side."""
        if not self.is_relative:
            return spell_number(self.number)
        if self.is_factor:
            return f"{other} * {spell_number(self.number)}"
        sign = "-" if self.number < 0 else "+"
        return f"{other} {sign} {spell_number(abs(self.number))}" if self.number else other


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
        """The condition that the quantity must meet: ``>= 0.5``, ``>= baseline - 0.02``, ``>= alpha - 0.02``."""
        return f"{self.op} {self.bound.spell(self.bound.rival or BASELINE)}"

    def __str__(self) -> str:
        return f"{self.name} {self.op} {self.bound}"

    def holds(self, value: float) -> bool:
        """Whether ``value`` satisfies the condition. If two sides are compared, it is the difference between them."""
        return OPERATORS[self.op](value, self.bound.number)

    @property
    def model(self) -> str | None:
        """The label of the only model that is judged; ``None`` if all models are."""
        return self.quantity.model

    def list_models(self, run: RunInfo) -> list[str]:
        """The models of a run that are judged: the one that the gate names, else all but baselines.

        Of a run that has baselines alone, all are judged. A model that the others are compared with is not.
        """
        if self.model is not None:
            return [self.model]
        models = [label for label, model in run.models.items() if not model.is_baseline] or list(run.models)
        return [label for label in models if label != self.bound.rival]

    def expand(self, run: RunInfo) -> list[Gate]:
        """The gates that this one stands for: one for each value of an axis that the gate writes as ``*``.

        A drop from ``vanilla`` to ``vanilla`` is none, so a drop has a gate for each other value. A gate whose suite or
        axis the run does not have stands for itself: :meth:`check` refuses it.
        """
        axes = run.suites[self.quantity.suite].axes if self.quantity.suite in run.suites else {}
        names = [axis for axis, value in self.quantity.where if value == EACH and axis in axes]
        choices = [
            [value for value in axes[name] if not (self.quantity.is_drop and value in UNCHANGED)] for name in names
        ]
        against = self.bound.against
        return [
            replace(
                self,
                quantity=self.quantity.put(values),
                bound=replace(self.bound, against=against.put(values) if against else None),
            )
            for chosen in product(*choices)
            for values in [dict(zip(names, map(_spell_value, chosen), strict=True))]
        ]

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
        lowest = -1 if self.quantity.is_drop or self.bound.is_relative else 0
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
        if self.bound.against is not None:
            self._check_rival(self.bound.against, run)

    def _check_rival(self, against: Quantity, run: RunInfo) -> None:
        """Checks that the other side is the same quantity of another model.

        Raises:
            GateError: it is another quantity, or of no other model of the run.
        """
        mine = replace(self.quantity, where=tuple(each for each in self.quantity.where if each[0] != MODEL))
        if against.model is None or against.about != self.quantity.about:
            other = next((label for label in run.models if label != self.model), "NAME")
            wanted = replace(mine, where=((MODEL, against.model or other), *mine.where))
            raise self.source.complain(
                AGAINST, f"both sides must be the same figure, of two models of the run: write {wanted} on the right"
            )
        if against.model not in run.models:
            self._refuse(AGAINST_MODEL, against.model, "model of the run", run.models)
        if against.model == self.model or not self.list_models(run):
            raise self.source.complain(AGAINST_MODEL, f"{against.model!r} is compared with itself: name another model")

    def _check_fitted(self, suite: SuiteInfo, metric: Metric) -> None:
        """Checks what only a metric that is fitted over an axis can be asked, and what it cannot.

        Raises:
            GateError: the gate asks the wrong kind of metric.
        """
        bound, is_horizon = self.bound, metric.name == H50 and metric.curve is not None
        if bound.is_factor and not is_horizon:
            raise self.source.complain(
                "sign", f"only {H50} is compared by a factor: write + or - and a number for {metric.name}"
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
        if is_horizon and bound.is_relative and not bound.is_factor and bound.number:
            raise self.source.complain("sign", f"{H50} is compared by a factor: write {BASELINE} * 0.8")
        if is_horizon and bound.number <= 0 and (bound.is_factor or not bound.is_relative):
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
