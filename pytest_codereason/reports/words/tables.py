"""Tables for readers, as Markdown, and for programs, as CSV and Parquet. ``latex.py`` writes those for papers."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import UsageError
from pytest_codereason.reports.reporters.summary_md import escape_markdown
from pytest_codereason.reports.words.formatting import format_condition, format_estimate
from pytest_codereason.reports.words.worded import word_picture
from pytest_codereason.results.measures.summary import SuiteSummary, Summary
from pytest_codereason.results.pictures import Column, Picture
from pytest_codereason.results.values import Cell, Count, Delta, Estimate, Flips, Label, Number, Undefined

#: How a cell of a spreadsheet begins that is worked out or obeyed; a number is neither.
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")
_NUMBER = re.compile(r"[+-]?[0-9][0-9_,]*(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table whose cells are written as a reader wants them."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""  #: what a reader has to know before comparing
    main: tuple[str, ...] = ()  #: the columns that a narrow table has; empty for all
    caption: str = ""  #: one sentence; empty for the title


def list_score_tables(summaries: Mapping[str, Summary]) -> Iterator[TextTable]:
    """A table for each suite: a row for each model and way of prompting, a column for each metric."""
    several = len(summaries) > 1
    for suite in dict.fromkeys(name for summary in summaries.values() for name in summary.suites):
        own = {run: summary.suites[suite] for run, summary in summaries.items() if suite in summary.suites}
        metrics = list(dict.fromkeys(metric.name for each in own.values() for metric in each.metrics))
        titles = [*(["run"] if several else []), "model", "condition", "n", *metrics]
        headline = next(iter(own.values())).headline
        rows = [[*([run] if several else []), *row] for run, each in own.items() for row in _list_models(each, metrics)]
        if all(not row[several + 1] for row in rows):
            del titles[several + 1]
            rows = [[cell for place, cell in enumerate(row) if place != several + 1] for row in rows]
        narrow = tuple(title for title in titles if title not in metrics or title == headline.name)
        caption = f"{headline.title} in the suite {suite}, with 95 % intervals."
        yield TextTable(suite, tuple(titles), tuple(map(tuple, rows)), main=narrow, caption=caption)


def _list_models(suite: SuiteSummary, metrics: Sequence[str]) -> Iterator[list[str]]:
    for label, model in suite.models.items():
        for headline in model.headlines:
            scores = [headline.metrics.get(name) for name in metrics]
            count = f"{headline.metrics[suite.headline.name].n:,}"
            yield [
                label,
                format_condition(headline.where),
                count,
                *("" if s is None else format_estimate(s) for s in scores),
            ]


def write_picture_table(picture: Picture, *, published: bool = True) -> TextTable:
    """The table of a figure, with the published figures that stand beside it in the report if they are wanted."""
    worded = word_picture(picture)
    if not published:
        return TextTable(picture.title, worded.header, worded.rows)
    header, rows = worded.join_published()
    return TextTable(picture.title, header, tuple(rows), worded.note)


def choose(table: TextTable, columns: Sequence[str], rows: Sequence[str]) -> TextTable:
    """The table with these columns, in this order, and the rows of which a cell is one of these texts; empty for all.

    A text may name the column of its cell: ``perturbation=rename``.

    Raises:
        UsageError: the table has no such column or cell; lists the columns.
    """
    places = []
    for name in columns or table.header:
        if name not in table.header:
            known = f"{suggest_name(name, table.header)}; there is {', '.join(table.header)}"
            raise UsageError(f"--columns: the table '{table.title}' has no column {name!r}{known}")
        places.append(table.header.index(name))
    said = [{*row, *map("=".join, zip(table.header, row, strict=True))} for row in table.rows]
    cells = {cell for names in said for cell in names}
    if missing := [text for text in rows if text not in cells]:
        known = suggest_name(missing[0], sorted({cell for row in table.rows for cell in row}))
        raise UsageError(f"--rows: the table '{table.title}' has no row with a cell {missing[0]!r}{known}")
    kept = [row for row, names in zip(table.rows, said, strict=True) if not rows or not names.isdisjoint(rows)]
    return replace(
        table,
        header=tuple(table.header[place] for place in places),
        rows=tuple(tuple(row[place] for place in places) for row in kept),
    )


def flatten_picture(picture: Picture) -> pd.DataFrame:
    """The table of a figure as numbers: ``drop``, ``drop.low``, ``drop.high``, ``drop.n`` for an estimate ``drop``.

    Shares are from 0 to 1, also where the figure shows them in percent. Published figures are left out.
    """
    if picture.table is None:
        return pd.DataFrame()
    columns = picture.table.columns
    rows = [
        [dict(_flatten_cell(column, cell)) for column, cell in zip(columns, row, strict=True)]
        for row in picture.table.rows
    ]
    names = dict.fromkeys(name for place in range(len(columns)) for row in rows for name in row[place])
    flat = [{name: value for cell in row for name, value in cell.items()} for row in rows]
    numeric = {name for row in flat for name, value in row.items() if isinstance(value, int | float)}
    # a word in a column of numbers, such as ``reference``, is for readers
    flat = [{k: None if k in numeric and isinstance(v, str) else v for k, v in row.items()} for row in flat]
    return pd.DataFrame(flat, columns=list(names))


def _flatten_cell(column: Column, cell: Cell) -> Iterator[tuple[str, Any]]:
    """The numbers of a cell by the name of their column: those of the side that the column shows."""
    key = column.key
    match cell:
        case Label(text):
            yield key, text
        case Undefined():
            yield key, None
        case Delta():
            if column.aspect in ("relative", "relative_interval"):
                ends = (cell.relative, cell.relative_low, cell.relative_high)
            else:
                ends = (cell.value, cell.low, cell.high)
            yield from zip((key, f"{key}.low", f"{key}.high"), ends, strict=True)
            yield from ((f"{key}.n", cell.pairs), (f"{key}.p", cell.p))
        case Flips():
            yield from ((key, cell.lost if column.aspect == "lost" else cell.won), (f"{key}.n", cell.pairs))
        case Estimate():
            yield from ((key, cell.value), (f"{key}.low", cell.low), (f"{key}.high", cell.high), (f"{key}.n", cell.n))
        case Count() | Number():
            yield key, cell.value
        case _:
            yield from ((f"{key}.{name}", getattr(cell, name)) for name in cell.__slots__)


def write_markdown_tables(tables: Sequence[TextTable]) -> str:
    """The tables with a heading each."""
    lines: list[str] = []
    for table in tables:
        lines += [f"### {escape_markdown(table.title)}", ""] if len(tables) > 1 else []
        lines += [f"| {' | '.join(map(escape_markdown, table.header))} |", "|" + "---|" * len(table.header)]
        lines += [f"| {' | '.join(map(escape_markdown, row))} |" for row in table.rows]
        lines += ["", escape_markdown(table.note)] if table.note else []
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


def write_csv(frame: pd.DataFrame) -> str:
    """The table as CSV with a header; a missing value is an empty cell."""
    text = io.StringIO()
    texts = frame.select_dtypes(exclude=["number", "bool"]).columns
    frame = frame.assign(**{name: frame[name].astype(object).map(_calm_cell) for name in texts})
    frame.columns = frame.columns.map(_calm_cell)
    frame.to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()


def _calm_cell(cell: Any) -> Any:
    """A text that no spreadsheet takes for a formula: an apostrophe stands before it."""
    if not isinstance(cell, str):
        return cell
    text = cell.replace("\r\n", "\n").replace("\r", "\n")  # a carriage return is not quoted, and begins another row
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def check_parquet() -> None:
    """Checks that Parquet can be written, before a table is made for it.

    Raises:
        UsageError: pyarrow is not installed.
    """
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise UsageError(
            f"--format parquet needs pyarrow, which is not installed ({error}): "
            "pip install 'pytest-codereason[parquet]'"
        ) from error


def write_parquet(frame: pd.DataFrame, path: Path) -> None:
    """Writes the table as Parquet. An axis whose values are of several types becomes text."""
    mixed = [
        name
        for name in frame.columns
        if isinstance(frame[name].dtype, pd.CategoricalDtype) and len({*map(type, frame[name].cat.categories)}) > 1
    ]
    frame = frame.assign(**{name: frame[name].astype(object).map(str, na_action="ignore") for name in mixed})
    frame.to_parquet(path, engine="pyarrow", index=False)
