"""Faults by category of model, and by version of a model over several runs (the fourth study, RQ4 and RQ5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from pytest_codereason.core import Metric
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.figures._faults import ROBUSTNESS, FaultSuite, estimate_found, list_fault_suites
from pytest_codereason.results.figures.faults_lost import get_metric
from pytest_codereason.results.measures.model_categories import ModelKind, find_kind, list_kinds
from pytest_codereason.results.measures.over_models import pool_answers
from pytest_codereason.results.measures.pairing import compare, number_pairs
from pytest_codereason.results.pictures import Column, Picture, Table, name_columns
from pytest_codereason.results.records.axes import PERTURBATION, axis_values
from pytest_codereason.results.runs.run_data import RunData, Subject
from pytest_codereason.results.values import Cell, Label, Undefined, Why


class FaultCategories(Figure):
    """A table by category, and one by version, for each suite about faults; models that no file names are left out.

    The file is the one of ``--eval-categories``, else the shipped one, which names the models of the study.
    """

    order = 59

    def pictures(self, data: RunData) -> Iterator[Picture]:
        data = data.beside or data
        kinds = list_kinds({name: text for run in data.runs.values() for name, text in run.categories.items()})
        named: dict[Subject, ModelKind] = {}
        for subject in data.subjects:
            info = data.runs[subject.run].models[subject.model]
            if not info.is_baseline and (kind := find_kind(subject.model, info.spec, kinds)):
                named[subject] = kind
        for suite in list_fault_suites(data):
            categories = dict.fromkeys(category for kind in named.values() for category in kind.categories)
            if categories:
                yield _draw_categories(suite, list(categories), named, data)
            versions = [(s, k) for s, k in named.items() if k.version]
            families = {
                family: [v for v in versions if v[1].family == family] for family in {k.family for _, k in versions}
            }
            if several := {family: each for family, each in sorted(families.items()) if len(each) > 1}:
                yield _draw_versions(suite, several, data)


def _select_mutated(suite: FaultSuite, rows: pd.DataFrame) -> pd.DataFrame:
    return rows[axis_values(rows, PERTURBATION).isin(suite.mutations)]


def _draw_categories(
    suite: FaultSuite, categories: Sequence[str], named: Mapping[Subject, ModelKind], data: RunData
) -> Picture:
    two_steps = suite.info.task == ROBUSTNESS
    table: list[list[Cell]] = []
    for category in categories:
        subjects = [subject for subject, kind in named.items() if category in kind.categories]
        parts = [data.select_subject(suite.first, subject) for subject in subjects]
        cells: list[Cell] = [_pool(parts, suite.found)]
        if two_steps:
            all_parts = [data.select_subject(suite.rows, subject) for subject in subjects]
            cells.append(_pool([_select_mutated(suite, part) for part in all_parts], get_metric(suite.info, "lost")))
        table.append([Label(category), Label(", ".join(subject.label for subject in subjects)), *cells])
    lost = [Column("lost", "lost after mutation, %", "percent")] if two_steps else []
    return Picture(
        name=f"{suite.name}-fault-categories",
        kind="fault-categories",
        title=f"Faulty lines found by category of model, in percent: {suite.name}",
        after="Haroon et al., figure 10",
        table=Table(
            columns=[
                *name_columns("category", "models"),
                Column("found", "found, %", "percent"),
                *lost,
            ],
            rows=table,
        ),
        of={"suite": suite.name},
        sentence="The answers of all models of a category, pooled. The interval counts models as well as programs. A "
        "model may belong to several categories, as the file of --eval-categories says.",
    )


def _pool(parts: Sequence[pd.DataFrame], metric: Metric) -> Cell:
    """A metric over the answers of several models; undefined where :func:`estimate_found` says so."""
    estimate = estimate_found(pd.concat(parts), metric)
    return pool_answers(parts, metric) if estimate else estimate


def _draw_versions(
    suite: FaultSuite, families: Mapping[str, Sequence[tuple[Subject, ModelKind]]], data: RunData
) -> Picture:
    two_steps = suite.info.task == ROBUSTNESS
    first = number_pairs(suite.first, suite.info, {"model", "run"})
    table: list[list[Cell]] = []
    for family, versions in families.items():
        before: pd.DataFrame | None = None
        for subject, kind in sorted(versions, key=lambda version: version[1].place):
            rows = data.select_subject(first, subject)
            change: Cell = Undefined(Why.REFERENCE)
            if before is not None:
                change = compare(before, rows, [suite.found])[suite.found.name]
            cells: list[Cell] = [estimate_found(rows, suite.found), change]
            if two_steps:
                mutated = _select_mutated(suite, data.select_subject(suite.rows, subject))
                cells.append(estimate_found(mutated, get_metric(suite.info, "lost")))
            table.append([Label(family), Label(kind.version), Label(subject.label), *cells])
            before = rows
    lost = [Column("lost", "lost after mutation, %", "percent")] if two_steps else []
    return Picture(
        name=f"{suite.name}-fault-versions",
        kind="fault-versions",
        title=f"Faulty lines found by version of a model, in percent: {suite.name}",
        after="Haroon et al., section V-E",
        table=Table(
            columns=[
                *name_columns("family", "version", "model"),
                Column("found", "found, %", "percent"),
                Column("change", "against the version before"),
                *lost,
            ],
            rows=table,
        ),
        of={"suite": suite.name},
        sentence="Versions stand in the order of the file of --eval-categories. A change is paired by question, with "
        "its 95 % interval in brackets.",
    )
