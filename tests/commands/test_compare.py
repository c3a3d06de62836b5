"""``codereason compare``: from run folders to a page, without a change to the folders."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_codereason.cli import main
from tests.reports.comparing.words import make_small_run
from tests.results.synthetic import write_run


@pytest.fixture
def folders(tmp_path: Path) -> tuple[str, str]:
    write_run(tmp_path / "a", *make_small_run({"m": "c" * 20}))
    write_run(tmp_path / "b", *make_small_run({"m": "c" * 5 + "w" * 15}))
    return str(tmp_path / "a"), str(tmp_path / "b")


def read_all(folder: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def test_two_runs_are_compared_and_stay_as_they_are(
    folders: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = list(map(read_all, folders))
    assert main(["compare", *folders]) == 0
    assert "B is worse than A: exact falls from 1.000 to 0.250" in " ".join(capsys.readouterr().out.split())
    assert list(map(read_all, folders)) == before


def test_a_run_is_compared_with_itself(folders: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", folders[0], folders[0]]) == 0
    assert "No difference: exact is 1.000 in both" in capsys.readouterr().out


def test_the_page_goes_to_a_file_but_never_into_a_run(
    folders: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.json"
    assert main(["compare", *folders, "--format=json", "-o", str(page)]) == 0
    assert json.loads(page.read_text())["pairs"]
    assert main(["compare", *folders, "-o", f"{folders[1]}/records.jsonl"]) == 4
    assert "this lies in the run folder" in capsys.readouterr().err
    assert main(["compare", *folders, "-o", str(tmp_path / "none/page")]) == 4
    assert "cannot be written: No such file or directory" in capsys.readouterr().err


def test_a_record_that_was_cut_off_is_counted(folders: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    records = Path(folders[1]) / "records.jsonl"
    records.write_bytes(records.read_bytes()[:-40])
    assert main(["compare", *folders]) == 0
    out = capsys.readouterr().out
    assert "1 damaged line of records is left out, the first: records.jsonl:20:" in out
    assert "19 questions of 20 in A and 19 in B" in " ".join(out.split())


@pytest.mark.parametrize(
    ("missing", "complaint"),
    [("", "there is no such folder"), ("run.json", "has no run.json"), ("records.jsonl", "has no records.jsonl")],
)
def test_what_is_no_run_is_said(
    missing: str, complaint: str, folders: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    if missing:
        (Path(folders[1]) / missing).unlink()
    assert main(["compare", folders[0], folders[1] if missing else f"{folders[1]}x"]) == 4
    assert complaint in capsys.readouterr().err
