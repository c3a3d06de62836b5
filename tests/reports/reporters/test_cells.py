"""Cells of tables: no text of a model, a suite or a server is worked out, obeyed or followed."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest

from pytest_codereason.reports.reporters.summary_md import escape_markdown
from pytest_codereason.reports.words.latex import write_latex_tables
from pytest_codereason.reports.words.tables import TextTable, write_csv, write_markdown_tables

FORMULAS = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(1)", "\t=1", "\r=1", "\n=1", "  =1", "＝1"]
PLAIN = ["a\n=1", "-3", "+0.5", "-1e5", "a=b", "3 - 2", "", "[1, -2]", "'=1"]


@pytest.mark.parametrize("dtype", ["object", "string", "category"])
def test_a_cell_of_csv_is_text_or_a_number(dtype: str) -> None:
    texts = pd.Series([*FORMULAS, *PLAIN, None], dtype=dtype)
    written = write_csv(pd.DataFrame({"=name": texts, "number": range(len(texts)), "change": -0.5}))
    rows = list(csv.DictReader(io.StringIO(written, newline="")))
    assert [row["'=name"] for row in rows] == [
        *(f"'{text}".replace("\r", "\n") for text in FORMULAS),
        *PLAIN,
        "",
    ]
    assert [row["number"] for row in rows] == [str(number) for number in range(len(texts))]
    assert {row["change"] for row in rows} == {"-0.5"}


def test_a_cell_of_latex_holds_no_command() -> None:
    hostile = r"\input{/etc/passwd} & $x$ % # _ ^ ~ [2pt] *"
    page = write_latex_tables([TextTable(title=hostile, header=("a", hostile), rows=(("*", hostile),))])
    assert r"\input" not in page
    body = page.partition("\\midrule\n")[2].partition("\\bottomrule")[0]
    assert body == (
        r"{*} & \textbackslash{}input\{/etc/passwd\} \& \$x\$ \% \# \_ "
        r"\textasciicircum{} \textasciitilde{} {[}2pt{]} {*} \\"
        "\n"
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a|b", r"a\|b"),
        ("<img src=x>", "&lt;img src=x&gt;"),
        ("[a](b)", r"\[a\](b)"),
        ("https://a.b and WWW.c.d", "https&#8203;://a.b and WWW&#8203;.c.d"),
        ("- a", r"\- a"),
        ("=== a", r"\=== a"),
        ("1. a", "1&#8203;. a"),
        ("-0.5", "-0.5"),
        ("0.5. Then", "0.5. Then"),
        ("@octocat", "@&#8203;octocat"),
    ],
)
def test_a_cell_of_markdown_is_text(text: str, written: str) -> None:
    assert escape_markdown(text) == written
    page = write_markdown_tables([TextTable(title="t", header=(text,), rows=((text,),))])
    assert f"| {written} |" in page
