"""Reads the fenced code blocks of a reply, by the rule of Markdown.

Three backticks or tildes open a block, perhaps with a tag such as ``python``. The same fence, or a longer one,
without a tag closes the block. A block that is never closed reaches to the end of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

_FENCE = re.compile(r"^[ \t>]*+(`{3,}+|~{3,}+)([^\n`]*+)$", re.MULTILINE)


class Fence(NamedTuple):
    """A line that opens or closes a block."""

    mark: str  #: the backticks or tildes
    tag: str  #: the text after them, such as ``python``
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """What stands between two fences, with the line end after the first."""

    text: str
    closed: bool  #: whether a fence ends the block
    start: int = field(default=0, compare=False)  #: where the text begins
    end: int = field(default=0, compare=False)  #: where it ends
    after: int = field(default=0, compare=False)  #: where the fence ends that closes it


def find_fences(text: str) -> list[Fence]:
    """Every line of ``text`` that is a fence."""
    if "```" not in text and "~~~" not in text:
        return []
    return [Fence(line[1], line[2].strip(), line.start(), line.end()) for line in _FENCE.finditer(text)]


def read_blocks(text: str) -> list[CodeBlock]:
    """The blocks of ``text``, in their order."""
    blocks: list[CodeBlock] = []
    opening: Fence | None = None
    for fence in find_fences(text):
        if opening is None:
            opening = fence
        elif fence.mark.startswith(opening.mark) and not fence.tag:
            blocks.append(CodeBlock(text[opening.end : fence.start], True, opening.end, fence.start, fence.end))
            opening = None
    if opening is not None:
        blocks.append(CodeBlock(text[opening.end :], False, opening.end, len(text), len(text)))
    return blocks


class TextPiece(NamedTuple):
    """A block of code of a text, or what stands between two blocks."""

    start: int
    end: int
    block: bool = False
    closed: bool = True


def split_at_blocks(text: str) -> list[TextPiece]:
    """The pieces of ``text``, in their order."""
    pieces: list[TextPiece] = []
    at = 0
    for block in read_blocks(text):
        pieces += [TextPiece(at, block.start), TextPiece(block.start, block.end, True, block.closed)]
        at = block.after
    return [*pieces, TextPiece(at, len(text))]
