"""The facts of shipped papers find their places in the figures of the suites that they name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pytest_codereason
from pytest_codereason.results.figures.baseline import BaselineTable
from pytest_codereason.results.figures.drops import Drops
from pytest_codereason.results.figures.largest_drops import LargestDrops
from pytest_codereason.results.figures.position import PositionFigure
from pytest_codereason.results.figures.sensitivity import SensitivityFigure
from pytest_codereason.results.studies.published import add_published
from pytest_codereason.results.studies.published_facts import list_papers, load_texts, parse_facts
from tests.results.figures.rows import answers, data, run

SUITES = Path(pytest_codereason.__file__).parent.parent / "suites"
POSITIONS: dict[str, list[Any]] = {"distractors": [0, 80], "position": [0, 50, 100]}
PERTURBATIONS: dict[str, list[Any]] = {
    "perturbation": ["vanilla", "psc-all", "comments", "prints", "hint"],
    "prompting": ["direct", "cot"],
}


@pytest.mark.parametrize("name", list_papers())
def test_every_suite_that_they_name_is_shipped(name: str) -> None:
    facts = parse_facts(name, load_texts([name])[name]).facts
    named = {name for fact in facts if "suite" in fact.of for name in fact.of["suite"].split(", ")}
    named |= {
        key.partition(",")[0] for fact in facts if fact.figure == "baseline" for _, row in fact.rows for key in row
    }
    assert [suite for suite in named if not (SUITES / f"{suite}.suite.toml").exists()] == []


def test_every_figure_that_they_name_has_a_place_for_them() -> None:
    suites: dict[str, tuple[str, dict[str, list[Any]]]] = {
        **dict.fromkeys(("recall-semtrace", "recall-semantic-output"), ("output-prediction", POSITIONS)),
        "misleading": ("output-prediction", PERTURBATIONS),
    }
    rows = []
    for name, (_, axes) in suites.items():
        first, second = axes.values()
        keys = list(axes)
        cells = [{keys[0]: a, keys[1]: b} for a in first for b in second]
        rows += answers(name, "m", 8, cells, lambda _: 0.5)
    of = data(rows, run(suites, ["m"]))
    pictures = [
        picture for figure in (BaselineTable, LargestDrops, PositionFigure, Drops) for picture in figure().pictures(of)
    ]
    papers = [name for name in list_papers() if name not in ("traceeval", "fault-localizability")]
    complete, remarks = add_published(pictures, load_texts(papers))
    shown = {picture.kind: [each.model for each in picture.published] for picture in complete if picture.published}
    assert shown.keys() == {"baseline", "largest-drops", "position-change", "drops"}
    assert len(shown["baseline"]) == 10
    assert shown["drops"][:2] == ["average of 17 models", "Claude 3.5 Haiku"]
    assert len(shown["drops"]) == 1 + 17
    assert remarks == []


def test_what_half_of_the_lines_are_worth_stands_beside_the_trend() -> None:
    cells = [{"removed": "0of4"}]
    of = data(
        answers("sensitivity", "m", 8, cells, lambda _: 0.5), run({"sensitivity": ("output-prediction", {})}, ["m"])
    )
    complete, _ = add_published(list(SensitivityFigure().pictures(of)), load_texts(["sense-and-sensitivity"]))
    assert [each.model for picture in complete for each in picture.published] == ["10 models together"]
