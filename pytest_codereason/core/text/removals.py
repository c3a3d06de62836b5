"""Writes and reads which lines of a program are removed, as the value of an axis: ``1+3of7``."""

from __future__ import annotations

import re
from collections.abc import Sequence

_REMOVAL = re.compile(r"(0|[1-9]\d*(?:\+[1-9]\d*)*)of(\d+)")


def format_removal(removed: Sequence[int], lines: int) -> str:
    """The axis value that says which of ``lines`` body lines are removed, numbered from 1: ``1+3of7``, ``0of7``."""
    return f"{'+'.join(map(str, removed)) or 0}of{lines}"


def parse_removal(value: str) -> tuple[tuple[int, ...], int]:
    """The removed body lines, and the number of all body lines. Reverses :func:`format_removal`.

    Raises:
        ValueError: the text is not such a value.
    """
    match = _REMOVAL.fullmatch(value)
    if match is None:
        raise ValueError(f"{value!r} does not say which lines are removed")
    removed = () if match[1] == "0" else tuple(map(int, match[1].split("+")))
    return removed, int(match[2])
