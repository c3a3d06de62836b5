"""What is said first of two models that differ clearly somewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pytest_codereason.reports.reporters.summary_json import SummaryJson
from pytest_codereason.reports.words.setback_sentences import describe_setbacks
from pytest_codereason.results.measures.summary import summarise
from tests.reports.reporters.pages import finish
from tests.results.synthetic import build_data, make_row, make_run


def answer(right: dict[str, dict[str, int]], of: int = 60) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A run of models with so many right answers of ``of``, by model and perturbation."""
    ways = list(next(iter(right.values())))
    axes: dict[str, list[Any]] = {"language": ["python"], "perturbation": ways}
    rows = [
        make_row(
            id=f"python/{program}[perturbation:{way}]",
            family=str(program),
            axes={"perturbation": way},
            model=model,
            outcome="correct" if program < many else "wrong",
        )
        for model, by_way in right.items()
        for way, many in by_way.items()
        for program in range(of)
    ]
    return make_run(models=[*right], suites={"semtrace": axes}), rows


def describe(right: dict[str, dict[str, int]], of: int = 60) -> list[str]:
    """The sentences on such a run."""
    return describe_setbacks(summarise(build_data(*answer(right, of))).suites["semtrace"])


def test_pairs_lost_and_won_stand_in_the_sentence() -> None:
    (sentence,) = describe({"old": {"vanilla": 50, "rename": 50}, "new": {"vanilla": 50, "rename": 25}})
    assert sentence.startswith(
        "new is clearly worse than old where perturbation is rename (25 lost, 0 won of 60 pairs, −0.417 ["
    )
    assert sentence.endswith("]); 2 comparisons looked at together.")


def test_summary_json_has_them_for_programs(tmp_path: Path) -> None:
    run = finish(tmp_path, *answer({"old": {"vanilla": 50, "rename": 50}, "new": {"vanilla": 50, "rename": 25}}))
    (given,) = json.loads(SummaryJson().write(*run.parts).read_text("utf-8"))["suites"]["semtrace"]["setbacks"]
    assert (given["axis"], given["value"], given["worse"], given["better"]) == ("perturbation", "rename", "new", "old")
    assert given["delta"]["value"] == -25 / 60
    assert given["compared"] == 2


def test_a_sentence_names_three_values_and_counts_the_rest() -> None:
    ways = {"vanilla": 50, "rename": 50, "comments": 50, "prints": 50, "hint": 50}
    (sentence,) = describe({"old": ways, "new": {**ways, "rename": 10, "comments": 15, "prints": 20, "hint": 25}})
    assert sentence.index("is rename (") < sentence.index("), perturbation is comments (") < sentence.index("is prints")
    assert ") and 1 more value of axes; 5 comparisons" in sentence


def test_nothing_is_said_where_one_model_leads_as_a_whole_or_none_differs() -> None:
    assert describe({"old": {"vanilla": 50, "rename": 50}, "new": {"vanilla": 20, "rename": 20}}) == []
    assert describe({"old": {"vanilla": 50, "rename": 50}, "new": {"vanilla": 50, "rename": 49}}) == []
