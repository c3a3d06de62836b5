"""A comparison as strict JSON, for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict

from pytest_codereason.reports.comparing import sentences
from pytest_codereason.reports.comparing.comparison import RunComparison, SidesComparison, SuiteComparison
from pytest_codereason.reports.comparing.differences import MetricRow
from pytest_codereason.reports.comparing.sides import Side
from pytest_codereason.results.measures.horizons import HorizonRatio

FORMAT = 1


def write_json(comparison: RunComparison) -> str:
    """All that the other pages say, with whole numbers and sentences."""
    content = {
        "format": FORMAT,
        "sides": {side.letter: _list_side(side) for side in comparison.sides},
        "left_out": list(comparison.left_out),
        "damaged": {"count": comparison.damaged.count, "lines": list(comparison.damaged.lines)},
        "rows_judged": comparison.judged,
        "pairs": [_list_pair(pair) for pair in comparison.pairs],
    }
    return json.dumps(content, indent=2, allow_nan=False) + "\n"


def _list_side(side: Side) -> Mapping[str, object]:
    return {
        "model": side.subject.model,
        "run": side.subject.run,
        "started": side.info.started,
        "partial_because": side.info.partial_because,
    }


def _list_pair(pair: SidesComparison) -> Mapping[str, object]:
    letters = pair.before.letter, pair.after.letter
    return {
        "before": letters[0],
        "after": letters[1],
        "only": {letter: list(names) for letter, names in zip(letters, pair.only, strict=True)},
        "suites": {suite.name: _list_suite(suite, pair) for suite in pair.suites},
    }


def _list_suite(suite: SuiteComparison, pair: SidesComparison) -> Mapping[str, object]:
    return {
        "questions": asdict(suite.overlap) | {"only": suite.overlap.only},
        "sentences": [sentences.describe_overlap(suite, pair), *sentences.describe_suite(suite, pair)],
        "rows": [_list_row(row) for row in suite.rows],
        "flips": asdict(suite.flips),
        **({"horizon": _list_horizon(suite.horizon)} if suite.horizon else {}),
        "noise": [noise and asdict(noise) for noise in suite.noise],
    }


def _list_horizon(ratio: HorizonRatio) -> Mapping[str, object]:
    return {
        "before": ratio.first.horizon._asdict(),
        "after": ratio.second.horizon._asdict(),
        "ratio": ratio.ratio._asdict(),
        "clear": ratio.is_clear,
        "open": ratio.is_open,
        "cells": [dict(cell.where) for cell in ratio.first.cells],
        "equal_ends": [dict(where) for where in ratio.equal_ends],
    }


def _list_row(row: MetricRow) -> Mapping[str, object]:
    difference = row.difference
    return {
        "metric": row.metric.name,
        "where": dict(row.where),
        "along": row.along or None,
        "verdict": row.finding,
        "p": row.p,
        "smallest": row.smallest,
        "difference": asdict(difference) if difference else None,
        "why": None if difference else difference.reason,
    }
