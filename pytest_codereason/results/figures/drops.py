"""Drops against the unchanged program with their averages over perturbations and models (CodeCrash, tables 1, 2, 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import pandas as pd

from pytest_codereason.core import AxisValue, Metric
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.measures.averages import Comparison, average_changes
from pytest_codereason.results.measures.measures import estimate_metric
from pytest_codereason.results.measures.pairing import bound_change, compare, number_pairs, sum_pairs
from pytest_codereason.results.pictures import Aspect, Column, Picture, Table
from pytest_codereason.results.records.axes import (
    DEFENCE,
    PERTURBATION,
    UNCHANGED,
    WAYS,
    find_reference,
    select_value,
    split_by_axes,
)
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.studies.study_places import may_reason, place_drops, place_ways
from pytest_codereason.results.values import Cell, Delta, Estimate, Label, Undefined, Why

ALL = "all, weighted by size"
#: The perturbations that the study averages over (CodeCrash, tables 1, 2 and 5).
STUDIED = ("psc-all", "comments", "prints", "hint")


@dataclass
class DropRow:
    """The changes of one model on one data set, by perturbation."""

    data: str
    model: str
    plain: Estimate
    deltas: dict[str, Delta | Undefined] = field(default_factory=dict)
    comparisons: dict[str, Comparison] = field(default_factory=dict)


class _Group(NamedTuple):
    """What the rows of one table have in common."""

    place: tuple[str, ...]  #: the task, the language, and the way of prompting where a suite has several
    ways: tuple[tuple[str, str], ...]  #: the axes of the way with their values, also where a suite has one way
    reasoned: bool  #: whether models may reason first
    values: tuple[AxisValue, ...]  #: the perturbations


class Drops(Figure):
    """Two tables, in percent and in points, for each task, language and way of prompting.

    A row is a model on a data set, which is a suite. If several suites have the task and the same perturbations, each
    model has a row over all of them, weighted by the number of programs. The last column is the average over
    perturbations, if there are several, beside one over the study's four where these are among them. The last rows are
    averages over models. If there are several ways of prompting, a third table has the averages of all ways side by
    side.
    Baselines and models that answer at random are left out of these.
    """

    order = 51

    def pictures(self, data: RunData) -> Iterator[Picture]:
        groups: dict[_Group, list[DropRow]] = {}
        metrics: dict[tuple[str, ...], Metric] = {}
        for name, suite in data.suites.items():
            values = suite.axes.get(PERTURBATION, ())
            if len(values) < 2 or not set(UNCHANGED) & set(values) or suite.varying_axes([DEFENCE]):
                continue
            rows = number_pairs(data.select_suite(name), suite, {PERTURBATION})
            for language in suite.axes["language"]:
                asked = rows[rows["language"] == language]
                ways = suite.varying_axes(WAYS)
                only = suite.find_only_value("prompting")
                for way, part in split_by_axes(asked, ways, suite.axes):
                    place = (suite.task, str(language), *way)
                    metrics[place] = suite.headline
                    named = (*([("prompting", only)] if only else []), *zip(ways, way, strict=True))
                    for model, answers in data.by_subject(part):
                        row = measure_row(name, model, answers, suite)
                        if row.comparisons:
                            groups.setdefault(_Group(place, named, may_reason(suite), tuple(values)), []).append(row)
        for group, found in groups.items():
            for aspect in ("relative_interval", "value"):
                yield _build_picture(group, found, metrics[group.place], data.scales, aspect)
        beside: dict[_Group, dict[str, list[DropRow]]] = {}
        for group, found in groups.items():
            if way := group.place[2:]:
                alike = group._replace(place=group.place[:2], ways=())
                beside.setdefault(alike, {})[", ".join(way)] = found
        for alike, by_way in beside.items():
            if len(by_way) > 1:
                yield _set_ways_beside(alike.place, by_way, data.scales)


def measure_row(name: str, model: str, answers: pd.DataFrame, suite: SuiteInfo) -> DropRow:
    """The changes under every perturbation of the answers of one model, which have numbers of pairs."""
    metric, reference = suite.headline, find_reference(suite.axes[PERTURBATION])
    before = select_value(answers, PERTURBATION, reference)
    row = DropRow(name, model, estimate_metric(before, metric))
    for value in suite.axes[PERTURBATION]:
        after = select_value(answers, PERTURBATION, value)
        if value == reference:
            continue
        row.deltas[str(value)] = compare(before, after, [metric])[metric.name]
        if sides := sum_pairs(before, after, metric):
            row.comparisons[str(value)] = Comparison(name, *sides, bound_change(before, after, metric), model)
    return row


def _build_picture(
    group: _Group,
    rows: Sequence[DropRow],
    metric: Metric,
    scales: frozenset[str],
    aspect: Aspect,
) -> Picture:
    place, ways = group.place, dict(group.ways)
    values = list(dict.fromkeys(value for row in rows for value in row.comparisons))
    averages = {key: over for key, over in _choose_averages(values).items() if len(over) > 1}  # one has its own column
    table: list[list[Cell]] = []
    for model in dict.fromkeys(row.model for row in rows):
        own = [row for row in rows if row.model == model]
        for row in own:
            cells: list[Cell] = [row.deltas[value] for value in values]
            means = [_average([row], over) for over in averages.values()]
            table.append([Label(model), Label(row.data), row.plain.or_undefined(), *cells, *means])
        if len(own) > 1:
            table.append([Label(model), Label(ALL), Label(""), *_average_each(own, values, averages)])
    readers = [row for row in rows if row.model not in scales]
    models = list(dict.fromkeys(row.model for row in readers))
    if len(models) > 1:
        title = Label(f"average of {len(models)} models")
        names = list(dict.fromkeys(row.data for row in readers))
        for name in names:
            alike = [row for row in readers if row.data == name]
            table.append([title, Label(name), Label(""), *_average_each(alike, values, averages)])
        if len(names) > 1:
            table.append([title, Label(ALL), Label(""), *_average_each(readers, values, averages)])
    unit = "points" if aspect == "value" else "percent"
    return Picture(
        name="-".join([*dict.fromkeys(row.data for row in rows), *place[1:], "drops", unit]),
        kind="drops",
        title=f"Changes against the unchanged program in {unit}: {', '.join(place)}",
        after=place_drops(place[0], place[1], ways.get("prompting", ""), unit, values, reasoned=group.reasoned),
        table=Table(
            columns=[
                Column("model", "model"),
                Column("data", "suite"),
                Column("plain", f"{metric.title}, unchanged"),
                *(Column(value, value, aspect) for value in values),
                *(Column(key, _title_average(key, over), aspect) for key, over in averages.items()),
            ],
            rows=table,
        ),
        of={
            "suite": ", ".join(dict.fromkeys(row.data for row in rows)),
            "task": place[0],
            "language": place[1],
            "unit": unit,
            **ways,
        },
    )


def _set_ways_beside(
    place: tuple[str, ...], by_way: Mapping[str, Sequence[DropRow]], scales: frozenset[str]
) -> Picture:
    """The averages over perturbations in percent, with the ways of asking side by side."""
    rows = [row for found in by_way.values() for row in found]
    averages = _choose_averages(list(dict.fromkeys(value for row in rows for value in row.comparisons)))
    names = list(dict.fromkeys(row.data for row in rows))
    models = list(dict.fromkeys(row.model for row in rows))
    readers = [model for model in models if model not in scales]
    groups = [(model, [model]) for model in models]
    if len(readers) > 1:
        groups.append((f"average of {len(readers)} models", readers))
    table: list[list[Cell]] = []
    for title, members in groups:
        for data, chosen in [*((name, [name]) for name in names), (ALL, names)][: None if len(names) > 1 else -1]:
            parts = [[row for row in found if row.model in members and row.data in chosen] for found in by_way.values()]
            cells = [
                _average(part, over) if {row.model for row in part} == set(members) else Undefined(Why.NOT_ASKED)
                for over in averages.values()
                for part in parts
            ]
            table.append([Label(title), Label(data), *cells])
    return Picture(
        name="-".join([*names, place[1], "drops-by-way"]),
        kind="drops-by-way",
        title=f"Changes against the unchanged program in percent, ways of asking side by side: {', '.join(place)}",
        after=place_ways(place[0], place[1], by_way),
        table=Table(
            columns=[
                Column("model", "model"),
                Column("data", "suite"),
                *(
                    Column(f"{key}-{way}", f"{_title_average(key, over)}, {way}", "relative_interval")
                    for key, over in averages.items()
                    for way in by_way
                ),
            ],
            rows=table,
        ),
        of={"suite": ", ".join(names), "task": place[0], "language": place[1]},
    )


def _choose_averages(values: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """The perturbations of each column of averages."""
    averages = {"average-studied": STUDIED} if set(STUDIED) <= set(values) else {}
    return averages if set(STUDIED) == set(values) else {**averages, "average": values}


def _title_average(key: str, values: Sequence[str]) -> str:
    if len(values) == 1:
        return values[0]
    return f"average of {len(values)}" if key == "average" else f"average of the study's {len(values)}"


def _average_each(rows: Sequence[DropRow], values: Sequence[str], averages: Mapping[str, Sequence[str]]) -> list[Cell]:
    """The average of ``rows`` under each perturbation, and over those of each column of averages."""
    return [_average(rows, over) for over in (*([value] for value in values), *averages.values())]


def _average(rows: Sequence[DropRow], values: Sequence[str]) -> Cell:
    """The mean over ``rows`` and perturbations; undefined if one of them is missing, as a mean of others would differ.

    Rows of several data sets are weighted by the number of programs of the data set, each model alike.
    """
    for row in rows:
        for value in values:
            delta = row.deltas.get(value, Undefined(Why.NOT_ASKED))
            if isinstance(delta, Undefined):
                return Undefined(delta.why, f"{value} {delta.of}".strip())
    sizes = _count_programs(rows)
    chosen = [(row.comparisons[value], sizes[row.data]) for row in rows for value in values]
    if not chosen:
        return Undefined(Why.NOT_ASKED)
    if len(chosen) == 1:
        return rows[0].deltas[values[0]]
    return average_changes(*zip(*chosen, strict=True)) or Undefined(Why.NOT_ASKED)


def _count_programs(rows: Sequence[DropRow]) -> Mapping[str, int]:
    """The size of each data set: the most programs that a model was asked unchanged."""
    return {name: max(row.plain.families for row in rows if row.data == name) for name in {row.data for row in rows}}
