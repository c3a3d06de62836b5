"""One model is asked: what is stored, what is asked again, and what a record says of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Completion, Record, Request, secrets
from pytest_codereason.engine.asking import Asker
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.limits.budget import Budget
from pytest_codereason.engine.limits.time_limit import TimeLimit
from pytest_codereason.engine.retries import Patience
from pytest_codereason.engine.storage.store import FOR_EVER, Store
from pytest_codereason.errors import FatalModelError, StoreError, TransientModelError
from pytest_codereason.questions.suites.suite import Suite
from tests.engine.tellers import Teller, make_suite, tell_truth
from tests.models.asking import request as make_request


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "store")) as store:
        yield store


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return make_suite(tmp_path)


def make_asker(model: Teller, store: Store, **more: Any) -> Asker:
    patience = Patience(attempts=2, first_wait_s=0.001)
    return Asker(model=model, store=store, patience=patience, concurrency=2, executor=Executor("auto"), **more)


def ask(asker: Asker, suite: Suite, *, repeats: int = 0, numbers: Sequence[int] = ()) -> list[Record]:
    async def run() -> list[Record]:
        specs = list(suite.specs())
        asked = await asyncio.gather(*(asker.records(suite, spec, numbers, repeats=repeats) for spec in specs))
        await asker.close()
        return [record for records in asked for record in records]

    return asyncio.run(run())


def test_a_record_says_all_of_an_answer(store: Store, suite: Suite) -> None:
    model, before = Teller(), time.time()
    model.price = (1e6, 2e6)
    records = ask(make_asker(model, store), suite)
    assert [record.outcome for record in records] == ["correct"] * 3
    one, request = records[0], model.asked[0]
    spec = next(iter(suite.specs()))
    assert (one.id, one.family, one.suite, one.task) == (spec.id, suite.family(spec), "small", "output-prediction")
    assert (one.language, one.model, one.sample, one.repeat, one.plan) == ("python", "teller", 0, 0, suite.plan)
    assert one.program_sha == request.instance.program.sha
    assert (one.response, one.answer is not None, one.metrics["exact"]) == (request.ask.truth, True, 1)
    assert (one.usage["prompt"], one.usage["completion"], one.cost, one.latency_s) == (3, 2, 7.0, 0.5)
    assert (one.reused, one.sandbox, len(one.steps)) == (False, "none", 1)
    assert before <= (one.steps[0].answered_at or 0) <= time.time()
    assert model.calls == ["start", "close"]


def test_answers_of_a_run_are_asked_once(store: Store, suite: Suite) -> None:
    ask(make_asker(Teller(), store), suite)
    again = Teller()
    records = ask(make_asker(again, store), suite)
    assert (again.asked, again.calls) == ([], []), "a model that is not asked is not loaded"
    assert all(record.reused for record in records)
    for other, more in ((Teller(), {"selection": "-k php"}), (Teller(), {"asks_anew": True, "session": "s"})):
        assert not any(record.reused for record in ask(make_asker(other, store, **more), suite))
        assert len(other.asked) == 3
    asker = make_asker(again, store, asks_anew=True, session="s")
    assert asker.find_run(suite.plan) == "s"


def test_suites_of_a_session_pay_once_for_equal_questions(store: Store, suite: Suite, tmp_path: Path) -> None:
    model = Teller()
    ask(make_asker(model, store, session="s"), suite)
    twin = make_suite(tmp_path, "twin", count=2)
    assert twin.plan != suite.plan
    assert all(record.reused for record in ask(make_asker(model, store, session="s"), twin))
    assert len(model.asked) == 3
    third = make_suite(tmp_path, "third", count=1)
    ask(make_asker(model, store, session="another"), third)
    assert len(model.asked) == 4


@pytest.mark.parametrize(("kind", "asked"), [("pinned", 3), ("stored", 6)])
def test_answers_of_pinned_weights_serve_for_ever_and_free_ones_are_not_kept(
    store: Store, suite: Suite, kind: str, asked: int
) -> None:
    class Kind(Teller):
        pinned = kind == "pinned"
        stored = kind == "pinned"

    model = Kind()
    for selection in ("", "-k python"):
        ask(make_asker(model, store, selection=selection), suite)
    assert len(model.asked) == asked
    assert (make_asker(model, store).find_run(suite.plan) == FOR_EVER) is (kind == "pinned")


def test_each_sample_is_asked_and_asked_again(store: Store, tmp_path: Path) -> None:
    model, suite = Teller(), make_suite(tmp_path, count=1, samples=2)
    records = ask(make_asker(model, store), suite, repeats=2)
    assert [(record.sample, record.repeat) for record in records] == [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]
    assert len(model.asked) == 6
    (second,) = ask(make_asker(Teller(), store), suite, numbers=[1])
    assert (second.sample, second.repeat) == (1, 0)


def test_what_is_not_answered_is_not_asked_again(store: Store, tmp_path: Path) -> None:
    def refuse(request: Request) -> Completion:
        raise TransientModelError("busy")

    model = Teller(refuse)
    (record,) = ask(make_asker(model, store), make_suite(tmp_path, count=1), repeats=2)
    assert (record.outcome, record.reason, record.answer, record.metrics) == ("error", "busy", None, {})
    assert len(model.asked) == 2, "two attempts"


def test_a_fatal_error_ends_all_questions(store: Store, suite: Suite) -> None:
    def refuse(request: Request) -> Completion:
        raise FatalModelError("bad key")

    model = Teller(refuse)
    asker = make_asker(model, store)
    asker.concurrency = 1
    records = ask(asker, suite)
    assert [record.reason for record in records] == ["bad key"] * 3
    assert str(asker.fatal) == "bad key"
    assert len(model.asked) <= 2, "as many as were in flight"
    later = Teller()
    assert [record.outcome for record in ask(make_asker(later, store), suite)] == ["correct"] * 3, "no lease is left"


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


def test_a_model_that_cannot_be_loaded_ends_all_questions(store: Store, suite: Suite) -> None:
    class Broken(Teller):
        async def start(self) -> None:
            self.calls.append("start")
            raise OSError("no weights")

    model = Broken()
    asker = make_asker(model, store)
    assert all("no weights" in record.reason for record in ask(asker, suite))
    assert (model.calls, model.asked) == (["start"], []), "it is not closed either"
    assert isinstance(asker.fatal, FatalModelError)


def test_a_session_that_is_stopped_elsewhere_sends_nothing(store: Store, suite: Suite) -> None:
    store.notices.stop("s", "the user has pressed Ctrl-C")
    model = Teller()
    records = ask(make_asker(model, store, session="s"), suite)
    assert {record.reason for record in records} == {"the user has pressed Ctrl-C"}
    assert model.asked == []
    asker = make_asker(model, store)
    asker.stop("first")
    asker.stop("second")
    assert {record.reason for record in ask(asker, suite)} == {"first"}


def test_requests_are_counted_paid_and_bound_by_time(store: Store, suite: Suite) -> None:
    model = Teller()
    model.price = (0.0, 1e6)
    asker = make_asker(model, store, session="s", budget=Budget(store, session="s", limit=1e9))
    ask(asker, suite)
    assert (asker.sent, store.spent("s")) == (3, 6)
    late = Teller()

    async def wait(request: Request) -> Completion:
        await asyncio.sleep(10)
        return tell_truth(request)

    late.answer = wait  # type: ignore[method-assign]
    over = TimeLimit(seconds=60.0, end=time.monotonic() - 1, grace_s=0.5)
    records = ask(make_asker(late, store, selection="x", end=over), suite)
    assert all("no answer came" in record.reason for record in records)


def test_a_secret_that_a_model_repeats_is_not_stored(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "_shown", {"sk-0123456789": "[hidden]"})

    def repeat(request: Request) -> Completion:
        return Completion(text="sk-0123456789", reasoning="sk-0123456789", served_by="sk-0123456789")

    (record,) = ask(make_asker(Teller(repeat), store), make_suite(tmp_path, count=1))
    step = record.steps[0]
    assert [record.response, step.reasoning, step.served_by] == ["[hidden]"] * 3


def test_a_store_that_fails_ends_all_questions(store: Store, suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **more: object) -> None:
        raise StoreError("an answer could not be stored: the disk is full")

    monkeypatch.setattr(store, "put_all", fail)
    asker = make_asker(Teller(), store)
    records = ask(asker, suite)
    assert {record.outcome for record in records} == {"error"}
    told = "an answer could not be stored: the disk is full; mend it and run the same command again"
    assert str(asker.fatal) == told
    assert any(record.reason == told for record in records)


def test_one_request_of_a_command_is_paid_once(store: Store) -> None:
    model = Teller()
    asker = make_asker(model, store)

    async def run() -> list[Completion]:
        stored = [await asker.ask_once("plan", make_request()) for _ in range(2)]
        return [*stored, await asker.ask(make_request())]

    assert asyncio.run(run()) == [tell_truth(make_request())] * 3
    assert len(model.asked) == 2, "ask() stores nothing"
