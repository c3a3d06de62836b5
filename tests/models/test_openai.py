"""The endpoint's protocol, against a real server that fails by script."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import socket
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core import Completion, Sampling, Usage
from pytest_codereason.errors import FatalModelError, ModelError, TransientModelError, UsageError
from pytest_codereason.models import openai as under_test
from pytest_codereason.models.openai import OpenAIModel, replies
from pytest_codereason.models.providers import PRESETS, find_preset
from tests import servers
from tests.models.asking import answers, request
from tests.servers import Fault, Server

KEY = "sk-test-0123456789abcdef"


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def healthy() -> Iterator[Server]:
    """A server without faults."""
    with Server() as running:
        yield running


def model(url: str, name: str = "scripted", **args: str) -> OpenAIModel:
    return OpenAIModel.create(name, url=url, args={key.replace("__", "."): value for key, value in args.items()})


def one(fault: Fault, **args: str) -> Completion:
    """What a model makes of a request that gets this fault."""
    with Server(script=[fault]) as failing:
        return answers(model(failing.url, **args), request())[0]


# What is sent.


def test_an_ordinary_answer() -> None:
    with Server() as server:
        sampling = Sampling(temperature=0.2, top_p=0.95, max_tokens=50, reasoning_effort="low")
        (reply,) = answers(model(server.url, seed="7", body__top_k="20", body__tag="a b"), request(sampling=sampling))
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
        answers(model(server.url, omit="temperature"), request(sampling=Sampling(max_tokens=None)))
        assert set(server.requests[0].body) == {"model", "messages"}


def test_lone_surrogates_arrive() -> None:
    with Server() as server:
        answers(model(server.url), request("\ud800"))
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
        (reply,) = answers(model(server.url, prefill=mode), question)
        body = server.requests[0].body
        assert (reply.text, reply.prefilled) == ("[88, 69]", True)
        assert body["messages"][-1] == {"role": "assistant", **last}
        assert body["stop"] == ["\n"]
        assert {key: body[key] for key in body if key.endswith(("_message", "_prompt"))} == flags


def test_a_prefill_left_out_is_stated() -> None:
    with Server() as server:
        (reply,) = answers(model(server.url, prefill="never"), request(prefill="f(81) == ", stop=("\n",)))
        assert not reply.prefilled
        assert len(server.requests[0].messages) == 1
        assert "stop" not in server.requests[0].body


@pytest.mark.parametrize("repeated", ["f(81) == ", "f(81) =="])
def test_a_repeated_prefill_is_taken_off(repeated: str) -> None:
    with Server(lambda messages, body: f"{repeated}[1]") as server:
        (reply,) = answers(model(server.url, prefill="prefix"), request(prefill="f(81) == "))
        assert (reply.text.strip(), reply.prefilled) == ("[1]", True)


@pytest.mark.parametrize(
    ("owner", "prefilled"), [("vllm", True), ("sglang", True), ("llamacpp", True), ("someone", False)]
)
def test_an_unknown_server_is_asked_which_engine_it_is(owner: str, prefilled: bool) -> None:
    with Server(owned_by=owner) as server:
        (reply,) = answers(model(server.url), request(prefill="f(81) == "))
        assert reply.prefilled is prefilled


def test_a_model_that_refuses_prefill_is_asked_without() -> None:
    refusal = servers.error(400, "This model does not support assistant message prefill.")
    strikes = Fault(status=400, body=refusal.body, when=lambda body: body["messages"][-1]["role"] == "assistant")
    with Server(script=itertools.repeat(strikes)) as server:
        replies = answers(model(server.url), *[request(prefill="f(81) == ")] * 20)
        assert {reply.prefilled for reply in replies} == {False}
        assert len(server.requests) <= 40
        with pytest.raises(FatalModelError, match="does not support assistant message prefill"):
            answers(model(server.url, prefill="continue"), request(prefill="f(81) == "))


def test_the_other_name_of_max_tokens_is_found_once() -> None:
    message = (
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    )
    refusal = servers.error(400, message, code="unsupported_parameter", param="max_tokens")
    strikes = Fault(status=400, body=refusal.body, when=lambda body: "max_tokens" in body)

    async def run(endpoint: OpenAIModel) -> None:
        await endpoint.start()
        await asyncio.gather(*(endpoint.answer(request()) for _ in range(10)))
        before = len(server.requests)
        await asyncio.gather(*(endpoint.answer(request()) for _ in range(10)))
        assert len(server.requests) == before + 10
        await endpoint.close()

    with Server(script=itertools.repeat(strikes)) as server:
        asyncio.run(run(model(server.url)))
        assert server.requests[-1].body["max_completion_tokens"] == 200
        with pytest.raises(FatalModelError, match="Use 'max_completion_tokens' instead"):
            answers(model(server.url, max_tokens_field="max_tokens"), request())


def test_neither_name_of_max_tokens() -> None:
    both = (servers.error(400, f"unknown field {name}") for name in ("max_tokens", "max_completion_tokens"))
    with Server(script=both) as server, pytest.raises(FatalModelError, match="unknown field max_completion_tokens"):
        answers(model(server.url), request())


def test_a_setting_that_shapes_answers_is_never_dropped_unasked() -> None:
    message = "Unsupported value: 'temperature' does not support 0.0 with this model. Only the default is supported."
    fault = servers.error(400, message, code="unsupported_value", param="temperature")
    with pytest.raises(FatalModelError, match=r"to leave it to the server: --model-arg omit=temperature"):
        one(fault)


def test_hundreds_are_in_flight_at_once() -> None:
    with Server(together=300) as server:
        answers(model(server.url, timeout="30"), *[request()] * 300)
        assert server.peak == 300


# What comes back.


@pytest.mark.parametrize(
    ("fault", "finish", "text"),
    [
        (servers.finished("length"), "length", "[88, 69]"),
        (servers.finished("length", None), "length", ""),
        (servers.finished("content_filter", None), "refused", ""),
        (servers.finished("content_filter: SAFETY", None), "refused", ""),
        (servers.finished("tool_calls"), "stop", "[88, 69]"),
        (servers.finished("STOP"), "stop", "[88, 69]"),
        (servers.fields(content=None, refusal="I will not."), "refused", "I will not."),
        (servers.fields(content=[{"type": "text", "text": "[1"}, {"type": "text", "text": "]"}]), "stop", "[1]"),
        (servers.fields(content=None, reasoning_content="Hm."), "stop", ""),
        (servers.context_exceeded(), "too-long", ""),
        (servers.error(400, "Invalid prompt", code="invalid_prompt"), "refused", "Invalid prompt"),
        (servers.error(403, "Your input was flagged by moderation"), "refused", "Your input was flagged by moderation"),
        (Fault(body={"error": {"code": 400, "message": "the context length is 4096"}}), "too-long", ""),
    ],
)
def test_outcomes_of_the_model(fault: Fault, finish: str, text: str) -> None:
    reply = one(fault)
    assert (reply.finish, reply.text) == (finish, text)


@pytest.mark.parametrize(
    "message",
    [
        "You passed 40961 input tokens. However, the model's context length is only 40960 tokens.",
        "The decoder prompt (length 900) is longer than the maximum model length of 512.",
        "prompt is too long: 213462 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit: 199000 + 2000 > 200000",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
        "`inputs` tokens + `max_new_tokens` must be <= 4097",
        "the request exceeds the available context size, try increasing it",
        "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
        "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    ],
)
def test_every_servers_way_to_say_too_long(message: str) -> None:
    completion = replies.read_problem(400, {}, json.dumps({"message": message}).encode()).find_completion()
    assert completion is not None
    assert completion.finish == "too-long"


@pytest.mark.parametrize(
    ("fault", "kind", "complaint"),
    [
        (servers.rate_limited(), TransientModelError, "HTTP 429: Rate limit"),
        (servers.overloaded(500), TransientModelError, "HTTP 500"),
        (servers.overloaded(529), TransientModelError, "HTTP 529"),
        (servers.error(408, "slow"), TransientModelError, "HTTP 408"),
        (servers.error(409, "busy"), TransientModelError, "HTTP 409"),
        (servers.malformed(), TransientModelError, "not JSON"),
        (Fault(body=b""), TransientModelError, "not JSON"),
        (Fault(body=[1]), TransientModelError, "not a JSON object"),
        (servers.no_choices(), TransientModelError, "no choices"),
        (servers.finished("stop", None), TransientModelError, "no text"),
        (servers.finished("error"), TransientModelError, "finish_reason 'error'"),
        (servers.finished(None), TransientModelError, "finish_reason None"),
        (servers.reset(), TransientModelError, "connection failed"),
        (servers.reset(0), TransientModelError, "connection failed"),
        (Fault(body={"error": {"message": "upstream died"}}), TransientModelError, "upstream died"),
        (Fault(body={"error": {"code": 402, "message": "no credits"}}), FatalModelError, "no quota left"),
        (servers.no_quota(), FatalModelError, "no quota left"),
        (servers.error(401, "bad key"), FatalModelError, "check the key in OPENAI_API_KEY"),
        (servers.error(403, "not yours"), FatalModelError, "HTTP 403: not yours"),
        (servers.error(404, "no such model"), FatalModelError, "is 'scripted' a model of"),
        (servers.error(422, "temperature must be at most 1"), FatalModelError, "at most 1"),
        (servers.error(400, "line\n\tone " + "x" * 1000), FatalModelError, r"HTTP 400: line one x+…$"),
        (Fault(status=307, headers={"Location": "http://other/v1"}), FatalModelError, "leads to http://other/v1"),
    ],
)
def test_trouble(fault: Fault, kind: type[ModelError], complaint: str) -> None:
    with pytest.raises(ModelError, match=complaint) as caught:
        one(fault)
    assert type(caught.value) is kind
    assert "\n" not in str(caught.value)


def test_one_question_too_big_to_send_stops_nothing() -> None:
    with pytest.raises(ModelError) as caught:
        one(servers.error(413, "Request too large on tokens per minute"))
    assert type(caught.value) is ModelError


@pytest.mark.parametrize("setting", ["timeout", "idle_timeout"])
def test_silence_ends(setting: str) -> None:
    with pytest.raises(TransientModelError, match=r"no answer within 0\.2 seconds|silent for 0\.2 seconds"):
        one(servers.silence(), **{setting: "0.2"})


def test_the_servers_wish_to_wait() -> None:
    def wish(headers: dict[str, str], message: str = "slow down") -> float | None:
        return replies.read_problem(429, headers, json.dumps({"error": {"message": message}}).encode()).retry_after

    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    past = format_datetime(datetime.now(UTC) - timedelta(days=1), usegmt=True)
    assert wish({"retry-after": "2"}) == 2.0
    assert wish({"retry-after-ms": "250", "retry-after": "1"}) == 0.25
    assert wish({"retry-after": soon}) == pytest.approx(30, abs=3)
    assert wish({"retry-after": past}) == 0.0
    assert wish({"retry-after": "soon"}) is None
    assert wish({}, "Please try again in 1.5s.") == 1.5
    assert wish({}, "Please try again in 20ms.") == 0.02
    assert wish({}) is None
    with pytest.raises(TransientModelError) as caught:
        one(servers.rate_limited("7"))
    assert caught.value.retry_after == 7.0


def test_usage_missing_is_unknown() -> None:
    assert one(servers.no_usage()).usage == Usage()
    assert (
        one(Fault(edit=lambda body: body.update(usage={"prompt_tokens": None, "total_tokens": "x"}))).usage == Usage()
    )


def test_usage_in_full_and_reasoning() -> None:
    usage = {
        "prompt_tokens": 9,
        "completion_tokens": 7,
        "completion_tokens_details": {"reasoning_tokens": 5},
        "prompt_tokens_details": {"cached_tokens": 8},
    }

    def edit(body: dict[str, Any]) -> None:
        body["usage"] = usage
        body["choices"][0]["message"]["reasoning"] = "because"

    reply = one(Fault(edit=edit))
    assert reply.usage == Usage(prompt=9, completion=7, reasoning=5, cached=8)
    assert reply.reasoning == "because"


def test_thinking_parts_are_reasoning() -> None:
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}
    reply = one(servers.fields(content=[thinking, {"type": "text", "text": "[1]"}]))
    assert (reply.text, reply.reasoning) == ("[1]", "hm")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "message", "content", "error", "code", "usage", "finish_reason", "data", "id"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=60), st.integers(300, 599))
def test_no_reply_makes_anything_but_a_completion_or_a_model_error(content: bytes, status: int) -> None:
    with contextlib.suppress(ModelError):
        assert isinstance(replies.read_completion(content), Completion)
    problem = replies.read_problem(status, {}, content)
    assert problem.find_completion() or isinstance(problem.make_error(), ModelError)
    assert isinstance(replies.list_models(content), list)


@pytest.mark.parametrize(
    ("row", "length"),
    [
        ({"max_model_len": 8192}, 8192),  # vLLM, SGLang
        ({"context_length": 128000}, 128000),  # OpenRouter
        ({"context_window": 131072}, 131072),  # Groq
        ({"max_context_length": 32768}, 32768),  # Mistral
        ({}, None),
        ({"max_model_len": None}, None),
        ({"max_model_len": "8192"}, None),
        ({"max_model_len": True}, None),
        ({"max_model_len": 0, "context_length": 4096}, 4096),
    ],
)
def test_a_list_of_models_may_say_how_much_one_takes(row: dict[str, object], length: int | None) -> None:
    content = json.dumps({"data": [{"id": "x", **row}]}).encode()
    assert [listed.context_length for listed in replies.list_models(content)] == [length]


def test_the_length_is_known_once_the_endpoint_was_checked() -> None:
    with Server(max_model_len=8192) as server, Server() as silent:
        known, unknown = model(server.url), model(silent.url)
        assert known.context_length() is None
        for one_of in (known, unknown):
            asyncio.run(one_of.check())
        assert (known.context_length(), unknown.context_length()) == (8192, None)


@pytest.mark.parametrize("prefill", ["", "assert f(81) == "])
def test_a_prompt_that_is_too_long_is_an_outcome_with_a_prefill_too(prefill: str) -> None:
    with Server(max_model_len=300) as server:
        fits, long = answers(model(server.url), request(prefill=prefill), request("x = 1\n" * 400, prefill=prefill))
        assert (fits.finish, long.finish, long.text) == ("stop", "too-long", "")
        assert len(server.requests) == 2, "it is not sent again in another way"


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 8192 tokens. However, your prompt contains at least 8193 input tokens, "
        "which exceeds this limit even without any output tokens. (parameter=input_tokens, value=8193)",
        "This model's maximum context length is 8192 tokens. However, your prompt contains 2400148 characters (more "
        "than 663552 characters, which is the upper bound for 8192 input tokens). (parameter=input_text)",
    ],
)
def test_both_ways_in_which_vllm_says_too_long(message: str) -> None:
    body = json.dumps({"error": {"message": message, "type": "BadRequestError", "param": "input_tokens", "code": 400}})
    assert replies.read_problem(400, {}, body.encode()).too_long


# Before the first request.


def start(endpoint: OpenAIModel) -> None:
    answers(endpoint)


def test_a_key_is_needed_where_the_preset_needs_one() -> None:
    with pytest.raises(UsageError, match=r"openai:gpt-x needs a key: set the environment variable OPENAI_API_KEY"):
        start(OpenAIModel.create("gpt-x", url=None, args={}))
    with pytest.raises(UsageError, match=r"groq:m needs a key: .* GROQ_API_KEY"):
        start(OpenAIModel.create("m", url=None, args={}, preset=find_preset("groq")))


def test_the_key_is_sent_and_shown_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f" {KEY}\n")
    with Server(key=KEY) as server:
        endpoint = model(server.url, header__X_Secret="hush-hush-hush")
        assert answers(endpoint, request())[0].text == "[88, 69]"
        assert server.requests[0].headers["X_Secret"] == "hush-hush-hush"
        texts = f"{endpoint!r} {endpoint.label} {endpoint.identity}"
        assert KEY not in texts
        assert "hush" not in texts
    with (
        Server(key="another") as server,
        pytest.raises(UsageError, match="refuses the key: Incorrect API key") as caught,
    ):
        start(model(server.url))  # this server repeats the key in its message
    assert KEY not in str(caught.value)
    with Server(script=[servers.error(400, f"what is {KEY}?")]) as server, pytest.raises(FatalModelError) as fatal:
        answers(model(server.url), request())
    assert "what is [key]?" in str(fatal.value)


def test_a_key_from_another_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    with Server(key=KEY) as server:
        assert answers(model(server.url, key_env="MY_KEY"), request())
        assert answers(model(server.url, header__Authorization=f"Bearer {KEY}"), request())
        with pytest.raises(UsageError, match="needs a key: set the environment variable OTHER"):
            start(model(server.url, key_env="OTHER"))


def test_an_endpoint_that_is_not_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    began = time.monotonic()
    with pytest.raises(UsageError, match=rf"openai:scripted: {url} cannot be reached: .*Start the server"):
        start(model(url))
    assert time.monotonic() - began < 10


def test_an_endpoint_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(under_test, "REACH_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        url = f"http://127.0.0.1:{mute.getsockname()[1]}/v1"
        with pytest.raises(UsageError, match=r"cannot be reached: no answer within 0\.2 seconds"):
            start(model(url))


def test_a_missing_model_is_named_with_its_neighbours() -> None:
    with Server(models=["qwen3-8b", "qwen3-32b"]) as server, pytest.raises(UsageError) as caught:
        start(model(server.url, "qwen3-80b"))
    assert "has no model 'qwen3-80b'; it has qwen3-8b" in str(caught.value)


def test_a_list_that_may_be_incomplete_decides_nothing() -> None:
    with Server(models=["other", "scripted"], owned_by="someone") as server:
        start(model(server.url, "unlisted"))
    with Server(lists_models=False) as server:
        assert answers(model(server.url), request())


def test_ollama_names_have_a_default_tag() -> None:
    with Server(models=["qwen3:latest"], owned_by="library") as server:
        start(OpenAIModel.create("qwen3", url=server.url, args={}, preset=find_preset("ollama")))
        with pytest.raises(UsageError, match=r"ollama:qwen: .* has no model 'qwen'"):
            start(OpenAIModel.create("qwen", url=server.url, args={}, preset=find_preset("ollama")))


def test_base_url_from_the_environment(monkeypatch: pytest.MonkeyPatch, healthy: Server) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", healthy.url + "/")
    endpoint = OpenAIModel.create("scripted", url=None, args={})
    assert endpoint.identity["endpoint"] == healthy.url
    assert answers(endpoint, request())[0].text == "[88, 69]"


# What is configured.


def test_every_preset_makes_a_model() -> None:
    for name, preset in PRESETS.items():
        preset_model = OpenAIModel.create("some/model:tag", url=None, args={}, preset=preset)
        assert preset_model.label == f"{name}:some/model:tag"
        assert not preset_model.pinned
        assert preset.base_url.startswith("https://" if preset.key_env else "http://localhost:")


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ({"tempurature": "1"}, "has no --model-arg 'tempurature': It takes timeout"),
        ({"time_out": "1"}, "did you mean 'timeout'?"),
        ({"timeout": "soon"}, "--model-arg timeout='soon' must be a number from 0.001"),
        ({"timeout": "nan"}, "must be a number"),
        ({"seed": "1.5"}, "must be a whole number"),
        ({"prefill": "yes"}, "must be one of auto, continue, prefix, assistant, never"),
        ({"omit": "temperature,model"}, "must be some of temperature, top_p"),
        ({"price_in": "1"}, "price_in and price_out go together"),
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
        ("ftp://host/v1", "must be an address such as"),
        ("http://me:secret@host/v1", "must not hold a user, a password or a query"),
        ("http://host/v1?key=secret", "must not hold a user, a password or a query"),
    ],
)
def test_bad_addresses(url: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint) as caught:
        model(url)
    assert "secret" not in str(caught.value)


def test_a_name_is_needed() -> None:
    with pytest.raises(UsageError, match="write ollama:NAME"):
        OpenAIModel.create("", url=None, args={}, preset=find_preset("ollama"))


def test_price_and_what_identity_covers(healthy: Server) -> None:
    assert model(healthy.url, price_in="0.5", price_out="2").price == (0.5, 2.0)
    assert model(healthy.url).price is None
    plain = model(healthy.url).identity
    for args in ({"seed": "1"}, {"prefill": "never"}, {"omit": "top_p"}, {"header.A": "1"}, {"body.top_k": "5"}):
        assert OpenAIModel.create("scripted", url=healthy.url, args=args).identity != plain
    for args in ({"timeout": "9"}, {"price_in": "1", "price_out": "1"}, {"max_tokens_field": "max_tokens"}):
        assert OpenAIModel.create("scripted", url=healthy.url, args=args).identity == plain
