"""Takes a value out of an object that names it as the answer: ``{"answer": 42, "confidence": 0.9}``.

A program may return such an object. So a key that the program has, in quotes or before a colon, names no answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from pytest_codereason.core import Value
from pytest_codereason.questions.replies.literals import Candidate, LiteralReader

_ANSWERS = frozenset(
    "answer finalanswer output finaloutput result finalresult returnvalue returnedvalue prediction predictedoutput "
    "expectedoutput solution".split()
)
_OTHERS = frozenset(
    "reasoning explanation steps thought thoughts thinking confidence analysis rationale comment comments note notes "
    "language function call input trace justification type".split()
)
#: A text that is a literal of its own, and no text.
_LITERAL = re.compile(r"\s*(?:\[.*\]|\{.*\}|\(.*\)|'.*'|\".*\")\s*", re.DOTALL)


def unwrap(reader: LiteralReader, candidate: Candidate, program: str) -> Candidate:
    """``candidate``, or the value that it names as the answer."""
    if candidate.value is not None:
        if isinstance(candidate.value.value, dict) and (key := find_key(candidate.value.value, program)) is not None:
            return _take(reader, candidate, candidate.value.value[key], candidate.value.unresolved)
        return candidate
    if not (candidate.text.startswith("{") and candidate.text.endswith("}") and reader.pay(4 * len(candidate.text))):
        return candidate
    try:
        payload = json.loads(candidate.text)
    except (ValueError, RecursionError):
        return candidate
    key = find_key(payload, program)
    if key is None:
        return candidate
    inner = reader.read(json.dumps(payload[key], ensure_ascii=False), complete=candidate.complete)
    if inner.value is None:  # JSON has other words than the language; a bare ``null`` says that there is no answer
        return inner if payload[key] is None else replace(inner, value=Value(payload[key]), reason="")
    return _take(reader, inner, inner.value.value, inner.value.unresolved)


def find_key(wrapper: Mapping[Any, Any], program: str, keys: Collection[str] = _ANSWERS) -> Any:
    """The one key of an object that names an answer, ``None`` if there is none or the object has other data."""
    names = {key: re.sub(r"[\W_]", "", key).lower() if isinstance(key, str) else "" for key in wrapper}
    answers = [key for key, name in names.items() if name in keys]
    if len(answers) != 1 or any(name not in _OTHERS for key, name in names.items() if key != answers[0]):
        return None
    key = re.escape(answers[0])
    return None if re.search(rf"(?P<quote>['\"]){key}(?P=quote)|\b{key}\s*:", program) else answers[0]


def _take(reader: LiteralReader, candidate: Candidate, inner: Any, unresolved: bool) -> Candidate:
    if isinstance(inner, str) and _LITERAL.fullmatch(inner):
        written = reader.read(inner, complete=candidate.complete)
        if written.value is not None:
            return written
    return replace(candidate, value=Value(inner, unresolved))


def read_written(reader: LiteralReader, text: str) -> Candidate:
    """The value that a text writes out, as a literal of the language or as JSON: ``{"a":1}``."""
    candidate = reader.read(text)
    if candidate.value is not None or not (text.startswith(("{", "[")) and reader.pay(4 * len(text))):
        return candidate
    try:
        return replace(candidate, value=Value(json.loads(text)), reason="")
    except (ValueError, RecursionError):
        return candidate
