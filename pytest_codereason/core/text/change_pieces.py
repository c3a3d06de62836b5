"""Cuts a change of a program into pieces, each of which can be left out.

Example: a change adds a global and a branch of two lines. It has two pieces. Without the first, the branch is left.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence
from typing import NamedTuple


class ChangePiece(NamedTuple):
    """Some lines of the text before, and what stands in their place after the change."""

    start: int  #: the first line, counted from 0
    end: int  #: the line behind the last; ``start`` where lines are only added
    lines: Sequence[str]  #: with their ends


def list_pieces(before: str, after: str) -> list[ChangePiece]:
    """The pieces of a change, in the order of the text.

    A line that is replaced by one line is a piece. Of added lines, each one is with the deeper or closing lines below
    it. Everything else that differs is one piece.
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    pieces: list[ChangePiece] = []
    for tag, start, end, new_start, new_end in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        lines = new[new_start:new_end]
        if tag == "insert":
            pieces += [ChangePiece(start, start, block) for block in _split_blocks(lines)]
        elif tag == "replace" and end - start == len(lines):
            pieces += [ChangePiece(start + i, start + i + 1, [line]) for i, line in enumerate(lines)]
        elif tag != "equal":
            pieces.append(ChangePiece(start, end, lines))
    return pieces


def keep_pieces(before: str, pieces: Sequence[ChangePiece], kept: Collection[int]) -> str:
    """The text with some pieces of its change, by their numbers."""
    old = before.splitlines(keepends=True)
    lines: list[str] = []
    at = 0
    for number, piece in enumerate(pieces):
        if number in kept:
            lines += [*old[at : piece.start], *piece.lines]
            at = piece.end
    return "".join([*lines, *old[at:]])


def _split_blocks(lines: Sequence[str]) -> list[list[str]]:
    blocks: list[list[str]] = []
    depth = 0
    for line in lines:
        text = line.strip()
        indent = len(line) - len(line.lstrip())
        if blocks and (not text or indent > depth or text[0] in "})]" or text.startswith(("else", "elif", "except"))):
            blocks[-1].append(line)
        else:
            blocks.append([line])
            depth = indent
    return blocks
