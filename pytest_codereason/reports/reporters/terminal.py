"""The table at the end of a session: lines of text, each with its markup for pytest's terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from pytest_codereason.core.display import calm, visible
from pytest_codereason.core.text import wording
from pytest_codereason.reports.words.axis_sentences import describe_weakest
from pytest_codereason.reports.words.formatting import (
    GUESSES,
    format_axis_value,
    format_change_ends,
    format_collapsed,
    format_condition,
    format_difference,
    format_ends,
    format_estimate,
    format_excluded,
    format_noise,
    format_outcome,
    format_percent,
    format_same_reply,
    format_skipped,
    format_value,
    name_sweep,
)
from pytest_codereason.reports.words.lead_sentences import describe_lead
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
from pytest_codereason.reports.words.worded import count_published, word_pictures
from pytest_codereason.results.measures.summary import AxisEntry, Counts, Headline, SuiteSummary
from pytest_codereason.results.records.records import OUTCOMES
from pytest_codereason.results.report import Report
from pytest_codereason.results.values import Estimate, Undefined, Why
from pytest_codereason.results.verdicts.verdict import Decision, GateVerdict

Line = tuple[str, dict[str, bool]]

_FIGURE = 20  # "0.812 [0.796, 0.827]"
_DELTA = 23  # "−0.101 [−0.162, −0.040]"
_VALUE = 11  # "0.812", "none counts"
_RELATIVE = 9  # "−16.5 %", "undefined"
_LABEL = 22  # room for an axis and its value
_MODULE = re.compile(r"\b[A-Za-z_][\w.]*:(?=[A-Za-z_])")  # of a part from outside: "mine.perturbation:"
_ROW = 2 + 1 + 9 + 2 + _FIGURE  # a row without its label


def write_lines(report: Report, width: int = 80, *, brief: bool = False) -> list[Line]:
    """The summary as lines of at most ``width`` (80 or more) characters.

    For each suite: one row a model and way of prompting, with its outcomes beneath; then which model is best, and
    whether that is certain; then one row an axis value, with the difference to the reference of the axis. Then what
    the figures show, notes, and the gates last. A ``brief`` summary leaves out the rows of axes, the outcomes and what
    the figures show. The markup names what pytest's ``TerminalWriter`` knows.
    """
    width = max(80, width)
    lines: list[Line] = []
    for name, suite in report.summary.suites.items():
        lines += [(wording.one_line(f"{name} ({suite.task})", width), {"bold": True})]
        lines += _list_models(suite, width, brief=brief)
        for sentence in (*describe_setbacks(suite), *map(describe_lead, suite.leads)):
            lines += [("", {}), *_wrap(sentence, width, {"bold": True}, indent=2)]
        if not brief:
            lines += [line for label in suite.models for line in _list_axes(suite, label, width)]
            lines += [("", {})]
    if not brief:
        lines += _describe_figures(report, width)
    lines += _list_notes(report, width)
    if not brief:
        lines += _list_published(report, width)
    lines += _list_failures(report, width)
    lines += write_verdicts(report.gates, width)
    if lines and not lines[-1][0]:
        lines.pop()
    return [(calm(text), markup) for text, markup in lines]


def write_verdicts(verdicts: Sequence[GateVerdict], width: int) -> list[Line]:
    """The verdicts of gates, one below the other."""
    colours = {Decision.PASS: {"green": True}, Decision.FAIL: {"red": True, "bold": True}}
    room = max((len(each.verdict) for each in verdicts), default=0)
    lines: list[Line] = []
    for each in verdicts:
        markup = colours.get(each.verdict, {"yellow": True, "bold": True})
        lines += _wrap(f"{each.verdict:<{room}}  {visible(each.sentence)}", width, markup)
    return lines


def _list_models(suite: SuiteSummary, width: int, *, brief: bool) -> Iterator[Line]:
    headline, *others = (metric.name for metric in suite.metrics)
    names = [_name_row(label, each) for label, model in suite.models.items() for each in model.shown_headlines]
    names += [label for label, model in suite.models.items() if model.guesses and not model.is_skipped]
    if not names:
        return
    label_width = min(max(map(len, [*names, "model"])), width - _ROW)
    room = width - _ROW - label_width
    columns: list[str] = []
    for name in others:  # as many as fit; the others stand in the line beneath
        if room >= (needed := max(_VALUE, len(name)) + 2):
            columns.append(name)
            room -= needed
    title = f"{headline}, 95 % interval"
    title = title if len(title) <= _FIGURE or not columns else f"{headline}, 95 %"
    yield (
        _format_titles("model", label_width, title, *(f"{name:>{_VALUE}}" for name in columns)),
        {},
    )
    beneath = [name for name in others if name not in columns]
    for label, model in suite.models.items():
        if model.guesses and not model.is_skipped:
            yield f"  {_fit(label, label_width).rstrip()}  {GUESSES}", {}
            if not brief:
                yield from _list_outcomes(model.metrics, [headline, *others], model.counts, width)
        for each in model.shown_headlines:
            score = each.metrics[headline]
            figures = [f"{format_value(each.metrics[name]):>{max(_VALUE, len(name))}}" for name in columns]
            row = _format_row(_name_row(label, each), label_width, score, each.counts, format_estimate(score), *figures)
            yield row, {"bold": True}
            yield from _list_bounds(each.metrics, [headline, *others], width)
            if not brief:
                yield from _list_outcomes(each.metrics, beneath, each.counts, width)


def _list_bounds(metrics: Mapping[str, Estimate], names: Sequence[str], width: int) -> Iterator[Line]:
    """``exact 0.620 to 0.665, partial 0.700 to 0.745 with 9 truncated answers``: each score that has bounds."""
    texts: dict[int, list[str]] = {}  # by the number of truncated answers, which pass@k has of its own
    for name in names:
        if bounds := metrics[name].bounds:
            texts.setdefault(bounds.truncated, []).append(
                f"{name} {format_ends(metrics[name])}".replace(" ", wording.NO_BREAK)
            )
    for truncated, scores in texts.items():
        text = f"{', '.join(scores)} with {wording.plural(truncated, 'truncated answer')}"
        yield from _wrap(text, width, {"yellow": True}, indent=4)


def _list_axis_bounds(
    entry: AxisEntry, headline: str, columns: Sequence[str], indent: int, width: int
) -> Iterator[Line]:
    """The bounds beneath a row of an axis: of its score, of its change, and of the other scores that it shows."""
    score, delta = entry.metrics[headline].bounds, entry.deltas[headline]
    parts = [format_ends(entry.metrics[headline])] if score else []
    parts += [f"change {format_change_ends(delta.bounds)}"] if delta and delta.bounds else []
    parts += [f"{name} {format_ends(each)}" for name in columns if (each := entry.metrics[name]).bounds]
    if parts:
        truncated = score.truncated if score else delta.bounds.truncated if delta and delta.bounds else 0
        text = f"{', '.join(parts)} with {wording.plural(truncated, 'truncated answer')}"
        yield from _wrap(text, width, {"yellow": True}, indent=min(indent, width // 2))


def _name_row(label: str, headline: Headline) -> str:
    """``openai:gpt: vanilla, cot``: the model, and what its number is of."""
    where = format_condition(headline.where)
    return f"{label}: {where}" if where else label


def _list_outcomes(metrics: Mapping[str, Estimate], names: Sequence[str], counts: Counts, width: int) -> Iterator[Line]:
    """The line beneath a row: the metrics ``names``, then how many answers had each outcome."""
    parts = [f"{name} {format_value(metrics[name])}" for name in names]
    parts += [
        f"{format_outcome(outcome)} {wording.count(counts.outcomes[outcome])}"
        for outcome in OUTCOMES
        if counts.outcomes[outcome]
    ]
    text = ", ".join(part.replace(" ", wording.NO_BREAK) for part in (parts if counts.records else ["no records"]))
    yield from _wrap(text, width, {"yellow": True} if counts.unanswered else {}, indent=4)


def _list_axes(suite: SuiteSummary, label: str, width: int) -> Iterator[Line]:
    headline, *others = (metric.name for metric in suite.metrics)
    sweeps = suite.models[label].shown_sweeps
    if not sweeps:
        yield from _describe_noise(label, suite, width)
        return
    axes = {name_sweep(sweep): sweep.entries for sweep in sweeps}
    fixed = _ROW + 2 + _DELTA
    relative = width - fixed >= 2 + _RELATIVE + _LABEL
    room = width - fixed - (2 + _RELATIVE) * relative
    columns: list[str] = []
    for name in others:  # as many as leave labels their room
        if relative and room >= _LABEL + (needed := max(_VALUE, len(name)) + 2):
            columns.append(name)
            room -= needed
    indent = max(map(len, axes)) + 2
    names = {axis: _name_values(entries, room - 2) for axis, entries in axes.items()}
    longest = max(len(name) for each in names.values() for name in each)
    beside = indent + longest <= room  # else the axis stands on a line of its own
    label_width = min(room, max((indent if beside else 2) + longest, len(label)))
    yield "", {}
    titles = [headline, "change".ljust(_DELTA), *["relative".ljust(_RELATIVE)] * relative]
    yield _format_titles(label, label_width, *titles, *(f"{name:>{_VALUE}}" for name in columns)), {}
    for axis, entries in axes.items():
        if all(entry.deltas[headline] == Undefined(Why.POOLED) for entry in entries):
            yield from _list_values(axis, entries, headline, width)
            continue
        if not beside:
            yield f"  {_fit(axis, width - 2).rstrip()}", {}
        for i, (entry, name) in enumerate(zip(entries, names[axis], strict=True)):
            start = ("" if i else axis).ljust(indent) if beside else "  "
            cells = [format_estimate(entry.metrics[headline])]
            if delta := entry.deltas[headline]:
                cells.append(format_difference(delta).ljust(_DELTA))
                cells += [format_percent(delta.relative).ljust(_RELATIVE)] * relative
            else:
                cells += [delta.reason.ljust(_DELTA), *[" " * _RELATIVE] * relative]
            cells += [f"{format_value(entry.metrics[other]):>{max(_VALUE, len(other))}}" for other in columns]
            start += _fit(name, label_width - len(start))
            row = _format_row(start, label_width, entry.metrics[headline], entry.counts, *cells)
            yield row, {"yellow": True} if entry.counts.unanswered else {}
            yield from _list_axis_bounds(entry, headline, columns, label_width + 14, width)
    for each in suite.models[label].headlines:
        if weakest := describe_weakest(label, each, suite):
            of = f" ({where})" if (where := format_condition(each.where)) else ""
            yield from _wrap(f"falls most{of}: {weakest} ({suite.claims.among})", width, {}, indent=2)
    yield from _describe_noise(label, suite, width)


def _describe_noise(label: str, suite: SuiteSummary, width: int) -> Iterator[Line]:
    """How often answers change by themselves, beneath the differences of a model."""
    if noise := format_noise(suite.models[label].noise):
        yield from _wrap(f"noise floor of {visible(label)}: {noise}", width, {}, indent=2)


def _list_values(axis: str, entries: Sequence[AxisEntry], headline: str, width: int) -> Iterator[Line]:
    """The values of an axis along which nothing is compared, in a table of their own with room for long names."""
    names = _name_values(entries, width - _ROW - 2)
    label_width = min(width - _ROW, max(map(len, [axis, *names])) + 2)
    yield _format_titles(axis, label_width, headline), {}
    for name, entry in zip(names, entries, strict=True):
        score = entry.metrics[headline]
        row = _format_row(f"  {_fit(name, label_width - 2)}", label_width, score, entry.counts, format_estimate(score))
        yield row, {"yellow": True} if entry.counts.unanswered else {}


def _name_values(entries: Sequence[AxisEntry], room: int) -> list[str]:
    """The values of an axis. If one is too long, all parts stand without their modules: ``LongAdd(strength=1)``."""
    names = [format_axis_value(entry.value) for entry in entries]
    bare = [_MODULE.sub("", name) for name in names]
    fit = max(map(len, names)) <= room or len({*bare}) < len(names)
    return names if fit else bare


def _describe_figures(report: Report, width: int) -> Iterator[Line]:
    """The sentence of each picture that belongs in the terminal; a blank line ends them."""
    told = [each for each in word_pictures(report.pictures) if each.picture.in_terminal and each.sentence]
    for worded in told:
        yield from _wrap(wording.one_line(f"{worded.picture.title}. {worded.sentence}", 600), width, {})
    if told:
        yield "", {}


def _format_titles(name: str, label_width: int, first: str, *cells: str) -> str:
    return "  ".join([f"  {_fit(name, label_width)} {'n ':>9}", first.ljust(_FIGURE), *cells]).rstrip()


def _format_row(name: str, label_width: int, score: Estimate, counts: Counts, first: str, *cells: str) -> str:
    """One row with its denominator; a star says that questions went unanswered."""
    n = wording.count(score.n) + ("*" if counts.unanswered else " ")
    return "  ".join([f"  {_fit(name, label_width)} {n:>9}", first.ljust(_FIGURE), *cells]).rstrip()


def _list_notes(report: Report, width: int) -> Iterator[Line]:
    run, summary = report.data.run, report.summary
    if because := run.partial_because:
        yield from _wrap(f"PARTIAL  {wording.one_line(because, 400)}", width, {"yellow": True, "bold": True})
    for name, suite in summary.suites.items():
        for label, model in suite.models.items():
            if excluded := format_excluded(model):
                text = f"* {name}, {label}: {excluded}"
                yield from _wrap(wording.one_line(text, 400), width, {"yellow": True})
            if skipped := format_skipped(model):
                yield from _wrap(wording.one_line(f"{name}, {label}: {skipped}", 1_200), width, {"yellow": True})
            if same := format_same_reply(model):
                text = f"{name}, {label}: {same}"
                yield from _wrap(wording.one_line(text, 400), width, {"yellow": True, "bold": True})
            if collapsed := format_collapsed(model.collapsed):
                text = f"{name}, {label}: {collapsed} answers ended by repeating themselves"
                yield from _wrap(wording.one_line(text, 400), width, {"yellow": True})
    writers = wording.hints(run.hints)
    counts = format_unchanged(run.unchanged), format_forms(run.forms), format_rejections(run.rejections)
    paid = [*list_costs(report.accounts, run.spent), *list_servers(report.servers)]
    for text in filter(None, (*counts, format_shared(run), writers and f"hints: {writers}", *paid)):
        yield from _wrap(wording.one_line(text, 400), width, {})
    for text in list_left_out(run):
        yield from _wrap(f"LEFT OUT  {wording.one_line(text, 1_200)}", width, {"yellow": True, "bold": True})
    for text in report.written:
        yield from _wrap(f"WRITTEN  {wording.one_line(text, 400)}", width, {"yellow": True, "bold": True})
    if reused := format_reused(run):
        yield from _wrap(f"REUSED  {reused}", width, {"yellow": True, "bold": True})
    if summary.damaged.count:
        lines = wording.plural(summary.damaged.count, "damaged record")
        text = f"{lines} left out, first: {summary.damaged.lines[0]}"
        yield from _wrap(wording.one_line(text, 400), width, {"yellow": True})


def _list_failures(report: Report, width: int) -> Iterator[Line]:
    """What the parts raised that no figure or report could be had of."""
    for note in report.notes:
        yield from _wrap(f"FAILED  {wording.one_line(f'{note.part}: {note.error}', 400)}", width, {"red": True})
        for line in note.traceback.splitlines():
            yield f"    {visible(line)[: width - 4]}", {"red": True}


def _list_published(report: Report, width: int) -> Iterator[Line]:
    """Which papers stand in ``report.html``, and which of their figures found no place."""
    for source, count in count_published(report.pictures).items():
        text = f"published, not measured: {wording.plural(count, 'figure')} of {source}, in report.html"
        yield from _wrap(wording.one_line(text, 400), width, {})
    for remark in report.remarks:
        yield from _wrap(wording.one_line(f"NO PLACE  {remark}", 600), width, {"yellow": True})


def _fit(text: str, width: int) -> str:
    """``text`` in exactly ``width`` characters; a long text loses its middle."""
    text = visible(text)
    if len(text) <= width:
        return text.ljust(width)
    tail = (width - 1) // 2
    return f"{text[: width - 1 - tail]}…{text[len(text) - tail :]}"


def _wrap(text: str, width: int, markup: dict[str, bool], indent: int = 0) -> Iterator[Line]:
    for line in wording.wrap(text, width, first=" " * indent, later=" " * (indent or 6)):
        yield line, markup
