"""What is sent to an endpoint of OpenAI's protocol, and how a model of it is configured."""

from __future__ import annotations

import asyncio
import itertools

import pytest

from pytest_codereason.core import Price, Sampling
from pytest_codereason.errors import FatalModelError, UsageError
from pytest_codereason.models.openai import OpenAIModel
from pytest_codereason.models.providers import PRESETS, find_preset
from tests import servers
from tests.models.asking import answers, request
from tests.models.openai_endpoints import complete_once, make_model
from tests.servers import Disruption, Server


def test_an_ordinary_answer() -> None:
    with Server() as server:
        sampling = Sampling(temperature=0.2, top_p=0.95, max_tokens=50, reasoning_effort="low")
        (reply,) = answers(
            make_model(server.url, seed="7", body__top_k="20", body__tag="a b"), request(sampling=sampling)
        )
        assert reply.text == "[88, 69]"
        assert (reply.finish, reply.prefilled, reply.served_by) == ("stop", False, "scripted")
        assert reply.usage.prompt is not None
        assert reply.usage.prompt > 0
        assert reply.usage.cached is None
        assert reply.latency_s is not None
        (request_received,) = server.requests
        assert request_received.messages == [{"role": "user", "content": request().ask.messages[0].content}]
        assert {key: value for key, value in request_received.body.items() if key != "messages"} == {
            "model": "scripted",
            "temperature": 0.2,
            "top_p": 0.95,
            "max_tokens": 50,
            "reasoning_effort": "low",
            "seed": 7,
            "top_k": 20,
            "tag": "a b",
        }


def test_settings_left_to_the_server_are_not_sent() -> None:
    with Server() as server:
        answers(make_model(server.url, omit="temperature"), request(sampling=Sampling(max_tokens=None)))
        assert set(server.requests[0].body) == {"model", "messages"}


def test_lone_surrogates_arrive() -> None:
    with Server() as server:
        answers(make_model(server.url), request("\ud800"))
        assert server.requests[0].messages[0]["content"] == "\ud800"


@pytest.mark.parametrize(
    ("mode", "last", "flags"),
    [
        ("continue", {"content": "f(81) == "}, {"continue_final_message": True, "add_generation_prompt": False}),
        ("prefix", {"content": "f(81) == ", "prefix": True}, {}),
        ("assistant", {"content": "f(81) =="}, {}),
    ],
)
def test_prefill_is_continued(mode: str, last: dict[str, object], flags: dict[str, object]) -> None:
    with Server() as server:
        question = request(prefill="f(81) == ", stop=("\n",))
        (reply,) = answers(make_model(server.url, prefill=mode), question)
        body = server.requests[0].body
        assert (reply.text, reply.prefilled) == ("[88, 69]", True)
        assert body["messages"][-1] == {"role": "assistant", **last}
        assert body["stop"] == ["\n"]
        assert {key: body[key] for key in body if key.endswith(("_message", "_prompt"))} == flags


def test_a_prefill_left_out_is_stated() -> None:
    with Server() as server:
        (reply,) = answers(make_model(server.url, prefill="never"), request(prefill="f(81) == ", stop=("\n",)))
        assert not reply.prefilled
        assert len(server.requests[0].messages) == 1
        assert "stop" not in server.requests[0].body


@pytest.mark.parametrize("repeated", ["f(81) == ", "f(81) =="])
def test_a_repeated_prefill_is_taken_off(repeated: str) -> None:
    with Server(lambda messages, body: f"{repeated}[1]") as server:
        (reply,) = answers(make_model(server.url, prefill="prefix"), request(prefill="f(81) == "))
        assert (reply.text.strip(), reply.prefilled) == ("[1]", True)


@pytest.mark.parametrize(
    ("owner", "prefilled"), [("vllm", True), ("sglang", True), ("llamacpp", True), ("someone", False)]
)
def test_an_unknown_server_is_asked_which_engine_it_is(owner: str, prefilled: bool) -> None:
    with Server(owned_by=owner) as server:
        (reply,) = answers(make_model(server.url), request(prefill="f(81) == "))
        assert reply.prefilled is prefilled


def test_a_model_that_refuses_prefill_is_asked_without() -> None:
    refusal = servers.error(400, "This model does not support assistant message prefill.")
    strikes = Disruption(status=400, body=refusal.body, when=lambda body: body["messages"][-1]["role"] == "assistant")
    with Server(script=itertools.repeat(strikes)) as server:
        replies = answers(make_model(server.url), *[request(prefill="f(81) == ")] * 20)
        assert {reply.prefilled for reply in replies} == {False}
        assert len(server.requests) <= 40
        with pytest.raises(FatalModelError, match="does not support assistant message prefill"):
            answers(make_model(server.url, prefill="continue"), request(prefill="f(81) == "))


def test_the_other_name_of_max_tokens_is_found_once() -> None:
    message = (
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    )
    refusal = servers.error(400, message, code="unsupported_parameter", param="max_tokens")
    strikes = Disruption(status=400, body=refusal.body, when=lambda body: "max_tokens" in body)

    async def run(endpoint: OpenAIModel) -> None:
        await endpoint.start()
        await asyncio.gather(*(endpoint.answer(request()) for _ in range(10)))
        before = len(server.requests)
        await asyncio.gather(*(endpoint.answer(request()) for _ in range(10)))
        assert len(server.requests) == before + 10
        await endpoint.close()

    with Server(script=itertools.repeat(strikes)) as server:
        asyncio.run(run(make_model(server.url)))
        assert server.requests[-1].body["max_completion_tokens"] == 200
        with pytest.raises(FatalModelError, match="Use 'max_completion_tokens' instead"):
            answers(make_model(server.url, max_tokens_field="max_tokens"), request())


def test_neither_name_of_max_tokens() -> None:
    both = (servers.error(400, f"unknown field {name}") for name in ("max_tokens", "max_completion_tokens"))
    with Server(script=both) as server, pytest.raises(FatalModelError, match="unknown field max_completion_tokens"):
        answers(make_model(server.url), request())


def test_a_setting_that_shapes_answers_is_never_dropped_unasked() -> None:
    message = "Unsupported value: 'temperature' does not support 0.0 with this model. Only the default is supported."
    disruption = servers.error(400, message, code="unsupported_value", param="temperature")
    with pytest.raises(FatalModelError, match=r"to leave it to the server: --model-arg omit=temperature"):
        complete_once(disruption)


def test_hundreds_are_in_flight_at_once() -> None:
    with Server(together=300) as server:
        answers(make_model(server.url, timeout="30"), *[request()] * 300)
        assert server.peak == 300


def test_every_preset_makes_a_model() -> None:
    for name, preset in PRESETS.items():
        preset_model = OpenAIModel.create("some/model:tag", url=None, args={}, preset=preset)
        assert preset_model.label == f"{name}:some/model:tag"
        assert not preset_model.pinned
        assert preset.base_url.startswith("https://" if preset.key_env else "http://localhost:")


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ({"tempurature": "1"}, "has no --model-arg 'tempurature': did you mean 'temperature'? It takes timeout"),
        ({"time_out": "1"}, "did you mean 'timeout'?"),
        ({"timeout": "soon"}, "--model-arg timeout='soon' must be a number from 0.001"),
        ({"timeout": "nan"}, "must be a number"),
        ({"seed": "1.5"}, "must be a whole number"),
        ({"prefill": "yes"}, "must be one of auto, continue, prefix, assistant, never"),
        ({"omit": "temperature,model"}, "must be some of temperature, top_p"),
        ({"price_in": "1"}, "price_in and price_out"),
        ({"body.": "1"}, "must be written body.KEY=VALUE"),
    ],
)
def test_bad_arguments(args: dict[str, str], complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        OpenAIModel.create("m", url="http://localhost:1/v1", args=args)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("localhost:8000", "must be an address such as"),
        ("ftp://host/v1", "must be an address such as http://localhost:8000/v1$"),
        ("openai:m=http://host/v1", r"of its own by url in a table \[tool.codereason.models.NAME\]"),
        ("http://host/v1/chat/completions/", "must end before /chat/completions: write http://host/v1$"),
        ("http://me:secret@host/v1", "must not hold a user, a password or a query"),
        ("http://host/v1?key=secret", "must not hold a user, a password or a query"),
    ],
)
def test_bad_addresses(url: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint) as caught:
        make_model(url)
    assert "secret" not in str(caught.value)


def test_a_name_is_needed() -> None:
    with pytest.raises(UsageError, match="write ollama:NAME"):
        OpenAIModel.create("", url=None, args={}, preset=find_preset("ollama"))


def test_price_and_what_identity_covers(healthy: Server) -> None:
    assert make_model(healthy.url, price_in="0.5", price_out="2").price == Price(0.5, 2.0)
    parts = {"price_in": "0.5", "price_out": "2", "price_cached": "0.1", "price_reasoning": "3"}
    assert make_model(healthy.url, **parts).price == Price(0.5, 2.0, cached=0.1, reasoning=3.0)
    assert make_model(healthy.url).price is None
    plain = make_model(healthy.url).identity
    for args in ({"seed": "1"}, {"prefill": "never"}, {"omit": "top_p"}, {"header.A": "1"}, {"body.top_k": "5"}):
        assert OpenAIModel.create("scripted", url=healthy.url, args=args).identity != plain
    for args in ({"timeout": "9"}, {"price_in": "1", "price_out": "1"}, {"max_tokens_field": "max_tokens"}):
        assert OpenAIModel.create("scripted", url=healthy.url, args=args).identity == plain
