"""What the figures about faults share: which answers are about unchanged programs, and how a mutation is read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from pytest_codereason.core import Metric
from pytest_codereason.results.measures.measures import estimate_metric, find_scored
from pytest_codereason.results.records.axes import PERTURBATION, UNCHANGED, find_reference, select_value
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.values import Estimate, Undefined, Why

LOCALIZATION, ROBUSTNESS = "fault-localization", "fault-robustness"
FAULT = "fault"
QUARTERS = (1, 2, 3, 4)
#: Where a table has every language, every fault or every mutation in one row.
ALL = "all"
#: The columns that name a planted fault, whatever is then done to the program.
_FAULT_COLUMNS = ("suite", "language", "family", "axes.fault", "axes.fault_quarter", "axes.fault_number")
_SETTINGS = re.compile(r"\(([^()]*)\)")


class FaultSuite(NamedTuple):
    """A suite that asks where faults are."""

    name: str
    info: SuiteInfo
    rows: pd.DataFrame  #: every answer
    first: pd.DataFrame  #: the answers that tell whether a fault is found in the program before a mutation
    found: Metric  #: whether it is found there

    @property
    def languages(self) -> list[str]:
        """The languages; with several of them, ``all`` first."""
        languages = [str(language) for language in self.info.axes["language"]]
        return languages if len(languages) == 1 else [ALL, *languages]

    @property
    def faults(self) -> list[str]:
        """The kinds of fault along the axis ``fault``; none where the suite fixes one."""
        return [str(value) for value in self.info.axes.get(FAULT, ()) if value != "none"]

    @property
    def mutations(self) -> list[str]:
        """The values of ``perturbation`` under which something is lost; a layout of its own is a mutation too there."""
        unchanged = ("none",) if self.info.task == ROBUSTNESS else UNCHANGED
        return [str(value) for value in self.info.axes.get(PERTURBATION, ()) if value not in unchanged]

    @property
    def has_control(self) -> bool:
        """Whether the unchanged question is asked a second time."""
        return self.info.task == ROBUSTNESS and "none" in self.info.axes.get(PERTURBATION, ())


def list_fault_suites(data: RunData) -> Iterator[FaultSuite]:
    """The suites of the two tasks about faults."""
    for name, info in data.suites.items():
        if info.task in (LOCALIZATION, ROBUSTNESS):
            rows = data.select_suite(name)
            yield FaultSuite(name, info, rows, _select_first(rows, info), _get_found(info))


def _get_found(info: SuiteInfo) -> Metric:
    name = "exact" if info.task == LOCALIZATION else "exact_first"
    return next((metric for metric in info.metrics if metric.name == name), Metric(name=name, title="Faulty line"))


def _select_first(rows: pd.DataFrame, info: SuiteInfo) -> pd.DataFrame:
    """The rows about unchanged programs; if the suite has none, the rows at the first value of ``perturbation``.

    In a suite of two steps the first question is the same under every perturbation, so one of them is enough.
    """
    values = info.axes.get(PERTURBATION, ())
    return select_value(rows, PERTURBATION, find_reference(values)) if values else rows


def select_language(rows: pd.DataFrame, language: str) -> pd.DataFrame:
    """The rows of a language, or of all of them."""
    return rows if language == ALL else rows[rows["language"] == language]


def select_fault(rows: pd.DataFrame, fault: str) -> pd.DataFrame:
    """The rows about one kind of fault, or about all of them."""
    return rows if fault == ALL else select_value(rows, FAULT, fault)


def get_quarters(rows: pd.DataFrame, metric: str = "fault_quarter_shown") -> pd.Series[float]:
    """The quarter of the shown program in which the fault stands, or the line of the answer; NaN if it is unknown."""
    column = f"metrics.{metric}"
    return rows[column] if column in rows else pd.Series(np.nan, index=rows.index)


def estimate_found(rows: pd.DataFrame, metric: Metric) -> Estimate | Undefined:
    """A metric with its interval; undefined where it is a share of the faults found before, and none was found."""
    if metric.ratio and len(rows):
        scored = find_scored(rows, metric)
        if len(scored.places) and not scored.weights.any():
            return Undefined(Why.NEVER_RIGHT)
    return estimate_metric(rows, metric).or_undefined()


def name_faults(rows: pd.DataFrame) -> pd.MultiIndex:
    """What names the planted fault of each row, the same for every model, run and mutation."""
    columns = [rows[name].astype(object) if name in rows else pd.Series("", rows.index) for name in _FAULT_COLUMNS]
    return pd.MultiIndex.from_arrays([column.where(column.notna(), "").astype(str) for column in columns])


class Findable(NamedTuple):
    """Which planted faults at least one model has found, and how many models were asked."""

    faults: pd.MultiIndex
    models: int

    @property
    def filters(self) -> bool:
        """Whether several models were asked. Of one model the filter would keep what it has found: 100 %."""
        return self.models > 1

    def select(self, rows: pd.DataFrame) -> pd.DataFrame:
        """The rows about faults that some model has found."""
        return rows[name_faults(rows).isin(self.faults)]


def find_findable(suite: str, data: RunData) -> Findable:
    """What the models of these runs and of earlier runs have found in unchanged programs. Baselines do not count."""
    found: list[pd.MultiIndex] = []
    models = set[str]()
    data = data.beside or data
    for each in list_fault_suites(data):
        for subject in data.subjects if each.name == suite else ():
            rows = data.select_subject(each.first, subject)
            if rows.empty or data.runs[subject.run].models[subject.model].is_baseline:
                continue
            models.add(subject.model)
            scored = find_scored(rows, each.found)
            found.append(name_faults(rows.iloc[scored.places[scored.values > 0]]))
    merged = found[0] if found else pd.MultiIndex.from_arrays([[] for _ in _FAULT_COLUMNS])
    for more in found[1:]:
        merged = merged.append(more)
    return Findable(merged.unique(), len(models))


def group_by_setting(values: Sequence[str], setting: str) -> Mapping[str, Mapping[int, str]]:
    """Mutations that differ in one number alone, such as ``strength``: by the rest of their text, then by the number.

    ``comments(strength=2)+rename(strength=2)`` belongs to ``comments+rename`` at 2. A composition whose parts have
    different numbers belongs nowhere, nor does a mutation that is asked at one number only.
    """
    groups: dict[str, dict[int, str]] = {}
    for value in values:
        listed = [part.strip() for text in _SETTINGS.findall(value) for part in text.split(",")]
        numbers = {part.partition("=")[2].strip() for part in listed if part.partition("=")[0].strip() == setting}
        if len(numbers) == 1 and (number := numbers.pop()).isdigit():
            groups.setdefault(_drop_setting(value, setting), {})[int(number)] = value
    return {name: dict(sorted(group.items())) for name, group in groups.items() if len(group) > 1}


def _drop_setting(value: str, setting: str) -> str:
    def shorten(match: re.Match[str]) -> str:
        kept = [part.strip() for part in match[1].split(",") if part.partition("=")[0].strip() != setting]
        return f"({','.join(kept)})" if kept else ""

    return _SETTINGS.sub(shorten, value)
