"""Reads the errors of an OpenAI-compatible server: what each means for the question, and for the run.

All functions are pure: they read status, headers and bytes. Servers differ most in how they report errors, so the
codes and messages of all servers are listed here.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from pytest_codereason.core import Completion
from pytest_codereason.core.display import visible
from pytest_codereason.core.secrets import SHORTEST, hide
from pytest_codereason.errors import FatalModelError, ModelError, TransientModelError

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

#: The statuses that words of an error stand for. An error with status 200 may have no number.
STATUSES: Mapping[str, int] = {
    **dict.fromkeys(("invalid_request_error", "invalid_argument", "badrequesterror"), 400),
    **dict.fromkeys((*TOO_LONG_CODES, *REFUSED_CODES), 400),
    **dict.fromkeys(("authentication_error", "invalid_api_key", "unauthenticated"), 401),
    **dict.fromkeys(("billing_error", "insufficient_credits"), 402),
    **dict.fromkeys(("permission_error", "permission_denied"), 403),
    **dict.fromkeys(("not_found_error", "not_found", "model_not_found"), 404),
    "request_too_large": 413,
    **dict.fromkeys(("rate_limit_error", "rate_limit_exceeded", "resource_exhausted", *NO_QUOTA_CODES), 429),
    **dict.fromkeys(("overloaded_error", "unavailable"), 503),
}
#: The keys of an error under which a server may write its status, as a number or as a word.
STATUS_KEYS = ("code", "status", "status_code", "type")
UNKNOWN_STATUS = 502  #: of an error that names none: it is worth a retry

LONGEST_WISH = 86_400.0  #: seconds to wait that a server may ask for; those who wait have a limit of their own
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
    inside: bool = False  #: whether it came with a status of success; the server may then have worked on the request

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
        error = self._choose_error(hint)
        error.status = self.status
        return error

    def _choose_error(self, hint: str) -> ModelError:
        where = "the reply is an error" if self.inside else "HTTP"
        text = f"{where} {self.status}: {clip(self.message)}" + (f" ({hint})" if hint else "")
        if self.status == 402 or (self.status == 429 and self.codes & NO_QUOTA_CODES):
            return FatalModelError(f"no quota left: {text}")
        if self.status in (408, 409, 425, 429) or self.status >= 500:
            return TransientModelError(text, retry_after=self.retry_after, unbilled=not self.inside)
        if self.status == 413:  # only this question is too large to send
            return ModelError(text)
        return FatalModelError(text)


def read_problem(status: int, headers: Mapping[str, str], content: bytes) -> EndpointProblem:
    """The error in a body: ``{"error": {...}}``, ``{"error": "text"}``, ``{"message": ...}``, a list of one, text."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        body = None
    if isinstance(body, list) and body:
        body = body[0]
    inner = body.get("error", body) if isinstance(body, dict) else body
    return _describe(status, headers, inner, otherwise=content)


def find_problem(values: Iterable[Any], headers: Mapping[str, str]) -> EndpointProblem | None:
    """The first error in parts of a reply that came with a status of success, ``None`` if there is none.

    A part that says ``"error": null``, or names an error without saying anything of it, has none.
    """
    for value in values:
        if not isinstance(value, dict):
            continue
        error = value.get("error")
        if not error and "error" in (value.get("object"), value.get("type")):
            error = value
        if any(error.values()) if isinstance(error, dict) else error:
            problem = _describe(read_status(error), headers, error, otherwise=json.dumps(error))
            return replace(problem, inside=True)
    return None


def _describe(status: int, headers: Mapping[str, str], error: Any, *, otherwise: str | bytes) -> EndpointProblem:
    """A problem from its value in JSON. ``otherwise`` is the message of an error that has none."""
    fields = error if isinstance(error, dict) else {}
    raw = fields.get("message") or fields.get("detail") or (error if isinstance(error, str) else None)
    metadata = fields.get("metadata")
    if isinstance(metadata, dict) and metadata.get("raw"):  # a relay passes on its provider's message
        raw = f"{raw}: {metadata['raw']}"
    message = join_lines(raw if isinstance(raw, str) else otherwise)
    codes = (fields.get(key) for key in ("code", "type", "status"))
    param = fields.get("param")
    return EndpointProblem(
        status=status,
        message=message or "no message",
        codes=frozenset(code.lower() for code in codes if isinstance(code, str)),
        param=param if isinstance(param, str) else None,
        retry_after=_read_wait(headers, message),
    )


def read_status(error: Any) -> int:
    """The status of an error that came with a status of success, as a number or as a word."""
    words = [str(error.get(key)).lower() for key in STATUS_KEYS] if isinstance(error, dict) else []
    numbers = [int(word) for word in words if re.fullmatch(r"[45][0-9]{2}", word)]
    return next(iter([*numbers, *(STATUSES[word] for word in words if word in STATUSES)]), UNKNOWN_STATUS)


def _read_wait(headers: Mapping[str, str], message: str) -> float | None:
    """The seconds that a server asks to wait for, at most :data:`LONGEST_WISH`. Headers come from outside."""
    wish = _read_wish(headers, message)
    return None if wish is None or math.isnan(wish) else min(max(0.0, wish), LONGEST_WISH)


def _read_wish(headers: Mapping[str, str], message: str) -> float | None:
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return float(headers[name]) * unit
        except (KeyError, ValueError):
            pass
    try:
        at = parsedate_to_datetime(headers["retry-after"])
        return (at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    except (KeyError, ValueError, OverflowError):  # of a date that no calendar has
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
