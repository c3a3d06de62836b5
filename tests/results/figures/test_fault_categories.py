"""Faults by category and by version of a model."""

from __future__ import annotations

from pytest_codereason.results.figures.fault_categories import FaultCategories
from tests.results.figures.fault_rows import describe_run, list_questions, localise, localise_twice
from tests.results.figures.localisers import MUTATIONS, finds_odd, finds_swaps, perfect, trusts_comments
from tests.results.figures.rows import show

OWN = """
[[models]]
match = ["*tiny*"]
categories = ["open", "code"]
family = "Tiny"
version = "1"

[[models]]
match = ["*tiny-2*", "*big*"]
categories = ["open"]
"""


def test_categories_pool_their_models_and_versions_follow_each_other() -> None:
    questions = list_questions()
    names = {
        "openai:claude-3-7-sonnet-x": finds_swaps,
        "openai:Claude-Sonnet-4-5": perfect,
        "llama:llama3.1": finds_odd,
    }
    rows = [row for name, model in names.items() for row in localise("s", name, questions, model)]
    of = describe_run({"s": ("fault-localization", ())}, [*names, "openai:unknown"])
    categories, versions = show(FaultCategories(), rows, of)
    assert [(row[0], row[2].partition(" ")[0]) for row in categories.rows] == [
        ("reasoning", "75.00"),
        ("closed", "75.00"),
        ("general", "50.00"),
        ("open", "50.00"),
    ]
    assert [(row[0], row[1], row[3].partition(" ")[0]) for row in versions.rows] == [
        ("Claude Sonnet", "3.7", "50.00"),
        ("Claude Sonnet", "4.5", "100.00"),
    ]
    assert versions.rows[1][4].startswith("+0.500 [")


def test_a_file_of_the_user_takes_the_place_of_the_shipped_one() -> None:
    rows = localise_twice("s", "x:tiny-2", list_questions(), trusts_comments, MUTATIONS)
    of = {**describe_run({"s": ("fault-robustness", MUTATIONS)}, ["x:tiny-2"]), "categories": {"own.toml": OWN}}
    (categories,) = show(FaultCategories(), rows, of)
    assert [row[:2] + tuple(cell.partition(" ")[0] for cell in row[2:]) for row in categories.rows] == [
        ("open", "x:tiny-2", "100.00", "50.00"),
        ("code", "x:tiny-2", "100.00", "50.00"),
    ]


def test_what_stands_in_the_tables() -> None:
    names = {"openai:claude-3-7-sonnet-x": perfect, "openai:Claude-Sonnet-4-5": trusts_comments}
    rows = [
        row for name, model in names.items() for row in localise_twice("s", name, list_questions(), model, MUTATIONS)
    ]
    categories, versions = show(FaultCategories(), rows, describe_run({"s": ("fault-robustness", MUTATIONS)}, names))
    assert categories.header == ("category", "models", "found, %", "lost after mutation, %")
    assert categories.columns == (
        *[("category", "value"), ("models", "value"), ("found", "percent"), ("lost", "percent")],
    )
    assert versions.header == (
        *["family", "version", "model", "found, %", "against the version before", "lost after mutation, %"],
    )
    assert versions.columns[3:] == (("found", "percent"), ("change", "value"), ("lost", "percent"))
    # The first loses none of 320, the second 160 of 320: of both mutations, and of no control.
    shown = {row[0]: [cell.partition(" ")[0] for cell in row[2:]] for row in categories.rows}
    assert shown["closed"] == ["100.00", "25.00"]
    assert [(row[4].partition(" ")[0], row[5].partition(" ")[0]) for row in versions.rows] == [
        ("reference", "0.00"),
        ("0.000", "50.00"),
    ]
    assert categories.of == versions.of == {"suite": "s"}
    assert "in the order of the file" in versions.sentence
    assert "all models of a category, pooled" in categories.sentence


def test_versions_follow_the_file_and_a_family_of_one_has_no_table() -> None:
    """``tiny`` is version 1 of its family; the file lists ``big`` first, as version 2."""
    text = """
[[models]]
match = ["big"]
family = "F"
version = "2"
categories = ["x"]

[[models]]
match = ["tiny"]
family = "F"
version = "1"

[[models]]
match = ["lone"]
family = "G"
version = "1"

[[models]]
match = ["late"]
family = "E"
version = "2"

[[models]]
match = ["early"]
family = "E"
version = "1"
"""
    questions, models = list_questions(), {"tiny": finds_swaps, "big": perfect, "lone": perfect, "base": perfect}
    models |= {"early": finds_odd, "late": finds_odd}
    rows = [row for name, model in models.items() for row in localise("s", name, questions, model)]
    of = describe_run({"s": ("fault-localization", ())}, ["tiny", "big", "lone", "early", "late"], baselines=["base"])
    categories, versions = show(FaultCategories(), rows, {**of, "categories": {"own.toml": text}})
    assert [row[:2] for row in categories.rows] == [("x", "big")]
    assert [row[:3] for row in versions.rows] == [
        *[("E", "2", "late"), ("E", "1", "early"), ("F", "2", "big"), ("F", "1", "tiny")]
    ]
    assert [row[4].partition(" ")[0] for row in versions.rows] == ["reference", "0.000", "reference", "−0.500"]
    assert not show(FaultCategories(), rows, {**of, "categories": {"own.toml": '[[models]]\nmatch = ["other"]\n'}})


def test_a_category_that_found_nothing_lost_nothing() -> None:
    rows = localise_twice("s", "x:tiny-2", list_questions(), lambda *_: False, MUTATIONS)
    of = {**describe_run({"s": ("fault-robustness", MUTATIONS)}, ["x:tiny-2"]), "categories": {"own.toml": OWN}}
    (categories,) = show(FaultCategories(), rows, of)
    assert {row[3] for row in categories.rows} == {"never right"}
    assert {row[2].partition(" ")[0] for row in categories.rows} == {"0.00"}
