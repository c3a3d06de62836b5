"""Several servers of one model: which one is asked, what a dead one costs, and when it comes back."""

from __future__ import annotations

import asyncio
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any

import pytest

from pytest_codereason.core import Completion
from pytest_codereason.errors import FatalModelError, TransientModelError, UsageError
from pytest_codereason.models.openai import OpenAIModel, pool
from tests.models.asking import answers, request
from tests.models.openai_endpoints import make_model, start
from tests.servers import Disruption, Server, error, overloaded, rate_limited, reset

LIST: dict[str, Any] = {"id": "scripted", "object": "model", "owned_by": "vllm"}


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "FIRST_PROBE_S", 0.01)
    monkeypatch.setattr(pool, "LAST_PROBE_S", 0.02)


@pytest.fixture(autouse=True)
def said() -> Iterator[list[warnings.WarningMessage]]:
    """What a user is told of servers."""
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        yield noted


def read(said: list[warnings.WarningMessage]) -> list[str]:
    return [str(each.message).removeprefix("openai:scripted: ") for each in said]


def make_pool(*servers: Server, **args: str) -> OpenAIModel:
    return make_model(",".join(server.url for server in servers), **args)


def list_with(**more: object) -> Disruption:
    return Disruption(body={"data": [{**LIST, **more}]})


def ask_in_turn(model: OpenAIModel, families: Sequence[str]) -> list[Completion]:
    """The completions of questions that are asked one after the other."""

    async def run() -> list[Completion]:
        await model.start()
        try:
            return [await model.answer(request(id=family)) for family in families]
        finally:
            await model.close()

    return asyncio.run(run())


def list_homes(url: str, other: str) -> list[str]:
    """The programs that are asked about at ``url``, if nothing is wrong there."""
    return [family for family in FAMILIES if pool._draw(family, url) < pool._draw(family, other)]


FAMILIES = [f"python/{number:04}[digits:2]" for number in range(40)]


# --- who is asked -------------------------------------------------------------------------------------------


def test_programs_have_a_server_of_their_own_and_all_servers_have_some() -> None:
    with Server() as one, Server() as two:
        model = make_pool(one, two)
        replies = ask_in_turn(model, [*FAMILIES, *FAMILIES])
        homes = [reply.endpoint for reply in replies]
        assert homes[: len(FAMILIES)] == homes[len(FAMILIES) :]
        assert 10 < Counter(homes)[one.url] < 70
        assert (len(one.requests), len(two.requests)) == (homes.count(one.url), homes.count(two.url))
        assert {reply.failed_at for reply in replies} == {()}


def test_a_server_with_a_quarter_more_to_do_leaves_the_rest_to_the_idlest() -> None:
    with Server(latency_s=0.2) as one, Server(latency_s=0.2) as two:
        answers(make_pool(one, two), *(request(id=FAMILIES[0]) for _ in range(40)))
        assert sorted((len(one.requests), len(two.requests))) in ([18, 22], [19, 21], [20, 20])


def test_requests_are_as_many_as_the_servers_can_take() -> None:
    one, several = make_model("http://a/v1"), make_model("http://a/v1,http://b/v1 , http://b/v1/")
    assert (one.concurrency, several.concurrency) == (32, 64)


def test_one_server_is_told_of_nowhere() -> None:
    with Server() as server:
        (reply,) = answers(make_pool(server), request())
        assert (reply.endpoint, reply.failed_at) == (None, ())


# --- who is left out ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("trouble", [overloaded(), error(500, "oops"), reset(), Disruption(body=b"<html>")], ids=repr)
def test_what_a_server_cannot_answer_another_one_does_at_once(trouble: Disruption) -> None:
    with Server(script=repeat(trouble)) as bad, Server() as good:
        replies = ask_in_turn(make_pool(bad, good), FAMILIES)
        assert {reply.endpoint for reply in replies} == {good.url}
        assert [reply.failed_at for reply in replies].count((bad.url,)) == len(bad.requests)
        assert len(good.requests) == len(FAMILIES)


def test_three_failures_in_a_row_leave_a_server_out_until_it_answers_again(
    monkeypatch: pytest.MonkeyPatch, said: list[warnings.WarningMessage]
) -> None:
    monkeypatch.setattr(pool, "FIRST_PROBE_S", 60.0)
    with Server(script=[overloaded(), None, *repeat(overloaded(), 3)]) as weak, Server() as good:
        replies = ask_in_turn(make_pool(weak, good), list_homes(weak.url, good.url)[:8])
        assert [reply.endpoint == weak.url for reply in replies] == [False, True, *repeat(False, 6)]
        assert len(weak.requests) == 5
        trouble = "HTTP 503: The server is overloaded"
        assert read(said) == [f"{weak.url} is not asked until it answers again: {trouble}"]


def test_a_dead_server_comes_back(said: list[warnings.WarningMessage]) -> None:
    with Server() as good, Server() as dying:
        model, mine = make_pool(dying, good), list_homes(dying.url, good.url)

        async def run() -> None:
            await model.start()
            assert (await model.answer(request(id=mine[0]))).endpoint == dying.url
            await asyncio.to_thread(dying.stop)
            failed = [(await model.answer(request(id=each))).failed_at for each in mine[:6]]
            assert failed == [(dying.url,)] * 3 + [()] * 3
            with Server(port=dying.port):
                async with asyncio.timeout(20):
                    while (await model.answer(request(id=mine[0]))).endpoint != dying.url:
                        await asyncio.sleep(0.01)
                await model.close()

        asyncio.run(run())
        out, back = read(said)
        assert out.startswith(f"{dying.url} is not asked until it answers again: the connection failed: ")
        assert back == f"{dying.url} answers again"


def test_a_server_that_comes_back_with_another_model_is_not_asked(said: list[warnings.WarningMessage]) -> None:
    with Server() as good, Server() as dying:
        model = make_pool(dying, good)

        async def run() -> None:
            await model.start()
            assert model._pool is not None
            server = model._pool.servers[0]
            await asyncio.to_thread(dying.stop)
            for family in FAMILIES:
                await model.answer(request(id=family))
            with Server(port=dying.port, listing=list_with(root="/other")) as other:
                with pytest.raises(UsageError, match="serves another model than the first server"):
                    await model._check_server(server)
                assert server.health == pool.Health.FAILING
                assert not other.requests
                await model.close()

        asyncio.run(run())
        assert len(said) == 1


def test_a_server_that_lost_the_model_is_left_out_and_the_last_one_ends_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool, "FIRST_PROBE_S", 60.0)
    gone = error(404, "The model `scripted` does not exist.", code="model_not_found")
    with Server(script=repeat(gone)) as moved, Server() as good:
        replies = ask_in_turn(make_pool(moved, good), FAMILIES)
        assert len(moved.requests) == 1
        assert {reply.endpoint for reply in replies} == {good.url}
    with (
        Server(script=repeat(gone)) as one,
        Server(script=repeat(gone)) as two,
        pytest.raises(FatalModelError, match="HTTP 404"),
    ):
        answers(make_pool(one, two), request())
    assert (len(one.requests), len(two.requests)) == (1, 1)


def test_where_all_fail_each_is_tried_once_and_the_question_waits_as_with_one() -> None:
    with (
        Server(script=repeat(overloaded())) as one,
        Server(script=repeat(overloaded())) as two,
        pytest.raises(TransientModelError, match="HTTP 503"),
    ):
        answers(make_pool(one, two), request())
    assert (len(one.requests), len(two.requests)) == (1, 1)


def test_a_limit_spares_the_server_that_has_it() -> None:
    with Server(script=repeat(rate_limited("30"))) as limited, Server() as free:
        replies = ask_in_turn(make_pool(limited, free), FAMILIES)
        assert len(limited.requests) == 1
        assert [reply.failed_at for reply in replies].count((limited.url,)) == 1
    with (
        Server(script=repeat(rate_limited("30"))) as one,
        Server(script=repeat(rate_limited("30"))) as two,
        pytest.raises(TransientModelError) as caught,
    ):
        answers(make_pool(one, two), request())
    assert caught.value.retry_after == 30
    assert (len(one.requests), len(two.requests)) == (1, 1)


def test_a_reply_that_is_paid_for_and_lost_is_counted_before_the_request_goes_elsewhere() -> None:
    prices = {"price_in": "1", "price_out": "1"}
    with Server(script=repeat(reset())) as bad, Server() as good:
        home = list_homes(bad.url, good.url)[0]
        with pytest.raises(TransientModelError) as caught:
            answers(make_pool(bad, good, **prices), request(id=home))
        assert not caught.value.unbilled
        assert not good.requests
        assert answers(make_pool(bad, good), request(id=home))[0].endpoint == good.url


def test_a_question_that_no_server_takes_is_no_fault_of_a_server() -> None:
    bad = error(400, "temperature is not supported")
    with Server(script=[bad]) as one, Server(script=[bad]) as two:
        with pytest.raises(FatalModelError, match="HTTP 400"):
            answers(make_pool(one, two), request())
        assert len(one.requests) + len(two.requests) == 1


def test_warnings_that_are_errors_end_no_question() -> None:
    with (
        Server(script=repeat(overloaded())) as bad,
        Server() as good,
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("error")
        replies = ask_in_turn(make_pool(bad, good), FAMILIES)
        assert {reply.endpoint for reply in replies} == {good.url}


# --- before the first question ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"listing": list_with(max_model_len=4096)}, "has 4096 as 'context_length', not nothing"),
        ({"listing": list_with(root="/models/qwen-v2")}, "has \"qwen-v2\" as 'root', not nothing"),
        ({"listing": list_with(owned_by="sglang")}, "has sglang as 'owned_by', not vllm"),
        ({"lists_models": False}, "has nothing as 'id', not scripted"),
    ],
    ids=["context", "weights", "engine", "no list"],
)
def test_servers_of_several_models_are_refused(other: dict[str, Any], message: str) -> None:
    with Server() as one, Server(**other) as two:
        with pytest.raises(UsageError) as caught:
            start(make_pool(one, two))
        assert str(caught.value).startswith(f"openai:scripted: {two.url} serves another model than {one.url}: ")
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)


def test_weights_of_one_name_in_folders_of_two_machines_are_one_model() -> None:
    with Server(listing=list_with(root="/a/qwen")) as one, Server(listing=list_with(root="/mnt/b/qwen/")) as two:
        start(make_pool(one, two))


def test_a_server_that_refuses_the_key_or_lacks_the_model_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    with Server() as one, Server(key="another") as two:
        with pytest.raises(UsageError, match=f"{two.url} refuses the key"):
            start(make_pool(one, two))
        with Server(models=["qwen"]) as three, pytest.raises(UsageError, match=f"{three.url} has no model 'scripted'"):
            start(make_pool(one, three))


def test_a_server_that_is_not_there_yet_is_said_and_not_asked(said: list[warnings.WarningMessage]) -> None:
    with Server() as one:
        replies = ask_in_turn(make_model(f"http://127.0.0.1:9/v1,{one.url}"), FAMILIES)
        assert {(reply.endpoint, reply.failed_at) for reply in replies} == {(one.url, ())}
        (text,) = read(said)
        assert text.startswith("http://127.0.0.1:9/v1 is not asked until it answers again: the connection failed: ")
    with pytest.raises(UsageError, match=r"http://127\.0\.0\.1:9/v1 cannot be reached"):
        start(make_model("http://127.0.0.1:9/v1,http://127.0.0.1:11/v1"))


# --- identity -----------------------------------------------------------------------------------------------


def test_one_server_is_identified_as_ever_and_several_by_their_sorted_list_or_their_name() -> None:
    def identify(url: str, **args: str) -> object:
        return make_model(url, **args).identity["endpoint"]

    assert identify("http://a/v1/") == "http://a/v1"
    assert identify("http://b/v1,http://a/v1") == identify("http://a/v1, http://b/v1") == ["http://a/v1", "http://b/v1"]
    assert identify("http://b/v1,http://a/v1", endpoint_name="cluster-a") == "cluster-a"
    assert identify("http://c/v1", endpoint_name="cluster-a") == "cluster-a"
