"""Published figures in charts and pages: dashed and hollow, and harmless whatever their file says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pytest_codereason.reports.charts import charts
from pytest_codereason.reports.reporters.report_html import HtmlReport
from pytest_codereason.reports.reporters.summary_md import SummaryMarkdown
from pytest_codereason.results.pictures import (
    Citation,
    Column,
    Panel,
    Picture,
    Point,
    PublishedLine,
    PublishedRow,
    Table,
)
from pytest_codereason.results.values import Label
from tests.reports.reporters.pages import EVIL, ordinary

SOURCE = Citation(paper="A paper", place="figure 2")
PANEL = Panel(title="80", x="position", y="change", percent=True, lines={"m": [Point(x=x, value=0.0) for x in (0, 50)]})
LEVEL = PublishedLine(model="GPT", source=SOURCE, panel="80", level=-91.0)
COURSE = PublishedLine(model="own", source=SOURCE, panel="80", points=[(0, 0), (50, -70), (100, -5)])


def draw(*lines: PublishedLine, panel: Panel = PANEL) -> str:
    published = {line.model: [line] for line in lines}
    limits = charts.find_limits([panel], lines)
    return charts.draw_panel(panel, limits=limits, looks={"m": 0}, name="a", description="", published=published)


def test_each_line_is_dashed_and_in_the_colour_of_no_model() -> None:
    plain, both = draw(), draw(LEVEL, COURSE)
    assert "stroke-dasharray" not in plain
    assert both.count("stroke-dasharray") == 2
    assert both.count("--series-2") == plain.count("--series-2") == 0


def test_a_line_of_another_panel_is_not_drawn() -> None:
    assert draw(replace(LEVEL, panel="20")).count("stroke-dasharray") == 0


def test_the_axis_reaches_as_far_as_the_lines_of_papers() -> None:
    bottom, _ = charts.find_limits([PANEL], [LEVEL])
    assert bottom < -91
    assert charts.find_limits([PANEL], []) > (-11.0, 0.0)


def test_the_legend_and_the_numbers_say_that_a_line_is_published(tmp_path: Path) -> None:
    picture = Picture(name="p", kind="position-change", title="P", panels=[PANEL], published=[LEVEL, COURSE])
    run = ordinary(tmp_path)
    text = HtmlReport().write(replace(run.report, pictures=[picture]), tmp_path).read_text()
    assert '<li class="published"><span aria-hidden="true">○</span> GPT, published</li>' in text
    assert '<td>GPT, published</td><td class="num">any</td><td class="fix">-91</td>' in text
    assert text.count("<td>own, published</td>") == 3
    assert "Published, not measured in this run: A paper, figure 2." in text


def test_text_of_a_file_is_text(tmp_path: Path) -> None:
    evil = Citation(paper=EVIL, place=EVIL, note=EVIL)
    row = PublishedRow(model=EVIL, source=evil, cells={"x": EVIL})
    table = Table(columns=[Column("model", "model"), Column("x", "x")], rows=[[Label("m"), Label("1")]])
    line = replace(LEVEL, model=EVIL, source=evil)
    picture = Picture(name="p", kind="k", title="P", table=table, panels=[PANEL], published=[row, line])
    report = replace(ordinary(tmp_path).report, pictures=[picture], remarks=[EVIL])
    for reporter in (HtmlReport(), SummaryMarkdown()):
        text = reporter.write(report, tmp_path).read_text()
        assert "<img src=x" not in text
        assert "alert(1)</script>" not in text
        assert "\x1b" not in text
        assert "\u202e" not in text
