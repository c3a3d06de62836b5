"""``report.html``: the whole run on one page that opens from disk, without a network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

from markupsafe import Markup

from pytest_codereason.core import AxisValue
from pytest_codereason.core.display import visible
from pytest_codereason.reports.charts import charts
from pytest_codereason.reports.pages.answers import Explorer, embed_answers, sort_answers
from pytest_codereason.reports.pages.rendering import render_page
from pytest_codereason.reports.words import cells, formatting, horizon_captions, run_notes
from pytest_codereason.reports.words.axis_sentences import describe_axis
from pytest_codereason.reports.words.ranking import show_ranking
from pytest_codereason.reports.words.worded import WordedPicture, word_pictures
from pytest_codereason.results.measures.summary import SuiteSummary
from pytest_codereason.results.pictures import Picture
from pytest_codereason.results.records.records import OUTCOMES
from pytest_codereason.results.report import Report
from pytest_codereason.results.reporter import Reporter
from pytest_codereason.results.runs.run_info import RECORDS
from pytest_codereason.results.verdicts.verdict import NOT_KNOWN, choose_exit_code

_OUTCOMES = {0: "good", 1: "bad", NOT_KNOWN: "open"}  # the look of what gates say, by the exit code
_SHORT = 12  # rows of a table that is open from the start


class HtmlReport(Reporter):
    """Gates, results at a glance, headlines, a chart for each axis, figures, every answer, how the run was measured."""

    def write(self, report: Report, folder: Path) -> Path:
        """Writes ``report.html``, and ``report-data/`` beside it if the texts of the answers are large."""
        path = folder / "report.html"
        rows = sort_answers(report.data, report.data.records)
        sources = dict.fromkeys(report.data.runs, report.folder / RECORDS)
        explorer = embed_answers(report.data, rows, sources, path)
        path.write_text(_render(report, explorer), encoding="utf-8")
        return path


def _render(report: Report, explorer: Explorer) -> str:
    run, summary = report.data.run, report.summary
    return render_page(
        "reporters/report.html.j2",
        explorer=explorer,
        cells=cells,
        formatting=formatting,
        run_notes=run_notes,
        horizon_captions=horizon_captions,
        run=run,
        summary=summary,
        gates=report.gates,
        accounts=report.accounts,
        servers=run_notes.list_servers(report.servers),
        notes=report.notes,
        remarks=report.remarks,
        written=report.written,
        outcome_of_gates=_OUTCOMES[choose_exit_code(report.gates)],
        outcomes=OUTCOMES,
        suites=[_show_suite(i, name, suite, report.pictures) for i, (name, suite) in enumerate(summary.suites.items())],
        pictures=[_show_picture(i, worded) for i, worded in enumerate(word_pictures(report.pictures))],
        charts=charts.can_draw(),
    )


def _show_suite(place: int, name: str, suite: SuiteSummary, pictures: Sequence[Picture]) -> dict[str, object]:
    return {
        "name": name,
        "place": place + 1,
        "task": suite.task,
        "headline": suite.headline,
        "metrics": suite.metrics,
        "models": suite.models,
        "truncated": sum(model.counts.outcomes["truncated"] for model in suite.models.values()),
        **vars(show_ranking(suite, name=name, pictures=pictures)),
        "axes": [
            _show_sweep(f"s{place}a{i}", axis, dict(where), suite) for i, (axis, where) in enumerate(_list_axes(suite))
        ],
    }


def _list_axes(suite: SuiteSummary) -> list[tuple[str, tuple[tuple[str, AxisValue], ...]]]:
    """Every axis of which any model has values side by side, once for each condition."""
    return list(
        dict.fromkeys((s.axis, tuple(s.where.items())) for model in suite.models.values() for s in model.shown_sweeps)
    )


def _show_sweep(name: str, axis: str, where: Mapping[str, AxisValue], suite: SuiteSummary) -> dict[str, object]:
    """One axis of a suite in one condition: its chart, the sentence beneath, and the rows of its table."""
    headline = suite.headline
    sweeps = suite.find_sweeps(axis, where)
    entries = {label: sweep.asked for label, sweep in sweeps.items()}
    judged = suite.leave_out_unspoken(sweeps)
    sentence = describe_axis(axis, judged, headline, suite.claims)
    shown = {
        label: {entry.value: entry.metrics[headline.name] for entry in sweep.entries} for label, sweep in sweeps.items()
    }
    asked = {entry.value for values in entries.values() for entry in values}
    values = [value for value in suite.axes[axis] if value in asked and all(value in known for known in shown.values())]
    estimates = {label: [estimates[value] for value in values] for label, estimates in shown.items()}
    chart, of = "", formatting.format_condition(where)
    title = f"{axis} ({of})" if of else axis
    if charts.can_draw():
        chart = charts.draw_axis(
            values,
            estimates,
            name=name,
            title=f"{headline.title} by {title}",
            description=sentence,
        )
    return {
        "name": axis,
        "title": title,
        "sentence": sentence,
        "noise": {label: text for label in judged if (text := formatting.format_noise(suite.models[label].noise))},
        "entries": entries,
        "is_short": sum(map(len, entries.values())) <= _SHORT,
        "chart": Markup(chart),
        "legend": _list_legend(list(entries)),
    }


def _list_cells(picture: Picture) -> list[list[tuple[str, str]]]:
    """Each cell of the table as text, and what truncated answers could make of it."""
    table = picture.table
    if table is None:
        return []
    return [
        [
            (cells.format_unbounded(cell, column.aspect), cells.format_cell_bounds(cell, column.aspect))
            for cell, column in zip(row, table.columns, strict=True)
        ]
        for row in table.rows
    ]


def _list_legend(labels: Sequence[str]) -> list[tuple[str, str, int]]:
    """Each label with its marker and the number of its colour."""
    colours = [1 + charts.choose_colour(place) for place in range(len(labels))]
    return [(*pair, colour) for pair, colour in zip(zip(labels, cycle(charts.GLYPHS)), colours, strict=True)]


def _show_picture(place: int, worded: WordedPicture) -> dict[str, object]:
    """A picture in words: its panels as charts, with one legend for all of them."""
    panels = worded.picture.panels
    labels = list(dict.fromkeys(label for panel in panels for label in panel.lines))
    looks = {label: i for i, label in enumerate(labels)}
    lines = worded.picture.published_lines
    published = charts.group_by_model(lines)
    limits = charts.find_limits(panels, lines)
    rows = _list_cells(worded.picture)
    drawn: list[tuple[Any, str]] = []
    if charts.can_draw() and any(map(charts.has_points, panels)):
        for i, panel in enumerate(panels):
            chart = ""
            if charts.has_points(panel):
                chart = charts.draw_panel(
                    panel,
                    limits=limits,
                    looks=looks,
                    name=f"f{place}p{i}",
                    description=visible(f"{worded.sentence} {worded.published_note}".strip()),
                    published=published,
                )
            drawn.append((panel, Markup(chart)))
    return {
        "picture": worded.picture,
        "worded": worded,
        "cells": rows,
        "is_marked": any(bounds for row in rows for _, bounds in row),
        "charts": drawn,
        "legend": _list_legend(labels),
        "published_lines": lines,
        "published_legend": list(zip(published, cycle(charts.PUBLISHED_GLYPHS), strict=False)),
    }
