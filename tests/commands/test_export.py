"""``codereason export`` writes what a run asks, and ``codereason sft`` learns from nothing else."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from pytest_codereason import tasks_for
from pytest_codereason.cli import main
from pytest_codereason.errors import Skip
from pytest_codereason.harvest.training.grading import Grader
from tests.changes.stages.own_perturbations import Ruinous

SUITE = """
task = "output-prediction"
languages = ["python"]
[source]
name = "semtrace"
count = 1
[matrix]
perturbation = ["none", "{change}"]
"""
RUINOUS = f"{Ruinous.__module__}:Ruinous"


def write_suite(folder: Path, change: str) -> Path:
    path = folder / "mine.suite.toml"
    path.write_text(SUITE.format(change=change))
    return path


@pytest.mark.slow
def test_a_changed_program_that_does_something_else_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = write_suite(tmp_path, RUINOUS)
    assert main(["export", str(suite)]) == 1
    printed = capsys.readouterr()
    (row,) = map(json.loads, printed.out.splitlines())
    assert row["axes"]["perturbation"] == "none"
    heading, reason = printed.err.splitlines()
    assert heading == "1 of 2 questions written; left out, as in a run:"
    assert re.fullmatch(r"  1: .*returns something else.* \(the first: python/0000\[perturbation:.*Ruinous\]\)", reason)
    assert main(["sft", str(suite), "--writer=none", "-o", str(tmp_path / "train.jsonl")]) == 0
    assert len((tmp_path / "train.jsonl").read_text().splitlines()) == 1
    assert "the perturbed program returns something else" in capsys.readouterr().out
    with Grader(suite) as grader, pytest.raises(Skip, match="returns something else"):
        grader.grade(f"python/0000[perturbation:{RUINOUS}]", "1")


def test_what_cannot_be_run_is_written_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = write_suite(tmp_path, "rename")
    suite.write_text(suite.read_text().replace('"python"', '"php"'))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["export", str(suite)]) == 0
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 2
    assert printed.err.startswith("warning: 1 changed program could not be run, so nobody has checked them: ")


def write_rows(folder: Path, *rows: Mapping[str, object], more: str = "") -> Path:
    (folder / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    path = folder / "mine.suite.toml"
    path.write_text(f'task = "output-prediction"\n[source]\nname = "jsonl"\npath = "mine.jsonl"\n{more}')
    return path


SHOP = {
    "shop/tax.py": "def add(n):\n    return n + 1\n",
    "main.py": "from shop.tax import add\ndef f(n):\n    return add(n)\n",
}


def test_a_row_holds_all_files_of_its_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {"id": "shop", "language": "python", "files": SHOP, "entry": "main.py", "call": "f(2)", "output": "3"}
    suite = write_rows(tmp_path, row, more='[matrix]\nperturbation = ["none", "comments"]\n')
    assert main(["export", str(suite)]) == 0
    plain, changed = map(json.loads, capsys.readouterr().out.splitlines())
    assert plain["files"] == plain["original_files"] == changed["original_files"] == SHOP
    assert (plain["entry"], plain["source"], changed["original"]) == ("main.py", SHOP["main.py"], SHOP["main.py"])
    assert changed["files"].keys() == SHOP.keys()
    assert changed["files"] != SHOP
    assert changed["files"]["main.py"] == changed["source"]
    again = {name: plain[name] for name in ("id", "language", "files", "entry", "call")}
    (tmp_path / "again").mkdir()
    assert main(["export", str(write_rows(tmp_path / "again", again))]) == 0
    assert json.loads(capsys.readouterr().out)["expected"] == "3"


def test_everything_that_is_left_out_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = {"id": "good", "language": "python", "code": "def f(n):\n    return n\n", "call": "f(2)"}
    rows = [
        good,
        *({**good, "id": f"bad{n}", "code": "def f(n):\n    raise ValueError\n"} for n in range(3)),
        {"id": "x"},
    ]
    suite = write_rows(tmp_path, *rows)
    assert main(["export", str(suite), "-o", str(tmp_path / "out.jsonl")]) == 1
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 1
    row, heading, reason = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r".*mine\.jsonl: 1 left out: no 'language' \(the first: line 5\)", row)
    assert heading == "1 of 4 questions written; left out, as in a run:"
    assert re.fullmatch(r"  3: .*ValueError.* \(the first: python/bad0\)", reason)


def test_a_question_that_cannot_be_built_ends_no_export(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    good = {"id": "good", "language": "python", "code": "def f(n):\n    return n\n", "call": "f(2)"}
    foreign = {"id": "p", "language": "php", "code": "function f($n) { return $n; }", "call": "f(2)"}
    suite = write_rows(tmp_path, foreign, good)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["export", str(suite)]) == 1
    printed = capsys.readouterr()
    assert [json.loads(line)["id"] for line in printed.out.splitlines()] == ["python/good"]
    assert "1 of 2 questions written" in printed.err


def test_tasks_to_train_on_are_rows_and_conversations(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "train.jsonl"
    command = ["export", "horizon", "--tasks", "5", "--eval-seed", "3", "--difficulty", "2,4", "-o", str(file)]
    assert main(command) == 0
    assert capsys.readouterr().err == "5 tasks written\n"
    assert [json.loads(line) for line in file.read_text().splitlines()] == list(
        tasks_for("horizon", 5, seed=3, difficulty=[2, 4])
    )


def test_tasks_that_repeat_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = tmp_path / "few.suite.toml"
    suite.write_text('task = "output-prediction"\nlanguages = ["python"]\n[source]\nname = "ladder"\n')
    command = ["export", str(suite), "--tasks", "300", "--difficulty", "1", "--split", "test"]
    command += ["-o", str(tmp_path / "rows.jsonl")]
    assert main(command) == 0
    assert re.fullmatch(r"300 tasks written, 2\d\d of them different\n", capsys.readouterr().err)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--difficulty", "2"], "give --tasks N too"),
        (["--split", "test"], "give --tasks N too"),
        (["--tasks", "2", "--eval-limit", "3"], "give their number by --tasks"),
        (["--tasks", "2", "--difficulty", "-1"], "steps takes whole numbers"),
    ],
)
def test_options_of_tasks_that_cannot_be_are_refused(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "suites/horizon.suite.toml", *words]) == 4
    assert message in capsys.readouterr().err


@pytest.mark.slow
def test_ten_thousand_rows_would_take_less_than_a_minute(tmp_path: Path) -> None:
    begun = time.process_time()
    main(["export", "horizon", "--tasks", "1000", "--difficulty", "1,2,4,8,16,32,64", "-o", str(tmp_path / "x")])
    assert time.process_time() - begun < 60 / 10
