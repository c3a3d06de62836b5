"""Incomplete versions of a program."""

from __future__ import annotations

import json
import os
from math import comb
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.changes.stages.ablation import Ablation, list_body
from pytest_codereason.core import Facts, Instance, Program
from pytest_codereason.core.text.removals import parse_removal
from pytest_codereason.errors import BadSetting, Skip
from pytest_codereason.questions.templates.loading import load

SOURCE = "def f(x):\n    y = x\n    # why\n\n    return y"


def stage(**settings: object) -> Ablation:
    return Ablation.create(settings, seed=3, languages=["python"])


def program(source: str = SOURCE) -> Program:
    return Program.from_source(language="python", source=source, call="f(1)", facts=Facts(output=1))


def instance(removal: str, source: str = SOURCE) -> Instance:
    return Instance(
        id="x",
        family="x",
        suite="sensitivity",
        program=program(source),
        axes={"removed": removal},
        matrix={"removed": removal},
        template=load("output-prediction", "direct"),
    )


def show_source(removal: str) -> str:
    return stage().apply(instance(removal), lambda _: None).program.source


def versions(source: str, **settings: object) -> list[str]:
    return [str(v) for v in stage(**settings).values(program(source))["removed"]]


def test_every_combination_of_lines_the_whole_program_first() -> None:
    values = versions(SOURCE)
    assert values[:6] == ["0of4", "1of4", "2of4", "3of4", "4of4", "1+2of4"]
    assert len(values) == len(set(values)) == 2**4
    sizes = [len(parse_removal(v)[0]) for v in values]
    assert [sizes.count(n) for n in range(5)] == [comb(4, n) for n in range(5)]


def test_the_signature_stays() -> None:
    assert show_source("0of4") == SOURCE
    assert show_source("1of4") == "def f(x):\n    # why\n\n    return y"
    assert show_source("1+2+3+4of4") == "def f(x):"


def test_the_line_end_at_the_end_is_no_line() -> None:
    assert versions(SOURCE + "\n") == versions(SOURCE)
    ablated = stage().apply(instance("1of4", SOURCE + "\n"), lambda _: None)
    assert ablated.program.source == "def f(x):\n    # why\n\n    return y\n"


def test_what_is_asked_for_stays_that_of_the_whole_program() -> None:
    ablated = stage().apply(instance("1of4"), lambda _: None)
    assert ablated.program.facts == Facts(output=1)
    assert ablated.original is not None
    assert ablated.original.source == SOURCE


@given(st.integers(5, 40), st.integers(2, 30))
def test_where_there_are_too_many_a_sample_with_the_whole_program(lines: int, most: int) -> None:
    source = "def f():" + "\n  pass" * lines
    values = versions(source, versions=most)
    assert values == versions(source, versions=most)
    assert values[0] == f"0of{lines}"
    assert len(values) == len(set(values)) == min(most, 2**lines)


def test_a_program_of_one_line_has_one_version() -> None:
    assert versions("f = lambda x: x") == ["0of0"]


def test_a_version_of_another_program_is_skipped() -> None:
    for removal in ("1of5", "5of4", "x"):
        with pytest.raises(Skip):
            show_source(removal)


@pytest.mark.parametrize("settings", [{"versions": 1}, {"versions": "all"}, {"versions": True}, {"lines": 3}])
def test_settings_that_cannot_be(settings: dict[str, object]) -> None:
    with pytest.raises(BadSetting):
        stage(**settings)


def test_cruxeval_has_71994() -> None:
    path = Path(os.environ.get("CODEREASON_DATA", "")) / "cruxeval.jsonl"
    if not path.is_file():
        pytest.skip("CODEREASON_DATA names no folder with cruxeval.jsonl")
    sources = [json.loads(line)["code"] for line in path.read_text(encoding="utf-8").splitlines()]
    assert sum(2 ** len(list_body(source)) for source in sources) == 71_994
    assert sum(len(versions(source)) for source in sources[:50]) == sum(2 ** len(list_body(s)) for s in sources[:50])
