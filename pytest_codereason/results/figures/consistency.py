"""Do models rank and fall alike on two data sets, and in two ways of asking? (CodeCrash, section 3.2)"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from pytest_codereason.results.figure import Figure
from pytest_codereason.results.figures.drops import STUDIED, DropRow, measure_row
from pytest_codereason.results.measures.pairing import number_pairs
from pytest_codereason.results.pictures import Column, Picture, Table
from pytest_codereason.results.records.axes import DEFENCE, PERTURBATION, UNCHANGED, WAYS, split_by_axes
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.statistics.rank_order import kendall_tau
from pytest_codereason.results.studies.study_facts import CRASH
from pytest_codereason.results.values import Cell, Count, Delta, Label, Number, Share, Undefined, Why

#: The two ways to say the same messages, which the study compares.
SAID = ("comments", "prints")
#: Of fewer models no order can be told.
_FEWEST = 3


class Setting(NamedTuple):
    """Where models are measured: a data set, in one way of asking."""

    suite: str
    way: tuple[str, ...]

    def name_beside(self, other: Setting) -> str:
        """What tells it from another setting."""
        return self.suite if self.way == other.way else ", ".join(self.way)


class Consistency(Figure):
    """A table for each task and language: a row for two data sets asked alike, or for two ways of asking one data set.

    The study's first note asks of each model: if comments cost more on one side than on the other, do prints too? Its
    second: if comments cost more than prints on one side, do they on the other? Orders of models are compared by
    Kendall's tau, 1 for the same order, -1 for the opposite one. Inputs and outputs stand apart.
    """

    order = 53

    def pictures(self, data: RunData) -> Iterator[Picture]:
        groups: dict[tuple[str, str], dict[Setting, dict[str, DropRow]]] = {}
        for name, suite in data.suites.items():
            values = suite.axes.get(PERTURBATION, ())
            if not {*SAID} <= set(map(str, values)) or not set(UNCHANGED) & set(values):
                continue
            if suite.varying_axes([DEFENCE]):
                continue
            rows = number_pairs(data.select_suite(name), suite, {PERTURBATION})
            ways = suite.varying_axes(WAYS)
            fixed = suite.find_only_value("prompting")
            for language in suite.axes["language"]:
                place = groups.setdefault((suite.task, str(language)), {})
                for way, part in split_by_axes(rows[rows["language"] == language], ways, suite.axes):
                    measured = {
                        model: row
                        for model, answers in data.by_subject(part)
                        if model not in data.scales and (row := measure_row(name, model, answers, suite)).comparisons
                    }
                    place[Setting(name, tuple(way) or ((str(fixed),) if fixed else ()))] = measured
        for (task, language), settings in groups.items():
            if table := list(_list_rows(settings)):
                yield _build_picture(task, language, settings, table)


def _list_rows(settings: Mapping[Setting, Mapping[str, DropRow]]) -> Iterator[list[Cell]]:
    for one, other in combinations(settings, 2):
        if (one.suite == other.suite) == (one.way == other.way):
            continue  # both differ, so that nothing is known of either
        common = [model for model in settings[one] if model in settings[other]]
        if not common:
            continue
        sides = [[settings[side][model] for model in common] for side in (one, other)]
        same = one.suite if one.suite == other.suite else ", ".join(one.way)
        yield [
            Label(f"{one.name_beside(other)} and {other.name_beside(one)}"),
            Label(same),
            Count(len(common)),
            *_count_alike(*sides),
            _compare_orders(*([row.plain.value for row in side] for side in sides)),
            _compare_orders(*([_average_drop(row) for row in side] for side in sides)),
        ]


def _count_alike(one: Sequence[DropRow], other: Sequence[DropRow]) -> list[Cell]:
    """Of how many models the study's notes 1 and 2 hold."""
    first, second = [], []
    for rows in zip(one, other, strict=True):
        drops = [[_find_drop(row, value) for value in SAID] for row in rows]
        (comments, prints), (comments_there, prints_there) = drops
        if None in (comments, prints, comments_there, prints_there):
            continue
        first.append(_find_sign(comments, comments_there) == _find_sign(prints, prints_there))
        second.append(_find_sign(comments, prints) == _find_sign(comments_there, prints_there))
    return [Share(sum(each), len(each)) if each else Undefined(Why.NONE_COUNTS) for each in (first, second)]


def _find_drop(row: DropRow, value: str) -> float | None:
    delta = row.deltas.get(value)
    return delta.relative if isinstance(delta, Delta) else None


def _find_sign(one: float | None, other: float | None) -> int:
    assert one is not None
    assert other is not None
    return (one > other) - (one < other)


def _average_drop(row: DropRow) -> float | None:
    """The average over the study's perturbations, or over all where these are not all there."""
    values = STUDIED if {*STUDIED} <= {*row.deltas} else tuple(row.deltas)
    drops = [_find_drop(row, value) for value in values]
    known = [drop for drop in drops if drop is not None]
    return sum(known) / len(known) if known and len(known) == len(drops) else None


def _compare_orders(one: Sequence[float | None], other: Sequence[float | None]) -> Cell:
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    if len(pairs) < _FEWEST:
        return Undefined(Why.TOO_FEW)
    tau = kendall_tau(*zip(*pairs, strict=True))
    return Undefined(Why.TOO_FEW) if tau is None else Number(tau, decimals=2)


def _build_picture(
    task: str, language: str, settings: Mapping[Setting, Mapping[str, DropRow]], table: Sequence[Sequence[Cell]]
) -> Picture:
    return Picture(
        name="-".join([*dict.fromkeys(setting.suite for setting in settings), task, language, "consistency"]),
        kind="consistency",
        title=f"Do models rank and fall alike? {task}, {language}",
        after=f"{CRASH}, section 3.2",
        table=Table(
            columns=[
                Column("compared", "compared"),
                Column("same", "the same on both sides"),
                Column("models", "models"),
                Column("messages", "comments and prints cost more on the same side"),
                Column("forms", "comments against prints alike on both sides"),
                Column("rank", "order by accuracy, tau"),
                Column("fall", "order by average drop, tau"),
            ],
            rows=table,
        ),
        of={
            "suite": ", ".join(dict.fromkeys(setting.suite for setting in settings)),
            "task": task,
            "language": language,
        },
        sentence="The two counts are the study's notes 1 and 2. Tau compares the orders of the models on both sides: 1 "
        f"is the same order, 0 none, −1 the opposite one; it needs {_FEWEST} models. Baselines are left out.",
    )
