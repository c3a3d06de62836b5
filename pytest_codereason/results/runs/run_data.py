"""The records of one run or of several, together with what is known of these runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from pytest_codereason.core import SCORED, AxisValue, Metric, Record
from pytest_codereason.results.measures.resolved import fill_resolved, mark_unresolved, rank_metrics
from pytest_codereason.results.records.record_checks import RunCheck
from pytest_codereason.results.records.records import KEY, DamagedLines, Key, RecordSource, find_records, load_records
from pytest_codereason.results.runs.run_info import RECORDS, RunInfo, SuiteInfo, read_run


class Subject(NamedTuple):
    """One model in one run: what figures and tables have a row or a line for."""

    run: str
    model: str
    label: str  #: the model; with several runs the run too


class Written(NamedTuple):
    """Who wrote texts of one kind that a model was shown."""

    kind: str  #: ``hint``
    author: str  #: ``rule``, or the label of a model
    model: str  #: the model under test


@dataclass(frozen=True)
class RunData:
    """Records with a column ``run``, and the description of each run by its name."""

    #: see :func:`~pytest_codereason.results.records.records.load_records`; without answers to questions asked once more
    records: pd.DataFrame
    runs: Mapping[str, RunInfo]
    damaged: DamagedLines = field(default_factory=DamagedLines)
    sources: Mapping[str, RecordSource] = field(default_factory=dict)  #: where the texts of each run's records lie
    #: these runs together with others that a figure may look at: which faults any model has found, how versions differ
    beside: RunData | None = None
    #: answers to questions that were asked once more, with the columns of ``records``; they count in no score
    repeats: pd.DataFrame = field(default_factory=pd.DataFrame)

    @classmethod
    def build(cls, runs: Mapping[str, tuple[RunInfo, RecordSource]]) -> RunData:
        """The data of runs by name, each a description and its records.

        Cost, reused answers and the writers of hints are counted in the records, because ``run.json`` of a run
        that was cut off does not hold them.
        """
        sources = {name: source for name, (_, source) in runs.items()}
        every, damaged = load_records(sources, RunCheck({name: info for name, (info, _) in runs.items()}))
        every["shared"] = _find_shared(every, {name: info for name, (info, _) in runs.items()})
        every, is_repeat = fill_resolved(every), every["repeat"] > 0
        records, repeats = (every[chosen].reset_index(drop=True) for chosen in (~is_repeat, is_repeat))
        counted = {
            name: count_totals(info, *(part[part["run"] == name] for part in (records, repeats)))
            for name, (info, _) in runs.items()
        }
        return cls(records, counted, damaged, sources, repeats=repeats)

    @classmethod
    def read(cls, *folders: Path) -> RunData:
        """The data of run folders; each run is named after its folder.

        Raises:
            UsageError: a folder holds no run.
        """
        return cls.build({str(folder): (read_run(folder), folder / RECORDS) for folder in folders})

    @property
    def run(self) -> RunInfo:
        """The description of the only run."""
        (info,) = self.runs.values()
        return info

    @property
    def subjects(self) -> list[Subject]:
        """Every model of every run, in their order."""
        several = len(self.runs) > 1
        return [
            Subject(name, model, f"{model} ({name})" if several else model)
            for name, info in self.runs.items()
            for model in info.models
        ]

    @property
    def scales(self) -> frozenset[str]:
        """The labels of baselines: what is asked as a scale for models, and what no figure over models counts."""
        return frozenset(
            subject.label for subject in self.subjects if self.runs[subject.run].models[subject.model].is_baseline
        )

    @property
    def guessers(self) -> frozenset[str]:
        """The labels of those scales that answer at random."""
        return frozenset(
            subject.label for subject in self.subjects if self.runs[subject.run].models[subject.model].guesses
        )

    @property
    def unspoken(self) -> frozenset[str]:
        """The labels of what no sentence is about: baselines beside a model, else those that answer at random."""
        return self.guessers if len(self.scales) == len(self.subjects) else self.scales

    @property
    def suites(self) -> dict[str, SuiteInfo]:
        """The suites of all runs by name; the metrics and axis values of equally named suites are joined."""
        joined: dict[str, SuiteInfo] = {}
        for info in self.runs.values():
            for name, suite in info.suites.items():
                joined[name] = _join_suites(joined[name], suite) if name in joined else suite
        return joined

    @property
    def ranked_suites(self) -> dict[str, SuiteInfo]:
        """The suites with their metrics as headlines and rankings order them; figures keep the order of the studies."""
        spoken = [subject for subject in self.subjects if subject.label not in self.unspoken]
        return {
            name: replace(suite, metrics=rank_metrics(suite.metrics, left_undone=self._has_sums(name, spoken)))
            for name, suite in self.suites.items()
        }

    def _has_sums(self, name: str, subjects: Iterable[Subject]) -> bool:
        """Whether a right answer of one of these is left as a sum."""
        rows = self.select_suite(name)
        rows = rows[mark_unresolved(rows)]
        return any(len(self.select_subject(rows, subject)) for subject in subjects)

    def list_writers(self, name: str) -> list[Written]:
        """Who wrote the texts that a suite shows to models: hints, names, comments, dead code."""
        rows = self.select_suite(name)
        kinds = [str(column) for column in rows if str(column).startswith("texts_by.")]
        found: dict[Written, None] = {}
        for subject in self.subjects if kinds else ():
            mine = self.select_subject(rows, subject) if subject.label not in self.unspoken else rows.iloc[:0]
            for kind in kinds:
                authors = mine[kind].dropna().astype(str).unique()
                found |= {Written(kind.removeprefix("texts_by."), author, subject.model): None for author in authors}
        return list(found)

    def list_languages(self, name: str) -> list[str]:
        """The languages of the programs that a suite asked about, in the order of the suite."""
        rows = self.select_suite(name)
        asked = set(rows["language"][rows["outcome"] != "skipped"].astype(str))
        return [language for language in map(str, self.suites[name].axes["language"]) if language in asked]

    @staticmethod
    def list_keys(rows: pd.DataFrame) -> list[Key]:
        """What names the records of these rows."""
        return list(zip(*(rows[name].tolist() for name in KEY), strict=True))

    def find_records(self, rows: pd.DataFrame, *, steps: bool = True) -> dict[Key, Record]:
        """The records of some rows, read once more from the runs: whole, or without requests and replies."""
        return find_records(self.sources, self.list_keys(rows), steps=steps)

    def select_suite(self, name: str) -> pd.DataFrame:
        """The records of one suite."""
        return self.records[self.records["suite"] == name]

    def select_repeats(self, name: str, subject: Subject) -> pd.DataFrame:
        """The answers of one model in one run to the questions of a suite that it was asked once more."""
        if self.repeats.empty:
            return self.repeats
        return self.select_subject(self.repeats[self.repeats["suite"] == name], subject)

    def select_subject(self, rows: pd.DataFrame, subject: Subject) -> pd.DataFrame:
        """The rows that one model answered in one run."""
        chosen = rows["model"] == subject.model
        return rows[chosen & (rows["run"] == subject.run)] if len(self.runs) > 1 else rows[chosen]

    def by_subject(self, rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
        """The label and the rows of every model of every run."""
        for subject in self.subjects:
            yield subject.label, self.select_subject(rows, subject)


def count_totals(info: RunInfo, records: pd.DataFrame, repeats: pd.DataFrame) -> RunInfo:
    """``info`` with what only the records know: cost, what was reused, who wrote hints, unchanged programs, forms.

    The cost is also that of ``repeats``, the questions that were asked once more.
    """
    paid = pd.concat([records[["cost", "reused", "outcome"]], repeats[["cost", "reused", "outcome"]]])
    costs = paid["cost"][~paid["reused"] & paid["outcome"].isin(SCORED)]
    shared = int(records["shared"].sum())
    reused = int(records["reused"].sum()) - shared
    return replace(
        info,
        hints=count_hints(records),
        unchanged=count_unchanged(records),
        skipped=count_skipped(records),
        forms=count_forms(records),
        rejections=count_rejections(records),
        shared=shared,
        reused=reused,
        reused_oldest_s=info.reused_oldest_s if reused else None,
        texts_reused=count_texts_reused(records),
        cost=None if costs.isna().any() else float(costs.sum()),
    )


def _find_shared(records: pd.DataFrame, runs: Mapping[str, RunInfo]) -> pd.Series[bool]:
    """Which answers were given in the same run to another question that is equal, such as one of another suite.

    They come from the store, as answers of earlier runs do, and are younger than the run.
    """
    begins = {name: datetime.fromisoformat(info.started).timestamp() for name, info in runs.items() if info.started}
    began = records["run"].astype(object).map(begins).astype(float)
    return records["reused"] & (records["answered_at"] >= began)


def count_hints(records: pd.DataFrame) -> dict[str, int]:
    """How many programs were shown with a hint, by who wrote the hint (``Record.hint_by``), the most first.

    A program counts once for each suite and language, however often it is asked and of however many models.
    """
    columns = ["suite", "language", "family"]
    shown = records.loc[records["hint_by"] != "", [*columns, "hint_by"]]
    counts = shown.drop_duplicates(columns)["hint_by"].astype(str).value_counts()
    return {str(writer): int(count) for writer, count in counts.items()}


def count_texts_reused(records: pd.DataFrame) -> int:
    """How many texts of a writer come from the store (``Record.texts_reused``).

    A text counts once for each suite and language, however often it is shown.
    """
    columns = [str(name) for name in records.columns if str(name).startswith("texts_reused.")]
    shown = (records.loc[records[column].notna(), ["suite", "language", "family"]] for column in columns)
    return sum(len(rows.drop_duplicates()) for rows in shown)


def count_unchanged(records: pd.DataFrame) -> dict[str, int]:
    """How many questions were asked about an unchanged program, by the reason, the most first.

    A question counts once, however many models and samples answered.
    """
    asked = records.loc[records["unchanged"] != "", ["suite", "id", "unchanged"]]
    counts = asked.drop_duplicates()["unchanged"].astype(str).value_counts()
    return {str(reason): int(count) for reason, count in counts.items()}


def count_skipped(records: pd.DataFrame) -> dict[str, int]:
    """How many questions could not be asked, by the kind of reason, which ends at a colon; the most first.

    A question counts once, however many models and samples there are.
    """
    left_out = records.loc[records["outcome"] == "skipped", ["suite", "id", "reason"]]
    reasons = left_out.drop_duplicates(["suite", "id"])["reason"]
    return dict(Counter(str(reason).partition(": ")[0] for reason in reasons).most_common())


def count_forms(records: pd.DataFrame) -> dict[str, dict[str, int]]:
    """How many places of programs a perturbation changed in its study's form, and how many in a safe form.

    A program counts once for each suite, language and value of the axis ``perturbation``.
    """
    columns = [str(name) for name in records.columns if str(name).startswith("forms.")]
    programs = [name for name in ("suite", "language", "family", "axes.perturbation") if name in records.columns]
    totals = records.drop_duplicates([*programs, *columns])[columns].sum()
    forms: dict[str, dict[str, int]] = {}
    for column in columns:
        name, _, form = column.removeprefix("forms.").rpartition(".")
        forms.setdefault(name, {})[form] = int(totals[column])
    return forms


def count_rejections(records: pd.DataFrame) -> dict[str, dict[str, int]]:
    """How many texts of the rule failed their check, by place and reason (``Record.rejections``), the most first.

    All suites, models and perturbations share the choice of a fault. So the choice counts once for each program,
    operator and quarter; what failed before the second fault failed before the third as well.
    """
    columns = [str(name) for name in records.columns if str(name).startswith("rejections.")]
    shared = [name for name in ("axes.fault", "axes.fault_quarter") if name in records.columns]
    choices = records.groupby(["language", "family", *shared], observed=True, dropna=False)
    totals = choices[columns].max().sum().sort_values(ascending=False, kind="stable")
    rejections: dict[str, dict[str, int]] = {}
    for column, total in totals.items():
        place, _, reason = str(column).removeprefix("rejections.").partition(".")
        rejections.setdefault(place, {})[reason] = int(total)
    return rejections


def _join_suites(first: SuiteInfo, second: SuiteInfo) -> SuiteInfo:
    metrics: dict[str, Metric] = {metric.name: metric for metric in (*second.metrics, *first.metrics)}
    names = dict.fromkeys(metric.name for metric in (*first.metrics, *second.metrics))
    axes: dict[str, tuple[AxisValue, ...]] = {
        axis: tuple(dict.fromkeys((*first.axes.get(axis, ()), *second.axes.get(axis, ()))))
        for axis in dict.fromkeys((*first.axes, *second.axes))
    }
    return replace(
        first,
        selected=first.selected + second.selected,
        whole=first.whole + second.whole,
        metrics=tuple(metrics[name] for name in names),
        axes=axes,
        untold=first.untold | second.untold,
    )
