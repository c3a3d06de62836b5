"""Reads the replies of an OpenAI-compatible server: completions, refusals and errors.

All functions are pure: they read status, headers and bytes. Servers differ most in how they report errors, so the
codes and messages of all servers are listed here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

from pytest_codereason.core import Completion, Finish, Usage
from pytest_codereason.errors import FatalModelError, ModelError, TransientModelError
from pytest_codereason.secrets import SHORTEST, hide
from pytest_codereason.text.wording import visible

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

TOO_LONG_CODES = {"context_length_exceeded", "exceed_context_size_error", "string_above_max_length"}
TOO_LONG = re.compile(
    r"context (length|size|window|limit)|maximum (context|prompt|model) length|max_model_len"
    r"|(prompt|input|request) (is )?too long|longer than the (maximum )?model"
    r"|input token count .{0,80}exceeds|max_new_tokens` must be",
    re.IGNORECASE,
)
REFUSED_CODES = {"content_filter", "content_policy_violation", "invalid_prompt", "moderation_blocked"}
REFUSED = re.compile(
    r"content management policy|content violates|(prompt|input|content) (was|were|has been) (flagged|filtered|blocked)",
    re.IGNORECASE,
)
NO_QUOTA_CODES = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}
#: OpenAI and Gemini name the time to wait in the message if the header is missing.
WAIT = re.compile(r"(?:try again|retry) in (\d+(?:\.\d+)?) ?(ms|s)\b", re.IGNORECASE)
UNSUPPORTED = re.compile(
    r"unsupported|not supported|does not support|not permitted|unrecognized|unknown|deprecated", re.IGNORECASE
)
NO_PREFILL = re.compile(r"prefill|(must end with|last message .{0,40}) a? ?user|continue_final_message", re.IGNORECASE)

#: The names of the context length in lists of models: of vLLM and SGLang, OpenRouter, Groq, Mistral.
LENGTHS = ("max_model_len", "context_length", "context_window", "max_context_length")

MOST_TOKENS = 100_000_000  #: that one request can take
LONGEST_READ = 4_000  #: characters of a server's message that are read
LONGEST_MESSAGE = 300  #: characters of a server's message that are shown


@dataclass(frozen=True, slots=True)
class EndpointProblem:
    """An error of the server."""

    status: int
    message: str  #: on one line
    codes: frozenset[str] = frozenset()  #: the values of ``code``, ``type`` and ``status``, in lower case
    param: str | None = None
    retry_after: float | None = None  #: seconds

    @property
    def too_long(self) -> bool:
        """Whether prompt and answer together are longer than the model's context."""
        return self.status in (400, 413, 422) and bool(self.codes & TOO_LONG_CODES or TOO_LONG.search(self.message))

    @property
    def refused(self) -> bool:
        """Whether a content filter refused the prompt."""
        return self.status in (400, 403) and bool(self.codes & REFUSED_CODES or REFUSED.search(self.message))

    @property
    def refuses_prefill(self) -> bool:
        """Whether the server does not continue a reply that the request begins."""
        return self.status in (400, 422) and bool(NO_PREFILL.search(self.message))

    def rejects_field(self, field: str) -> bool:
        """Whether the server refuses this field of the request, or its value."""
        if self.status not in (400, 422):
            return False
        named = self.param == field or re.search(rf"(?<!\w){re.escape(field)}(?!\w)", self.message)
        return bool(named and (UNSUPPORTED.search(self.message) or self.codes & {"unsupported_parameter"}))

    def find_completion(self) -> Completion | None:
        """The completion for a prompt that is too long or refused, ``None`` for any other error."""
        if self.too_long:
            return Completion(text="", finish="too-long")
        return Completion(text=clip(self.message), finish="refused") if self.refused else None

    def make_error(self, hint: str = "") -> ModelError:
        """The exception to raise. ``hint`` says what the user can do."""
        text = f"HTTP {self.status}: {clip(self.message)}" + (f" ({hint})" if hint else "")
        if self.status == 402 or (self.status == 429 and self.codes & NO_QUOTA_CODES):
            return FatalModelError(f"no quota left: {text}")
        if self.status in (408, 409, 425, 429) or self.status >= 500:
            return TransientModelError(text, retry_after=self.retry_after, unbilled=True)
        if self.status == 413:  # only this question is too large to send
            return ModelError(text)
        return FatalModelError(text)


def read_completion(content: bytes, *, prefill: str = "", latency_s: float | None = None) -> Completion:
    """The completion in the body of a reply with status 200.

    Args:
        content: the body.
        prefill: the text that the reply continues. It is removed if the server repeats it.
        latency_s: passed on to the completion.

    Raises:
        TransientModelError: the body is not a whole answer.
        ModelError: the body reports an error. Some relays send errors with status 200.
    """
    try:
        return _read_completion(content, prefill, latency_s)
    except RecursionError:
        raise TransientModelError("the reply is nested too deep to be read") from None


def _read_completion(content: bytes, prefill: str, latency_s: float | None) -> Completion:
    try:
        body = json.loads(content)
    except ValueError as error:
        raise TransientModelError(f"the reply is not JSON ({error}): {clip(join_lines(content))}") from None
    if not isinstance(body, dict):
        raise TransientModelError(f"the reply is not a JSON object: {clip(join_lines(content))}")
    choices = body.get("choices")
    if not choices and body.get("error"):
        problem = read_problem(_read_status(body["error"]), {}, content)
        if instead := problem.find_completion():
            return instead
        raise problem.make_error()
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if choice is None or not isinstance(message, dict):
        raise TransientModelError(f"the reply holds no choices: {clip(join_lines(content))}")
    finish = _read_finish(choice)
    text, thought = _read_text(message)
    if message.get("refusal"):
        finish, text = "refused", text or str(message["refusal"])
    if text is None and finish == "stop" and thought is None and not message.get("tool_calls"):
        raise TransientModelError(f"the reply holds no text: {clip(join_lines(content))}")
    return Completion(
        text=(text or "").removeprefix(prefill).removeprefix(prefill.rstrip()),
        finish=finish,
        prefilled=bool(prefill),
        usage=_read_usage(body.get("usage")),
        reasoning=thought,
        latency_s=latency_s,
        served_by=body.get("model") if isinstance(body.get("model"), str) else None,
    )


def read_problem(status: int, headers: Mapping[str, str], content: bytes) -> EndpointProblem:
    """The error in a body: ``{"error": {...}}``, ``{"error": "text"}``, ``{"message": ...}``, a list of one, text."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        body = None
    if isinstance(body, list) and body:
        body = body[0]
    inner = body.get("error", body) if isinstance(body, dict) else body
    fields = inner if isinstance(inner, dict) else {}
    raw = fields.get("message") or fields.get("detail") or (inner if isinstance(inner, str) else None)
    metadata = fields.get("metadata")
    if isinstance(metadata, dict) and metadata.get("raw"):  # a relay passes on its provider's message
        raw = f"{raw}: {metadata['raw']}"
    message = join_lines(raw if isinstance(raw, str) else content)
    codes = (fields.get(key) for key in ("code", "type", "status"))
    param = fields.get("param")
    return EndpointProblem(
        status=status,
        message=message or "no message",
        codes=frozenset(code.lower() for code in codes if isinstance(code, str)),
        param=param if isinstance(param, str) else None,
        retry_after=_read_wait(headers, message),
    )


class ListedModel(NamedTuple):
    """A model in the reply to ``GET /models``."""

    id: str
    owned_by: str = ""
    context_length: int | None = None  #: tokens of prompt and answer together


def list_models(content: bytes) -> list[ListedModel]:
    """The models in the reply to ``GET /models``. Empty if the reply is not a list of models."""
    try:
        rows = json.loads(content)["data"]
        return [ListedModel(str(row["id"]), str(row.get("owned_by") or ""), _read_length(row)) for row in rows]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []


def _read_length(row: Mapping[str, Any]) -> int | None:
    lengths = (row.get(name) for name in LENGTHS)
    return next((value for value in lengths if type(value) is int and value > 0), None)


def _read_finish(choice: Mapping[str, Any]) -> Finish:
    reason = str(choice.get("finish_reason")).lower()
    finish = FINISHES.get(reason) or FINISHES.get(reason.partition(":")[0])
    if finish is None:  # "error", "abort", null: the answer may be cut off, and a part of an answer is never scored
        raise TransientModelError(f"the reply ended with finish_reason {choice.get('finish_reason')!r}")
    return finish


def _read_text(message: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The text and the reasoning of a message, each ``None`` if it is missing."""
    content = message.get("content")
    thought = message.get("reasoning_content") or message.get("reasoning")
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict)]
        thought = thought or "".join(_read_thinking(part) for part in parts)
        content = "".join(part["text"] for part in parts if isinstance(part.get("text"), str))
    return (content if isinstance(content, str) else None), (thought if isinstance(thought, str) and thought else None)


def _read_thinking(part: Mapping[str, Any]) -> str:
    inside = part.get("thinking")
    if isinstance(inside, list):
        return "".join(str(p.get("text", "")) for p in inside if isinstance(p, dict))
    return inside if isinstance(inside, str) else ""


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


def _read_status(error: Any) -> int:
    """The status that an error sent with status 200 names, else 502, which is worth a retry."""
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and 400 <= code < 600 else 502


def _read_wait(headers: Mapping[str, str], message: str) -> float | None:
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * unit)
        except (KeyError, ValueError):
            pass
    try:
        at = parsedate_to_datetime(headers["retry-after"])
        return max(0.0, (at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
    except (KeyError, ValueError):
        pass
    wait = WAIT.search(message)
    return float(wait[1]) * (0.001 if wait[2].lower() == "ms" else 1.0) if wait else None


def join_lines(text: str | bytes) -> str:
    """The start of a text, on one line."""
    start = text[:LONGEST_READ]
    return " ".join((start if isinstance(start, str) else start.decode("utf-8", "replace")).split())


def clip(line: str) -> str:
    """A line as a message shows it: cut to its length, with control characters written out, and without secrets."""
    line = visible(hide(line, SHORTEST)).replace("\n", "\\n").replace("\t", "\\t")
    return line if len(line) <= LONGEST_MESSAGE else line[: LONGEST_MESSAGE - 1] + "…"
