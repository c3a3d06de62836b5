"""Requests go to one model: it is loaded once, tried again, paid, and left alone for good."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Completion, Request, secrets
from pytest_codereason.engine.limits.budget import Budget
from pytest_codereason.engine.limits.time_limit import TimeLimit
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.errors import FatalModelError
from pytest_codereason.questions.suites.suite import Suite
from tests.engine.askers import ask, make_asker, make_sender
from tests.engine.tellers import Teller, make_suite, tell_truth
from tests.models.asking import request as make_request


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "store")) as store:
        yield store


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return make_suite(tmp_path)


def test_a_fatal_error_ends_all_questions(store: Store, suite: Suite) -> None:
    def refuse(request: Request) -> Completion:
        raise FatalModelError("bad key")

    model = Teller(refuse)
    asker = make_asker(model, store, concurrency=1)
    records = ask(asker, suite)
    assert [record.reason for record in records] == ["bad key"] * 3
    assert str(asker.answers.sender.fatal) == "bad key"
    assert len(model.asked) == 1, "as many as were in flight"
    later = Teller()
    assert [record.outcome for record in ask(make_asker(later, store), suite)] == ["correct"] * 3, "no lease is left"


def test_a_model_that_cannot_be_loaded_ends_all_questions(store: Store, suite: Suite) -> None:
    class Broken(Teller):
        async def start(self) -> None:
            self.calls.append("start")
            raise OSError("no weights")

    model = Broken()
    asker = make_asker(model, store)
    assert all("no weights" in record.reason for record in ask(asker, suite))
    assert (model.calls, model.asked) == (["start"], []), "it is not closed either"
    assert isinstance(asker.answers.sender.fatal, FatalModelError)


def test_a_session_that_is_stopped_elsewhere_sends_nothing(store: Store, suite: Suite) -> None:
    store.notices.stop("s", "the user has pressed Ctrl-C")
    model = Teller()
    records = ask(make_asker(model, store, session="s"), suite)
    assert {record.reason for record in records} == {"the user has pressed Ctrl-C"}
    assert model.asked == []
    asker = make_asker(model, store)
    asker.answers.sender.stop("first")
    asker.answers.sender.stop("second")
    assert {record.reason for record in ask(asker, suite)} == {"first"}


def test_requests_are_counted_paid_and_bound_by_time(store: Store, suite: Suite) -> None:
    model = Teller()
    model.price = (0.0, 1e6)
    asker = make_asker(model, store, session="s", budget=Budget(store, session="s", limit=1e9))
    ask(asker, suite)
    assert (asker.answers.sender.sent, store.spent("s")) == (3, 6)
    late = Teller()

    async def wait(request: Request) -> Completion:
        await asyncio.sleep(10)
        return tell_truth(request)

    late.answer = wait  # type: ignore[method-assign]
    over = TimeLimit(seconds=60.0, end=time.monotonic() - 1, grace_s=0.5)
    records = ask(make_asker(late, store, selection="x", end=over), suite)
    assert all("no answer came" in record.reason for record in records)


def test_one_completion_is_asked_for_while_requests_are_sent(store: Store) -> None:
    sender, request = make_sender(Teller(), store), make_request()
    assert asyncio.run(sender.ask(request)) == tell_truth(request)
    sender.stop("enough")
    with pytest.raises(FatalModelError, match="enough"):
        asyncio.run(sender.ask(request))


def test_a_secret_that_a_model_repeats_is_not_stored(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "_shown", {"sk-0123456789": "[hidden]"})

    def repeat(request: Request) -> Completion:
        return Completion(text="sk-0123456789", reasoning="sk-0123456789", served_by="sk-0123456789")

    (record,) = ask(make_asker(Teller(repeat), store), make_suite(tmp_path, count=1))
    step = record.steps[0]
    assert [record.response, step.reasoning, step.served_by] == ["[hidden]"] * 3


@pytest.mark.parametrize(
    ("say", "reason"),
    [
        (lambda request: 1 / 0, "division by zero"),
        (lambda request: "42", "answer must return a Completion, not str"),
    ],
)
def test_a_model_of_a_users_own_that_breaks_is_named(
    store: Store, tmp_path: Path, say: Callable[[Request], Any], reason: str
) -> None:
    (record,) = ask(make_asker(Teller(say), store), make_suite(tmp_path, count=1))
    assert record.outcome == "error"
    assert reason in record.reason
    assert "Teller" in record.reason
