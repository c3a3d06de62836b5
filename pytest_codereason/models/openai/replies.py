"""Reads the replies of an OpenAI-compatible server: completions and lists of models. Pure functions of bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from pytest_codereason.core import EMPTY, Completion, Finish, Usage
from pytest_codereason.errors import TransientModelError
from pytest_codereason.models.openai.messages import read_message
from pytest_codereason.models.openai.problems import EndpointProblem, clip, find_problem, join_lines

FINISHES: Mapping[str, Finish] = {
    "stop": "stop",
    "eos": "stop",
    "eos_token": "stop",
    "stop_sequence": "stop",
    "end_turn": "stop",
    "complete": "stop",
    "tool_calls": "stop",
    "function_call": "stop",
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "refused",
    "refusal": "refused",
    "safety": "refused",
}

#: The names of the context length in lists of models: of vLLM and SGLang, OpenRouter, Groq, Mistral.
LENGTHS = ("max_model_len", "context_length", "context_window", "max_context_length")

#: Keys in lists of models that tell two weights of one name apart: of vLLM and SGLang, of llama.cpp, of routers.
WEIGHTS = ("root", "parent", "meta", "revision", "digest", "quantization")

MOST_TOKENS = 100_000_000  #: that one request can take


def read_completion(
    content: bytes, headers: Mapping[str, str] = EMPTY, *, prefill: str = "", latency_s: float | None = None
) -> Completion | EndpointProblem:
    """The completion in the body of a reply with a status of success, or the error that the body reports.

    Some relays send errors with such a status: as the body, beside choices, or in a choice. The text beside an error is
    a part of an answer at best, so it is not read.

    Args:
        content: the body.
        headers: an error may come with a time to wait.
        prefill: the text that the reply continues. It is removed if the server repeats it.
        latency_s: passed on to the completion.

    Raises:
        TransientModelError: the body is not a whole answer.
    """
    try:
        return _read_completion(content, headers, prefill, latency_s)
    except RecursionError:
        raise TransientModelError("the reply is nested too deep to be read") from None


def _read_completion(
    content: bytes, headers: Mapping[str, str], prefill: str, latency_s: float | None
) -> Completion | EndpointProblem:
    try:
        body = json.loads(content)
    except ValueError as error:
        raise TransientModelError(f"the reply is not JSON ({error}): {clip(join_lines(content))}") from None
    if not isinstance(body, dict):
        raise TransientModelError(f"the reply is not a JSON object: {clip(join_lines(content))}")
    choice = _choose(body.get("choices"))
    message = choice.get("message")
    if problem := find_problem((body, choice, message), headers):
        return problem
    if not isinstance(message, dict):
        raise TransientModelError(f"the reply holds no choices: {clip(join_lines(content))}")
    finish = _read_finish(choice)
    text, reasoning, refusal = read_message(message)
    if refusal is not None:
        finish, text = "refused", text or refusal
    if text is None and finish == "stop":
        raise TransientModelError(f"the reply holds no text: {clip(join_lines(content))}")
    return Completion(
        text=(text or "").removeprefix(prefill).removeprefix(prefill.rstrip()),
        finish=finish,
        prefilled=bool(prefill),
        usage=_read_usage(body.get("usage")),
        reasoning=reasoning,
        latency_s=latency_s,
        served_by=body.get("model") if isinstance(body.get("model"), str) else None,
    )


def _choose(choices: Any) -> dict[str, object]:
    """The choice of the lowest index, empty if there is none. One without an index has that of its place."""
    listed = [choice for choice in choices if isinstance(choice, dict)] if isinstance(choices, list) else []
    places = [choice["index"] if type(choice.get("index")) is int else place for place, choice in enumerate(listed)]
    return min(zip(places, listed, strict=True), key=lambda pair: pair[0], default=(0, {}))[1]


class ListedModel(NamedTuple):
    """A model in the reply to ``GET /models``."""

    id: str
    owned_by: str = ""
    context_length: int | None = None  #: tokens of prompt and answer together
    weights: tuple[tuple[str, str], ...] = ()  #: what the list says of its weights, by the keys of :data:`WEIGHTS`


def list_models(content: bytes) -> list[ListedModel]:
    """The models in the reply to ``GET /models``. Empty if the reply is not a list of models."""
    try:
        rows = json.loads(content)["data"]
        return [
            ListedModel(str(row["id"]), str(row.get("owned_by") or ""), _read_length(row), _read_weights(row))
            for row in rows
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []


def _read_length(row: Mapping[str, Any]) -> int | None:
    lengths = (row.get(name) for name in LENGTHS)
    return next((value for value in lengths if type(value) is int and value > 0), None)


def _read_weights(row: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    known = {key: row[key] for key in WEIGHTS if row.get(key) is not None}
    if isinstance(root := known.get("root"), str):  # a folder, which each machine may have elsewhere
        known["root"] = root.rstrip("/").rpartition("/")[2]
    return tuple((key, json.dumps(value, sort_keys=True)) for key, value in known.items())


def _read_finish(choice: Mapping[str, Any]) -> Finish:
    reason = str(choice.get("finish_reason")).lower()
    finish = FINISHES.get(reason) or FINISHES.get(reason.partition(":")[0])
    if finish is None:  # "error", "abort", null: the answer may be cut off, and a part of an answer is never scored
        raise TransientModelError(f"the reply ended with finish_reason {choice.get('finish_reason')!r}")
    return finish


def _read_usage(usage: Any) -> Usage:
    """The tokens that a server reports. A count that no request can have is unknown: below 0, huge, or no integer."""
    if not isinstance(usage, dict):
        return Usage()

    def count(value: Any) -> int | None:
        return value if type(value) is int and 0 <= value <= MOST_TOKENS else None

    def detail(name: str, key: str) -> int | None:
        inside = usage.get(name)
        return count(inside.get(key)) if isinstance(inside, dict) else None

    cached = detail("prompt_tokens_details", "cached_tokens")
    reasoning = detail("completion_tokens_details", "reasoning_tokens")
    prompt, completion = count(usage.get("prompt_tokens")), count(usage.get("completion_tokens"))
    total = count(usage.get("total_tokens"))
    if prompt is not None and completion is not None and total is not None and total > prompt + completion:
        # Gemini and xAI leave reasoning out of completion_tokens. It is billed, and it is in total_tokens.
        reasoning = total - prompt - completion if reasoning is None else reasoning
        completion = total - prompt
    return Usage(
        prompt=prompt,
        completion=completion,
        reasoning=reasoning,
        cached=count(usage.get("prompt_cache_hit_tokens")) if cached is None else cached,
    )
