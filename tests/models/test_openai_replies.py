"""What comes back from an endpoint: completions, outcomes, troubles, usage."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core import Completion, Usage
from pytest_codereason.errors import FatalModelError, ModelError, TransientModelError
from pytest_codereason.models.openai import problems, replies
from tests import servers
from tests.models.asking import answers, request
from tests.models.openai_endpoints import complete_once, make_model
from tests.servers import Disruption, Server


@pytest.mark.parametrize(
    ("disruption", "finish", "text"),
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
        (Disruption(body={"error": {"code": 400, "message": "the context length is 4096"}}), "too-long", ""),
    ],
)
def test_outcomes_of_the_model(disruption: Disruption, finish: str, text: str) -> None:
    reply = complete_once(disruption)
    assert (reply.finish, reply.text) == (finish, text)


@pytest.mark.parametrize(
    ("disruption", "kind", "complaint"),
    [
        (servers.rate_limited(), TransientModelError, "HTTP 429: Rate limit"),
        (servers.overloaded(500), TransientModelError, "HTTP 500"),
        (servers.overloaded(529), TransientModelError, "HTTP 529"),
        (servers.error(408, "slow"), TransientModelError, "HTTP 408"),
        (servers.error(409, "busy"), TransientModelError, "HTTP 409"),
        (servers.malformed(), TransientModelError, "not JSON"),
        (Disruption(body=b"[" * 200_000), TransientModelError, "nested too deep"),
        (Disruption(body=b'{"choices":' * 200_000), TransientModelError, "nested too deep"),
        (Disruption(status=500, body=b"[" * 200_000), TransientModelError, r"HTTP 500: \[\["),
        (Disruption(body=b""), TransientModelError, "not JSON"),
        (Disruption(body=[1]), TransientModelError, "not a JSON object"),
        (servers.no_choices(), TransientModelError, "no choices"),
        (servers.finished("stop", None), TransientModelError, "no text"),
        (servers.finished("error"), TransientModelError, "finish_reason 'error'"),
        (servers.finished(None), TransientModelError, "finish_reason None"),
        (servers.reset(), TransientModelError, "connection failed"),
        (servers.reset(0), TransientModelError, "connection failed"),
        (Disruption(body={"error": {"message": "upstream died"}}), TransientModelError, "upstream died"),
        (Disruption(body={"error": {"code": 402, "message": "no credits"}}), FatalModelError, "no quota left"),
        (servers.no_quota(), FatalModelError, "no quota left"),
        (servers.error(401, "bad key"), FatalModelError, "check the key in OPENAI_API_KEY"),
        (servers.error(403, "not yours"), FatalModelError, "HTTP 403: not yours"),
        (servers.error(404, "no such model"), FatalModelError, "has the model 'scripted'"),
        (servers.error(422, "temperature must be at most 1"), FatalModelError, "at most 1"),
        (servers.error(400, "line\n\tone " + "x" * 1000), FatalModelError, r"HTTP 400: line one x+…$"),
        (Disruption(status=307, headers={"Location": "http://other/v1"}), FatalModelError, "leads to http://other/v1"),
    ],
)
def test_trouble(disruption: Disruption, kind: type[ModelError], complaint: str) -> None:
    with pytest.raises(ModelError, match=complaint) as caught:
        complete_once(disruption)
    assert type(caught.value) is kind
    assert "\n" not in str(caught.value)


def test_one_question_too_big_to_send_stops_nothing() -> None:
    with pytest.raises(ModelError) as caught:
        complete_once(servers.error(413, "Request too large on tokens per minute"))
    assert type(caught.value) is ModelError


@pytest.mark.parametrize("setting", ["timeout", "idle_timeout"])
def test_silence_ends(setting: str) -> None:
    with pytest.raises(TransientModelError, match=r"no answer within 0\.2 seconds|silent for 0\.2 seconds"):
        complete_once(servers.silence(), **{setting: "0.2"})


def test_usage_missing_is_unknown() -> None:
    assert complete_once(servers.no_usage()).usage == Usage()
    unreadable = Disruption(edit=lambda body: body.update(usage={"prompt_tokens": None, "total_tokens": "x"}))
    assert complete_once(unreadable).usage == Usage()


@pytest.mark.parametrize("count", [-1, -(10**9), 10**12, 7.5, 7.0, "7", True, [7]])
def test_a_count_that_no_request_has_is_unknown(count: object) -> None:
    usage = {"prompt_tokens": count, "completion_tokens": count, "prompt_cache_hit_tokens": count}
    assert complete_once(Disruption(edit=lambda body: body.update(usage=usage))).usage == Usage()


def test_reasoning_that_a_server_leaves_out_of_the_reply_is_counted() -> None:
    usage = {"prompt_tokens": 21, "completion_tokens": 5, "total_tokens": 86}
    inside = {"completion_tokens_details": {"reasoning_tokens": 60}}
    for more in ({}, inside):  # Gemini, xAI
        reply = complete_once(Disruption(edit=lambda body, more=more: body.update(usage=usage | more)))  # type: ignore[misc]
        assert reply.usage == Usage(prompt=21, completion=65, reasoning=60)
    whole = usage | inside | {"completion_tokens": 65}
    reply = complete_once(Disruption(edit=lambda body: body.update(usage=whole)))
    assert reply.usage == Usage(prompt=21, completion=65, reasoning=60)


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

    reply = complete_once(Disruption(edit=edit))
    assert reply.usage == Usage(prompt=9, completion=7, reasoning=5, cached=8)
    assert reply.reasoning == "because"


def test_the_choice_of_the_lowest_index_is_the_answer() -> None:
    def choice(index: int | None, text: str) -> dict[str, Any]:
        placed = {} if index is None else {"index": index}
        return {**placed, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}

    def first(*choices: object) -> str:
        return complete_once(Disruption(edit=lambda body: body.update(choices=list(choices)))).text

    assert first(choice(2, "c"), choice(0, "a"), choice(1, "b")) == "a"
    assert first(choice(None, "a"), choice(None, "b")) == "a"
    assert first(None, choice(0, "a")) == "a"


@pytest.mark.parametrize("status", [200, 201, 202, 203, 206])
def test_every_status_of_success_may_bring_an_answer(status: int) -> None:
    assert complete_once(Disruption(status=status)).text == "[88, 69]"
    with pytest.raises(TransientModelError, match="busy"):
        complete_once(Disruption(status=status, body={"error": {"code": 503, "message": "busy"}}))


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
        assert isinstance(replies.read_completion(content), Completion | problems.EndpointProblem)
    problem = problems.read_problem(status, {}, content)
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
        known, unknown = make_model(server.url), make_model(silent.url)
        assert known.context_length() is None
        for one_of in (known, unknown):
            asyncio.run(one_of.check())
        assert (known.context_length(), unknown.context_length()) == (8192, None)


@pytest.mark.parametrize("prefill", ["", "assert f(81) == "])
def test_a_prompt_that_is_too_long_is_an_outcome_with_a_prefill_too(prefill: str) -> None:
    with Server(max_model_len=300) as server:
        fits, long = answers(
            make_model(server.url), request(prefill=prefill), request("x = 1\n" * 400, prefill=prefill)
        )
        assert (fits.finish, long.finish, long.text) == ("stop", "too-long", "")
        assert len(server.requests) == 2, "it is not sent again in another way"
