"""A run on a user's own programs: their outputs are computed, or checked, before a question is asked."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from pytest_codereason.cli import main
from tests.programs.sources.own_programs import ROW, SHAPES
from tests.session.conftest import Project

SUITE = 'task = "output-prediction"\n[source]\nname = "jsonl"\npath = "../data/mine.jsonl"\n'


def test_missing_outputs_are_computed_and_wrong_ones_skipped(project: Project) -> None:
    for folder in ("data", "suites"):
        (project.path / folder).mkdir()
    rows = [ROW, SHAPES, {**ROW, "id": "wrong", "output": "4"}, {**ROW, "id": "cut", "call": ""}]
    (project.path / "data/mine.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (project.path / "suites/mine.suite.toml").write_text(SUITE)
    result = project.run("suites", "--model=baseline:interpreter")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*mine.jsonl: 1 left out: no 'call': *(the first: line 4)*"])
    records = {row["id"]: (row["outcome"], row["expected"]) for row in project.records()}
    assert records["python/add"] == ("correct", "3")
    assert records["python/area"] == ("correct", "12")
    assert records["python/wrong"][0] == "skipped"


CALLS = {
    "python": ("class A:\n    def g(self, n):\n        return n * 2\nobj = A()", "obj.g(2)"),
    "javascript": ("const obj = { g(n) { return n * 2; } };", "obj.g(2)"),
    "php": ("<?php class A { function g($n) { return $n * 2; } }\n$obj = new A();", "$obj->g(2)"),
    "java": ("class Main { static int f(int n) { return n * 2; } }", "Main.f(2)"),
}


def write_suite(project: Project, *rows: Mapping[str, object], task: str = "output-prediction", more: str = "") -> None:
    (project.path / "mine.jsonl").write_text("\n".join(map(json.dumps, rows)))
    text = f'task = "{task}"\n[source]\nname = "jsonl"\npath = "mine.jsonl"\n{more}'
    (project.path / "mine.suite.toml").write_text(text)


@pytest.mark.slow
@pytest.mark.parametrize("task", ["output-prediction", "input-prediction"])
def test_every_perturbation_of_calls_of_methods_in_every_language(project: Project, task: str) -> None:
    rows = [{"language": name, "code": code, "call": call} for name, (code, call) in CALLS.items()]
    changes = ["vanilla", "rename", "comments", "dead-code", "prints", "hint", "psc-all"]
    write_suite(project, *rows, task=task, more=f"[matrix]\nperturbation = {changes}\n")
    result = project.run("--model=baseline:interpreter")
    result.assert_outcomes(passed=len(changes) * len(rows))


def test_a_hint_is_written_for_a_computed_output(project: Project) -> None:
    write_suite(project, ROW, more="[matrix]\nperturbation = ['hint']\n")
    project.run("--model=baseline:interpreter").assert_outcomes(passed=1)


@pytest.mark.slow
def test_what_is_prepared_and_exported_knows_computed_outputs(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = {**ROW, "id": "wrong", "output": "4"}
    write_suite(project, ROW, wrong, more="[matrix]\nperturbation = ['vanilla', 'hint']\n")
    suite = str(project.path / "mine.suite.toml")
    assert main(["export", suite]) == 1
    output = capsys.readouterr()
    rows = [json.loads(line) for line in output.out.splitlines()]
    assert output.err.startswith("2 of 4 questions written; left out, as in a run:\n  2: ")
    assert output.err.endswith("(the first: python/wrong[perturbation:vanilla])\n")
    assert [(row["id"], row["expected"]) for row in rows] == [
        ("python/add[perturbation:vanilla]", "3"),
        ("python/add[perturbation:hint]", "3"),
    ]
    write_suite(project, ROW, more="[matrix]\nperturbation = ['vanilla', 'hint']\n")
    assert main(["prepare", suite, "--writer=rule", "-o", str(project.path / "h.jsonl")]) == 0
    _, row = map(json.loads, (project.path / "h.jsonl").read_text().splitlines())
    assert row["value"] not in ("", "3")
    result = project.run("--model=baseline:truth", "--eval-dry-run")
    printed = " ".join(result.stdout.str().split())
    assert (
        "counted, but not asked: 1 question: hint needs facts that the program lacks: output; the run computes"
        in printed
    )


def test_wrong_and_changing_outputs_are_counted_by_kind(project: Project) -> None:
    wrong = [{**ROW, "id": f"wrong{number}", "output": number} for number in range(4, 8)]
    random = {**ROW, "id": "random", "code": "import random\ndef f(a, b):\n    return random.random()"}
    write_suite(project, ROW, *wrong, random)
    result = project.run("--model=baseline:truth")
    result.assert_outcomes(passed=1, skipped=5)
    printed = " ".join(result.stdout.str().split())
    assert (
        "5 skipped: 4 × the recorded output is wrong (such as: the program returns 3, recorded is 4), 1 × " in printed
    )
    assert "1 × the program returns something else each time: 0." in printed


def test_a_user_may_trust_the_file(project: Project) -> None:
    write_suite(project, {**ROW, "output": 4}, more="check = false\n")
    project.run("--model=baseline:truth").assert_outcomes(passed=1)
