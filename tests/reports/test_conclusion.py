"""Figures and reporters that come from outside or fail: they never cost a run its other reports."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.reports.conclusion import Result, check_parts, conclude, parse_gates
from pytest_codereason.results.verdicts.judging import Rules
from tests.results.synthetic import make_rows, make_run, write_run

OWN = '''
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.pictures import Column, Picture, Table
from pytest_codereason.results.reporter import Reporter
from pytest_codereason.results.values import Count, Label


class Languages(Figure):
    """How many answers there are in each language."""

    def pictures(self, data):
        counts = data.records["language"].value_counts()
        yield Picture(
            name="languages",
            kind="languages",
            title="Answers by language",
            table=Table(
                columns=[Column("language", "language"), Column("n", "answers")],
                rows=[[Label(str(name)), Count(int(n))] for name, n in sorted(counts.items())],
            ),
            sentence=f"{len(counts)} languages were asked about.",
            in_terminal=True,
        )


class Plain(Reporter):
    """One line."""

    def write(self, report, folder):
        path = folder / "plain.txt"
        path.write_text(f"{len(report.data.records)} records, {len(report.notes)} notes")
        return path


class Broken(Figure):
    def pictures(self, data):
        yield from ()
        raise KeyError("no such column")


class Garbled(Figure):
    def pictures(self, data):
        yield Picture(name="g", kind="g", title="g", table=Table(columns=[Column("a", "a")], rows=[[Label("x")] * 2]))


class Failing(Reporter):
    def write(self, report, folder):
        return 1 / 0
'''


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A module of a user's own, with figures and reporters; gives its name."""
    name = f"own_parts_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    yield name
    sys.modules.pop(name, None)


def run_and_conclude(folder: Path, gates: list[str] | None = None, **changes: Any) -> Result:
    run = make_run(families=5, models=["m"], **changes)
    write_run(folder, run, make_rows(run, families=5))
    own = {name: changes.get(name, ()) for name in ("figures", "reporters")}
    return conclude(folder, run, parse_gates(gates or [], run), Rules(), **own)


def test_a_figure_and_a_reporter_from_outside_take_part(tmp_path: Path, own: str) -> None:
    folder = tmp_path / "run"
    result = run_and_conclude(folder, figures=[f"{own}:Languages"], reporters=[f"{own}:Plain"])
    assert not result.report.notes
    assert (folder / "plain.txt").read_text() == "60 records, 0 notes"
    (picture,) = (p for p in json.loads((folder / "summary.json").read_text())["figures"] if p["name"] == "languages")
    assert picture["rows"] == [["javascript", "20"], ["php", "20"], ["python", "20"]]
    assert picture["table"]["rows"][0][1] == {"is": "count", "value": 20}
    assert "3 languages were asked about." in (folder / "report.html").read_text()
    assert any("Answers by language. 3 languages" in line for line, _ in result.lines(100))


@pytest.mark.parametrize(
    ("part", "error", "line"),
    [
        ("Broken", "KeyError: 'no such column'", 'raise KeyError("no such column")'),
        ("Garbled", "ValueError: zip() argument 2 is shorter", ""),
    ],
)
@pytest.mark.slow
def test_a_figure_that_fails_is_noted_and_costs_nothing_else(
    tmp_path: Path, own: str, part: str, error: str, line: str
) -> None:
    folder = tmp_path / "run"
    result = run_and_conclude(folder, figures=[f"{own}:{part}", f"{own}:Languages"])
    (note,) = result.report.notes
    assert note.part == f"figure {own}:{part}"
    assert note.error.startswith(error)
    assert line in note.traceback
    assert "reporters/conclusion.py" not in note.traceback or not line
    assert [picture.name for picture in result.report.pictures] == ["languages"]
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["notes"][0]["error"] == note.error
    assert f"figure {own}:{part}" in (folder / "report.html").read_text()
    assert "**Failed**" in (folder / "summary.md").read_text()
    terminal = "\n".join(text for text, _ in result.lines(100))
    assert f"FAILED  figure {own}:{part}: " in terminal
    assert line in terminal


@pytest.mark.slow
def test_a_reporter_that_fails_is_noted_in_the_reports_of_the_others(tmp_path: Path, own: str) -> None:
    folder = tmp_path / "run"
    result = run_and_conclude(folder, reporters=[f"{own}:Plain", f"{own}:Failing"])
    (note,) = result.report.notes
    assert (note.part, note.error.split(" (")[0]) == (f"reporter {own}:Failing", "ZeroDivisionError: division by zero")
    assert (folder / "plain.txt").read_text() == "60 records, 1 notes"
    assert "division by zero" in (folder / "report.html").read_text()


@pytest.mark.parametrize(
    ("gates", "passed"), [([], False), (["semtrace.exact >= 0"], True), (["semtrace.exact > 0.99"], False)]
)
@pytest.mark.slow
def test_gates_decide_where_there_are_gates(tmp_path: Path, own: str, gates: list[str], passed: bool) -> None:
    run = make_run(families=5, models=["m"])
    rows = [row | {"outcome": "wrong"} if row["outcome"] == "error" else row for row in make_rows(run, families=5)]
    write_run(tmp_path / "run", run, rows)
    result = conclude(tmp_path / "run", run, parse_gates(gates, run), Rules(), figures=[f"{own}:Broken"])
    assert len(result.report.notes) == 1
    assert result.passed is passed


def test_a_part_that_cannot_be_found_is_a_usage_error_before_the_run_and_a_note_after(tmp_path: Path, own: str) -> None:
    with pytest.raises(UsageError, match=f"figure '{own}:Nothing' cannot be imported"):
        check_parts([f"{own}:Nothing"], [])
    with pytest.raises(UsageError, match=r"is not derived from Reporter"):
        check_parts([], [f"{own}:Languages"])
    check_parts([f"{own}:Languages", "robustness"], [f"{own}:Plain"])
    result = run_and_conclude(tmp_path / "run", figures=[f"{own}:Nothing"])
    (note,) = result.report.notes
    assert note.part == f"figure {own}:Nothing"
    assert (tmp_path / "run" / "report.html").exists()


def test_the_end_of_a_run_completes_run_json(tmp_path: Path) -> None:
    result = run_and_conclude(tmp_path / "run", reused=0, cost=None)
    run = json.loads((tmp_path / "run" / "run.json").read_text())
    assert run["cost"] is None
    assert run["hints"] == {}
    assert result.report.data.run.reused == run["reused"] == 0
