"""``codereason report``: reports again from records, without a change to the run itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_codereason.cli import main
from tests.results.synthetic import make_rows, make_run, write_run

FILES = ["report.html", "summary.json", "summary.md"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run = make_run(families=6, gates=["semtrace.partial >= 0"])
    rows = [row for row in make_rows(run, families=6) if row["outcome"] != "error"]
    write_run(tmp_path / "run", run, rows)
    return tmp_path / "run"


def read_all(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.slow
def test_the_run_stays_as_it_is_and_two_reports_are_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = read_all(folder)
    assert main(["report", str(folder)]) == 0
    first = read_all(folder)
    assert sorted(first.keys() - before.keys()) == FILES
    assert {name: first[name] for name in before} == before
    assert main(["report", str(folder)]) == 0
    assert read_all(folder) == first
    assert "PASS  openai:strong-1: semtrace.partial" in capsys.readouterr().out


@pytest.mark.slow
def test_reports_go_to_another_folder(folder: Path, tmp_path: Path) -> None:
    before = read_all(folder)
    assert main(["report", str(folder), "-o", str(tmp_path / "a" / "b")]) == 0
    assert read_all(folder) == before
    assert sorted(read_all(tmp_path / "a" / "b")) == FILES


@pytest.mark.slow
def test_gates_of_the_command_replace_those_of_the_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(folder), "--gate=semtrace.partial >= 1.5"]) == 1
    assert main(["report", str(folder), "--gate=semtrace.nothing >= 1"]) == 4
    assert "no metric of semtrace is called 'nothing'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "is not a run folder: it has no run.json; name the folder of a run"),
        ("{", "run.json is damaged: it is not JSON (Expecting property name"),
        ("[]", "this version does not know format None"),
        ('{"format": 2}', "this version does not know format 2"),
        ('{"format": 1}', "is damaged: the key 'models' is missing"),
        ('{"format": 1, "models": {}, "suites": {"s": {}}}', "is damaged: the key 'suites.s.task' is missing"),
    ],
)
def test_what_is_no_run_is_said(
    folder: Path, content: str | None, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "run.json").unlink()
    if content is not None:
        (folder / "run.json").write_text(content)
    assert main(["report", str(folder)]) == 4
    assert message in capsys.readouterr().err


@pytest.mark.slow
def test_a_run_that_was_cut_off_is_counted_in_its_records(folder: Path) -> None:
    run = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(run | {"reused": 0, "cost": None, "complete": False}))
    (folder / "records.jsonl").write_text(
        "".join(json.dumps(row | {"reused": True}) + "\n" for row in make_rows(run, families=1))
    )
    assert main(["report", str(folder), "--allow-partial"]) == 0
    assert "24 reused from earlier runs" in (folder / "report.html").read_text()


@pytest.mark.slow
def test_other_runs_and_categories_are_read_beside_the_run(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.toml"
    own.write_text('[[models]]\nmatch = ["*strong*"]\ncategories = ["open"]\n')
    options = ["-o", str(tmp_path / "out"), "--categories", str(own)]
    assert main(["report", str(folder), *options, "--earlier", str(folder)]) == 0
    assert main(["report", str(folder), *options, "--earlier", str(tmp_path / "none")]) == 4
    assert "there is no such folder" in capsys.readouterr().err
    own.write_text('[[models]]\nmach = ["*strong*"]\n')
    assert main(["report", str(folder), *options]) == 4
    assert "own.toml: [[models]] number 1: unknown key 'mach' (did you mean 'match'?)" in capsys.readouterr().err
