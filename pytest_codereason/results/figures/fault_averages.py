"""What models find and lose on average: the figures 6, 8 and 9 of the fourth study, and the shares of its abstract."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pandas as pd

from pytest_codereason.core import Metric
from pytest_codereason.core.text.wording import plural
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.figures._faults import (
    ALL,
    QUARTERS,
    ROBUSTNESS,
    FaultSuite,
    get_quarters,
    group_by_setting,
    list_fault_suites,
    select_fault,
    select_language,
)
from pytest_codereason.results.figures.fault_quarters import FOUND, PLANTED, list_quarter_columns
from pytest_codereason.results.figures.fault_strength import get_strength_metric
from pytest_codereason.results.figures.faults_lost import ANY, CONTROL, count_flips, get_metric
from pytest_codereason.results.measures.measures import find_scored
from pytest_codereason.results.measures.over_models import OverModels, measure_models
from pytest_codereason.results.pictures import Column, Panel, Picture, Point, Table, name_columns
from pytest_codereason.results.records.axes import PERTURBATION, axis_values, select_value
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.values import Cell, Estimate, Label, Undefined, Why

#: The rows of several models.
Parts = Sequence[pd.DataFrame]
#: Counts rows that are marked.
_MARKED = Metric(name="marked", title="Share", binary=False)


class FaultAverages(Figure):
    """Tables over all models of a suite about faults: by mutation, by quarter, by strength.

    Each number stands twice: as the average of the models, and pooled over all of their answers. The study does not say
    which of them it prints. With a single model there is no such table. Baselines do not count.
    """

    order = 60

    def pictures(self, data: RunData) -> Iterator[Picture]:
        for suite in list_fault_suites(data):
            readers = [label for label, rows in data.by_subject(suite.rows) if label not in data.scales and len(rows)]
            if len(readers) < 2:
                continue
            if suite.info.task == ROBUSTNESS and suite.mutations:
                yield _draw_lost(suite, _select(data, suite.rows, readers))
            if get_quarters(suite.first).nunique() > 1:
                first = _select(data, suite.first, readers)
                yield _draw_heat_map(suite, first)
                yield _draw_shares(suite, first)
            groups = group_by_setting(suite.mutations, "strength")
            for language in suite.languages if groups else ():
                yield _draw_strength(suite, language, groups, _select(data, suite.rows, readers))


def _select(data: RunData, rows: pd.DataFrame, readers: Sequence[str]) -> Parts:
    return [part for label, part in data.by_subject(rows) if label in readers]


def _name_ways(models: int) -> tuple[str, str]:
    return f"average of {plural(models, 'model')}", f"pooled over {plural(models, 'model')}"


def _list_rows(start: Sequence[str], measured: Sequence[OverModels], models: int) -> Iterator[list[Cell]]:
    """Two rows, of the averages and of what is pooled."""
    for name, cells in zip(_name_ways(models), zip(*measured, strict=True), strict=True):
        yield [Label(name), *map(Label, start), *cells]


def _draw_lost(suite: FaultSuite, parts: Parts) -> Picture:
    kept, lost = (get_metric(suite.info, name) for name in ("exact_after", "lost"))
    table: list[list[Cell]] = []
    for language in suite.languages:
        rows = [select_language(part, language) for part in parts]
        mutated = [part[axis_values(part, PERTURBATION).isin(suite.mutations)] for part in rows]
        chosen = {ANY: mutated} | {
            each: [select_value(part, PERTURBATION, each) for part in rows] for each in suite.mutations
        }
        for name, group in chosen.items():
            table += _list_rows((language, name), [measure_models(group, each) for each in (kept, lost)], len(parts))
        if suite.has_control:
            control = [count_flips(select_value(part, PERTURBATION, "none")) for part in rows]
            flipped = measure_models(control, lost)
            found = OverModels(*(_complement(cell) for cell in flipped))
            table += _list_rows((language, CONTROL), [found, flipped], len(parts))
    return Picture(
        name=f"{suite.name}-fault-averages",
        kind="fault-averages",
        title=f"Faults found again and lost over all models, in percent of those found before: {suite.name}",
        after="Haroon et al., figure 6",
        table=Table(
            columns=[
                Column("model", "models"),
                *name_columns("language", "mutation"),
                Column("kept", "found again, %", "percent"),
                Column("lost", "lost, %", "percent"),
            ],
            rows=table,
        ),
        of={"suite": suite.name},
        sentence=_explain_ways(len(parts)),
    )


def _complement(cell: Estimate | Undefined) -> Estimate | Undefined:
    """What is left of the whole."""
    if not isinstance(cell, Estimate) or cell.value is None:
        return cell
    low, high = (None if limit is None else 1 - limit for limit in (cell.high, cell.low))
    return replace(cell, value=1 - cell.value, low=low, high=high)


def _explain_ways(models: int) -> str:
    average, pooled = _name_ways(models)
    return (
        f"In the {average} each model counts alike; {pooled}, each answer does. The intervals say what other models "
        "and other programs would give. Baselines are left out."
    )


def _draw_heat_map(suite: FaultSuite, parts: Parts) -> Picture:
    table: list[list[Cell]] = []
    for language in suite.languages:
        for fault in (ALL, *(suite.faults if len(suite.faults) > 1 else ())):
            rows = [select_fault(select_language(part, language), fault) for part in parts]
            measured = [
                measure_models([part[get_quarters(part) == quarter] for part in rows], suite.found)
                for quarter in QUARTERS
            ]
            table += _list_rows((language, fault), measured, len(parts))
    return Picture(
        name=f"{suite.name}-fault-average-quarters",
        kind="fault-average-quarters",
        title=f"Faulty lines found by quarter of the program over all models, in percent: {suite.name}",
        after="Haroon et al., figure 9",
        table=Table(
            columns=[
                Column("model", "models"),
                *name_columns("language", "fault"),
                *list_quarter_columns(),
            ],
            rows=table,
            heat=True,
        ),
        of={"suite": suite.name},
        sentence=_explain_ways(len(parts)),
    )


def _draw_shares(suite: FaultSuite, parts: Parts) -> Picture:
    """Of the faults that are found, how many stand in each quarter."""
    table: list[list[Cell]] = []
    for language in suite.languages:
        asked = [select_language(part, language) for part in parts]
        scored = [find_scored(part, suite.found) for part in asked]
        planted = [part.iloc[each.places] for part, each in zip(asked, scored, strict=True)]
        found = [part[each.values > 0] for part, each in zip(planted, scored, strict=True)]
        for name, rows in {PLANTED: planted, FOUND: found}.items():
            known = [part[get_quarters(part).notna()] for part in rows]
            marked = [[_mark(part, quarter) for part in known] for quarter in QUARTERS]
            table += _list_rows((language, name), [measure_models(each, _MARKED) for each in marked], len(parts))
    return Picture(
        name=f"{suite.name}-fault-average-shares",
        kind="fault-average-shares",
        title=f"Where the faults stand that are found, over all models, in percent of those found: {suite.name}",
        after="Haroon et al., section V-C",
        table=Table(
            columns=[
                Column("model", "models"),
                *name_columns("language", "counted"),
                *list_quarter_columns(),
            ],
            rows=table,
        ),
        of={"suite": suite.name},
        sentence=_explain_ways(len(parts)),
    )


def _mark(part: pd.DataFrame, quarter: int) -> pd.DataFrame:
    """The rows, with whether the fault stands in a quarter as a metric."""
    return part.assign(**{f"metrics.{_MARKED.name}": (get_quarters(part) == quarter).astype(float)})


def _draw_strength(suite: FaultSuite, language: str, groups: Mapping[str, Mapping[int, str]], models: Parts) -> Picture:
    """The average line of the study's figure 8, and the slope as the study computes it: from the first to the last."""
    metric = get_strength_metric(suite)
    parts = [select_language(part, language) for part in models]
    strengths = sorted(set().union(*groups.values()))
    pooled = {each: [group[each] for group in groups.values() if each in group] for each in strengths}
    alone = {mutation: {strength: [value] for strength, value in group.items()} for mutation, group in groups.items()}
    wanted = {ALL: pooled, **alone} if len(groups) > 1 else alone
    table: list[list[Cell]] = []
    panels = []
    for mutation, values in wanted.items():
        measured = {
            strength: measure_models([part[axis_values(part, PERTURBATION).isin(chosen)] for part in parts], metric)
            for strength, chosen in values.items()
        }
        first, last = min(measured), max(measured)
        for way, name in enumerate(_name_ways(len(parts))):
            cells = {strength: each[way] for strength, each in measured.items()}
            slope = _find_slope(cells[first], cells[last], last - first)
            shown = [cells.get(strength, Label("")) for strength in strengths]
            table.append([Label(name), Label(mutation), *shown, slope])
        lines = {
            name: [Point.at(strength, each[way]) for strength, each in measured.items()]
            for way, name in enumerate(_name_ways(len(parts)))
        }
        panels.append(Panel(title=mutation, x="strength", y=metric.title, lines=lines))
    return Picture(
        name=f"{suite.name}-{language}-fault-average-strength",
        kind="fault-average-strength",
        title=f"{metric.title} by strength of the mutation over all models: {suite.name}, {language}",
        after="Haroon et al., figure 8",
        panels=panels,
        table=Table(
            columns=[
                Column("model", "models"),
                Column("mutation", "mutation"),
                *(Column(f"strength-{strength}", f"at {strength}, %", "percent") for strength in strengths),
                Column("ends", "(last - first) / steps, points", "percent"),
            ],
            rows=table,
        ),
        of={"suite": suite.name, "language": language},
        sentence=f"{_explain_ways(len(parts))} The last column is the study's slope: what the last strength has more "
        "than the first, divided by the steps between them.",
    )


def _find_slope(first: Estimate | Undefined, last: Estimate | Undefined, steps: int) -> Estimate | Undefined:
    """The study's slope, without an interval."""
    if not isinstance(first, Estimate) or not isinstance(last, Estimate):
        return first if isinstance(first, Undefined) else last
    if first.value is None or last.value is None:
        return Undefined(first.why or last.why or Why.UNKNOWN)
    return Estimate(
        value=(last.value - first.value) / steps, n=first.n + last.n, families=max(first.families, last.families)
    )
