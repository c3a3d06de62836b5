"""Which model is best: named where that is certain, and never where chance or the token limit could have decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pytest_codereason.reports.words.lead_sentences import describe_lead
from pytest_codereason.results.measures.leads import Lead, find_leads
from pytest_codereason.results.measures.pairing import number_pairs
from pytest_codereason.results.values import Delta
from tests.results.synthetic import build_data, make_row, make_run

Axes = dict[str, list[Any]]
ONE: Axes = {"language": ["python"]}


def lead(
    outcomes: Mapping[str, Sequence[str]],
    axes: Axes = ONE,
    at: Sequence[Mapping[str, Any]] = ({},),
    *,
    metric: Mapping[str, Any] | None = None,
) -> tuple[Lead, ...]:
    """The leads of models with these outcomes, one program after the other, at each of these values of axes."""
    run = make_run(suites={"semtrace": axes}, models=list(outcomes))
    if metric:
        run["suites"]["semtrace"]["metrics"] = [metric]
    for name in run["models"]:
        provider, _, what = name.partition(":")
        run["models"][name]["identity"] = {provider: what or "x"}
    rows = [
        make_row(
            id=f"python/{program}{where}",
            family=str(program),
            language="python",
            axes=dict(where),
            model=model,
            outcome=outcome,
            metrics={}
            if outcome == "error"
            else {"exact": float(outcome == "correct"), "lost": float(outcome == "wrong")},
        )
        for where in at
        for model, all_outcomes in outcomes.items()
        for program, outcome in enumerate(all_outcomes)
    ]
    data = build_data(run, rows)
    suite = data.suites["semtrace"]
    return find_leads(data, suite, number_pairs(data.select_suite("semtrace"), suite, {"model", "run"}))


def right(first: int, of: int = 40, *, otherwise: str = "wrong") -> list[str]:
    return ["correct"] * first + [otherwise] * (of - first)


def test_the_best_model_is_clear_of_a_much_weaker_one_and_not_of_one_like_it() -> None:
    (only,) = lead({"weak": right(10), "good": right(36), "near": right(35)})
    assert only.best == "good"
    assert [(other.model, other.doubt) for other in only.others] == [("near", "chance"), ("weak", None)]
    assert [round(other.delta.value, 3) for other in only.others if isinstance(other.delta, Delta)] == [0.025, 0.65]
    assert not only.is_certain
    assert only.compared == 3


def test_a_lead_that_is_clear_of_every_other_is_certain() -> None:
    (only,) = lead({"weak": right(10), "good": right(36)})
    assert (only.best, only.is_certain) == ("good", True)


def test_a_difference_that_is_clear_alone_is_chance_among_many_pairs() -> None:
    """Six programs of 40 lost and none won have p = 0.031: enough for one pair of models, not for ten."""
    (only,) = lead({"good": right(36), "other": right(30)})
    assert only.is_certain
    (only,) = lead({"good": right(36), **{f"other{i}": right(30) for i in range(4)}})
    assert [other.doubt for other in only.others] == ["chance"] * 4


def test_a_lead_that_the_token_limit_may_have_made_is_not_certain() -> None:
    (only,) = lead({"good": right(30), "cut": right(10, otherwise="truncated")})
    assert [(other.model, other.doubt) for other in only.others] == [("cut", "truncated")]
    (only,) = lead({"good": right(30), "cut": [*right(10), *right(0, 5, otherwise="truncated")]})
    assert only.is_certain


def test_a_model_that_is_ahead_on_the_questions_of_both_is_first_though_its_score_is_lower() -> None:
    """``part`` answers only 60 questions, of which ``all`` gets more right; ``all`` is wrong about the others."""
    answers = {"part": [*right(48, 60), *right(0, 40, otherwise="error")], "all": right(60, 100)}
    (only,) = lead(answers)
    (other,) = only.others
    assert (only.best, only.is_certain, other.model, other.has_higher_score) == ("all", True, "part", True)
    assert isinstance(other.delta, Delta)
    assert (round(other.delta.value, 3), other.delta.pairs) == (0.2, 60)
    assert {model: (rank.first, rank.last) for model, rank in only.ranks.items()} == {"all": (1, 1), "part": (2, 2)}
    assert describe_lead(only).endswith(
        "part has a higher score, but answered other questions. Only questions that both answered are compared."
    )


def test_a_lead_over_other_questions_alone_is_never_certain() -> None:
    (only,) = lead({"part": [*right(30, 40), *right(0, 60, otherwise="error")], "all": right(31, 100)})
    assert (only.best, only.is_certain, [other.doubt for other in only.others]) == ("part", False, ["chance"])


def test_a_model_without_a_score_is_compared_with_nobody() -> None:
    assert lead({"good": right(36), "down": right(0, otherwise="error")}) == ()


@pytest.mark.parametrize("baseline", ["chance", "truth", "interpreter"])
def test_a_baseline_is_no_model_and_never_the_best(baseline: str) -> None:
    name = f"baseline:{baseline}"
    assert lead({"good": right(36), name: right(40)}) == ()
    (only,) = lead({"good": right(36), name: right(40), "weak": right(10)})
    assert (only.best, [other.model for other in only.others]) == ("good", ["weak"])


@pytest.mark.parametrize("axis", ["prompting", "reasoning_effort"])
def test_ways_of_asking_have_a_best_model_each(axis: str) -> None:
    axes: Axes = {"language": ["python"], "perturbation": ["vanilla", "hint"], axis: ["one", "two"]}
    at = [{"perturbation": p, axis: way} for p in axes["perturbation"] for way in axes[axis]]
    leads = lead({"good": right(36), "weak": right(10)}, axes, at)
    assert [dict(each.where) for each in leads] == [{"perturbation": "vanilla", axis: way} for way in ("one", "two")]
    assert [
        (each.best, each.compared, each.others[0].delta.pairs)
        for each in leads
        if isinstance(each.others[0].delta, Delta)
    ] == [
        ("good", 2, 40),
        ("good", 2, 40),
    ]


def test_models_that_no_test_tells_apart_share_their_places() -> None:
    (only,) = lead({"weak": right(10), "good": right(36), "near": right(35)})
    assert {model: (rank.first, rank.last) for model, rank in only.ranks.items()} == {
        "good": (1, 2),
        "near": (1, 2),
        "weak": (3, 3),
    }
    assert list(only.ranks) == ["good", "near", "weak"]


def test_a_model_between_two_that_differ_is_level_with_both() -> None:
    (only,) = lead({"first": right(36), "middle": right(31), "last": right(26)})
    assert [(rank.first, rank.last, rank.is_tie) for rank in only.ranks.values()] == [
        (1, 2, True),
        (1, 3, True),
        (2, 3, True),
    ]


def test_the_token_limit_makes_a_tie() -> None:
    (only,) = lead(
        {"good": right(30), "cut": right(10, otherwise="truncated"), "cut off": right(8, otherwise="truncated")}
    )
    assert [(rank.first, rank.last) for rank in only.ranks.values()] == [(1, 3)] * 3


@pytest.mark.parametrize(("cut", "doubt"), [(21, None), (22, "truncated"), (23, "truncated")])
def test_the_token_limit_makes_a_doubt_from_a_level_score_on(cut: int, doubt: str | None) -> None:
    """30 of 40 against 8 and as many as were cut off: 29, 30 or 31."""
    (only,) = lead({"good": right(30), "cut": [*right(8, 8 + cut, otherwise="truncated"), *right(0, 32 - cut)]})
    assert [other.doubt for other in only.others] == [doubt]


def test_where_less_is_better_the_least_leads() -> None:
    metric = {"name": "lost", "of": ["correct", "wrong"], "binary": True, "higher_is_better": False}
    (only,) = lead({"weak": right(10), "good": right(36), "near": right(35)}, metric=metric)
    assert (only.best, only.metric.name) == ("good", "lost")
    assert [(other.model, other.doubt) for other in only.others] == [("near", "chance"), ("weak", None)]
    assert [round(other.delta.value, 3) for other in only.others if isinstance(other.delta, Delta)] == [-0.025, -0.65]
    assert {model: (rank.first, rank.last, rank.is_tie) for model, rank in only.ranks.items()} == {
        "good": (1, 2, True),
        "near": (1, 2, True),
        "weak": (3, 3, False),
    }


def test_the_token_limit_makes_a_tie_behind_the_best_too() -> None:
    """The best has 40 of 40, the second 24, and the third 6, or 26 if the token limit cut off right answers."""
    cut = [*right(6, 26, otherwise="truncated"), *right(0, 14)]
    (only,) = lead({"good": right(40), "middle": right(24), "cut": cut})
    assert [(other.model, other.doubt) for other in only.others] == [("middle", None), ("cut", None)]
    assert [(label, rank.first, rank.last) for label, rank in only.ranks.items()] == [
        ("good", 1, 1),
        ("middle", 2, 3),
        ("cut", 2, 3),
    ]
