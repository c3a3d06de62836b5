"""Reads one JSON object out of a writer's reply."""

from __future__ import annotations

import json

from pytest_codereason.core import Completion, Rejected

#: Most characters of a reply that are read.
MOST_CHARACTERS = 50_000


def read_object(completion: Completion) -> dict[str, object]:
    """The object between the first and the last brace of a reply.

    Raises:
        Rejected: there is none.
    """
    text = completion.text[:MOST_CHARACTERS]
    start, end = text.find("{"), text.rfind("}")
    try:
        value = json.loads(text[start : end + 1]) if start >= 0 else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise Rejected("gave no JSON object", "Your reply holds no JSON object.")
    return value
