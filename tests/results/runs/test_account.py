"""What a run has paid for, model by model."""

from __future__ import annotations

from typing import Any

from pytest_codereason.results.runs.account import Account, build_accounts
from tests.results.synthetic import build_data, make_row, make_run

AXES: dict[str, list[Any]] = {"language": ["python"]}


def make_answer(number: int, **changes: Any) -> dict[str, Any]:
    usage = {"prompt": 100, "completion": 10, "reasoning": None, "cached": None}
    return make_row(id=str(number), family=str(number), axes={}, **{"usage": usage, "cost": 0.25, **changes})


def account(*rows: dict[str, Any], **changes: Any) -> Account | None:
    run = make_run(models=["m"], suites={"semtrace": AXES}, **changes)
    return build_accounts(build_data(run, list(rows))).get("m")


def test_answers_of_this_run_are_paid_for_and_repeated_ones_too() -> None:
    cached = {"usage": {"prompt": 100, "completion": 10, "reasoning": 4, "cached": 60}}
    rows = [make_answer(0), make_answer(1, outcome="wrong") | cached, make_answer(0, repeat=1)]
    unpaid = [make_answer(2, outcome="error", cost=None) | {"usage": {}}, make_answer(3, reused=True)]
    assert account(*rows, *unpaid, estimate={"m": {"cost": 2.5}}) == Account(
        answers=3,
        shared=0,
        reused=1,
        cost=0.75,
        expected=2.5,
        prompt=300,
        cached=60,
        completion=30,
        reasoning=4,
    )


def test_what_is_unknown_of_one_answer_is_unknown_of_all() -> None:
    whole = account(make_answer(0), make_answer(1) | {"cost": None, "usage": {"prompt": None, "completion": 5}})
    assert whole is not None
    assert (whole.cost, whole.expected) == (None, None)
    assert (whole.prompt, whole.completion, whole.cached) == (100, 15, None)
    assert not whole.is_free


def test_a_model_that_was_not_asked_in_this_run_has_no_account() -> None:
    assert account(make_answer(0, reused=True)) is None
    assert account(make_answer(0, outcome="skipped")) is None


def test_a_model_is_free_if_nothing_was_paid_or_expected() -> None:
    free = account(make_answer(0) | {"cost": 0.0})
    assert free is not None
    assert free.is_free
    expected = account(make_answer(0) | {"cost": 0.0}, estimate={"m": {"cost": 0.1}})
    assert expected is not None
    assert not expected.is_free
