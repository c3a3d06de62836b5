"""``summary.json``: every number of the run, for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from pytest_codereason.reports.words.worded import word_picture
from pytest_codereason.results.measures.horizons import SuiteHorizon
from pytest_codereason.results.measures.leads import Lead
from pytest_codereason.results.measures.noise import Noise
from pytest_codereason.results.measures.setbacks import Setback
from pytest_codereason.results.measures.summary import AxisEntry, Counts, ModelSummary, SuiteSummary
from pytest_codereason.results.pictures import Picture, PublishedLine, PublishedRow, Table
from pytest_codereason.results.report import Report
from pytest_codereason.results.reporter import Reporter
from pytest_codereason.results.values import Cell, Delta, Estimate, Times, Undefined


class SummaryJson(Reporter):
    """The summary and the gates as strict JSON: what is undefined is ``null``."""

    def write(self, report: Report, folder: Path) -> Path:
        """Writes ``summary.json``; ``docs/scores.md`` describes its layout."""
        path = folder / "summary.json"
        path.write_text(json.dumps(list_content(report), indent=1, allow_nan=False) + "\n", encoding="utf-8")
        return path


def _list_servers(report: Report) -> dict[str, dict[str, object]]:
    return {label: {url: asdict(load) for url, load in each.items()} for label, each in report.servers.items()}


def list_content(report: Report) -> dict[str, object]:
    """The content of ``summary.json``: finite numbers, text, ``None`` for what is undefined."""
    run, summary = report.data.run, report.summary
    return {
        "format": 1,
        "codereason": run.codereason,
        "selection": run.selection,
        "complete": run.complete,
        **({"stopped_early": asdict(run.stopped_early)} if run.stopped_early else {}),
        "records": summary.records,
        "left_out": dict(run.left_out),
        "rows_left_out": {name: list(suite.left_out) for name, suite in run.suites.items() if suite.left_out},
        "shared": run.shared,
        "reused": run.reused,
        "reused_oldest_s": run.reused_oldest_s,
        "texts_reused": run.texts_reused,
        "texts_reused_oldest_s": run.texts_reused_oldest_s,
        "spent": run.spent,
        "accounts": {label: asdict(account) for label, account in report.accounts.items()},
        **({"servers": _list_servers(report)} if report.servers else {}),
        "rejections": {kind: dict(reasons) for kind, reasons in run.rejections.items()},
        "damaged": {"count": summary.damaged.count, "lines": list(summary.damaged.lines)},
        "suites": {name: _list_suite(suite) for name, suite in summary.suites.items()},
        "figures": [list_picture(picture) for picture in report.pictures],
        "gates": [asdict(gate) for gate in report.gates],
        "notes": [asdict(note) for note in report.notes],
        **({"written": list(report.written)} if report.written else {}),
        **({"remarks": list(report.remarks)} if report.remarks else {}),
    }


def _list_suite(suite: SuiteSummary) -> dict[str, object]:
    return {
        "task": suite.task,
        "metrics": [metric.describe() for metric in suite.measured],
        "axes": {axis: list(values) for axis, values in suite.axes.items()},
        "models": {label: _list_model(model) for label, model in suite.models.items()},
        "leads": [_list_lead(lead) for lead in suite.leads],
        "setbacks": [_list_setback(setback) for setback in suite.setbacks],
    }


def _list_lead(lead: Lead) -> dict[str, object]:
    others = [{"model": each.model, **_list_delta(each.delta), "doubt": each.doubt} for each in lead.others]
    ranks = {model: [rank.first, rank.last] for model, rank in lead.ranks.items()}
    return {"where": dict(lead.where), "best": lead.best, "certain": lead.is_certain, "others": others, "ranks": ranks}


def _list_setback(setback: Setback) -> dict[str, object]:
    where = {"axis": setback.axis, "value": setback.value, "worse": setback.worse, "better": setback.better}
    return {**where, **_list_delta(setback.delta), "compared": setback.compared}


def _list_model(model: ModelSummary) -> dict[str, object]:
    return {
        "counts": _list_counts(model.counts),
        "reasons": dict(model.reasons),
        "headlines": [
            {
                "where": dict(headline.where),
                "counts": _list_counts(headline.counts),
                "metrics": {name: _list_estimate(estimate) for name, estimate in headline.metrics.items()},
            }
            for headline in model.headlines
        ],
        "sweeps": [
            {
                "axis": sweep.axis,
                "where": dict(sweep.where),
                "values": [_list_entry(each) for each in sweep.entries],
                "p": sweep.p,
            }
            for sweep in model.sweeps
        ],
        "metrics": {name: _list_estimate(estimate) for name, estimate in model.metrics.items()},
        "axes": {axis: [_list_entry(entry) for entry in entries] for axis, entries in model.axes.items()},
        "tokens": {name: asdict(total) for name, total in model.tokens.items()},
        "cost": asdict(model.cost),
        "latency_s": asdict(model.latency_s),
        "collapsed": asdict(model.collapsed),
        "same_reply": asdict(model.same_reply),
        "shared": model.shared,
        "reused": model.reused,
        **({"noise": _list_noise(model.noise)} if model.noise else {}),
        **({"horizon": _list_horizon(model.horizon)} if model.horizon else {}),
    }


def _list_horizon(horizon: SuiteHorizon) -> dict[str, object]:
    return {
        "axis": horizon.axis,
        "rungs": [*horizon.rungs],
        "h50": horizon.horizon._asdict(),
        "lapse": horizon.lapse._asdict(),
        "asked": horizon.asked,
        "cut": horizon.cut,
        "cells": [
            {
                "where": dict(cell.where),
                "h50": cell.horizon._asdict(),
                "end": cell.end,
                "lapse": cell.curve.lapse._asdict(),
                "slope": cell.curve.slope._asdict(),
                "points": [
                    {"x": place, "right": right, "asked": asked, "cut": cell.cut.get(place, 0.0)}
                    for place, (right, asked) in sorted(cell.tallies.items())
                ],
            }
            for cell in horizon.cells
        ],
    }


def _list_noise(noise: Noise) -> dict[str, object]:
    return {**asdict(noise), "share": _list_estimate(noise.share)}


def _list_entry(entry: AxisEntry) -> dict[str, object]:
    metrics = {
        name: {**_list_estimate(estimate), **_list_delta(entry.deltas[name])}
        for name, estimate in entry.metrics.items()
    }
    return {"value": entry.value, "counts": _list_counts(entry.counts), "metrics": metrics}


def _list_counts(counts: Counts) -> dict[str, int]:
    return {"records": counts.records, "scored": counts.scored, **{str(name): n for name, n in counts.outcomes.items()}}


def _list_estimate(estimate: Estimate) -> dict[str, object]:
    content = asdict(estimate)
    del content["unit"]  # the metric says it
    return content


def _list_delta(delta: Delta | Times | Undefined) -> dict[str, object]:
    if isinstance(delta, Undefined):
        return {"delta": None, "delta_why": delta.reason}
    return {"delta": asdict(delta), "delta_why": None}


def list_picture(picture: Picture) -> dict[str, object]:
    """A picture as JSON-ready values, in words and as typed cells; ``published`` is there if a paper's figures are."""
    worded = word_picture(picture)
    published = {"published": [_list_published(each) for each in picture.published]} if picture.published else {}
    return {
        "name": picture.name,
        "kind": picture.kind,
        "title": picture.title,
        "after": picture.after,
        "departures": list(picture.departures),
        "of": dict(picture.of),
        "panels": [asdict(panel) for panel in picture.panels],
        "header": list(worded.header),
        "rows": [list(row) for row in worded.rows],
        "table": None if picture.table is None else _list_table(picture.table),
        "sentence": worded.sentence,
        "told": picture.in_terminal,
        **published,
    }


def _list_published(published: PublishedRow | PublishedLine) -> dict[str, object]:
    content = asdict(published)
    if isinstance(published, PublishedRow):
        content["cells"] = {
            key: cell if isinstance(cell, str) else float(cell) for key, cell in published.cells.items()
        }
    return content


def _list_table(table: Table) -> Mapping[str, object]:
    """The typed cells; each says in ``is`` what it is: ``estimate``, ``delta``, ``share`` ..."""
    return {
        "columns": [asdict(column) for column in table.columns],
        "rows": [[_list_cell(cell) for cell in row] for row in table.rows],
    }


def _list_cell(cell: Cell) -> Mapping[str, object]:
    reason = {"reason": cell.reason} if isinstance(cell, Undefined) else {}
    return {"is": type(cell).__name__.lower(), **asdict(cell), **reason}
