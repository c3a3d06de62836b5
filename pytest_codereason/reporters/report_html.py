"""``report.html``: the whole run on one page that opens from disk, without a network."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
from markupsafe import Markup

from pytest_codereason.reporters import Reporter, _charts, _positions, _sentences
from pytest_codereason.results.frame import OUTCOMES, reference
from pytest_codereason.results.gates import partial_because
from pytest_codereason.results.misses import Miss, worst
from pytest_codereason.text import wording as words

if TYPE_CHECKING:
    import pandas as pd

    from pytest_codereason.results.gates import GateResult

CLIPPED = 2_000  #: characters shown of an expected value, an answer or a reply
MISSES = 50


class HtmlReport(Reporter):
    """Gates, headlines, a chart for each axis, the worst misses, how it was measured."""

    def write(
        self,
        folder: Path,
        summary: Mapping[str, Any],
        frame: pd.DataFrame,
        run: Mapping[str, Any],
        gates: Sequence[GateResult],
    ) -> Path:
        """Writes ``report.html``. Texts of misses are read from ``records.jsonl`` in ``folder``."""
        path = folder / "report.html"
        misses = worst(frame, run, folder / "records.jsonl", MISSES)
        path.write_text(_render(summary, run, gates, misses), encoding="utf-8")
        return path


def _render(
    summary: Mapping[str, Any], run: Mapping[str, Any], gates: Sequence[GateResult], misses: Sequence[Miss]
) -> str:
    # Autoescape on: whatever a model wrote is text, and the policy in the page lets no other script run.
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters |= {"visible": words.visible, "plain": _plain}
    script = _asset("report.js")
    return environment.from_string(_asset("report.html.j2")).render(
        style=Markup(_asset("report.css")),
        script=Markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        words=words,
        run=run,
        summary=summary,
        gates=gates,
        failed=sum(not gate.passed for gate in gates),
        partial=partial_because(run),
        outcomes=OUTCOMES,
        suites=[_suite(i, name, suite) for i, (name, suite) in enumerate(summary["suites"].items())],
        pictures=[_picture(i, picture) for i, picture in enumerate(summary.get("figures", ()))],
        misses=[_shown(miss) for miss in misses],
        missed=_missed(summary),
        charts=_charts.available(),
    )


def _asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _suite(place: int, name: str, suite: Mapping[str, Any]) -> dict[str, Any]:
    headline = suite["metrics"][0]
    return {
        "name": name,
        "task": suite["task"],
        "headline": headline,
        "metrics": suite["metrics"],
        "models": suite["models"],
        "axes": [
            _axis(f"s{place}a{i}", axis, suite)
            for i, (axis, values) in enumerate(suite["axes"].items())
            if len(values) > 1
        ],
    }


def _axis(name: str, axis: str, suite: Mapping[str, Any]) -> dict[str, Any]:
    """One axis of a suite: its chart, the sentence beneath, and the rows of its table."""
    headline = suite["metrics"][0]
    entries = {model: found["axes"][axis] for model, found in suite["models"].items()}
    sentence = _sentences.along(axis, entries, headline)
    estimates = {m: [entry["metrics"][headline["name"]] for entry in values] for m, values in entries.items()}
    chart = ""
    if _charts.available():
        title = f"{headline['title']} by {axis}"
        chart = _charts.along(suite["axes"][axis], estimates, name=name, title=title, description=sentence)
    return {
        "name": axis,
        "reference": reference(suite["axes"][axis]),
        "sentence": sentence,
        "entries": entries,
        "chart": Markup(chart),
        "legend": list(zip(suite["models"], cycle(_charts.GLYPHS), cycle(range(1, _charts.COLOURS + 1)), strict=False)),
    }


def _picture(place: int, picture: Mapping[str, Any]) -> dict[str, Any]:
    """A figure of a study: its panels as charts, with one legend for all of them."""
    labels = dict.fromkeys(label for panel in picture["panels"] for label in panel["lines"])
    looks = {label: i for i, label in enumerate(labels)}
    limits = _charts.panel_limits(picture["panels"])
    charts = []
    if _charts.available() and any(map(_charts.drawable, picture["panels"])):
        about = {"limits": limits, "looks": looks, "description": picture["sentence"]}
        charts = [
            (panel, Markup(_charts.panel(panel, name=f"f{place}p{i}", **about)) if _charts.drawable(panel) else "")
            for i, panel in enumerate(picture["panels"])
        ]
    legend = list(zip(labels, cycle(_charts.GLYPHS), cycle(range(1, _charts.COLOURS + 1)), strict=False))
    return {"picture": picture, "charts": charts, "legend": legend}


def _shown(miss: Miss) -> dict[str, Any]:
    expected, answer, differing = _positions.compare(_clip(miss.expected), _clip(miss.answer or ""))
    return {
        "miss": miss,
        "expected": expected,
        "answer": answer,
        "differing": differing,
        "response": None if miss.response is None else _clip(miss.response),
    }


def _clip(text: str) -> str:
    if len(text) > CLIPPED:
        text = f"{text[:CLIPPED]}… ({words.count(len(text) - CLIPPED)} more characters)"
    return words.visible(text)


def _missed(summary: Mapping[str, Any]) -> int:
    """How many misses there are in all, shown or not."""
    counts = (found["counts"] for suite in summary["suites"].values() for found in suite["models"].values())
    return sum(each["scored"] - each["correct"] for each in counts)


def _plain(value: Any) -> str:
    """A value of ``run.json`` in a table: text as it is, ``unknown`` for nothing, JSON for the rest."""
    if value is None:
        return "unknown"
    return words.visible(value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False))
