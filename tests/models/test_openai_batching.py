"""Batches in the form of OpenAI: what is written, and what of a provider's words can be read."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from pytest_codereason.core import Completion
from pytest_codereason.errors import FatalModelError, ModelError, TransientModelError
from pytest_codereason.models.openai import OpenAIModel
from pytest_codereason.models.openai.forms._http import HttpBatching
from pytest_codereason.models.providers import PRESETS
from pytest_codereason.models.specs import create_model
from tests.models.asking import request

HOME = PRESETS["openai"].base_url


def make_batching(url: str = HOME, **args: str) -> HttpBatching:
    batching = OpenAIModel.create("gpt-x", url=url, args=args).batching
    assert batching is not None
    return batching


def test_a_line_has_the_body_of_a_request() -> None:
    line = json.loads(make_batching().write_line("a" * 64, request("What?")).content)
    assert line == {
        "custom_id": "a" * 64,
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {
            "model": "gpt-x",
            "messages": [{"role": "user", "content": "What?"}],
            "temperature": 0.0,
            "max_completion_tokens": 200,
        },
    }
    azure = make_batching("https://mine.openai.azure.com/openai/v1").write_line("a", request()).content
    assert json.loads(azure)["url"] == "/chat/completions"


def test_an_address_finds_the_batches_again_and_holds_no_secret() -> None:
    batching = make_batching("http://a/v1", **{"key_env": "MY_KEY", "header.X": "secret"})
    assert batching.address == {"url": "http://a/v1", "args": {"key_env": "MY_KEY"}}


@pytest.mark.parametrize("name", ["groq", "cerebras", "moonshot", "anthropic", "deepseek", "ollama", "vllm-server"])
def test_which_providers_take_batches(name: str) -> None:
    batching = create_model(f"{name}:x", url=None, args={}).batching
    assert (batching is None) is (name in ("deepseek", "ollama", "vllm-server"))


def complete(text: str = "42", **more: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "model": "gpt-x-1", **more}


def read(result: object, memo: str = '["", "max_tokens"]') -> Completion:
    return make_batching().read(result, memo)


def test_a_completion_is_read_as_one_that_was_asked_for_directly() -> None:
    usage = {"prompt_tokens": 3, "completion_tokens": 2}
    result = {"custom_id": "k", "response": {"status_code": 200, "body": complete(usage=usage)}, "error": None}
    completion = read(result)
    assert (completion.text, completion.served_by, completion.latency_s) == ("42", "gpt-x-1", None)
    assert completion.usage.completion == 2
    result["response"]["body"] = complete("x = 4")  # type: ignore[index]
    continued = read(result, '["x =", "max_tokens"]')
    assert (continued.text.strip(), continued.prefilled) == ("4", True)


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        ({"response": {"status_code": 429, "body": {"error": {"message": "slow"}}}}, TransientModelError),
        ({"response": {"status_code": 500, "body": None}}, TransientModelError),
        ({"response": {"status_code": 200, "body": {"error": {"message": "busy"}}}}, TransientModelError),
        ({"response": {"status_code": 200, "body": complete()["choices"]}}, TransientModelError),
        ({"response": {"body": {}}, "error": None}, TransientModelError),
        ({"response": None, "error": {"code": "batch_expired", "message": "late"}}, TransientModelError),
        ({"response": None, "error": "gone"}, TransientModelError),
        ({"response": "?", "error": None}, TransientModelError),
        ({}, TransientModelError),
        (None, TransientModelError),
        ({"response": {"status_code": "200", "body": complete()}}, TransientModelError),
        ({"response": {"status_code": 404, "body": {"error": {"message": "no model"}}}}, FatalModelError),
        ({"response": {"status_code": 400, "body": {"error": {"message": "bad field"}}}}, FatalModelError),
    ],
)
def test_whatever_stands_in_a_line_it_is_an_error_that_costs_nothing(result: object, kind: type[ModelError]) -> None:
    with pytest.raises(kind) as caught:
        read(result)
    assert caught.value.unbilled


def test_a_field_that_is_rejected_is_sent_under_its_other_name() -> None:
    model = OpenAIModel.create("gpt-x", url="http://a/v1", args={})
    batching = model.batching
    assert batching is not None
    wrong = {"message": "Unsupported parameter: 'max_tokens' is not supported", "param": "max_tokens"}
    memo = batching.write_line("k", request()).memo
    for _ in range(2):  # each line of the batch says so
        with pytest.raises(TransientModelError, match="sent again"):
            batching.read({"response": {"status_code": 400, "body": {"error": wrong}}}, memo)
    assert "max_completion_tokens" in json.loads(batching.write_line("k", request()).content)["body"]


def test_lines_of_any_length_arrive_as_they_are() -> None:
    from pytest_codereason.models.openai.body_limit import MAX_BODY, read_lines

    whole = b"a\n\n" + b"b" * 1000 + b"\n" + b"c" * (MAX_BODY + 9) + b"\nd"

    async def collect(size: int) -> list[bytes]:
        async def chunks() -> Any:
            for place in range(0, len(whole), size):
                yield whole[place : place + size]

        return [line async for line in read_lines({}, chunks())]

    for size in (100_000, len(whole)):
        lines = asyncio.run(collect(size))
        assert [line[:1] + line[-1:] for line in lines if len(line) < 2000] == [b"aa", b"", b"bb", b"dd"]
    assert len(asyncio.run(collect(100_000))) == 4, "a line that is too long is left out"
