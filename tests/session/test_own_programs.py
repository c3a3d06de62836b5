"""A run on a user's own programs."""

from __future__ import annotations

import json

from tests.session.conftest import Project
from tests.sources.own_programs import ROW, SHAPES

SUITE = 'task = "output-prediction"\n[source]\nname = "jsonl"\npath = "../data/mine.jsonl"\ncheck = true\n'


def test_missing_outputs_are_computed_and_wrong_ones_skipped(project: Project) -> None:
    for folder in ("data", "suites"):
        (project.path / folder).mkdir()
    rows = [ROW, SHAPES, {**ROW, "id": "wrong", "output": "4"}, {**ROW, "id": "cut", "call": ""}]
    (project.path / "data/mine.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (project.path / "suites/mine.suite.toml").write_text(SUITE)
    result = project.run("suites", "--model=baseline:interpreter")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*mine.jsonl: 1 left out: no 'call' (the first: line 4)*"])
    records = {row["id"]: (row["outcome"], row["expected"]) for row in project.records()}
    assert records["python/add"] == ("correct", "3")
    assert records["python/area"] == ("correct", "12")
    assert records["python/wrong"][0] == "skipped"
