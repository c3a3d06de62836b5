"""``summary.md``: a page for a CI step summary or a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from pytest_codereason.core import Outcome
from pytest_codereason.core.text import wording
from pytest_codereason.reports.words.axis_sentences import describe_weakest
from pytest_codereason.reports.words.formatting import (
    GUESSES,
    count_verdicts,
    format_bounds,
    format_collapsed,
    format_condition,
    format_dollars,
    format_duration,
    format_excluded,
    format_interval,
    format_noise,
    format_same_reply,
    format_skipped,
    format_value,
)
from pytest_codereason.reports.words.lead_sentences import describe_lead
from pytest_codereason.reports.words.reading_levels import format_reading_level
from pytest_codereason.reports.words.run_notes import (
    format_forms,
    format_rejections,
    format_reused,
    format_shared,
    format_unchanged,
    list_costs,
    list_left_out,
    list_servers,
)
from pytest_codereason.reports.words.setback_sentences import describe_setbacks
from pytest_codereason.reports.words.worded import word_pictures
from pytest_codereason.results.measures.summary import Headline, SuiteSummary
from pytest_codereason.results.pictures import Picture
from pytest_codereason.results.report import Report
from pytest_codereason.results.reporter import Reporter
from pytest_codereason.results.values import Estimate
from pytest_codereason.results.verdicts.verdict import NOT_KNOWN, Decision, GateVerdict, choose_exit_code

_COUNTED: tuple[Outcome, ...] = ("invalid", "truncated", "error")
_SIGNS = {
    Decision.PASS: "✅ pass",
    Decision.FAIL: "❌ **fail**",
    Decision.UNDECIDED: "❔ **undecided**",
    Decision.UNMEASURED: "❔ **unmeasured**",
}


_HEADS = {0: "✅", 1: "❌", NOT_KNOWN: "❔"}  # of what gates say, by the exit code


class SummaryMarkdown(Reporter):
    """Gates first, then a row for each suite and model, then the path of the run folder."""

    def write(self, report: Report, folder: Path) -> Path:
        """Writes ``summary.md`` in GitHub's Markdown."""
        path = folder / "summary.md"
        path.write_text("\n".join(_write_page(report)) + "\n", encoding="utf-8")
        return path


def _write_page(report: Report) -> Iterator[str]:
    run, summary, gates = report.data.run, report.summary, report.gates
    yield from list_gates(gates) if gates else ["## Code reasoning"]
    yield ""
    if because := run.partial_because:
        yield from (f"> **PARTIAL**: {escape_markdown(because)}", "")
    for text in list_left_out(run):
        yield from (f"> **LEFT OUT**: {escape_markdown(text)}", "")
    if reused := format_reused(run):
        yield from (f"> **REUSED**: {reused}", "")
    for note in report.notes:
        yield from (f"> **Failed**: {escape_markdown(note.part)}: {escape_markdown(note.error)}", "")
    for name, suite in summary.suites.items():
        yield from _write_suite(name, suite, report.pictures)
    yield from _write_tables(report)
    if summary.damaged.count:
        yield from (f"{wording.plural(summary.damaged.count, 'damaged record')} left out.", "")
    counts = format_unchanged(run.unchanged), format_forms(run.forms), format_rejections(run.rejections)
    paid = [*list_costs(report.accounts, run.spent), *list_servers(report.servers)]
    for text in filter(None, (*counts, format_shared(run), *paid)):
        yield from (f"{escape_markdown(wording.capitalise(text))}.", "")
    for text in report.written:
        yield from (f"{escape_markdown(wording.capitalise(text))}.", "")
    if writers := wording.hints(run.hints):
        yield from (f"Hints: {escape_markdown(writers)}.", "")
    cost = "" if run.cost is None else f", {format_dollars(run.cost)}"
    yield f"{wording.plural(summary.records, 'record')} in {format_duration(run.wall_s)}{cost}. Intervals: 95 %."
    yield ""
    yield f"Run: `{str(report.folder).replace('`', '')}` (open `report.html` in it)"


def list_gates(gates: Sequence[GateVerdict]) -> Iterator[str]:
    """How many gates passed, and a line for each."""
    yield f"## {_HEADS[choose_exit_code(gates)]} {count_verdicts(gates)}"
    yield ""
    for gate in gates:
        yield f"- {_SIGNS[gate.verdict]}: {escape_markdown(gate.sentence)}"


def _write_tables(report: Report) -> Iterator[str]:
    """The tables of figures that ask for it or hold figures of papers; others are in ``report.html`` alone."""
    for remark in report.remarks:
        yield from (f"> **NO PLACE**: {escape_markdown(remark)}", "")
    for worded in word_pictures(report.pictures):
        if not (worded.published_rows or worded.published_columns or worded.picture.in_markdown):
            continue
        titles, rows = worded.join_published()
        yield from (f"### {escape_markdown(worded.picture.title)}", "")
        yield f"| {' | '.join(map(escape_markdown, titles))} |"
        yield f"|---|{'---:|' * (len(titles) - 1)}"
        for row in rows:
            yield f"| {' | '.join(map(escape_markdown, row))} |"
        yield from ("", escape_markdown(worded.note), "")


def _write_suite(name: str, suite: SuiteSummary, pictures: Sequence[Picture]) -> Iterator[str]:
    yield from (f"### {escape_markdown(name)}", "")
    if any(not model.is_skipped for model in suite.models.values()):
        yield from (*_list_scores(name, suite, pictures), "")
    for sentence in (*describe_setbacks(suite), *map(describe_lead, suite.leads)):
        yield from (escape_markdown(sentence), "")
    for label, model in suite.models.items():
        for text in filter(None, (format_excluded(model), format_skipped(model))):
            yield from (f"{escape_markdown(label)}: {escape_markdown(text)}.", "")
        if noise := format_noise(model.noise):
            yield from (f"{escape_markdown(label)}: {escape_markdown(noise)}.", "")
        if same := format_same_reply(model):
            yield from (f"**{escape_markdown(label)}: {same}**", "")
        if collapsed := format_collapsed(model.collapsed):
            yield from (f"{escape_markdown(label)}: {collapsed} answers ended by repeating themselves.", "")


def _list_scores(name: str, suite: SuiteSummary, pictures: Sequence[Picture]) -> Iterator[str]:
    """The table of a suite: a row for each model and condition."""
    headline, *others = suite.metrics
    levels = {
        (label, place): format_reading_level(pictures, name, label, each.where)
        for label, model in suite.models.items()
        for place, each in enumerate(model.shown_headlines)
    }
    has_levels = any(levels.values())
    titles = ["model", "n", headline.name, *(metric.name for metric in others)]
    titles += ["invalid", "truncated", "unanswered", *["reading level"] * has_levels, "weakest"]
    yield f"| {' | '.join(map(escape_markdown, titles))} |"
    yield f"|---|{'---:|' * (len(titles) - 2)}---|"
    for label, model in suite.models.items():
        if model.guesses and not model.is_skipped:
            cells = [escape_markdown(label), wording.count(model.counts.scored), GUESSES]
            yield f"| {' | '.join([*cells, *[''] * (len(titles) - len(cells))])} |"
        for place, headline_of in enumerate(model.shown_headlines):
            score = headline_of.metrics[headline.name]
            where = format_condition(headline_of.where)
            cells = [
                escape_markdown(f"{label}: {where}" if where else label),
                wording.count(score.n),
                f"**{format_value(score)}** {escape_markdown(_add_bounds(format_interval(score), score))}",
                *(
                    escape_markdown(_add_bounds(format_value(score), score))
                    for score in (headline_of.metrics[metric.name] for metric in others)
                ),
                *(_count_outcome(headline_of, outcome) for outcome in _COUNTED),
                *[escape_markdown(levels[label, place])] * has_levels,
                escape_markdown(describe_weakest(label, headline_of, suite)),
            ]
            yield f"| {' | '.join(cells)} |"


def _count_outcome(headline: Headline, outcome: Outcome) -> str:
    """``0``, or ``0, 20 in other conditions``: those along the axes, of which the same row names the weakest."""
    own, around = headline.counts.outcomes[outcome], headline.around.outcomes[outcome]
    text = f"**{wording.count(own)}**" if own and outcome == "error" else wording.count(own)
    return f"{text}, **{wording.count(around - own)} in other conditions**" if around > own else text


def _add_bounds(text: str, score: Estimate) -> str:
    """A score with its bounds if answers were truncated: ``0.700, 0.700 to 0.745 with 9 truncated answers``."""
    return f"{text}, {bounds}" if (bounds := format_bounds(score)) else text


def _calm_beginning(found: re.Match[str]) -> str:
    return f"{found[0]}&#8203;" if found[0].isdigit() else f"\\{found[0]}"


def escape_markdown(text: str) -> str:
    """``text`` on one line in a table cell, without meaning to Markdown or HTML."""
    text = wording.one_line(text, 1_000).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = re.sub(r"([\\`*_{}\[\]|~#@!])", r"\\\1", text)
    # A list, a quotation or a heading begins with one of these; an address becomes a link by itself.
    text = re.sub(r"^([+\-=](?![\d.])|\d+(?=[.)]\s))", _calm_beginning, text)
    text = re.sub(r"(?i)\b(?:https?|ftp|mailto|xmpp)(?=:)|\bwww(?=\.)", lambda found: f"{found[0]}&#8203;", text)
    # A backslash does not keep GitHub from calling the user of that name; a space without width does.
    return re.sub(r"(?<!\w)\\@(?=\w)", "@&#8203;", text)
