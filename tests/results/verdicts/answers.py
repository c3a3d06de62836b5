"""Runs with as many right answers as a test wants, and the verdicts on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import parse_run
from pytest_codereason.results.verdicts.baselines import check_gates
from pytest_codereason.results.verdicts.judging import Rules, judge_gates
from pytest_codereason.results.verdicts.verdict import GateVerdict
from tests.results.synthetic import build_data, make_row, make_run

AXES: dict[str, list[Any]] = {"language": ["python"], "perturbation": ["vanilla", "comments"]}


def make_answers(right: int, of: int, **changes: Any) -> list[dict[str, Any]]:
    """One answer about each of ``of`` programs, the first ones right."""
    return [
        make_row(id=str(i), family=str(i), outcome="correct" if i < right else "wrong", **changes)
        | {"metrics": {"exact": float(i < right), "partial": float(i < right)}}
        for i in range(of)
    ]


def judge(
    text: str, right: int, of: int, *, extra: Sequence[dict[str, Any]] = (), rules: Rules | None = None, **changes: Any
) -> GateVerdict:
    run = make_run(models=["m"], **changes)
    (gate,) = check_gates([text], parse_run(run))
    (verdict,) = judge_gates([gate], build_data(run, [*make_answers(right, of), *extra]), rules)
    return verdict


def make_samples(right: int, of: int) -> list[dict[str, Any]]:
    """Two answers about each of ``of`` programs: the first is right, and of the second answers the first ones are."""
    return [*make_answers(of, of), *make_answers(right, of, sample=1)]


def make_sampled_run(samples: int = 2, **more: Any) -> dict[str, Any]:
    """A run that asks ``samples`` times about each of twenty programs."""
    run = make_run(models=["m"], **more)
    run["suites"]["semtrace"] |= {
        "cells": [[20, {"language": "python", "digits": 2, "prompting": "direct"}]],
        "resolved": {"samples": {"default": 1, "direct": samples}},
    }
    return run


def make_changed(lost: int, won: int, families: int = 100) -> list[dict[str, Any]]:
    """One answer at ``vanilla`` and one at ``comments`` for each program; three quarters of the others are right."""
    rows = []
    for i in range(families):
        before = i < lost or (i >= lost + won and i % 4 > 0)
        after = (lost <= i < lost + won) or (i >= lost + won and i % 4 > 0)
        for value, right in (("vanilla", before), ("comments", after)):
            outcome = "correct" if right else "wrong"
            row = make_row(id=f"{i}{value}", family=str(i), axes={"perturbation": value}, outcome=outcome)
            rows.append(row | {"metrics": {"exact": float(right)}})
    return rows


def compare(text: str, before: RunData, after: RunData, **rules: Any) -> GateVerdict:
    gates = check_gates([text], after.run, before.run)
    (verdict,) = judge_gates(gates, after, Rules(baseline=before, **rules))
    return verdict


def make_data(rows: list[dict[str, Any]], **changes: Any) -> RunData:
    return build_data(make_run(models=["m"], **changes), rows)


def make_drop(before: str, after: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A run with a question about each program, unchanged and with a comment: ``c`` correct, ``w``, ``t``, ``e``."""
    names = {"c": "correct", "w": "wrong", "t": "truncated", "e": "error"}
    rows = [
        make_row(
            id=f"{value}/{number}",
            family=str(number),
            axes={"perturbation": value},
            outcome=names[letter],
            metrics={} if letter == "e" else {"exact": float(letter == "c")},
        )
        for value, letters in (("vanilla", before), ("comments", after))
        for number, letter in enumerate(letters)
    ]
    return make_run(models=["m"], suites={"semtrace": AXES}), rows
