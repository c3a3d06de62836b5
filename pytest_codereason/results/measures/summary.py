"""The summary of a run: for each suite, model and axis value, every metric with its interval."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from pytest_codereason.core import SCORED, AxisValue, Metric, Outcome
from pytest_codereason.results.measures.claims import Claim, SuiteClaims
from pytest_codereason.results.measures.horizons import SuiteHorizon, estimate_fitted, map_headlines, measure_horizon
from pytest_codereason.results.measures.leads import Lead
from pytest_codereason.results.measures.measures import does_apply, estimate_metric
from pytest_codereason.results.measures.noise import Noise, measure_noise
from pytest_codereason.results.measures.pairing import compare, judge_course, number_pairs
from pytest_codereason.results.measures.reasons import count_reasons
from pytest_codereason.results.measures.setbacks import Setback
from pytest_codereason.results.measures.standings import compare_models
from pytest_codereason.results.records.axes import (
    axis_column,
    find_reference,
    list_conditions,
    select_condition,
    select_value,
)
from pytest_codereason.results.records.records import OUTCOMES, DamagedLines
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.values import Delta, Estimate, Undefined, Why

_TOKENS = ("prompt", "completion", "reasoning", "cached")


@dataclass(frozen=True, slots=True)
class Counts:
    """How many records there are, how many of them are scored, and how many have each outcome."""

    records: int
    scored: int  #: every metric's largest denominator
    outcomes: Mapping[Outcome, int]

    @property
    def unanswered(self) -> int:
        """Questions that nobody answered: infrastructure failures."""
        return self.outcomes["error"]


@dataclass(frozen=True, slots=True)
class Total:
    """A sum over the records in which the number is known; ``None`` if it is known in none."""

    total: float | None
    known: int


@dataclass(frozen=True, slots=True)
class Spread:
    """The median and the 95th percentile of ``n`` numbers."""

    median: float | None
    p95: float | None
    n: int


@dataclass(frozen=True, slots=True)
class AxisEntry:
    """One value of an axis: its metrics, and their differences to the reference value of the axis."""

    value: AxisValue
    counts: Counts
    metrics: Mapping[str, Estimate]
    deltas: Mapping[str, Delta | Undefined]


@dataclass(frozen=True, slots=True)
class Headline:
    """The first numbers of a model: those of the plain question in one way of prompting."""

    where: Mapping[str, AxisValue]  #: ``{"perturbation": "vanilla", "prompting": "cot"}``; empty if all is one
    counts: Counts
    around: Counts  #: those, and the answers at all values of the axes that it is the plain point of
    metrics: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class AxisSweep:
    """The values of one axis side by side, all in one condition."""

    axis: str
    where: Mapping[str, AxisValue]
    entries: tuple[AxisEntry, ...]
    p: float | None = None  #: how often chance alone makes the headline vary so; ``None`` with fewer than three values

    @property
    def asked(self) -> tuple[AxisEntry, ...]:
        """The values of which anything was asked: ``-k`` and ``--eval-limit`` leave some out."""
        return tuple(entry for entry in self.entries if entry.counts.records)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSummary:
    """The numbers of one model on one suite.

    ``metrics`` and ``axes`` are over all answers, as gates judge them. People are shown ``headlines`` and ``sweeps``,
    which never pool a perturbed question with a plain one, nor two ways of prompting.
    """

    counts: Counts
    reasons: Mapping[Outcome, tuple[tuple[str, int], ...]]  #: the most frequent ones, with how often
    guesses: bool  #: whether the model answers at random
    unspoken: bool  #: whether it is a scale, which no sentence is about
    headlines: tuple[Headline, ...]  #: none for a model that guesses
    sweeps: tuple[AxisSweep, ...]  #: of the axes with several values
    metrics: Mapping[str, Estimate]
    axes: Mapping[str, tuple[AxisEntry, ...]]  #: without deltas where these would pool conditions
    tokens: Mapping[str, Total]
    cost: Total
    latency_s: Spread
    collapsed: Total  #: answers that ran away into repetition
    same_reply: Total  #: the replies that are the most frequent text, of all replies that are not shared
    shared: int  #: answers that were given in the same run to an equal question
    reused: int  #: answers of earlier runs
    noise: Noise | None = None  #: how often answers change by themselves; ``None`` if nothing was asked a second time
    #: how far it reads; ``None`` if the suite has no curve, or no answer says anything about it
    horizon: SuiteHorizon | None = None

    @property
    def is_skipped(self) -> bool:
        """Whether every question was skipped: people are told so in a sentence, not in tables."""
        return 0 < self.counts.records == self.counts.outcomes["skipped"]

    @property
    def shown_headlines(self) -> tuple[Headline, ...]:
        """The headlines that people are shown."""
        return () if self.is_skipped else self.headlines

    @property
    def shown_sweeps(self) -> tuple[AxisSweep, ...]:
        """The sweeps that people are shown: those with several values of which anything was asked, and only these."""
        if self.is_skipped:
            return ()
        asked = (replace(sweep, entries=sweep.asked) for sweep in self.sweeps)
        return tuple(sweep for sweep in asked if len(sweep.entries) > 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteSummary:
    """The numbers of one suite."""

    task: str
    metrics: tuple[Metric, ...]  #: those that people are shown, the headline first
    measured: tuple[Metric, ...]  #: those that every model has: the share of truncated answers too
    axes: Mapping[str, tuple[AxisValue, ...]]
    models: Mapping[str, ModelSummary]
    claims: SuiteClaims  #: what of the headline is clear along the axes, of all models but scales
    leads: tuple[Lead, ...]  #: the best model in each condition of the headlines; none if fewer than two have a score
    setbacks: tuple[Setback, ...] = ()  #: where one model is clearly worse than another

    @property
    def headline(self) -> Metric:
        """The metric that stands first in every report."""
        return self.metrics[0]

    def find_sweeps(self, axis: str, where: Mapping[str, AxisValue]) -> dict[str, AxisSweep]:
        """The sweep along ``axis`` in one condition of each model that was asked anything there, by its label."""
        return {
            label: sweep
            for label, model in self.models.items()
            for sweep in model.sweeps
            if sweep.axis == axis and sweep.where == where and sweep.asked and not model.is_skipped
        }

    def leave_out_unspoken(self, sweeps: Mapping[str, AxisSweep]) -> dict[str, AxisSweep]:
        """The sweeps that a sentence may be about: those of models, not of scales."""
        return {label: sweep for label, sweep in sweeps.items() if not self.models[label].unspoken}


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The numbers of a run."""

    records: int
    damaged: DamagedLines
    suites: Mapping[str, SuiteSummary]


def summarise(data: RunData) -> Summary:
    """All numbers of the runs in ``data``, one entry for each suite and model."""
    guessers, unspoken = data.guessers, data.unspoken
    return Summary(
        records=len(data.records),
        damaged=data.damaged,
        suites={
            name: _summarise_suite(
                suite,
                {
                    subject.label: _measure_model(
                        data.select_subject(data.select_suite(name), subject),
                        suite,
                        guesses=subject.label in guessers,
                        unspoken=subject.label in unspoken,
                        noise=measure_noise(data, name, subject),
                    )
                    for subject in data.subjects
                },
                *compare_models(data, name, suite),
            )
            for name, suite in map_headlines(data.ranked_suites).items()
        },
    )


def _summarise_suite(
    suite: SuiteInfo, models: Mapping[str, ModelSummary], leads: tuple[Lead, ...], setbacks: tuple[Setback, ...]
) -> SuiteSummary:
    judged = {label: model.sweeps for label, model in models.items() if not model.unspoken}
    return SuiteSummary(
        task=suite.task,
        metrics=suite.metrics,
        measured=suite.measured,
        axes=suite.axes,
        models=models,
        claims=judge_sweeps(judged, suite.headline),
        leads=leads,
        setbacks=setbacks,
    )


def judge_sweeps(sweeps: Mapping[str, Sequence[AxisSweep]], metric: Metric) -> SuiteClaims:
    """Which changes and courses along all axes are clear, judged together; ``sweeps`` are those of each model."""
    p_values: dict[Claim, float] = {}
    significant: set[Claim] = set()
    for label, own in sweeps.items():
        for sweep in own:
            changes = [(entry.value, delta) for entry in sweep.entries if (delta := entry.deltas[metric.name])]
            for value, delta in changes:
                if delta.p is not None:
                    claim = Claim.about(label, sweep.axis, sweep.where, value)
                    p_values[claim] = delta.p
                    significant |= {claim} if delta.is_significant else set()
            if len(changes) > 1 and sweep.p is not None:  # the course over two values is their change
                p_values[Claim.about(label, sweep.axis, sweep.where)] = sweep.p
    return SuiteClaims.judge(p_values, frozenset(significant))


def _measure_model(
    part: pd.DataFrame, suite: SuiteInfo, *, guesses: bool, unspoken: bool, noise: Noise | None
) -> ModelSummary:
    compared = {} if suite.chosen_axis else suite.axes
    sweeps = {axis: tuple(_list_sweeps(part, suite, axis)) for axis, values in compared.items() if len(values) > 1}
    return ModelSummary(
        counts=count_outcomes(part),
        reasons=count_reasons(part),
        guesses=guesses,
        unspoken=unspoken,
        headlines=() if guesses else _list_headlines(part, suite),
        sweeps=tuple(sweep for found in sweeps.values() for sweep in found),
        metrics=_estimate_all(part, suite),
        axes={axis: _measure_whole_axis(part, suite, axis, sweeps.get(axis, ())) for axis in compared},
        tokens={name: _add_up(part[f"usage.{name}"]) for name in _TOKENS},
        cost=_add_up(part["cost"]),
        latency_s=_measure_spread(part["latency_s"]),
        collapsed=_add_up(part["trace.collapsed"][part["outcome"].isin(SCORED)]),
        same_reply=_count_same_replies(part["reply"][part["outcome"].isin(SCORED) & ~part["shared"]]),
        shared=int(part["shared"].sum()),
        reused=int((part["reused"] & ~part["shared"]).sum()),
        noise=noise,
        horizon=measure_horizon(part, suite) if suite.curve else None,
    )


def _list_headlines(part: pd.DataFrame, suite: SuiteInfo) -> tuple[Headline, ...]:
    """One headline for each condition that was asked; all of them, without a number, if none was."""
    headlines = []
    for where in list_conditions(suite.axes, pools=suite.headline.pools):
        rows = select_condition(part, where)
        around = part[_mark_around(part, suite, where)]
        headlines.append(Headline(where, count_outcomes(rows), count_outcomes(around), _estimate_all(rows, suite)))
    return tuple(each for each in headlines if each.counts.records) or tuple(headlines)


def _mark_around(part: pd.DataFrame, suite: SuiteInfo, where: Mapping[str, AxisValue]) -> pd.Series[bool]:
    """The rows of a headline, and those along every axis that it is the plain point of."""
    places = [where]
    for axis, values in suite.axes.items():
        if len(values) > 1:
            conditions = list_conditions(suite.axes, axis, suite.headline.pools)
            places += [condition for condition in conditions if condition.items() <= where.items()]
    chosen = pd.Series(data=False, index=part.index)
    for place in places:
        chosen |= part.index.isin(select_condition(part, place).index)
    return chosen


def _list_sweeps(part: pd.DataFrame, suite: SuiteInfo, axis: str) -> Iterator[AxisSweep]:
    """The values of ``axis`` in each condition in which any of them was asked."""
    for where in list_conditions(suite.axes, axis, suite.headline.pools):
        rows = select_condition(part, where)
        if len(rows):
            values = suite.axes[axis]
            parts = [select_value(rows, axis, value) for value in values]
            p = judge_course(parts, suite.headline) if len(values) > 2 else None
            yield AxisSweep(axis, where, _measure_axis(rows, suite, axis), p)


def _estimate_all(rows: pd.DataFrame, suite: SuiteInfo) -> dict[str, Estimate]:
    if suite.chosen_axis:
        plain = {metric.name: estimate_metric(rows, metric) for metric in suite.measured if not metric.curve}
        return {**estimate_fitted(rows, suite), **plain}
    return {metric.name: estimate_metric(rows, metric) for metric in suite.measured}


def count_outcomes(part: pd.DataFrame) -> Counts:
    """The records, the scored ones, and those of each outcome."""
    column = part["outcome"].cat
    numbers = np.bincount(column.codes.to_numpy(), minlength=len(column.categories))
    counts = dict(zip(column.categories, numbers.tolist(), strict=True))
    outcomes: dict[Outcome, int] = {outcome: counts.get(outcome, 0) for outcome in OUTCOMES}
    return Counts(len(part), sum(outcomes[outcome] for outcome in SCORED), outcomes)


def _measure_whole_axis(
    part: pd.DataFrame, suite: SuiteInfo, axis: str, sweeps: Sequence[AxisSweep]
) -> tuple[AxisEntry, ...]:
    """One entry for each value of ``axis`` over all answers, with deltas if these answers are of one condition."""
    if any(list_conditions(suite.axes, axis, suite.headline.pools)):
        return _measure_axis(part, suite, axis, compared=False)
    return sweeps[0].entries if sweeps else _measure_axis(part, suite, axis)


def _measure_axis(part: pd.DataFrame, suite: SuiteInfo, axis: str, *, compared: bool = True) -> tuple[AxisEntry, ...]:
    """One entry for each value of ``axis``, in the suite's order; if ``compared``, with deltas to the reference.

    A headline may not apply to the reference, because it compares with the reference already. Then the reference is
    left out, and nothing is compared once more.
    """
    if axis_column(axis) not in part:
        part = part.assign(**{axis_column(axis): None})
    part = number_pairs(part, suite, {axis})
    values = suite.axes[axis]
    rows_at = {value: select_value(part, axis, value) for value in values}
    reference = find_reference(values)
    if not does_apply(suite.headline, axis, rows_at[reference]):
        compared = False
        del rows_at[reference]
    without = Undefined(Why.REFERENCE if compared else Why.POOLED)
    return tuple(
        AxisEntry(
            value=value,
            counts=count_outcomes(rows),
            metrics=_estimate_all(rows, suite),
            deltas=compare(rows_at[reference], rows, suite.measured)
            if compared and value != reference
            else dict.fromkeys((metric.name for metric in suite.measured), without),
        )
        for value, rows in rows_at.items()
    )


def _add_up(column: pd.Series[Any]) -> Total:
    known = int(column.notna().sum())
    return Total(float(column.sum()) if known else None, known)


def _count_same_replies(checksums: pd.Series[Any]) -> Total:
    many = checksums.value_counts()
    return Total(float(many.max()) if len(many) else None, int(many.sum()))


def _measure_spread(column: pd.Series[Any]) -> Spread:
    values = column.dropna().to_numpy()
    median, p95 = np.percentile(values, [50, 95]) if len(values) else (math.nan, math.nan)
    return Spread(_replace_infinite(median), _replace_infinite(p95), len(values))


def _replace_infinite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
