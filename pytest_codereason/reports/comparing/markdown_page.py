"""A comparison as a page in GitHub's Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from pytest_codereason.core.text import wording
from pytest_codereason.reports.comparing import sentences
from pytest_codereason.reports.comparing.comparison import RunComparison, SidesComparison, SuiteComparison
from pytest_codereason.reports.comparing.differences import MetricRow
from pytest_codereason.reports.comparing.text_page import describe_flip, format_answer, format_flip_count
from pytest_codereason.reports.reporters.summary_md import escape_markdown


def write_markdown(comparison: RunComparison) -> str:
    """The comparison for a pull request: the answer, then tables, then flips behind a fold."""
    return "\n".join(_write_lines(comparison)) + "\n"


def _write_lines(comparison: RunComparison) -> Iterator[str]:
    yield "## Comparison"
    yield ""
    for side in comparison.sides:
        yield f"- **{side.letter}**: {escape_markdown(sentences.describe_side(side))}"
    yield ""
    for remark in sentences.list_remarks(comparison):
        yield from (f"> {escape_markdown(remark)}", "")
    for pair in comparison.pairs:
        yield from (f"### {pair.after.letter} against {pair.before.letter}", "")
        for suite in pair.suites:
            yield f"- **{escape_markdown(suite.name)}**: {escape_markdown(sentences.describe_overlap(suite, pair))}"
            for sentence in sentences.describe_suite(suite, pair):
                yield f"  - {escape_markdown(sentence)}"
        yield ""
        yield from _write_table(pair)
        for suite in pair.suites:
            if suite.flips.lost or suite.flips.won:
                yield from _write_flips(suite, pair)
    if comparison.judged:
        yield sentences.describe_judging(comparison)


def _write_table(pair: SidesComparison) -> Iterator[str]:
    rows = [(suite.name, row) for suite in pair.suites for row in suite.rows]
    if not rows:
        return
    a, b = pair.before.letter, pair.after.letter
    yield f"| suite | metric | {a} | {b} | difference | lost | won | p | corrected | sees | verdict |"
    yield "|---|---|---:|---:|---|---:|---:|---:|---:|---:|---|"
    for name, row in rows:
        yield f"| {' | '.join([*map(escape_markdown, (name, sentences.name_row(row))), *_list_cells(row)])} |"
    yield ""


def _list_cells(row: MetricRow) -> list[str]:
    finding = sentences.format_finding(row)
    return [
        *map(escape_markdown, sentences.list_cells(row)),
        f"**{finding}**" if row.finding in ("worse", "better") else finding,
    ]


def _write_flips(suite: SuiteComparison, pair: SidesComparison) -> Iterator[str]:
    flips, (a, b) = suite.flips, (pair.before.letter, pair.after.letter)
    title = f"{suite.name}: {flips.lost:,} lost, {flips.won:,} won"
    yield from (f"<details><summary>{escape_markdown(title)}</summary>", "")
    for axis, counts in groupby(flips.counts, key=lambda each: each.axis):
        yield f"- {escape_markdown(axis or 'kind of failure')}: " + escape_markdown(
            "; ".join(map(format_flip_count, counts))
        )
    yield ""
    yield f"| question | expected | {a} | {b} |"
    yield "|---|---|---|---|"
    for flip in flips.shown:
        cells = [
            describe_flip(flip),
            flip.expected,
            format_answer(flip, flip.before),
            format_answer(flip, flip.after),
        ]
        yield f"| {' | '.join(escape_markdown(wording.one_line(cell, 200)) for cell in cells)} |"
    yield from ("", "</details>", "")
