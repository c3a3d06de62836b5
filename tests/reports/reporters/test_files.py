from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason import registry
from pytest_codereason.reports.conclusion import write_reports
from pytest_codereason.reports.pages import texts
from pytest_codereason.reports.reporters.report_html import HtmlReport
from pytest_codereason.reports.reporters.summary_json import SummaryJson
from pytest_codereason.reports.reporters.summary_md import SummaryMarkdown
from pytest_codereason.results.reporter import Reporter
from tests.reports.reporters.pages import finish, hostile, ordinary
from tests.results.synthetic import make_row, make_run


def strict(text: str) -> Any:
    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.mark.slow
def test_reporters_are_found_by_file(tmp_path: Path) -> None:
    assert registry.list_shipped(Reporter) == ("report-html", "summary-json", "summary-md")
    run = ordinary(tmp_path / "run")
    (tmp_path / "out").mkdir()
    before = {path.name: path.read_bytes() for path in run.folder.iterdir()}
    assert not write_reports(run.report, tmp_path / "out").notes
    files = sorted((tmp_path / "out").iterdir())
    assert [path.name for path in files] == ["report.html", "summary.json", "summary.md"]
    assert all(path.stat().st_size for path in files)
    assert before == {path.name: path.read_bytes() for path in run.folder.iterdir()}


@pytest.mark.parametrize("page", [ordinary, hostile])
def test_summary_json_is_strict(page: Any, tmp_path: Path) -> None:
    summary = strict(SummaryJson().write(*page(tmp_path).parts).read_text())
    assert summary["format"] == 1
    assert set(summary["suites"]) == {"semtrace"}


def test_summary_json_holds_the_gates(tmp_path: Path) -> None:
    summary = strict(SummaryJson().write(*ordinary(tmp_path).parts).read_text())
    assert [(g["gate"], g["model"]) for g in summary["gates"][:2]] == [
        ("semtrace.exact[digits=2] >= 0.5", "openai:strong-1"),
        ("semtrace.exact[digits=2] >= 0.5", "local:smollm2"),
    ]


def test_markdown_says_the_verdict_first_and_where_the_run_is(tmp_path: Path) -> None:
    rows = [make_row(id=str(i), family=str(i)) for i in range(5)]
    run = finish(tmp_path, make_run(models=["m"]), rows, ["semtrace.exact >= 0.3", "semtrace.exact < 0.3"])
    text = SummaryMarkdown().write(*run.parts).read_text()
    assert text.startswith("## ❌ 1 of 2 gates passed, 1 failed\n")
    assert "| m: direct | 5 | **1.000** \\[0.566, 1.000\\] |" in text
    assert f"Run: `{tmp_path}`" in text


def test_markdown_names_the_weakest_axis_value(tmp_path: Path) -> None:
    rows = [
        make_row(id=f"{d}/{i}", family=str(i), axes={"digits": d}, outcome="correct" if right else "wrong")
        | {"metrics": {"exact": float(right)}}
        for d in (2, 4)
        for i in range(10)
        for right in [d == 2 or i > 6]
    ]
    rows.append(make_row(id="e", outcome="error", axes={"digits": 4}))
    run = make_run(models=["m"], suites={"semtrace": {"language": ["python"], "digits": [2, 4]}})
    text = SummaryMarkdown().write(*finish(tmp_path, run, rows).parts).read_text()
    assert re.search(r"\| \*\*1\*\* \| digits 4: 0\.300 \\\[.*\\\] \(−70\.0 %\), 1 unanswered \|", text)


def test_markdown_says_why_questions_are_missing(tmp_path: Path) -> None:
    rows = [make_row(id=str(i), family=str(i)) for i in range(5)]
    reasons = ("HTTP 404: no such model, no such key", "HTTP 404: no such model, no such key", "HTTP 500")
    rows += [make_row(id=f"e{i}", outcome="error", reason=why, metrics={}) for i, why in enumerate(reasons)]
    rows.append(make_row(id="s", outcome="skipped", reason="the program raises NameError", metrics={}))
    text = SummaryMarkdown().write(*finish(tmp_path, make_run(models=["m"]), rows).parts).read_text()
    assert "\nm: 3 unanswered, excluded from every score (HTTP 404: no such model, no such key; HTTP 500).\n" in text
    assert "\nm: 1 skipped: 1 × the program raises NameError.\n" in text


def test_a_reply_that_is_always_the_same_stands_in_a_line_of_its_own(tmp_path: Path) -> None:
    rows = [
        make_row(id=str(i), family=str(i), outcome="wrong", response="41", metrics={"exact": 0.0}) for i in range(20)
    ]
    rows.append(make_row(id="e", outcome="error", metrics={}))
    text = HtmlReport().write(*finish(tmp_path, make_run(models=["m"]), rows).parts).read_text()
    assert '20 programs, <span class="warn">1 unanswered</span></p>' in text
    assert '<p class="under"><span class="warn">One and the same reply to 20 of 20 different questions; does' in text


def test_markdown_keeps_its_shape_whatever_the_texts(tmp_path: Path) -> None:
    text = SummaryMarkdown().write(*hostile(tmp_path).parts).read_text()
    assert "<script" not in text
    assert "\x1b" not in text
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert len(table) == 4
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table}) == 1


def test_the_page_escapes_whatever_models_and_users_wrote(tmp_path: Path) -> None:
    text = HtmlReport().write(*hostile(tmp_path).parts).read_text()
    assert text.count("<script") == 3  # ours, the columns and the texts
    assert text.count("</script") == 3
    assert "<img" not in text
    assert "&lt;img src=x" in text
    assert r"\x1b[31mred" in text
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", text)


def test_scripts_beside_the_page_are_data_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "INSIDE", 0)
    page = HtmlReport().write(*hostile(tmp_path).parts).read_text()
    assert "script-src 'sha256-" in page
    assert "'strict-dynamic'" in page
    (chunk,) = (tmp_path / "report-data").iterdir()
    text = chunk.read_text()
    assert text.isascii()
    assert text.startswith("codereasonTexts(0,")
    json.loads(text.removeprefix("codereasonTexts(0,").removesuffix(");\n"))


def test_the_page_asks_for_nothing_from_elsewhere(tmp_path: Path) -> None:
    text = HtmlReport().write(*ordinary(tmp_path).parts).read_text()
    assert not re.findall(r"""(?:src|href)\s*=\s*["'](?!#|data:,)""", text)
    assert "@import" not in text
    assert not re.findall(r"url\((?!#)", text)


def test_charts_take_the_colours_and_fonts_of_the_page(tmp_path: Path) -> None:
    text = HtmlReport().write(*ordinary(tmp_path).parts).read_text()
    charts = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert len(charts) == 5, "language and digits in each way of prompting, and prompting"
    for chart in charts:
        assert "var(--series-1)" in chart
        assert not re.search(r"#[0-9a-f]{6}\b", chart)
        assert "DejaVu" not in chart
        assert re.search(r"<title id=\S+>Exact match by \w+( \(\w+\))?</title><desc id=\S+>(On|Exact) ", chart)
        assert "javascript</text>" in chart or re.search(r"0\.\d</text>", chart)
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))


@pytest.mark.slow
def test_the_same_run_gives_the_same_page(tmp_path: Path) -> None:
    run = ordinary(tmp_path)
    assert HtmlReport().write(*run.parts).read_text() == HtmlReport().write(*run.parts).read_text()


def test_without_matplotlib_there_are_tables_and_a_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    text = HtmlReport().write(*ordinary(tmp_path).parts).read_text()
    assert "To see charts, run: pip install &#39;pytest-codereason[report]&#39;" in text.replace("'", "&#39;")
    assert "<svg" not in text
    assert text.count("<details open>") == 5


def test_headlines_say_what_went_unanswered(tmp_path: Path) -> None:
    rows = [make_row(id=str(i), family=str(i)) for i in range(5)]
    rows += [make_row(id=f"e{i}", outcome="error", reason="rate limit") for i in range(12)]
    text = HtmlReport().write(*finish(tmp_path, make_run(models=["m"]), rows).parts).read_text()
    assert '5 answers on 5 programs, <span class="warn">12 unanswered</span>' in text


def test_a_page_about_nothing(tmp_path: Path) -> None:
    text = (
        HtmlReport()
        .write(*finish(tmp_path, make_run(models=["m"], complete=False), []).parts)
        .read_text()
        .partition("<script")[0]
    )
    assert "not asked" in text
    assert "undefined" not in text
    assert "The run is incomplete" in text
    assert "NaN" not in text
