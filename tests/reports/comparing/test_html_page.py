"""The page of a comparison: the answer first, then every shared question, those that flipped first."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.cli import main
from pytest_codereason.reports.comparing.comparison import compare_runs
from pytest_codereason.reports.comparing.html_page import list_answers, write_html
from pytest_codereason.reports.comparing.reading import read_runs
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import parse_run
from tests.reports.comparing.words import Run, make_small_run
from tests.reports.pages import chromium
from tests.reports.pages.explored import write_pair
from tests.reports.pages.exploring import CARD, SAID, explore
from tests.reports.reporters.pages import EVIL


def build(*runs: Run) -> RunData:
    named = dict(zip(("one", "two", "three"), runs, strict=False))
    return RunData.build({name: (parse_run(info), rows) for name, (info, rows) in named.items()})


def read_content(page: str) -> dict[str, Any]:
    content = re.search(r'<script type="application/json" id="answers">(.*?)</script>', page, re.DOTALL)
    assert content is not None
    parsed: dict[str, Any] = json.loads(content[1])
    return parsed


def test_every_shared_answer_says_what_became_of_its_question() -> None:
    data = build(make_small_run({"m": "ccwwe"}), make_small_run({"m": "cwcwc-"}))
    rows = list_answers(compare_runs(data), data)
    changes = ["both right", "lost", "won", "both not right", "not answered by both"]
    assert rows.sort_values(["side", "id"])["change"].tolist() == changes * 2
    assert set(rows["comparison"]) == {"B against A"}


def test_the_page_opens_with_the_flips_of_the_later_side(tmp_path: Path) -> None:
    data = build(make_small_run({"m": "c" * 9}), make_small_run({"m": "c" * 5 + "w" * 4}))
    content = read_content(write_html(compare_runs(data), data, tmp_path / "page.html"))
    assert content["start"] == {"side": ["B"], "change": ["lost"]}
    assert content["count"] == 18
    same = build(make_small_run({"m": "ccc"}), make_small_run({"m": "ccc"}))
    assert read_content(write_html(compare_runs(same), same, tmp_path / "page.html"))["start"] == {"side": ["B"]}


def test_each_difference_is_drawn_on_one_line_around_zero(tmp_path: Path) -> None:
    """Thirteen of 20 answers are lost, so the line ends at one, and the point stands left of its middle."""
    data = build(make_small_run({"m": "c" * 20}), make_small_run({"m": "c" * 7 + "w" * 13}))
    page = write_html(compare_runs(data), data, tmp_path / "page.html")
    assert "<span>−1.00</span><span>0</span><span>+1.00</span>" in page
    drawn = re.findall(r'<i style="left:([\d.]+)%;width:([\d.]+)%"></i><b style="left:([\d.]+)%">', page)
    start, width, place = map(float, drawn[0])
    assert place == pytest.approx(50 - 50 * 13 / 20)
    (row,) = (row for row in compare_runs(data).pairs[0].suites[0].rows[:1])
    assert row.difference
    assert row.difference.low is not None
    assert row.difference.high is not None
    assert start == pytest.approx(50 + 50 * row.difference.low, abs=0.01)
    assert start + width == pytest.approx(50 + 50 * row.difference.high, abs=0.02)


def test_small_differences_are_drawn_on_a_shorter_line(tmp_path: Path) -> None:
    data = build(make_small_run({"m": "c" * 400}), make_small_run({"m": "c" * 392 + "w" * 8}))
    assert "<span>−0.05</span>" in write_html(compare_runs(data), data, tmp_path / "page.html")


def test_the_verdict_stands_out_from_its_evidence(tmp_path: Path) -> None:
    data = build(make_small_run({"m": "c" * 40}), make_small_run({"m": "c" * 20 + "w" * 20}))
    page = write_html(compare_runs(data), data, tmp_path / "page.html")
    found = re.search(r'<p class="first-answer">(.*)</p>', page)
    assert found
    verdict = re.sub(r'<span class="evidence">[^<]*</span>', "…", found[1])
    means = "exact falls from 1.000 to 0.500"
    assert verdict == f"B is worse than A: {means} … on 40 answers about 40 programs; 20 lost, 0 won."
    none = build(make_small_run({"m": "c" * 40}), make_small_run({"m": "c" * 40}))
    page = write_html(compare_runs(none), none, tmp_path / "page.html")
    assert 'flips. <span class="rest">A true difference of' in page


def test_one_run_of_three_models_has_two_comparisons(tmp_path: Path) -> None:
    data = build(make_small_run({"a": "ccc", "b": "ccw", "c": "cww"}))
    page = write_html(compare_runs(data), data, tmp_path / "page.html")
    content = read_content(page)
    assert content["start"] == {"side": ["B", "C"], "change": ["lost"]}
    (pairs,) = [facet for facet in content["facets"] if facet["name"] == "pair"]
    assert pairs["values"] == ["B against A", "C against A"]
    assert page.index('id="pair-2"') < page.index('id="explorer"')


def test_markup_of_models_stays_text(tmp_path: Path) -> None:
    model = EVIL.replace("\ud800", "")
    sides = [make_small_run({model: letters}) for letters in ("cc", "cw")]
    for _, rows in sides:
        for row in rows:
            row["answer"] = row["reason"] = EVIL
    data = build(*sides)
    page = write_html(compare_runs(data), data, tmp_path / "page.html")
    assert page.count("<script") == page.count("</script") == 3
    assert "<img" not in page


def test_a_page_needs_a_file_outside_of_the_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = map(str, write_pair(tmp_path, families=2))
    assert main(["compare", old, new, "--format=html"]) == 4
    assert "name it: -o page.html" in capsys.readouterr().err
    assert main(["compare", old, new, "--format=html", "-o", f"{new}/page.html"]) == 4
    assert "this lies in the run folder" in capsys.readouterr().err
    assert main(["compare", old, new, "--format=html", "-o", str(tmp_path / "none/page.html")]) == 4
    assert "name a file in a folder that exists" in capsys.readouterr().err
    assert main(["compare", old, new, "--format=html", "-o", str(tmp_path / "page.html")]) == 0
    assert (tmp_path / "page.html").stat().st_size > 10_000


@pytest.mark.slow
@pytest.mark.skipif(chromium.PATH is None, reason="no Chromium on PATH")
def test_a_reader_sees_the_lost_answers_beside_those_of_the_other_side(tmp_path: Path) -> None:
    data = read_runs(write_pair(tmp_path))
    path = tmp_path / "page.html"
    path.write_text(write_html(compare_runs(data), data, path))
    lost = list_answers(compare_runs(data), data)["change"].eq("lost").sum() // 2

    async def visit(page: chromium.Page) -> None:
        assert await page.evaluate(SAID) == f"{lost} of 160 answers; 0.0 % right"
        await page.evaluate("document.querySelector('.line-of-list').click()")
        card = await page.evaluate(CARD)
        assert "A and B: lost" in card
        assert "Given by A" in card
        assert "Reply of A" in card

    explore(path, tmp_path / "profile", visit)
