"""``report.html``: the whole run on one page that opens from disk, without a network."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import cycle
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from pytest_codereason.core import AxisValue
from pytest_codereason.reporters import charts, formatting
from pytest_codereason.reporters.axis_sentences import describe_axis, describe_weakest
from pytest_codereason.reporters.lead_sentences import describe_lead, format_distance
from pytest_codereason.reporters.list_diff import compare_lists
from pytest_codereason.reporters.worded import WordedPicture, word_picture
from pytest_codereason.results.misses import MissedAnswer, read_worst_misses
from pytest_codereason.results.pictures import PublishedLine
from pytest_codereason.results.records import OUTCOMES
from pytest_codereason.results.report import Report
from pytest_codereason.results.reporter import Reporter
from pytest_codereason.results.run_info import RECORDS
from pytest_codereason.results.summary import SuiteSummary, Summary
from pytest_codereason.text import wording

CLIPPED = 2_000  #: characters shown of an expected value, an answer or a reply
MISSES = 50


class HtmlReport(Reporter):
    """Gates, results at a glance, headlines, a chart for each axis, figures, worst misses, how the run was measured."""

    def write(self, report: Report, folder: Path) -> Path:
        """Writes ``report.html``. The texts of misses come from the ``records.jsonl`` of the run."""
        path = folder / "report.html"
        misses = read_worst_misses(report.data, report.folder / RECORDS, MISSES)
        path.write_text(_render_page(report, misses), encoding="utf-8")
        return path


def _render_page(report: Report, misses: Sequence[MissedAnswer]) -> str:
    script = _read_asset("report.js")
    run, summary = report.data.run, report.summary
    return _compile_template().render(
        style=Markup(_read_asset("report.css")),
        script=Markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        wording=wording,
        formatting=formatting,
        run=run,
        summary=summary,
        gates=report.gates,
        notes=report.notes,
        remarks=report.remarks,
        failed=sum(not gate.passed for gate in report.gates),
        outcomes=OUTCOMES,
        suites=[_show_suite(i, name, suite) for i, (name, suite) in enumerate(summary.suites.items())],
        pictures=[_show_picture(i, word_picture(picture)) for i, picture in enumerate(report.pictures)],
        misses=[_show_miss(miss) for miss in misses],
        missed=_count_misses(summary),
        charts=charts.can_draw(),
    )


@cache
def _compile_template() -> jinja2.Template:
    """The template of the page. A process that writes several pages compiles the template once."""
    # Autoescape on: whatever a model wrote is text, and the policy in the page lets no other script run.
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters |= {"visible": wording.visible, "plain": _format_plain}
    return environment.from_string(_read_asset("report.html.j2"))


def _read_asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _show_suite(place: int, name: str, suite: SuiteSummary) -> dict[str, Any]:
    return {
        "name": name,
        "place": place + 1,
        "task": suite.task,
        "headline": suite.headline,
        "metrics": suite.metrics,
        "models": suite.models,
        "leads": [describe_lead(lead) for lead in suite.leads],
        "results": _list_results(suite),
        "axes": [
            _show_sweep(f"s{place}a{i}", axis, dict(where), suite) for i, (axis, where) in enumerate(_list_axes(suite))
        ],
    }


def _list_results(suite: SuiteSummary) -> list[dict[str, Any]]:
    """A row for each headline: the model, its score, how far the best one is ahead, where it falls most."""
    rows = []
    for label, model in suite.models.items():
        for place, headline in enumerate(model.headlines):
            lead = next((lead for lead in suite.leads if lead.where == headline.where), None)
            rows.append(
                {
                    "model": label,
                    "of": formatting.format_condition(headline.where),
                    "score": headline.metrics[suite.headline.name],
                    "distance": format_distance(lead, label) if lead else "",
                    "weakest": describe_weakest(model, headline, suite.headline),
                    "unscored": "" if place else formatting.format_unscored(model.counts),
                }
            )
    return rows


def _list_axes(suite: SuiteSummary) -> list[tuple[str, tuple[tuple[str, AxisValue], ...]]]:
    """Every axis of which any model has values side by side, once for each condition."""
    return list(
        dict.fromkeys((s.axis, tuple(s.where.items())) for model in suite.models.values() for s in model.sweeps)
    )


def _show_sweep(name: str, axis: str, where: Mapping[str, AxisValue], suite: SuiteSummary) -> dict[str, Any]:
    """One axis of a suite in one condition: its chart, the sentence beneath, and the rows of its table."""
    headline = suite.headline
    sweeps = {
        label: sweep
        for label, model in suite.models.items()
        for sweep in model.sweeps
        if sweep.axis == axis and sweep.where == where
    }
    entries = {label: sweep.entries for label, sweep in sweeps.items()}
    judged = {label: sweep for label, sweep in sweeps.items() if not suite.models[label].guesses}
    sentence = describe_axis(axis, judged, headline)
    estimates = {label: [entry.metrics[headline.name] for entry in values] for label, values in entries.items()}
    chart, of = "", formatting.format_condition(where)
    title = f"{axis} ({of})" if of else axis
    if charts.can_draw():
        chart = charts.draw_axis(
            suite.axes[axis],
            estimates,
            name=name,
            title=f"{headline.title} by {title}",
            description=sentence,
        )
    return {
        "name": axis,
        "title": title,
        "sentence": sentence,
        "entries": entries,
        "chart": Markup(chart),
        "legend": _list_legend(list(entries)),
    }


def _list_legend(labels: Sequence[str]) -> list[tuple[str, str, int]]:
    """Each label with its marker and the number of its colour."""
    return list(zip(labels, cycle(charts.GLYPHS), cycle(range(1, charts.COLOURS + 1)), strict=False))


def _show_picture(place: int, worded: WordedPicture) -> dict[str, Any]:
    """A picture in words: its panels as charts, with one legend for all of them."""
    panels = worded.picture.panels
    labels = list(dict.fromkeys(label for panel in panels for label in panel.lines))
    looks = {label: i for i, label in enumerate(labels)}
    lines = [each for each in worded.picture.published if isinstance(each, PublishedLine)]
    published = {model: [line for line in lines if line.model == model] for model in (line.model for line in lines)}
    limits = charts.find_limits(panels, lines)
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
                    description=wording.visible(f"{worded.sentence} {worded.published_note}".strip()),
                    published=published,
                )
            drawn.append((panel, Markup(chart)))
    return {
        "picture": worded.picture,
        "worded": worded,
        "charts": drawn,
        "legend": _list_legend(labels),
        "published_lines": lines,
        "published_legend": list(zip(published, cycle(charts.PUBLISHED_GLYPHS), strict=False)),
    }


def _show_miss(miss: MissedAnswer) -> dict[str, Any]:
    expected, answer, differing = compare_lists(_clip(miss.expected), _clip(miss.answer or ""))
    return {
        "miss": miss,
        "expected": expected,
        "answer": answer,
        "differing": differing,
        "response": None if miss.response is None else _clip(miss.response),
    }


def _clip(text: str) -> str:
    if len(text) > CLIPPED:
        text = f"{text[:CLIPPED]}… ({wording.count(len(text) - CLIPPED)} more characters)"
    return wording.visible(text)


def _count_misses(summary: Summary) -> int:
    """How many misses there are in all, shown or not."""
    counts = (model.counts for suite in summary.suites.values() for model in suite.models.values())
    return sum(each.scored - each.outcomes["correct"] for each in counts)


def _format_plain(value: Any) -> str:
    """A value of ``run.json`` in a table: text as it is, ``unknown`` for nothing, JSON for the rest."""
    if value is None:
        return "unknown"
    return wording.visible(value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False))
