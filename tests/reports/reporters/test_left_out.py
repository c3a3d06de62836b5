"""What was left out is said alike in the terminal, in ``summary.md`` and at the top of ``report.html``."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.reports.reporters import terminal
from pytest_codereason.reports.reporters.report_html import HtmlReport
from pytest_codereason.reports.reporters.summary_json import list_content
from pytest_codereason.reports.reporters.summary_md import SummaryMarkdown
from tests.reports.reporters.pages import Finished, finish
from tests.results.synthetic import make_row, make_run

ROWS = [f"mine.jsonl: {many} left out: reason {many} (the first: line 7)" for many in range(1, 8)]


def write_all(run: Finished) -> tuple[str, str, str]:
    """The terminal's summary on one line, ``summary.md``, and the page above its first section."""
    lines = " ".join(text.strip() for text, _ in terminal.write_lines(run.report, 100))
    page = html.unescape(HtmlReport().write(*run.parts).read_text())
    start = page.index("<main>")
    return lines, SummaryMarkdown().write(*run.parts).read_text(), page[start : page.index("<section", start)]


def leave_out(folder: Path, rows: list[str]) -> Finished:
    """A run whose suite left these rows of its file out."""
    run: dict[str, Any] = make_run(models=["m"], suites={"mine": {"language": ["python"]}})
    run["suites"]["mine"]["resolved"] = {"left_out": rows, "notes": [*rows, "python distractors come from a pool"]}
    return finish(folder, run, [make_row(suite="mine", id=str(i), family=str(i)) for i in range(5)])


def test_rows_of_a_file_are_named_where_suites_without_data_are(tmp_path: Path) -> None:
    run = leave_out(tmp_path, ROWS[:2])
    for text in write_all(run):
        assert "mine: mine.jsonl: 1 left out: reason 1 (the first: line 7); mine.jsonl: 2 left out" in text
        assert "distractors" not in text, "it says what was shown, not what was left out"
    assert list_content(run.report)["rows_left_out"] == {"mine": ROWS[:2]}


def test_of_many_reasons_the_first_five_are_named(tmp_path: Path) -> None:
    for text in write_all(leave_out(tmp_path, ROWS)):
        assert "5 left out: reason 5 (the first: line 7); and for 2 more reasons" in text
        assert "reason 6" not in text


@pytest.mark.parametrize(("reasons", "others"), [(5, 0), (7, 2)])
def test_up_to_five_reasons_of_skipped_questions_are_named(reasons: int, others: int, tmp_path: Path) -> None:
    rows = [make_row(id=str(i), family=str(i)) for i in range(5)]
    rows += [make_row(id=f"s{i}", outcome="skipped", reason=f"program {i} hangs") for i in range(reasons)]
    lines, summary, _ = write_all(finish(tmp_path, make_run(models=["m"], suites={"semtrace": {}}), rows))
    for text in (lines, summary):
        assert "1 × program 3 hangs, 1 × program 4 hangs" in text
        assert ("for other reasons" in text) is bool(others)


@pytest.mark.parametrize("others", [(), ("other",)])
def test_a_model_that_skips_a_whole_suite_has_a_sentence(others: tuple[str, ...], tmp_path: Path) -> None:
    skipped = {"outcome": "skipped", "reason": "no call graph"}
    rows = [
        make_row(id=f"{place}{digits}", family=str(place), axes={"digits": digits}, model=model, **changes)
        for model, changes in (("m", skipped), *((other, {}) for other in others))
        for place in range(5)
        for digits in (2, 4)
    ]
    run = finish(tmp_path, make_run(models=["m", *others], suites={"semtrace": {"digits": [2, 4]}}), rows)
    lines, summary, _ = write_all(run)
    page = html.unescape((tmp_path / "report.html").read_text())
    start = page.index("<main>")
    shown = page[start : page.index('id="explorer"')]
    assert "semtrace, m: all 10 skipped: no call graph" in lines
    assert "\nm: all 10 skipped: no call graph.\n" in summary
    assert "All 10 skipped: no call graph." in shown
    for text in (lines, summary, shown):
        assert text.count("no call graph") == 1
        assert "too few" not in text or others
    assert summary.count("\n| m |") == 0
    assert summary.count("\n| other |") == len(others)
    assert summary.count("| model |") == len(others), "a table without rows is left out"
    assert lines.count("95 % interval") == len(others)
    assert shown.count(">skipped<") == 0
    assert ("by digits" in shown) is bool(others), "nothing is drawn along an axis"
    models: Any = list_content(run.report)["suites"]
    assert models["semtrace"]["models"]["m"]["headlines"], "summary.json has all as before"
    assert len(models["semtrace"]["models"]["m"]["sweeps"][0]["values"]) == 2
