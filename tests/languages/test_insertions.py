"""Where a statement can be put, by the tables of a language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_codereason.languages.javascript.syntax.code import JavaScriptCode

TABLES = JavaScriptCode.tables


class Fields(JavaScriptCode):
    """JavaScript whose fields are statements: its grammar puts their semicolons behind them, as Perl's does."""

    tables = replace(
        TABLES,
        structure=replace(
            TABLES.structure,
            statements={"class_declaration": "other", "field_definition": "assignment"},
            sequences=frozenset({"program", "class_body"}),
            braced=frozenset({"class_body"}),
        ),
        places=replace(TABLES.places, members={}),
    )


@pytest.mark.parametrize(
    ("source", "filled"),
    [
        ("class A { a = 1; b = 2; }\n", "class A { a = 1; b = 2;NEW }\n"),
        ("class A {\n    a = 1;  // one\n}\n", "class A {\n    a = 1;  // oneNEW\n}\n"),
    ],
)
def test_what_stands_behind_the_last_statement_stands_behind_its_semicolon(source: str, filled: str) -> None:
    last = max(place.at for place in Fields(source).insertions if place.place == "statement")
    assert source[:last] + "NEW" + source[last:] == filled
