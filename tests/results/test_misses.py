from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pytest_codereason.results.misses import read_worst_misses
from tests.results.synthetic import build_data, make_row, make_rows, make_run, write_run


def miss(name: str, partial: float, **changes: Any) -> dict[str, Any]:
    about = {"id": name, "family": name, "outcome": "wrong", "answer": f"answer of {name}", **changes}
    return make_row(**about, metrics={"exact": 0.0, "partial": partial})


def test_lowest_grade_first_then_by_id(tmp_path: Path) -> None:
    run = make_run(models=["m"])
    rows = [miss("c", 0.5), miss("b", 0.0), make_row(), miss("a", 0.5), miss("e", 0, outcome="error"), miss("d", 0.9)]
    path = write_run(tmp_path, run, rows)
    misses = read_worst_misses(build_data(run, path), path)
    assert [m.id for m in misses] == ["b", "a", "c", "d"]
    assert [m.grade for m in misses] == [0.0, 0.5, 0.5, 0.9]
    assert misses[0].answer == "answer of b"


def test_every_suite_model_and_language_has_its_share(tmp_path: Path) -> None:
    run = make_run(families=40)
    path = write_run(tmp_path, run, make_rows(run, families=40))
    misses = read_worst_misses(build_data(run, path), path, 50)
    groups = [(m.model, m.language) for m in misses]
    assert len(misses) == 48
    assert {groups.count(group) for group in set(groups)} == {8}


def test_damaged_and_vanished_lines_are_passed_over(tmp_path: Path) -> None:
    run = make_run(models=["m"])
    path = write_run(tmp_path, run, [miss("a", 0.0), miss("b", 0.5)])
    data = build_data(run, path)
    path.write_text("{torn\n[]\n" + json.dumps(miss("b", 0.5)) + "\n")
    assert [m.id for m in read_worst_misses(data, path)] == ["b"]


def test_no_misses_read_nothing(tmp_path: Path) -> None:
    run = make_run(models=["m"])
    path = write_run(tmp_path, run, [make_row()])
    assert read_worst_misses(build_data(run, path), path) == []
