"""What each kind of fact says of a run that differs, and that it says nothing of one that does not."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.results.studies.study_conditions import (
    AtLeast,
    Departure,
    Every,
    FromPool,
    Mutations,
    NoPool,
    Only,
    Perturbations,
    Places,
    Programs,
    StudyFact,
    Whole,
    WrittenBy,
    name_departure,
    spell_value,
)

SIZES = Programs({"cruxeval": {"python": 800}})
MUTATIONS = Mutations(frozenset({"dead-code", "rename"}))


@pytest.mark.parametrize(
    ("fact", "key", "values", "said"),
    [
        (Only((2,)), "shots", [2], []),
        (Only((2,)), "shots", [0, 2], [("with shots = 0", "2")]),
        (Only((0, 2000)), "max_tokens", [100], [("with max_tokens = 100", "0 or 2,000")]),
        (Only((None, 1)), "top_p", [0.5], [("with top_p = 0.5", "")]),
        (Only((None,)), "max_tokens", [100], [("with max_tokens = 100", "no limit")]),
        (Only((0.2,)), "temperature", [None], [("without temperature", "")]),
        (Every((1, 2, 3), besides=(0,)), "digits", [0, 1, 2, 3], []),
        (Every((1, 2, 3)), "digits", [1, 2, 3, 4], [("digits 1, 2, 3, 4", "1 to 3")]),
        (Every((1, 2, 4)), "digits", [1, 2], [("digits 1, 2", "1, 2, 4")]),
        (Every((1, 2)), "digits", [1], [("digits 1", "1, 2")]),
        (AtLeast(100), "max_tokens", [100, None], []),
        (AtLeast(4096), "versions", [4095], [("with at most 4,095 versions of a program", "")]),
        (AtLeast(2000), "max_tokens", [1999], [("with max_tokens = 1,999", "at least 2,000")]),
        (Perturbations("a|b"), "perturbation", ["a", "c"], [("with c", "")]),
        (Perturbations("a|b", frozenset("ab")), "perturbation", ["a", "b"], []),
        (Perturbations("a|b", frozenset("ab")), "perturbation", ["a"], [("with 1 of 2 perturbations", "")]),
        (Perturbations("a|b", frozenset("ab")), "perturbation", [], []),
        (MUTATIONS, "perturbation", ["dead-code(place=random)+rename(strength=2, place = random)"], []),
        (MUTATIONS, "perturbation", [f"rename(place={quarter})" for quarter in (1, 2, 3, 4)], []),
        (
            MUTATIONS,
            "perturbation",
            ["rename"],
            [("with changes in the whole file", "a random quarter of it")],
        ),
        (
            MUTATIONS,
            "perturbation",
            ["rename(place=3)", "rename(place=1)", "prints(place=2)"],
            [("with prints", ""), ("with changes in quarter 1, 3 alone", "a random one")],
        ),
        (WrittenBy({"hint": "hints"}), "writers", [("hint", "m", "other"), ("text", "rule", "m")], []),
        (
            WrittenBy({"hint": "hints"}),
            "writers",
            [("hint", "rule", "m")],
            [("with hints written by the rule", "a model")],
        ),
        (WrittenBy({"hint": "hints"}, itself=True), "writers", [("hint", "m", "m")], []),
        (
            WrittenBy({"hint": "hints"}, itself=True),
            "writers",
            [("hint", "w", "m")],
            [("with hints written by w", "the model under test")],
        ),
        (SIZES, "programs", [("cruxeval", "python", 800), ("cruxeval", "php", 9), ("cruxeval", "python", None)], []),
        (SIZES, "programs", [("cruxeval", "python", 799)], [("on 799 of 800 programs", "")]),
        (SIZES, "programs", [("cruxeval", "python", 801)], [("on 801 programs", "800")]),
        (SIZES, "programs", [("corpus", "python", 800)], [("on programs of corpus", "")]),
        (FromPool("p"), "pool", [("p", None), ("p", 150), ("p", 250)], []),
        (FromPool("p"), "pool", [("p", 149)], [("on a pool of 149 tokens a function", "about 200")]),
        (FromPool("p"), "pool", [("p", 251)], [("on a pool of 251 tokens a function", "about 200")]),
        (
            FromPool("p"),
            "pool",
            [("q", None), ("r", 9)],
            [("on the pool q", ""), ("on the pool r, median 9 tokens", "")],
        ),
        (NoPool(), "pool", [], []),
        (NoPool(), "pool", [("p", 1)], [("among distractors", "")]),
        (Whole(), "questions", [(3, 3)], []),
        (Whole(), "questions", [(1000, 2000)], [("on 1,000 of 2,000 questions", "")]),
        (Places((0, 50, 100)), "position", [100, 0, 50], []),
        (Places((0, 50, 100)), "position", [0], [("at 1 position", "3")]),
        (Places((0, 50)), "position", [0, 1], [("at 2 other positions", "")]),
    ],
)
def test_a_fact_says_what_differs(fact: StudyFact, key: str, values: list[Any], said: list[tuple[str, str]]) -> None:
    assert [*fact.judge(key, values)] == [Departure(*each) for each in said]


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("prefill", True, "with a prefill"),
        ("prefill", False, "without a prefill"),
        ("reasoning_effort", None, "without reasoning_effort"),
        ("language", "php", "in php"),
        ("order", "python", "with function-order in python"),
        ("query", "after", "with query = after"),
    ],
)
def test_a_difference_has_words_of_its_own(key: str, value: Any, text: str) -> None:
    assert name_departure(key, value, "x").text == text
    assert name_departure(key, value, "x").wanted == ("x" if key == "query" else "")


def test_values_are_written_for_people() -> None:
    assert [spell_value("shots", value) for value in (2000, 0.2, True, None)] == ["2,000", "0.2", "True", "none"]
    assert spell_value("max_tokens", None) == "no limit"
