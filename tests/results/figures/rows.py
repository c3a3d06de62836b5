"""Records of models that behave in a known way, and the run that they belong to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pandas as pd

from pytest_codereason.core import SCORED
from pytest_codereason.reports.words.worded import word_picture
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.pictures import Panel, Picture
from pytest_codereason.results.records.records import load_records
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import parse_run

Axes = Mapping[str, Any]

METRICS = [
    {"name": "exact", "title": "Exact match", "of": sorted(SCORED), "binary": True, "higher_is_better": True},
    {"name": "partial", "title": "Partial match", "of": sorted(SCORED), "binary": False, "higher_is_better": True},
]


def record(
    suite: str, model: str, program: int, axes: Axes, right: bool, *, language: str = "python"
) -> dict[str, Any]:
    axes_text = ",".join(f"{k}:{v}" for k, v in axes.items())
    return {
        "suite": suite,
        "model": model,
        "id": f"{language}/{program:04d}[{axes_text}]",
        "family": f"{program:04d}",
        "language": language,
        "axes": dict(axes),
        "sample": 0,
        "outcome": "correct" if right else "wrong",
        "metrics": {"exact": float(right), "partial": float(right)},
    }


def answers(
    suite: str, model: str, programs: int, cells: Iterable[Axes], chance: Callable[[Axes], float], *, seed: int = 0
) -> list[dict[str, Any]]:
    """A record for each program and cell, right with the chance that the cell has."""
    random = Random(f"{seed}{suite}{model}")
    cells = list(cells)
    return [record(suite, model, p, axes, random.random() < chance(axes)) for p in range(programs) for axes in cells]


def run(suites: Mapping[str, tuple[str, Mapping[str, list[Any]]]], models: Iterable[str]) -> dict[str, Any]:
    """``run.json`` of suites, each with its task and axes."""
    return {
        "suites": {
            name: {"task": task, "metrics": METRICS, "axes": {"language": ["python"], **axes}}
            for name, (task, axes) in suites.items()
        },
        "models": dict.fromkeys(models),
    }


def frame(rows: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    return load_records({"run": list(rows)})[0]


def data(rows: Iterable[Mapping[str, Any]], of: Mapping[str, Any]) -> RunData:
    return RunData.build({"run": (parse_run(of), list(rows))})


@dataclass(frozen=True)
class Shown:
    """A picture as a reader meets it."""

    name: str
    title: str
    panels: Sequence[Panel]
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    sentence: str
    columns: tuple[tuple[str, str], ...]  #: the key and the aspect of each column
    of: Mapping[str, str]
    picture: Picture


def show(figure: Figure, rows: Iterable[Mapping[str, Any]], of: Mapping[str, Any]) -> list[Shown]:
    """The pictures of a figure, in words."""
    run_data = data(rows, of)
    pictures = (replace(picture, unspoken=run_data.unspoken) for picture in figure.pictures(run_data))
    worded = map(word_picture, pictures)
    return [
        Shown(
            name=each.picture.name,
            title=each.picture.title,
            panels=each.picture.panels,
            header=each.header,
            rows=each.rows,
            sentence=each.sentence,
            columns=tuple((column.key, column.aspect) for column in each.picture.table.columns)
            if each.picture.table
            else (),
            of=each.picture.of,
            picture=each.picture,
        )
        for each in worded
    ]
