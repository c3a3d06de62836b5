"""Why answers could not be right or wrong: the most frequent reasons, alike ones together."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_codereason.core import Outcome
from pytest_codereason.results.measures.reasons import count_reasons
from tests.results.synthetic import build_data, make_row, make_run


def count(outcome: Outcome, reasons: Sequence[str]) -> dict[Outcome, tuple[tuple[str, int], ...]]:
    rows = [make_row(id=str(place), outcome=outcome, reason=reason) for place, reason in enumerate(reasons)]
    return count_reasons(build_data(make_run(models=["m"]), [*rows, make_row(reason="right")]).records)


def test_reasons_are_counted() -> None:
    assert count("error", ["reset", *["rate limit"] * 3]) == {"error": (("rate limit", 3), ("reset", 1))}
    assert count("error", ["a: 1", "a: 2"]) == {"error": (("a: 1", 1), ("a: 2", 1))}
    assert [len(reasons) for reasons in count("error", [str(place) for place in range(7)]).values()] == [5]
    assert count("error", [""]) == count("wrong", ["3 of 4"]) == {}


def test_skips_of_one_kind_are_counted_together_with_an_example() -> None:
    reasons = ["wrong: 1", "wrong: 2", "wrong: 2", "endless: 9", "empty"]
    assert count("skipped", reasons) == {"skipped": (("wrong (such as: 1)", 3), ("empty", 1), ("endless: 9", 1))}
