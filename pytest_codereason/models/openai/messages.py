"""Reads the message of a completion: what is the answer, what is reasoning, and what is a refusal.

The content of a message is text, or a list of parts: ``[{"type": "thinking", "thinking": "..."}, {"type": "text",
"text": "42"}]``. Only parts of text are the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

#: The types of parts that are the answer. Some servers leave the type out.
ANSWERS = frozenset({"", "text", "output_text"})
#: What the types of parts with reasoning have in common: ``thinking``, ``redacted_thinking``, ``reasoning.summary``.
REASONING = re.compile(r"reason|think|thought|analysis|summary")
#: The fields of a message that hold its reasoning, as text or as parts.
REASONING_FIELDS = (
    "reasoning_content",
    "reasoning",
    "reasoning_text",
    "thinking",
    "thinking_blocks",
    "reasoning_details",
)
#: Where the text of a part may stand.
TEXTS = ("text", "thinking", "reasoning", "refusal", "summary", "content", "value")


class MessageText(NamedTuple):
    """The texts of a message. Each is ``None`` if the message has none of its kind."""

    answer: str | None  #: also the empty text of a message that says something else, such as an image
    reasoning: str | None
    refusal: str | None


def read_message(message: Mapping[str, object]) -> MessageText:
    """The texts of a message.

    There is no answer if the message holds nothing at all: no content, or an empty list of parts. A server that
    sends such a message has lost the answer.
    """
    content = message.get("content")
    texts: dict[str, list[str]] = {"answer": [], "reasoning": [], "refusal": []}
    for kind, text in _list_parts(content):
        texts[kind].append(text)
    fields = (_join(message.get(name)) for name in REASONING_FIELDS)
    reasoning = next(filter(None, fields), "") or "".join(texts["reasoning"])
    refusal = _join(message.get("refusal")) or "".join(texts["refusal"])
    says = isinstance(content, str) or bool(content) or any(message.get(name) for name in REASONING_FIELDS)
    says = says or bool(message.get("tool_calls") or message.get("function_call"))
    return MessageText("".join(texts["answer"]) if says else None, reasoning or None, refusal or None)


def _list_parts(content: Any) -> Iterator[tuple[str, str]]:
    """The kind and the text of each part of a content. An image, a sound and the like are no part of it."""
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            yield "answer", part
        elif isinstance(part, dict):
            kind = str(part.get("type") or "").lower()
            if part.get("thought") is True or REASONING.search(kind):
                yield "reasoning", _join(part)
            elif kind == "refusal":
                yield "refusal", _join(part)
            elif kind in ANSWERS:
                yield "answer", _join(part)


def _join(value: Any) -> str:
    """The text in a value: itself, the text of a part, or those of a list of parts."""
    if isinstance(value, list):
        return "".join(map(_join, value))
    if isinstance(value, dict):
        return next(filter(None, (_join(value.get(name)) for name in TEXTS)), "")
    return value if isinstance(value, str) else ""
