"""``codereason status``: what it says of complete, stopped and running runs, and of what is no run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.cli import main
from tests.reports.comparing.words import Run, make_small_run
from tests.results.synthetic import write_run


def make_part(letters: str, **changes: Any) -> Run:
    run, rows = make_small_run({"m": letters}, **changes)
    run["suites"]["semtrace"] |= {"instances": 6, "selected": 6}
    return run, rows


def read_status(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert main(["status", str(folder)]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_a_complete_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path / "run", *make_part("ccwwtc"))
    gate = {"verdict": "FAIL", "passed": False, "sentence": "semtrace.exact = 0.5 fails >= 0.8"}
    (tmp_path / "run/summary.json").write_text(json.dumps({"gates": [gate]}))
    before = {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    text = read_status(tmp_path / "run", capsys)
    assert "run: complete started 2026-11-21 10:00, took 3 min 12 s, ended " in text
    assert "semtrace, m: 6 of 6 questions; 3 correct, 2 wrong, 1 truncated" in text
    assert "FAIL semtrace.exact = 0.5 fails >= 0.8" in text
    assert "to go on" not in text
    assert {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()} == before


@pytest.mark.parametrize("verdict", ["PASS", "FAIL", "UNDECIDED", "UNMEASURED"])
@pytest.mark.parametrize("passed", [False, True])
def test_a_verdict_keeps_the_word_that_the_run_gave_it(
    verdict: str, passed: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_run(tmp_path / "run", *make_part("ccwwtc"))
    gate = {"verdict": verdict, "passed": passed, "sentence": "semtrace.exact = 0.5 leaves >= 0.4 open"}
    (tmp_path / "run/summary.json").write_text(json.dumps({"gates": [gate]}))
    assert f"{verdict} semtrace.exact = 0.5 leaves" in read_status(tmp_path / "run", capsys)


def test_a_run_that_lost_a_record_and_one_that_lacks_a_second_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_run(tmp_path / "lost", *make_part("ccwwt"))
    assert "lost: complete, but 1 question left no record started" in read_status(tmp_path / "lost", capsys)
    run, rows = make_part("cccccc", complete=False)
    rows.append(rows[0] | {"repeat": 1, "outcome": "error", "metrics": {}, "reason": "no connection"})
    write_run(tmp_path / "again", run, rows)
    text = read_status(tmp_path / "again", capsys)
    assert "again: incomplete: 1 unanswered" in text
    assert "6 of 6 questions; 6 correct 1 unanswered: no connection" in text


def test_a_run_that_lost_one_of_several_answers_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, rows = make_part("cccccc")
    run["suites"]["semtrace"] |= {"cells": [[6, {"language": "python"}]], "resolved": {"samples": {"default": 2}}}
    second = [row | {"sample": 1} for row in rows]
    write_run(tmp_path / "whole", run, [*rows, *second])
    assert "whole: complete started" in read_status(tmp_path / "whole", capsys)
    write_run(tmp_path / "lost", run, [*rows, *second[2:]])
    said = "lost: complete, but 2 questions left only some of several records started"
    assert said in read_status(tmp_path / "lost", capsys)


def test_a_part_is_no_whole_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path, *make_part("cc", selection="2 of 6 questions"))
    assert "complete, but a part of its suites: 2 of 6 questions" in read_status(tmp_path, capsys)


def test_an_incomplete_run_says_why_and_how_to_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, rows = make_part("ccee", complete=False)
    for row in rows[2:]:
        row["reason"] = "no connection"
    write_run(tmp_path, run, rows)
    text = read_status(tmp_path, capsys)
    assert "incomplete: 2 unanswered, 2 not asked" in text
    assert "4 of 6 questions; 2 correct, 2 unanswered 2 unanswered: no connection" in text
    assert "to go on: pytest --model=openai:strong-1 suites/semtrace.suite.toml" in text


def test_a_run_that_goes_on_is_read_beside_a_line_that_is_half_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_run(
        tmp_path, *make_part("ccc", complete=False, finished=None, wall_s=None, gates=["semtrace.exact > 0"])
    )
    path.write_bytes(path.read_bytes()[:-30])
    text = read_status(tmp_path, capsys)
    assert "not ended: it goes on, or was killed; records were last written " in text
    assert "2 of 6 questions" in text
    assert "damaged: 1 line of records.jsonl, the first: records.jsonl:3:" in text
    assert "may be written at this moment" in text
    assert "gate, not judged yet: semtrace.exact > 0" in text
    path.write_text("")
    assert "no record yet" in read_status(tmp_path, capsys)


def test_what_is_no_run_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status", str(tmp_path)]) == 4
    assert "is not a run folder: it has no run.json" in capsys.readouterr().err
    write_run(tmp_path, *make_part("c")).unlink()
    assert main(["status", str(tmp_path)]) == 4
    assert "records.jsonl: No such file or directory; a run folder holds" in capsys.readouterr().err
