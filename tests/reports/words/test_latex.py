"""Tables for papers: what a cell becomes, and that LaTeX sets the table within a column."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from pytest_codereason.reports.words.latex import Legend, escape_latex, find_reason, write_cell, write_latex_tables
from pytest_codereason.reports.words.tables import TextTable

TABLE = TextTable(
    "scores", ("model", "n", "exact"), (("a_b", "1,200", "0.800 [0.682, 0.882]"), ("c", "3", "undefined (not asked)"))
)


@pytest.mark.parametrize(
    ("cell", "latex"),
    [
        ("0.800", r"\num{0.800}"),
        ("1,200", r"\num{1200}"),
        ("−16.5 %", r"\num{-16.5}\,\%"),
        ("0.800 [0.682, 0.882]", r"\num{0.800} {\scriptsize[\num{0.682}, \num{0.882}]}"),
        ("+0.083 [−0.056, +0.278]", r"\num{+0.083} {\scriptsize[\num{-0.056}, \num{+0.278}]}"),
        ("0.3 [0.1, 0.6], 0.3 to 0.4 with 1 truncated answer", r"\num{0.3} {\scriptsize[\num{0.1}, \num{0.6}]}"),
        ("0.3 [0.1, 0.6], unpaired", r"\num{0.3} {\scriptsize[\num{0.1}, \num{0.6}]}, unpaired"),
        ("undefined (not asked)", "--"),
        ("", "--"),
        ("level 2", "level 2"),
        ("4o-mini", "4o-mini"),
        ("dead-code(strength=100)", "dead-code(strength=100)"),
    ],
)
def test_a_cell_is_a_number_a_dash_or_a_word(cell: str, latex: str) -> None:
    assert write_cell(cell) == latex


def test_the_reason_for_a_dash_is_known() -> None:
    assert (find_reason("undefined (not asked)"), find_reason(""), find_reason("undefined")) == ("not asked", "", "")
    assert (find_reason("0.5"), find_reason("none")) == (None, None)


def test_characters_that_mean_something_are_escaped() -> None:
    assert escape_latex("50% of a_b & {c} #1 ~^\\") == (
        r"50\% of a\_b \& \{c\} \#1 \textasciitilde{}\textasciicircum{}\textbackslash{}"
    )
    assert escape_latex("né 模型 – ≥") == r"né ?? -- $\ge$"


def test_dashes_have_one_note() -> None:
    page = write_latex_tables([TABLE], Legend(label="tab:a"))
    assert r"\caption{scores.}" in page
    assert r"\label{tab:a}" in page
    assert page.count("footnotesize --: not asked.") == 1
    assert r"\begin{tabular}{@{}lrr@{}}" in page
    two = write_latex_tables([TABLE, TABLE], Legend(caption="Both.", label="tab:a"))
    assert r"\label{tab:a-1}" in two
    assert r"\label{tab:a-2}" in two


def test_words_behind_a_number_keep_their_blank() -> None:
    assert write_cell("2 of 200") == r"\num{2} of 200"
    assert write_cell("+25.0 %, no interval") == r"\num{+25.0}\,\%, no interval"


def test_few_rows_of_many_columns_are_turned() -> None:
    header = ("model", *(f"way {number}" for number in range(9)))
    page = write_latex_tables([TextTable("t", header, (("a", *["0.5 [0.4, 0.6]"] * 9),))])
    assert r"model & a \\" in page
    assert r"way 8 & \num{0.5} {\scriptsize[\num{0.4}, \num{0.6}]} \\" in page


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_sets_every_table_within_a_column(tmp_path: Path) -> None:
    odd = "".join(map(chr, [*range(32, 127), *range(161, 256)])) + "−…·–—×→≥≤±λ²½° 模"
    tables = [
        TABLE,
        TextTable(
            "odd", ("a", odd[:40], "c"), ((odd[40:90], "0.5", "undefined"), (odd[90:140], "1", "x"), (odd[140:],) * 3)
        ),
        TextTable("wide", tuple("abcdefgh"), (("0.800 [0.682, 0.882]",) * 8,) * 9, note="Note: 5 % of a_b."),
        TextTable("turned", tuple("abcdefgh"), (("0.800 [0.682, 0.882]",) * 8,)),
    ]
    page = write_latex_tables(tables, Legend(caption="One of 50 % & more.", label="tab:x"))
    document = rf"""\documentclass[twocolumn]{{article}}
\usepackage{{booktabs,graphicx,siunitx}}
\begin{{document}}
Tables~\ref{{tab:x-1}} and~\ref{{tab:x-4}}.
{page}
\end{{document}}
"""
    tmp_path.joinpath("paper.tex").write_text(document, "utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    for _ in range(2):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stdout[-3000:]
    assert "Overfull" not in done.stdout
    assert "undefined" not in done.stdout
    assert (tmp_path / "paper.pdf").stat().st_size > 10_000
