"""Handles the beginning of a reply that was written for the model."""

from __future__ import annotations

from pytest_codereason.questions.replies.pieces.blocks import find_fences
from pytest_codereason.questions.replies.pieces.tags import keep_tags


def drop_repeated_prefill(text: str, prefill: str) -> str:
    """``text`` without the prefill, or the last lines of the prefill, if the text begins with them."""
    lines, bare = prefill.split("\n"), text.lstrip()
    for first in range(len(lines)):
        if (repeated := "\n".join(lines[first:]).strip()) and bare.startswith(repeated):
            return bare[len(repeated) :]
    return text


def drop_content(prefill: str) -> str:
    """The fences and tags of a prefill, and its last line. A literal above this line is no answer of the model."""
    *above, last = prefill.split("\n")
    return "\n".join([*(line if find_fences(line) else keep_tags(line) for line in above), last])
