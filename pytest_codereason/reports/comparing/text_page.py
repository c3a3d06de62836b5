"""A comparison as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from pytest_codereason.core.text import wording
from pytest_codereason.reports.comparing import sentences
from pytest_codereason.reports.comparing.comparison import RunComparison, SidesComparison, SuiteComparison
from pytest_codereason.reports.comparing.flips import Flip, FlipCount
from pytest_codereason.reports.words.formatting import format_axis_value, format_outcome

_LEFT = "difference"  # the column that is aligned to the left, so that its signs stand below each other
_NUMBERS = (_LEFT, "lost", "won", "p", "corrected", "sees")


def write_text(comparison: RunComparison, width: int = 80) -> str:
    """The comparison in lines of at most ``width`` (80 or more) characters: the answer, then tables, then flips."""
    return "\n".join(_write_lines(comparison, max(80, width))) + "\n"


def _write_lines(comparison: RunComparison, width: int) -> Iterator[str]:
    for side in comparison.sides:
        yield from _wrap(f"{side.letter}  {sentences.describe_side(side)}", width, 3)
    for remark in sentences.list_remarks(comparison):
        yield from _wrap(remark, width, 2)
    for pair in comparison.pairs:
        yield ""
        yield f"{pair.after.letter} against {pair.before.letter}"
        for suite in pair.suites:
            yield from _wrap(f"{suite.name}: {sentences.describe_overlap(suite, pair)}", width, 6, 2)
            for sentence in sentences.describe_suite(suite, pair):
                yield from _wrap(sentence, width, 6, 4)
    for pair in comparison.pairs:
        yield from _write_table(pair, width)
    if comparison.judged:
        yield ""
        yield from _wrap(sentences.describe_judging(comparison), width, 0)
    for pair in comparison.pairs:
        for suite in pair.suites:
            if suite.flips.lost or suite.flips.won:
                yield from _write_flips(suite, pair, width)


def _write_table(pair: SidesComparison, width: int) -> Iterator[str]:
    rows = [(suite.name, row) for suite in pair.suites for row in suite.rows]
    if not rows:
        return
    cells = [sentences.list_cells(row) for _, row in rows]
    titles = [pair.before.letter, pair.after.letter, *_NUMBERS]
    widths = [max(map(len, column)) for column in zip(titles, *cells, strict=True)]
    label_width = max(len(sentences.name_row(row)) for _, row in rows)
    numbers = sum(widths) + 2 * len(widths)
    longest = max(len(sentences.format_finding(row)) for _, row in rows)
    beside = 2 + label_width + numbers + 2 + longest <= width
    yield ""
    if beside:
        yield f"  {'':{label_width}}{_join(titles, widths)}  verdict"
    else:
        yield f"   {_join(titles, widths)}"
    at = 0
    for name, group in groupby(rows, key=lambda each: each[0]):
        yield wording.one_line(name, width)
        for _, row in group:
            label, finding = sentences.name_row(row), sentences.format_finding(row)
            if beside:
                yield f"  {label:{label_width}}{_join(cells[at], widths)}  {finding}".rstrip()
            else:
                yield f"  {wording.one_line(f'{label}: {finding}', width - 2)}"
                yield f"   {_join(cells[at], widths)}".rstrip()
            at += 1


def _join(cells: Sequence[str], widths: Sequence[int]) -> str:
    """The cells of one row."""
    aligned = [
        f"{cell:<{width}}" if title == _LEFT else f"{cell:>{width}}"
        for cell, width, title in zip(cells, widths, ("", "", *_NUMBERS), strict=True)
    ]
    return "  " + "  ".join(aligned)


def _write_flips(suite: SuiteComparison, pair: SidesComparison, width: int) -> Iterator[str]:
    flips, (a, b) = suite.flips, (pair.before.letter, pair.after.letter)
    yield ""
    yield f"{suite.name}: answers that flipped from {a} to {b}: {flips.lost:,} lost, {flips.won:,} won"
    for axis, counts in groupby(flips.counts, key=lambda each: each.axis):
        yield from _wrap(f"{axis or 'kind of failure'}: {'; '.join(map(format_flip_count, counts))}", width, 6, 2)
    for flip in flips.shown:
        yield f"  {wording.one_line(describe_flip(flip), width - 2)}"
        texts = (
            ("expected", flip.expected),
            (a, format_answer(flip, flip.before)),
            (b, format_answer(flip, flip.after)),
        )
        for name, text in texts:
            yield f"      {name:8}  {wording.one_line(text, width - 16)}"
    if left := flips.lost + flips.won - len(flips.shown):
        yield f"  {left:,} more; show them with --flips {flips.lost + flips.won}"


def format_flip_count(count: FlipCount) -> str:
    """``php 12 lost, 3 won of 130``, ``1 (2 lost of 5)``; without an axis ``truncated 6 lost``."""
    value = format_axis_value(count.value) if count.axis else sentences.format_kind(str(count.value))
    parts = [f"{many:,} {word}" for many, word in ((count.lost, "lost"), (count.won, "won")) if many]
    of = f" of {count.pairs:,}" if count.pairs else ""
    flipped = f"{', '.join(parts) or 'none'}{of}"
    # "1 2 lost of 5" reads as twelve.
    return f"{value} ({flipped})" if count.axis and value[-1:].isdigit() else f"{value} {flipped}"


def describe_flip(flip: Flip) -> str:
    """``lost python/0007[digits:2] (truncated)``, with the repository if the id does not say it."""
    place = f" of {flip.repository}" if flip.repository and flip.repository not in flip.id else ""
    sample = f", sample {flip.sample}" if flip.sample else ""
    because = f": {flip.reason}" if flip.reason else ""
    return f"{'lost' if flip.lost else 'won'} {flip.id}{place}{sample} ({format_outcome(flip.kind)}{because})"


def format_answer(flip: Flip, answer: str | None) -> str:
    """The answer, or why there is none."""
    return f"no answer ({format_outcome(flip.kind)})" if answer is None else answer


def _wrap(text: str, width: int, later: int, first: int = 0) -> list[str]:
    return wording.wrap(text, width, first=" " * first, later=" " * later) or [""]
