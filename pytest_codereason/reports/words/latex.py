"""Tables for papers: LaTeX with the packages booktabs, graphicx and siunitx, no wider than a column.

A number becomes ``\\num{0.800}``. An interval stands behind it in small type. What is not known becomes a dash, and one
note under the table says why. A table of few rows and many columns is turned.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pytest_codereason.core.text import wording
from pytest_codereason.reports.words.tables import TextTable

#: Characters with a meaning to LaTeX, and those for which its usual fonts have another name.
_CHARACTERS = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "[": "{[}", "]": "{]}"},
    **{"−": "$-$", "…": r"\ldots{}", "·": r"$\cdot$", "<": "$<$", ">": "$>$", "|": "$|$", "*": "{*}"},
    **{"–": "--", "—": "---", "×": r"$\times$", "→": r"$\to$", "≥": r"$\ge$", "≤": r"$\le$", "±": r"$\pm$"},
    **{"\u00a0": "~", "\u202f": r"\,", '"': "''", "λ": r"$\lambda$", "²": "$^2$", "½": r"$\frac12$", "°": r"$^\circ$"},
}
#: What the usual fonts have: ASCII, and the letters of Latin-1 but for those of Icelandic.
_LETTERS = re.compile(r"[ -~À-ÏÑ-ÖØ-Ýß-ïñ-öø-ýÿ]")
#: A number, with what stands behind it: an interval, a sign of percent, words.
_NUMBER = re.compile(r"([−+-]?[0-9][0-9,]*(?:\.[0-9]+)?)(\s?%|(?=[ ,;]|$))(?: \[([^\[\]]*)\])?(.*)", re.DOTALL)
_PLAIN = re.compile(r"[−+-]?[0-9][0-9,]*(?:\.[0-9]+)?")
#: How a cell begins that has no number, with the reason.
_UNDEFINED = re.compile(r"undefined(?: \((.*)\))?(.*)", re.DOTALL)
#: What a cell says behind its number if the token limit cut off answers, and what the note under the table says then.
_TRUNCATED = "truncated answer"
_CUT = "The token limit cut off some answers, which count as wrong."
#: More columns than these do not fit.
_MOST_COLUMNS = 6


@dataclass(frozen=True, slots=True)
class Legend:
    """What stands around a table."""

    caption: str = ""  #: one sentence; empty for that of the table
    label: str = ""  #: to refer to the table; empty for none


def write_latex_tables(tables: Sequence[TextTable], legend: Legend | None = None) -> str:
    """The tables as ``tabular`` in a ``table`` each; they need ``\\usepackage{booktabs,graphicx,siunitx}``."""
    pages = [r"% \usepackage{booktabs,graphicx,siunitx}", ""]
    for number, table in enumerate(tables, 1):
        pages += [*_write_table(table, legend or Legend(), "" if len(tables) == 1 else f"-{number}"), ""]
    return "\n".join(pages[:-1]) + "\n"


def _write_table(table: TextTable, legend: Legend, suffix: str) -> list[str]:
    table = _turn(table) if len(table.header) > _MOST_COLUMNS >= len(table.rows) + 1 else table
    reasons = dict.fromkeys(reason for row in table.rows for cell in row if (reason := find_reason(cell)) is not None)
    rows = [" & ".join(map(write_cell, row)) + r" \\" for row in table.rows]
    numeric = [any(_NUMBER.fullmatch(row[place]) for row in table.rows) for place in range(len(table.header))]
    notes = [f"--: {'; '.join(filter(None, reasons))}."] if any(reasons) else []
    notes += [_CUT] if any(_TRUNCATED in cell for row in table.rows for cell in row) else []
    notes += [table.note] if table.note else []
    return [
        r"\begin{table}[t]",
        r"\centering\footnotesize",
        rf"\caption{{{escape_latex(legend.caption or table.caption or f'{table.title}.')}}}",
        *([rf"\label{{{legend.label}{suffix}}}"] if legend.label else []),
        r"\smallskip\sisetup{retain-explicit-plus}\setlength{\tabcolsep}{3pt}",
        r"\resizebox{\ifdim\width>\columnwidth\columnwidth\else\width\fi}{!}{%",
        rf"\begin{{tabular}}{{@{{}}{''.join('r' if is_number else 'l' for is_number in numeric)}@{{}}}}",
        r"\toprule",
        " & ".join(map(escape_latex, table.header)) + r" \\",
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}}",
        *(rf"\par\smallskip{{\footnotesize {escape_latex(note)}}}" for note in notes),
        r"\end{table}",
    ]


def write_cell(cell: str) -> str:
    """A cell as LaTeX: ``\\num{0.800} {\\scriptsize[\\num{0.682}, \\num{0.882}]}`` of ``0.800 [0.682, 0.882]``."""
    if find_reason(cell) is not None:
        return "--"
    match = _NUMBER.fullmatch(cell)
    if match is None:
        return escape_latex(cell)
    number, percent, interval, rest = match.groups()
    text = _write_number(number) + (r"\,\%" if percent else "")
    if interval:
        ends = _PLAIN.sub(lambda end: _write_number(end[0]), interval.replace("%", r"\%"))
        text += rf" {{\scriptsize[{ends}]}}"
    behind = "" if _TRUNCATED in rest else escape_latex(rest)
    return f"{text}{' ' * rest.startswith(' ')}{behind}" if behind else text


def _turn(table: TextTable) -> TextTable:
    """The table with its first column as its header."""
    header, *rows = zip(table.header, *table.rows, strict=True)
    return replace(table, header=header, rows=tuple(rows))


def find_reason(cell: str) -> str | None:
    """Why a cell has no number: empty if nobody knows, ``None`` if it has one, or a word."""
    if cell in ("", "–", "-"):
        return ""
    match = _UNDEFINED.fullmatch(cell)
    return None if match is None else (match[1] or "")


def _write_number(number: str) -> str:
    return rf"\num{{{number.replace('−', '-').replace(',', '')}}}"


def escape_latex(text: str) -> str:
    """``text`` without meaning to LaTeX. A letter that its usual fonts lack becomes a question mark."""
    return "".join(
        _CHARACTERS.get(character) or (character if _LETTERS.match(character) else "?")
        for character in wording.one_line(text, 1_000)
    )
