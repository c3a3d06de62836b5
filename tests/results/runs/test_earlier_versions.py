"""Runs of earlier versions, and of a later one: fields that are missing, null or unknown change no figure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pytest_codereason.results.measures.summary import summarise
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import read_run
from tests.stored import change_rows, change_run, copy_small

#: What the first version did not record.
LATER = (
    *("repeat", "repository", "hint_by", "texts_by", "texts_reused", "rejections", "unchanged", "checked_calls"),
    *("forms", "audit", "grounds", "traceback", "trace", "plan", "sandbox", "program_sha", "task"),
)
LATER_IN_STEPS = ("prefilled", "reused", "answered_at", "served_by")
LATER_IN_RUN = (
    *("claim", "undecided", "published", "categories", "left_out", "sampled", "hints", "unchanged", "skipped", "forms"),
    *("rejections", "shared", "texts_reused", "texts_reused_oldest_s", "estimate", "spent", "questions", "gates"),
    *("figures", "reporters", "baseline", "argv", "versions", "store", "writer", "concurrency", "sandbox", "wall_s"),
)
LATER_IN_SUITE = ("task_version", "cells", "families", "samples", "plan", "resolved", "file")
LATER_IN_METRIC = ("title", "proportion", "k", "only", "outcome", "ratio", "pools")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return copy_small(tmp_path / "run")


def read(run: Path) -> RunData:
    data = RunData.read(run)
    assert data.damaged.count == 0
    return data


def assert_alike(then: RunData, now: RunData) -> None:
    """All columns are the same but those of what was not recorded then."""
    kept = [name for name in then.records if not str(name).startswith(("trace.", "answered_at"))]
    pd.testing.assert_frame_equal(then.records[kept], now.records[kept])


def drop(value: dict[str, Any], names: tuple[str, ...]) -> None:
    for name in names:
        value.pop(name, None)


def age_records(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        drop(row, LATER)
        for step in row["steps"]:
            drop(step, LATER_IN_STEPS)


def age_run(content: dict[str, Any]) -> None:
    drop(content, LATER_IN_RUN)
    content["models"] = {label: {"identity": each["identity"]} for label, each in content["models"].items()}
    for suite in content["suites"].values():
        drop(suite, LATER_IN_SUITE)
        for metric in suite["metrics"]:
            drop(metric, LATER_IN_METRIC)


@pytest.mark.slow
def test_a_run_of_the_first_version_has_the_figures_that_it_had(run: Path) -> None:
    now = read(run)
    change_rows(run, age_records)
    change_run(run, age_run)
    then = read(run)
    assert_alike(then, now)
    assert {name: suite.models for name, suite in summarise(then).suites.items()}.keys() == {"small"}
    assert then.run.suites["small"].metrics == now.run.suites["small"].metrics, "the task defines them"
    assert (then.run.claim, then.run.undecided, then.run.argv, then.run.sandbox) == ("generator", "fail", (), "none")
    assert then.run.suites["small"].task_version is None


def test_null_stands_for_the_default(run: Path) -> None:
    now = read(run)

    def empty(rows: list[dict[str, Any]]) -> None:
        for row in rows:
            row.update(dict.fromkeys(LATER), reason=row["reason"] or None, expected=row["expected"] or None)
            for step in row["steps"]:
                step.update(dict.fromkeys(("prefill", "served_by", "usage", "cost")))

    change_rows(run, empty)
    change_run(run, lambda content: content.update(models=dict.fromkeys(content["models"])))
    then = read(run)
    assert_alike(then, now)
    assert [model.identity for model in read_run(run).models.values()] == [{}, {}]


def test_keys_that_nobody_knows_are_passed_over(run: Path) -> None:
    now = read(run)

    more: dict[str, Any] = {"unknown": {"x": [None, {"y": 1.5}]}, "tool": "other 1.0", "whole": 5, "untold": ["wrong"]}

    def add_to_rows(rows: list[dict[str, Any]]) -> None:
        for row in rows:
            for each in (row, *row["steps"]):
                each.update(more)

    def add_to_run(content: dict[str, Any]) -> None:
        for each in (content, *content["suites"].values(), *content["models"].values()):
            each.update(more)

    change_rows(run, add_to_rows)
    change_run(run, add_to_run)
    then = read(run)
    pd.testing.assert_frame_equal(then.records, now.records)
    assert then.run == now.run, "a run folder never says that another tool has asked"
