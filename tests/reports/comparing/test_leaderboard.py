"""Models of many runs are ranked on the questions that they share, and ties are shown as ties."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_codereason.cli import main
from pytest_codereason.reports.comparing.leaderboard import rank_runs, write_leaderboard
from pytest_codereason.reports.comparing.reading import read_runs
from tests.reports.comparing.words import Run, make_small_run
from tests.reports.reporters.pages import EVIL
from tests.results.synthetic import write_run


def write_runs(folder: Path, *runs: Run) -> list[Path]:
    folders = [folder / f"run-{place}" for place in range(len(runs))]
    for path, run in zip(folders, runs, strict=True):
        write_run(path, *run)
    return folders


def read_ranks(page: str) -> list[tuple[str, str]]:
    """The model and the rank of each line of the rankings."""
    lines = re.findall(r'<tr><td class="rank[^>]*>(.*?)</td><th scope="row"><span class="model">(.*?)</span>', page)
    return [(model, rank) for rank, model in lines]


def test_models_that_no_test_tells_apart_share_a_rank(tmp_path: Path) -> None:
    letters = {"weak": "c" * 10 + "w" * 30, "good": "c" * 36 + "w" * 4, "near": "c" * 35 + "w" * 5}
    folders = write_runs(tmp_path, *(make_small_run({model: each}) for model, each in letters.items()))
    page = write_leaderboard(read_runs(folders), tmp_path / "page.html")
    assert read_ranks(page) == [("good", "1–2"), ("near", "1–2"), ("weak", "3")]
    assert "A rank such as 1–3 is a tie" in page
    assert page.index('id="rankings"') < page.index('id="explorer"')
    assert 'id="overview"' not in page, "one ranking needs no overview"


def test_runs_with_other_questions_are_ranked_on_their_own(tmp_path: Path) -> None:
    runs = [make_small_run({model: "ccw"}, plan=plan) for model, plan in (("a", "p"), ("b", "q"), ("c", "p"))]
    runs.append(make_small_run({"d": "ccc"}, suite="ladder"))
    data = read_runs(write_runs(tmp_path, *runs))
    boards = {board.title: [subject.model for subject in board.data.subjects] for board in rank_runs(data)}
    assert boards == {"semtrace, plan p": ["a", "c"], "semtrace, plan q": ["b"], "ladder": ["d"]}
    page = write_leaderboard(data, tmp_path / "page.html")
    overview = page[page.index('id="overview"') : page.index('id="rankings"')]
    assert overview.count("rank 1–2") == 2
    assert overview.count("<tr>") == 5


def test_markup_of_models_stays_text(tmp_path: Path) -> None:
    model = EVIL.replace("\ud800", "")
    page = write_leaderboard(read_runs(write_runs(tmp_path, make_small_run({model: "cw"}))), tmp_path / "page.html")
    assert page.count("<script") == page.count("</script") == 3
    assert "<img" not in page


def test_the_command_writes_the_page_and_nothing_into_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = [str(each) for each in write_runs(tmp_path, make_small_run({"a": "cw"}), make_small_run({"b": "cc"}))]
    assert main(["leaderboard", *folders, "-o", f"{folders[0]}/page.html"]) == 4
    assert "this lies in the run folder" in capsys.readouterr().err
    assert main(["leaderboard", *folders, "-o", str(tmp_path / "page.html")]) == 0
    assert read_ranks((tmp_path / "page.html").read_text()) == [("b", "1–2"), ("a", "1–2")]
    assert {path.name for path in Path(folders[0]).iterdir()} == {"run.json", "records.jsonl"}
    assert main(["leaderboard", str(tmp_path / "none"), "-o", str(tmp_path / "page.html")]) == 4
