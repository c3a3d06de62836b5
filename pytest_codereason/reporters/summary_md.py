"""``summary.md``: a page for a CI step summary or a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_codereason.reporters import Reporter
from pytest_codereason.reporters._sentences import worst
from pytest_codereason.results.gates import partial_because
from pytest_codereason.text import wording as words

if TYPE_CHECKING:
    import pandas as pd

    from pytest_codereason.results.gates import GateResult


class SummaryMarkdown(Reporter):
    """Gates first, then a row for each suite and model, then where the run lies."""

    def write(
        self,
        folder: Path,
        summary: Mapping[str, Any],
        frame: pd.DataFrame,
        run: Mapping[str, Any],
        gates: Sequence[GateResult],
    ) -> Path:
        """Writes ``summary.md`` in GitHub's Markdown."""
        path = folder / "summary.md"
        path.write_text("\n".join(_page(folder, summary, run, gates)) + "\n", encoding="utf-8")
        return path


def _page(
    folder: Path, summary: Mapping[str, Any], run: Mapping[str, Any], gates: Sequence[GateResult]
) -> Iterator[str]:
    if gates:
        failed = sum(not gate.passed for gate in gates)
        yield f"## {'❌' if failed else '✅'} {len(gates) - failed} of {words.plural(len(gates), 'gate')} passed"
        yield ""
        for gate in gates:
            yield f"- {'✅ pass' if gate.passed else '❌ **fail**'}: {escape(gate.sentence)}"
    else:
        yield "## Code reasoning"
    yield ""
    if because := partial_because(run):
        yield from (f"> **PARTIAL**: {escape(because)}", "")
    for name, suite in summary["suites"].items():
        yield from _suite(name, suite)
    if summary["damaged"]["count"]:
        yield from (f"{words.plural(summary['damaged']['count'], 'damaged record')} left out.", "")
    if wrote := words.hints(run.get("hints", {})):
        yield from (f"Hints: {escape(wrote)}.", "")
    cost = "" if run["cost"] is None else f", {words.dollars(run['cost'])}"
    yield f"{words.plural(summary['records'], 'record')} in {words.duration(run['wall_s'])}{cost}. Intervals: 95 %."
    yield ""
    yield f"Run: `{str(folder).replace('`', '')}` (open `report.html` in it)"


def _suite(name: str, suite: Mapping[str, Any]) -> Iterator[str]:
    headline, *others = suite["metrics"]
    yield from (f"### {escape(name)}", "")
    titles = ["model", "n", headline["name"], *(metric["name"] for metric in others)]
    titles += ["invalid", "truncated", "unanswered", "weakest"]
    yield f"| {' | '.join(map(escape, titles))} |"
    yield f"|---|{'---:|' * (len(titles) - 2)}---|"
    for model, found in suite["models"].items():
        metrics, counts = found["metrics"], found["counts"]
        first = metrics[headline["name"]]
        cells = [
            escape(model),
            words.count(first["n"]),
            f"**{words.number(first['value'])}** {escape(words.interval(first))}",
            *(words.number(metrics[metric["name"]]["value"]) for metric in others),
            *(words.count(counts[outcome]) for outcome in ("invalid", "truncated")),
            f"**{words.count(counts['error'])}**" if counts["error"] else "0",
            _weakest(found, headline),
        ]
        yield f"| {' | '.join(cells)} |"
    yield ""
    for model, found in suite["models"].items():
        if ran_away := words.collapsed(found["collapsed"]):
            yield from (f"{escape(model)}: {ran_away} answers ended in the same words over and over.", "")


def _weakest(found: Mapping[str, Any], metric: Mapping[str, Any]) -> str:
    pair = worst(found["axes"], metric)
    if pair is None:
        return ""
    axis, entry = pair
    estimate = entry["metrics"][metric["name"]]
    text = f"{axis} {words.axis_value(entry['value'])}: {words.estimate(estimate)}"
    if estimate["delta"]:
        text += f" ({words.percent(estimate['delta']['relative'])})"
    missing = words.unanswered(entry["counts"])
    return escape(text + (f", {missing}" if missing else ""))


def escape(text: str) -> str:
    """``text`` on one line in a table cell, without meaning to Markdown or HTML."""
    text = words.one_line(text, 1_000).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_{}\[\]|~#@!])", r"\\\1", text)
