"""How much a session asks, by suite and model."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.core import Price
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.session.checking.sizing import Sizing, count_by_model, limit_kinds
from tests.engine.readers import Reader

SUITE = """
task = "output-prediction"
languages = ["python"]

[source]
name = "semtrace"
count = 4
"""


@pytest.fixture
def suites(tmp_path: Path) -> dict[str, Suite]:
    for name in ("one", "two"):
        (tmp_path / f"{name}.suite.toml").write_text(SUITE)
    return {name: load(tmp_path / f"{name}.suite.toml") for name in ("one", "two")}


def list_items(suite: Suite, *models: str) -> list[tuple[Path, str]]:
    middle = [f"::{model}" for model in models] or [""]
    return [(suite.path, f"{suite.path.name}{each}::{spec.id}") for each in middle for spec in suite.specs()]


def make_reader(price: Price | None) -> Reader:
    reader = Reader(None)
    reader.price = price
    return reader


def test_each_suite_is_sized_for_each_model(suites: dict[str, Suite]) -> None:
    items = [*list_items(suites["one"], "a", "b"), *list_items(suites["two"], "b")]
    sizing = Sizing(suites, {"a": make_reader(None), "b": make_reader(Price(1, 1))}, items, repeat=None)
    sizes = {label: sizing.estimate(label) for label in ("a", "b")}
    assert {label: {name: size.requests for name, size in each.items()} for label, each in sizes.items()} == {
        "a": {"one": 4},
        "b": {"one": 4, "two": 4},
    }
    assert sizing.count_requests() == 12
    assert {label: size.requests for label, size in sizing.estimate_each().items()} == {"a": 4, "b": 8}
    repeated = Sizing(suites, {"a": make_reader(None)}, list_items(suites["one"]), repeat=3)
    assert repeated.count_requests() == 7


def test_a_model_that_writes_no_reply_has_no_size(suites: dict[str, Suite]) -> None:
    class Baseline(Reader):
        takes_sampling = False

    free, paid = Baseline(None), Baseline(None)
    free.price, paid.price = (0.0, 0.0), (1.0, 1.0)
    sizing = Sizing(suites, {"free": free, "paid": paid}, list_items(suites["one"], "free", "paid"), repeat=None)
    assert list(sizing.estimate_each()) == ["paid"]
    assert sizing.count_requests() == 8


def test_a_cell_of_an_adaptive_suite_is_sized_by_its_budget_at_its_hardest(tmp_path: Path) -> None:
    path = tmp_path / "ladder.suite.toml"
    path.write_text(
        'task = "output-prediction"\nlanguages = ["python", "php"]\n[source]\nname = "ladder"\ncount = 5\n'
        '[adaptive]\nover = "level"\ntop = 4\nbudget = 12\n'
    )
    suite = load(path)
    kinds = count_by_model(list_items(suite), "m")[path, "m"]
    assert {
        language: sum(many for (each, _), many in kinds.items() if each == language) for language in ("python", "php")
    } == {"python": 20, "php": 20}
    assert limit_kinds(suite, kinds) == {
        (language, f"level:{level}"): many for language in ("python", "php") for level, many in ((4, 5), (3, 5), (2, 2))
    }
    few = {("python", "level:1"): 3, ("php", "level:2"): 30}
    assert limit_kinds(suite, few) == {("python", "level:1"): 3, ("php", "level:2"): 12}


def test_all_questions_of_a_plain_suite_are_sized(suites: dict[str, Suite]) -> None:
    kinds = {("python", ""): 4}
    assert limit_kinds(suites["one"], kinds) is kinds


def test_an_id_names_the_model_only_if_there_are_several() -> None:
    path = Path("s.suite.toml")
    assert count_by_model([(path, "s.suite.toml::python/0[digits:2]")], "m") == {
        (path, "m"): {("python", "digits:2"): 1}
    }
    assert count_by_model([(path, "s.suite.toml::n::python/0")], "m") == {(path, "n"): {("python", ""): 1}}
