"""A reporter writes one file about a run into the folder that it is given."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from pytest_codereason import registry
from pytest_codereason.reports.conclusion import write_reports
from pytest_codereason.results.measures.summary import summarise
from pytest_codereason.results.report import Report
from pytest_codereason.results.reporter import Reporter
from tests.results.synthetic import build_data, make_row, make_run, write_run


class Own(Reporter):
    """A reporter that a user adds."""

    def write(self, report: Report, folder: Path) -> Path:
        path = folder / "own.txt"
        path.write_text(f"{len(report.data.records)} answers in {report.folder.name}")
        return path


def make_report(folder: Path) -> Report:
    """The report of a run of one answer, whose folder is ``folder``."""
    run = make_run(models=["m"])
    data = build_data(run, write_run(folder, run, [make_row()]))
    return Report(folder=folder, data=data, summary=summarise(data), pictures=(), gates=())


def test_a_reporter_of_ones_own_writes_beside_the_shipped_ones(tmp_path: Path) -> None:
    output = tmp_path / "elsewhere"
    output.mkdir()
    report = write_reports(make_report(tmp_path / "run"), output, [f"{__name__}:Own"])
    assert not report.notes
    assert (output / "own.txt").read_text() == "1 answers in run"
    assert {path.name for path in (tmp_path / "run").iterdir()} == {"run.json", "records.jsonl"}


@pytest.mark.parametrize("name", registry.list_shipped(Reporter))
def test_a_shipped_reporter_gives_the_path_of_what_it_wrote(name: str, tmp_path: Path) -> None:
    output = tmp_path / "elsewhere"
    output.mkdir()
    path = registry.find(Reporter, name)().write(make_report(tmp_path / "run"), output)
    assert path.stat().st_size > 0
    assert [*output.iterdir()] == [path]


def test_a_reporter_writes() -> None:
    with pytest.raises(TypeError, match="write"):
        cast(Any, Reporter)()
