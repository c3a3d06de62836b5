"""Drops of several languages side by side, on the programs common to all of them (CodeCrash, table 7)."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from pytest_codereason.core import SCORED
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.figures.drops import measure_row
from pytest_codereason.results.measures.measures import does_apply
from pytest_codereason.results.measures.pairing import number_pairs
from pytest_codereason.results.pictures import Column, Picture, Table, name_columns
from pytest_codereason.results.records.axes import (
    PERTURBATION,
    UNCHANGED,
    WAYS,
    find_reference,
    select_value,
    split_by_axes,
)
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.values import Cell, Count, Label


class LanguageDrops(Figure):
    """A table for each suite that perturbs programs of several languages: a row a model, way of prompting and language.

    A cell counts the programs whose answers are scored in every language, unchanged and under that perturbation.
    """

    order = 52

    def pictures(self, data: RunData) -> Iterator[Picture]:
        for name, suite in data.suites.items():
            values = suite.axes.get(PERTURBATION, ())
            if len(suite.axes["language"]) > 1 and len(values) > 1 and set(UNCHANGED) & set(values):
                rows = number_pairs(data.select_suite(name), suite, {PERTURBATION})
                if not does_apply(
                    suite.headline, PERTURBATION, select_value(rows, PERTURBATION, find_reference(values))
                ):
                    continue  # it compares with the unchanged program already
                if table := list(_list_rows(name, rows, suite, data)):
                    yield _build_picture(name, suite, table)


def _list_rows(name: str, rows: pd.DataFrame, suite: SuiteInfo, data: RunData) -> Iterator[list[Cell]]:
    reference = find_reference(suite.axes[PERTURBATION])
    others = [value for value in suite.axes[PERTURBATION] if value != reference]
    for model, answers in data.by_subject(rows):
        for way, part in split_by_axes(answers, suite.varying_axes(WAYS), suite.axes):
            plain = _keep_common(select_value(part, PERTURBATION, reference), suite)
            if plain.empty:
                continue
            common = {
                value: _keep_common(_keep_families(select_value(part, PERTURBATION, value), plain), suite)
                for value in others
            }
            for language in suite.axes["language"]:
                cells: list[Cell] = []
                for value, perturbed in common.items():
                    both = pd.concat([_keep_families(plain, perturbed), perturbed])
                    row = measure_row(name, model, both[both["language"] == language], suite)
                    cells.append(row.deltas[str(value)])
                whole = measure_row(name, model, plain[plain["language"] == language], suite).plain
                start: list[Cell] = [Label(model), *map(Label, way), Label(str(language)), Count(whole.families)]
                yield [*start, whole.or_undefined(), *cells]


def _keep_common(rows: pd.DataFrame, suite: SuiteInfo) -> pd.DataFrame:
    """The rows about programs that have a scored answer in every language."""
    scored = rows[rows["outcome"].isin(SCORED)]
    languages = scored.groupby("family", observed=True)["language"].nunique()
    whole = languages[languages == len(suite.axes["language"])].index
    return scored[scored["family"].isin(whole)]


def _keep_families(rows: pd.DataFrame, of: pd.DataFrame) -> pd.DataFrame:
    """The rows about programs that ``of`` is about too."""
    return rows[rows["family"].isin(of["family"])]


def _build_picture(name: str, suite: SuiteInfo, table: list[list[Cell]]) -> Picture:
    reference = find_reference(suite.axes[PERTURBATION])
    languages = ", ".join(map(str, suite.axes["language"]))
    return Picture(
        name=f"{name}-languages",
        kind="language-drops",
        title=f"Changes in percent on the programs common to {languages}: {name}",
        after="CodeCrash, table 7",
        table=Table(
            columns=[
                Column("model", "model"),
                *(Column(way, way) for way in suite.varying_axes(WAYS)),
                *name_columns("language", "programs"),
                Column("plain", f"{suite.headline.title}, unchanged"),
                *(
                    Column(str(value), str(value), "relative_interval")
                    for value in suite.axes[PERTURBATION]
                    if value != reference
                ),
            ],
            rows=table,
        ),
        of={"suite": name},
    )
