"""Forms of batches that are not OpenAI's: what is written, and what of a provider's words can be read."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from pytest_codereason.core import Completion, Message, Request, Sampling
from pytest_codereason.errors import FatalModelError, ModelError, TransientModelError
from pytest_codereason.models.openai import OpenAIModel
from pytest_codereason.models.openai.forms import find_form
from pytest_codereason.models.openai.forms._http import HttpBatching
from pytest_codereason.models.providers import PRESETS
from pytest_codereason.models.specs import create_model
from tests.models.asking import request

MEMO = '["", "max_tokens"]'
SETTINGS = Sampling(temperature=1.5, top_p=0.9, max_tokens=300, reasoning_effort="low")


def make_batching(provider: str, name: str = "m", **args: str) -> HttpBatching:
    model = create_model(f"{provider}:{name}", url=None, args=args)
    assert isinstance(model, OpenAIModel)
    batching = model.batching
    assert batching is not None
    return batching


def told(sampling: Sampling = SETTINGS) -> Request:
    """A request with a system message, a prefill and every setting."""
    asked = request("What?")
    messages = (Message("system", "Be brief."), *asked.ask.messages)
    return replace(
        asked, ask=replace(asked.ask, messages=messages, prefill="x = ", prefill_stop=("\n\n",)), sampling=sampling
    )


def write(batching: HttpBatching, asked: Request) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(batching.write_line("a" * 64, asked).content)
    return line


def test_every_form_that_a_provider_names_is_there() -> None:
    for preset in PRESETS.values():
        if preset.batch:
            assert issubclass(find_form(preset.batch), HttpBatching)


def test_anthropic_gets_a_message() -> None:
    """Its address of OpenAI's form joins system messages and caps the temperature, so a batch does the same."""
    assert write(make_batching("anthropic"), told()) == {
        "custom_id": "a" * 64,
        "params": {
            "model": "m",
            "system": "Be brief.",
            "messages": [{"role": "user", "content": "What?"}, {"role": "assistant", "content": "x ="}],
            "temperature": 1.0,
            "top_p": 0.9,
            "max_tokens": 300,
            "stop_sequences": ["\n\n"],
            "output_config": {"effort": "low"},
        },
    }


def test_anthropic_needs_a_limit_of_tokens() -> None:
    with pytest.raises(FatalModelError, match=r"set max_tokens in \[sampling\] of the suite"):
        write(make_batching("anthropic"), told(Sampling(max_tokens=None)))


def test_gemini_gets_contents_and_a_config() -> None:
    batching = make_batching("gemini", **{"body.safetySettings": "[]", "seed": "3"})
    assert write(batching, told()) == {
        "key": "a" * 64,
        "request": {
            "systemInstruction": {"parts": [{"text": "Be brief."}]},
            "contents": [{"role": "user", "parts": [{"text": "What?"}]}],
            "generationConfig": {
                "temperature": 1.5,
                "topP": 0.9,
                "maxOutputTokens": 300,
                "seed": 3,
                "thinkingConfig": {"thinkingLevel": "low"},
            },
            "safetySettings": [],
        },
    }


def test_openrouter_gets_the_requests_last_and_its_batch_models_cost_their_price() -> None:
    plain, variant = (make_batching("openrouter", name) for name in ("a/b", "a/b:batch"))
    assert (plain.terms.discount, variant.terms.discount) == (0.5, 1.0)
    form = find_form("openrouter")
    assert isinstance(plain, form)
    sent = json.loads(plain.write_batch([b'{"custom_id": "k"}', b"{}"]))  # type: ignore[attr-defined]
    assert [*sent] == ["endpoint", "model", "completion_window", "requests"]
    assert sent["requests"] == [{"custom_id": "k"}, {}]


def message(**more: Any) -> dict[str, Any]:
    whole = {"content": [{"type": "text", "text": "42"}], "stop_reason": "end_turn", "model": "m-1", "usage": {}}
    return {"custom_id": "k", "result": {"type": "succeeded", "message": whole | more}}


def test_anthropic_tokens_from_the_cache_are_part_of_the_prompt() -> None:
    usage = {
        "input_tokens": 5,
        "cache_read_input_tokens": 30,
        "cache_creation_input_tokens": 7,
        "output_tokens": 2,
    }
    thinking = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "42"}]
    completion = make_batching("anthropic").read(message(usage=usage, content=thinking), MEMO)
    assert (completion.text, completion.reasoning, completion.served_by) == ("42", "hm", "m-1")
    assert (completion.usage.prompt, completion.usage.cached, completion.usage.completion) == (42, 30, 2)


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "refused"),
    ],
)
def test_why_anthropic_stopped(reason: str, finish: str) -> None:
    assert make_batching("anthropic").read(message(stop_reason=reason), MEMO).finish == finish


def errored(kind: str, text: str = "no") -> dict[str, Any]:
    return {"result": {"type": "errored", "error": {"type": "error", "error": {"type": kind, "message": text}}}}


def respond(**more: Any) -> dict[str, Any]:
    return {"key": "k", "response": more}


def test_gemini_thoughts_are_reasoning_and_are_paid() -> None:
    parts = [{"text": "hm", "thought": True}, {"text": "4"}, {"text": "2"}]
    usage = {"promptTokenCount": 9, "candidatesTokenCount": 2, "thoughtsTokenCount": 50, "totalTokenCount": 61}
    completion = make_batching("gemini").read(
        respond(
            candidates=[{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}],
            usageMetadata=usage,
            modelVersion="gemini-x",
        ),
        MEMO,
    )
    assert (completion.text, completion.reasoning, completion.served_by) == ("42", "hm", "gemini-x")
    assert (completion.usage.prompt, completion.usage.completion, completion.usage.reasoning) == (9, 52, 50)


@pytest.mark.parametrize(
    ("response", "finish"),
    [
        ({"candidates": [{"finishReason": "MAX_TOKENS", "content": {"role": "model"}}]}, "length"),
        ({"candidates": [{"finishReason": "SAFETY"}]}, "refused"),
        ({"candidates": [{"finishReason": "RECITATION"}]}, "refused"),
        ({"promptFeedback": {"blockReason": "OTHER"}}, "refused"),
    ],
)
def test_why_gemini_stopped(response: dict[str, Any], finish: str) -> None:
    assert make_batching("gemini").read(respond(**response), MEMO).finish == finish


ERRORS = [
    ("anthropic", errored("invalid_request_error"), FatalModelError),
    ("anthropic", errored("overloaded_error"), TransientModelError),
    ("anthropic", errored("api_error"), TransientModelError),
    ("anthropic", {"result": {"type": "expired"}}, TransientModelError),
    ("anthropic", {"result": {"type": "new"}}, TransientModelError),
    ("anthropic", {"result": {"type": "succeeded", "message": {}}}, TransientModelError),
    ("anthropic", {"result": {"type": "succeeded", "message": None}}, TransientModelError),
    ("anthropic", {"result": {"type": "errored", "error": None}}, TransientModelError),
    ("anthropic", {"result": []}, TransientModelError),
    ("anthropic", {}, TransientModelError),
    ("anthropic", [], TransientModelError),
    ("gemini", {"error": {"code": 3, "message": "no such field"}}, FatalModelError),
    ("gemini", {"error": {"code": 400, "message": "no such field"}}, FatalModelError),
    ("gemini", {"error": {"code": 8, "message": "slow"}}, TransientModelError),
    ("gemini", {"error": {"code": 1}}, TransientModelError),
    ("gemini", {"error": {}}, TransientModelError),
    ("gemini", {"error": "?"}, TransientModelError),
    ("gemini", {"response": {}}, TransientModelError),
    ("gemini", {"response": {"candidates": []}}, TransientModelError),
    ("gemini", {"response": {"candidates": [{"finishReason": "OTHER"}]}}, TransientModelError),
    ("gemini", {"response": []}, TransientModelError),
    ("gemini", {}, TransientModelError),
    ("openrouter", {"response": None, "error": {"code": "bad", "message": "?"}}, TransientModelError),
]


@pytest.mark.parametrize(("provider", "result", "kind"), ERRORS)
def test_whatever_stands_in_a_result_it_is_an_error_that_costs_nothing(
    provider: str, result: object, kind: type[ModelError]
) -> None:
    with pytest.raises(kind) as caught:
        make_batching(provider).read(result, MEMO)
    assert caught.value.unbilled


def test_a_prompt_that_is_too_long_is_an_answer() -> None:
    too_long = errored("invalid_request_error", "prompt is too long: 300000 tokens > 200000 maximum")
    assert make_batching("anthropic").read(too_long, MEMO) == Completion(text="", finish="too-long")
    error = {"error": {"code": 3, "message": "The input token count (9) exceeds the maximum"}}
    assert make_batching("gemini").read(error, MEMO).finish == "too-long"


@pytest.mark.parametrize(
    ("row", "ended"),
    [
        ({"processing_status": "in_progress", "request_counts": {"processing": 3}}, None),
        ({"processing_status": "canceling", "request_counts": {}, "cancel_initiated_at": "now"}, None),
        ({"processing_status": "ended", "request_counts": {"succeeded": 3}}, "completed"),
        ({"processing_status": "ended", "request_counts": {"succeeded": 2, "expired": 1}}, "expired"),
        ({"processing_status": "ended", "request_counts": {"expired": 1}, "cancel_initiated_at": "now"}, "cancelled"),
    ],
)
def test_how_a_batch_of_anthropic_ends(row: dict[str, Any], ended: str | None) -> None:
    state = make_batching("anthropic").read_state({"id": "b", "results_url": "https://elsewhere/x", **row})
    assert state.ended == ended
    assert state.results == ("/messages/batches/b/results",), "the key goes to no address that a reply names"


@pytest.mark.parametrize(
    ("state", "ended"),
    [
        ("BATCH_STATE_PENDING", None),
        ("JOB_STATE_RUNNING", None),
        ("JOB_STATE_SUCCEEDED", "completed"),
        ("BATCH_STATE_EXPIRED", "expired"),
        ("BATCH_STATE_CANCELLED", "cancelled"),
        ("BATCH_STATE_FAILED", "failed"),
    ],
)
def test_how_a_batch_of_gemini_ends(state: str, ended: str | None) -> None:
    row = {"metadata": {"state": state, "batchStats": {"successfulRequestCount": "7"}}, "error": {"message": "why"}}
    read = make_batching("gemini").read_state(row)
    assert (read.ended, read.answered, read.failure) == (ended, 7, "why")
