"""Call graphs from end to end: a folder of programs, a server that replies, the scores in every report, and gates."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.servers import Disruption, Server, finished
from tests.session.conftest import Project

SUITE = """
task = "call-graph"

[source]
name = "corpus"
path = "programs"
"""
SOURCE = "class {0}:\n    def __init__(self):\n        f()\n\n\ndef f():\n    pass\n\n\n{0}()\n"
#: What the model replies about each program: both edges, the first as its class; one of them, and a wrong one; nothing.
REPLIES = {"Alpha": "1. main.Alpha\n2. main.f", "Beta": "1. main.Beta.__init__, main.f\n2.", "Gamma": "1.\n2. none"}


def write_programs(folder: Path) -> None:
    for name in REPLIES:
        program = folder / "python" / name.lower()
        program.mkdir(parents=True)
        (program / "main.py").write_text(SOURCE.format(name))
        graph = {"main": [f"main.{name}.__init__"], f"main.{name}.__init__": ["main.f"]}
        (program / "callgraph.json").write_text(json.dumps(graph))
        (program / "program.json").write_text(json.dumps({"repository": f"owner/{name == 'Gamma'}"}))
    broken, bare = folder / "python" / "broken", folder / "python" / "bare"
    for program in (broken, bare):
        program.mkdir()
        (program / "main.py").write_text("print(1)\n")
    (broken / "callgraph.json").write_text('{"nodes": [{"id": 1}]}')


def reply_about(name: str) -> Disruption:
    return replace(finished("stop", REPLIES[name]), when=lambda body: f"class {name}" in str(body["messages"]))


@pytest.mark.slow
def test_a_model_is_scored_by_edges(project: Project) -> None:
    """By the study's names TP 3, FP 1, FN 3; strictly TP 2, FP 2, FN 4."""
    write_programs(project.path / "programs")
    (project.path / "own.suite.toml").write_text(SUITE)
    with Server(script=itertools.cycle([reply_about(name) for name in REPLIES])) as server:
        result = project.run(
            "--model=openai:scripted",
            f"--model-url={server.url}",
            "--eval-concurrency=1",
            "--eval-claim=suite",
            "--eval-gate=own.f1 >= 60%",
            "--eval-gate=own.precision_strict <= 50%",
        )
    result.stdout.fnmatch_lines(
        ["*python: 1 left out (the first: *broken/callgraph.json*", "*openai:scripted * 3 *0.600*"]
    )
    summary = json.loads((project.path / "reports/latest/summary.json").read_text())
    (model,) = summary["suites"]["own"]["models"].values()
    values = {name: metric["value"] for name, metric in model["metrics"].items()}
    assert values == pytest.approx(
        {
            "f1": 6 / 10, "precision": 3 / 4, "recall": 3 / 6, "exact": 1 / 3, "f1_strict": 4 / 10,
            "precision_strict": 2 / 4, "recall_strict": 2 / 6, "exact_strict": 0, "truncated": 0,
        }
    )  # fmt: skip
    assert model["metrics"]["f1"]["families"] == 2, "two repositories"
    assert [record["reason"] for record in project.records() if record["outcome"] == "skipped"] == [
        "the program has no call graph"
    ]
    assert [gate["passed"] for gate in summary["gates"]] == [True, True]
    assert {record["repository"] for record in project.records()} >= {"owner/True", "owner/False"}
    page = (project.path / "reports/latest/report.html").read_text()
    assert "Precision, recall and F1 over edges, in percent: own" in page
    assert "Recall by kind of edge, in percent: own" in page
