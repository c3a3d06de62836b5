"""``codereason prepare``, as a user types it."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase as fnmatch
from pathlib import Path

import pytest

from pytest_codereason.cli import main
from pytest_codereason.questions.authoring.frozen_texts import load
from tests.servers import Server, no_quota

SUITE = """
task = "{task}"
[source]
name = "cruxeval"
path = "{folder}"
[matrix]
perturbation = {perturbations}
prompting = ["direct", "cot"]
"""
ROWS = [
    {"id": "add", "code": "def f(a, b):\n    return a + b", "input": "1, 2", "output": "3"},
    {"id": "five", "code": "def f(a):\n    return 5", "input": "1", "output": "5"},
]


@pytest.fixture(autouse=True)
def _folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path / "cache"))


def suite(
    tmp_path: Path, task: str = "output-prediction", perturbations: str = '["vanilla", "hint", "rename+hint"]'
) -> str:
    (tmp_path / "cruxeval.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    path = tmp_path / "s.suite.toml"
    path.write_text(SUITE.format(task=task, folder=tmp_path.as_posix(), perturbations=perturbations))
    return str(path)


def prepared(path: str, server: Server, output: Path) -> int:
    return main(["prepare", path, "--writer=openai:scripted", f"--writer-url={server.url}", "-o", str(output)])


def test_each_program_has_its_line_and_the_same_texts_give_the_same_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Server(lambda messages, body: "[ANSWER]5[/ANSWER]") as server:
        assert prepared(suite(tmp_path), server, tmp_path / "h.jsonl") == 0
        assert len(server.requests) == 4, "once for add, thrice for five"
        output, progress = capsys.readouterr()
        assert progress.splitlines()[-3:] == ["0 of 2 texts", "1 of 2 texts", "2 of 2 texts"]
        assert output.startswith("2 texts: 1 by openai:scripted, 1 by rule (1 repeated the truth): ")
        assert 'write hints = "h.jsonl"' in output
        assert prepared(suite(tmp_path), server, tmp_path / "again.jsonl") == 0
        assert len(server.requests) == 4
    first, *rows = map(json.loads, (tmp_path / "h.jsonl").read_text().splitlines())
    assert (first["count"], first["writers"]) == (2, ["openai:scripted", "rule"])
    assert [(row["program"], row["of"], row["value"]) for row in rows] == [
        ("add", "output", "5"),
        ("five", "output", ""),
    ]
    assert (tmp_path / "h.jsonl").read_bytes() == (tmp_path / "again.jsonl").read_bytes()
    assert len(load(tmp_path / "h.jsonl", "hint").texts) == 2


def test_inputs_are_written_where_they_are_asked_for(tmp_path: Path) -> None:
    with Server(lambda messages, body: "[ANSWER]f(9, 9)[/ANSWER]") as server:
        assert prepared(suite(tmp_path, "input-prediction"), server, tmp_path / "h.jsonl") == 0
    _, *rows = map(json.loads, (tmp_path / "h.jsonl").read_text().splitlines())
    assert [(row["of"], row["value"]) for row in rows] == [("input", "9, 9"), ("input", "9, 9")]


def test_nothing_is_frozen_until_everything_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Server(lambda messages, body: "[ANSWER]4[/ANSWER]", script=[no_quota()]) as server:
        assert prepared(suite(tmp_path), server, tmp_path / "h.jsonl") == 1
        assert "texts are missing" in capsys.readouterr().out
        assert not (tmp_path / "h.jsonl").exists()
        assert prepared(suite(tmp_path), server, tmp_path / "h.jsonl") == 0


@pytest.mark.parametrize(
    ("perturbations", "writer", "output", "message"),
    [
        ('["vanilla", "comments"]', "baseline:truth", "h.jsonl", "shows a hint; add 'hint'"),
        ('["misleading-names", "misleading-comments"]', "rule", "h.jsonl", "--kind is missing: * comments, names"),
        ('["hint"]', "nobody", "h.jsonl", "unknown model 'nobody'"),
        ('["hint"]', "baseline:truth", "suites.csv", "the file exists and is never overwritten"),
        ('["hint"]', "baseline:truth", "gone/h.jsonl", "there is no folder"),
    ],
)
def test_mistakes_are_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    perturbations: str,
    writer: str,
    output: str,
    message: str,
) -> None:
    path = suite(tmp_path, perturbations=perturbations)
    (tmp_path / "suites.csv").touch()
    assert main(["prepare", path, f"--writer={writer}", "-o", str(tmp_path / output)]) == 4
    complaint = capsys.readouterr().err
    assert fnmatch(complaint, f"*{message}*")
    assert complaint.count("\n") == 1


@pytest.mark.slow
def test_faults_that_nobody_observes_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = suite(tmp_path, perturbations='["vanilla"]')
    equivalent = {"id": "idle", "code": "def f(a):\n    b = a + 1\n    return a", "input": "1", "output": "1"}
    (tmp_path / "cruxeval.jsonl").write_text("\n".join(map(json.dumps, [ROWS[0], equivalent])))
    assert main(["prepare", path, "--kind=fault", "--of=operator-swap/0/1", "-o", str(tmp_path / "faults.jsonl")]) == 0
    out = capsys.readouterr().out
    assert "1 left out: there is no place for such a fault" in out
    assert "1 left out: every such fault is equivalent, nobody can observe it" in out
    assert "left out while a fault was chosen: 1 equivalent" in out
