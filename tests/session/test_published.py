"""Published figures beside a run, as a user asks for them and meets them in every report."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.cli import main
from tests.session.conftest import Project

MINE = """citation = "Our release notes"

[[facts]]
source = "table 3"
figure = "robustness"
of = {suite = "small", language = "python"}
unit = "percent"
note = "800 programs"

[facts.models]
"mine-7b" = {perturbation = "rename", score = 61.5, relative = -12.25}
"""


@pytest.fixture
def ready(project: Project) -> Project:
    project.suite(languages=("python",), more='perturbation = ["vanilla", "rename"]\n')
    (project.path / "mine.toml").write_text(MINE)
    return project


def read_figures(folder: Path) -> list[dict[str, Any]]:
    figures: list[dict[str, Any]] = json.loads((folder / "summary.json").read_text())["figures"]
    return figures


def test_a_file_of_ones_own_stands_in_every_report_marked_as_published(ready: Project) -> None:
    result = ready.run("--model=baseline:truth", "--eval-published=mine.toml", "--eval-gate=small.exact >= 0.1")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["published, not measured: 1 figure of Our release notes, in report.html"])
    folder = ready.path / "reports" / "latest"
    html, markdown = (folder / "report.html").read_text(), (folder / "summary.md").read_text()
    note = "Published, not measured in this run: Our release notes, table 3 (800 programs)."
    assert note in html
    assert '<tr><th scope="row">mine-7b, published</th>' in html
    assert "| mine-7b, published | rename |  | 0.615 |  | −12.25 % |  |  |" in markdown
    (figure,) = (figure for figure in read_figures(folder) if "published" in figure)
    (row,) = figure["published"]
    assert row["cells"] == {"perturbation": "rename", "score": 0.615, "relative": -0.1225}
    assert row["source"] == {"paper": "Our release notes", "place": "table 3", "note": "800 programs"}
    assert "mine-7b" not in figure["sentence"] + result.stdout.str()


@pytest.mark.slow
def test_figures_are_the_same_without_the_file(ready: Project) -> None:
    assert ready.run("--model=baseline:truth", "--eval-report=with", "--eval-published=mine.toml").ret == 0
    assert ready.run("--model=baseline:truth", "--eval-report=without").ret == 0
    beside, plain = read_figures(ready.path / "with"), read_figures(ready.path / "without")
    assert any("published" in figure for figure in beside)
    assert [{key: figure[key] for key in figure if key != "published"} for figure in beside] == plain
    assert "ublished" not in (ready.path / "without" / "report.html").read_text().partition("</style>")[2]
    assert "ublished" not in (ready.path / "without" / "summary.md").read_text()


@pytest.mark.slow
def test_a_stored_run_keeps_the_file_and_another_may_take_its_place(
    ready: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ready.run("--model=baseline:truth", "--eval-report=run", "--eval-published=mine.toml").ret == 0
    run = ready.path / "run"
    shutil.copy(ready.path / "mine.toml", ready.path / "other.toml")
    (ready.path / "mine.toml").unlink()
    before = (run / "summary.md").read_text()
    assert main(["report", str(run)]) == 0
    assert (run / "summary.md").read_text() == before
    (ready.path / "other.toml").write_text(MINE.replace("mine-7b", "theirs"))
    assert main(["report", str(run), "--published", "other.toml", "-o", str(ready.path / "again")]) == 0
    assert "theirs, published" in (ready.path / "again" / "summary.md").read_text()
    assert "mine-7b" not in (ready.path / "again" / "summary.md").read_text()
    assert main(["report", str(run), "--published", "codecrash", "-o", str(ready.path / "again")]) == 0
    assert "nothing of codecrash stands beside this run" in " ".join(capsys.readouterr().out.split())


def test_a_fact_without_a_place_is_named_and_the_run_passes(ready: Project) -> None:
    (ready.path / "mine.toml").write_text(MINE.replace('"small"', '"smal"'))
    result = ready.run("--model=baseline:truth", "--eval-published=mine.toml")
    assert result.ret == 0
    text = " ".join(result.stdout.str().split())
    assert "NO PLACE mine.toml:3: this run draws no figure 'robustness' of suite 'smal' (did you mean 'small'?)" in text
    assert "(did you mean &#39;small&#39;?)" in (ready.path / "reports" / "latest" / "report.html").read_text()


@pytest.mark.parametrize(
    ("option", "text", "complaint"),
    [
        ("mine.toml", MINE.replace("unit", "units"), "ERROR: mine.toml:7: unknown key 'units' (did you mean 'unit'?)*"),
        ("nowhere.toml", MINE, "ERROR: nowhere.toml: cannot be read: *"),
        ("sense-and-sensibility", MINE, "*no such paper (did you mean 'sense-and-sensitivity'?)*"),
    ],
)
def test_a_mistake_ends_the_run_before_the_first_question(
    ready: Project, option: str, text: str, complaint: str
) -> None:
    (ready.path / "mine.toml").write_text(text)
    result = ready.run("--model=baseline:truth", f"--eval-published={option}")
    assert result.ret == 4
    result.stderr.fnmatch_lines([complaint])
    assert not (ready.path / "reports").exists()


def test_the_ini_file_may_name_the_file_from_another_folder(ready: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    ready.pytester.makeini("[pytest]\ncodereason_published = mine.toml\n")
    below = ready.path / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    result = ready.run("--model=baseline:truth", "--rootdir", str(ready.path), "-c", str(ready.path / "tox.ini"), "..")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["published, not measured: 1 figure of Our release notes*"])
