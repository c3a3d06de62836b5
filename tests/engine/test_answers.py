"""Answers are paid for once, and belong to runs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pytest_codereason.core import Completion
from pytest_codereason.engine.answers import Answers, PaidAnswer
from pytest_codereason.engine.posting.post import Post
from pytest_codereason.engine.storage.open_runs import OpenRuns
from pytest_codereason.engine.storage.store import FOR_EVER, Store
from pytest_codereason.errors import FatalModelError, StoreError
from pytest_codereason.models.openai.offline import OfflineModel
from pytest_codereason.questions.suites.suite import Suite
from tests.engine.askers import ask, make_answers, make_asker, make_sender
from tests.engine.posting.posts import QUICK
from tests.engine.tellers import Teller, make_suite, tell_truth
from tests.models.asking import request as make_request


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "store")) as store:
        yield store


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return make_suite(tmp_path)


def test_answers_of_a_run_are_asked_once(store: Store, suite: Suite) -> None:
    ask(make_asker(Teller(), store), suite)
    again = Teller()
    records = ask(make_asker(again, store), suite)
    assert (again.asked, again.calls) == ([], []), "a model that is not asked is not loaded"
    assert all(record.reused for record in records)
    for other, more in ((Teller(), {"selection": "-k php"}), (Teller(), {"only": "s", "session": "s"})):
        assert not any(record.reused for record in ask(make_asker(other, store, **more), suite))
        assert len(other.asked) == 3
    asker = make_asker(again, store, only="s", session="s")
    assert asker.answers.runs.find(suite.plan) == "s"


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
    assert (make_asker(model, store).answers.runs.find(suite.plan) == FOR_EVER) is (kind == "pinned")


def test_a_store_that_fails_ends_all_questions(store: Store, suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **more: object) -> None:
        raise StoreError("an answer could not be stored: the disk is full")

    monkeypatch.setattr(store, "put_all", fail)
    asker = make_asker(Teller(), store)
    records = ask(asker, suite)
    assert {record.outcome for record in records} == {"error"}
    told = "an answer could not be stored: the disk is full; mend it and run the same command again"
    assert str(asker.answers.sender.fatal) == told
    assert any(record.reason == told for record in records)


def test_one_request_of_a_command_is_paid_once(store: Store) -> None:
    model = Teller()
    answers = make_answers(model, store)

    async def run() -> list[Completion]:
        stored = [await answers.ask_once("plan", make_request()) for _ in range(2)]
        return [*stored, await answers.sender.ask(make_request())]

    assert asyncio.run(run()) == [tell_truth(make_request())] * 3
    assert len(model.asked) == 2, "ask() stores nothing"
    answers.sender.stop("enough")
    assert asyncio.run(answers.find("plan", make_request())).reused, "what is stored is there after the end too"


def test_no_batch_is_sent_for_an_answer_that_came_while_the_model_was_started(store: Store, tmp_path: Path) -> None:
    """The first question waits for the start of the model. Meanwhile another one fetches the batch of both."""
    folder, started = tmp_path / "offline", asyncio.Event()

    class SlowToStart(OfflineModel):
        async def start(self) -> None:
            await started.wait()
            await super().start()

    async def find(kind: type[OfflineModel], *prompts: str) -> list[PaidAnswer | BaseException]:
        model = kind.create("qwen", url=f"file:{folder}", args={})
        sender = make_sender(model, store)
        assert model.batching is not None
        post = Post(sender, model.batching, store, pace=QUICK)
        answers = Answers(sender, store, OpenRuns(store, model), post=post)
        try:
            asked = (answers.find("plan", make_request(prompt)) for prompt in prompts)
            return await asyncio.gather(*asked, return_exceptions=True)
        finally:
            await post.close()
            await sender.close()

    async def work() -> None:
        assert all(isinstance(each, FatalModelError) for each in await find(OfflineModel, "a", "b"))
        lines = [json.loads(line) for line in (folder / "batch-1.jsonl").read_text().splitlines()]
        replies = (json.dumps({"custom_id": line["custom_id"], "text": "1"}) for line in lines)
        (folder / "batch-1.out.jsonl").write_text("\n".join(replies))
        first = asyncio.ensure_future(find(SlowToStart, "a"))
        await asyncio.sleep(0)  # it waits
        assert isinstance((await find(OfflineModel, "b"))[0], PaidAnswer)
        started.set()
        (answer,) = await first
        assert isinstance(answer, PaidAnswer)
        assert answer.completion.text == "1"
        assert not (folder / "batch-2.jsonl").exists()

    asyncio.run(work())
