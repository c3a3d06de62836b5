"""A part of things as users write it: ``10%``, ``0.1``, ``1/8``, or a number of them."""

from __future__ import annotations

import re
from fractions import Fraction

from pytest_codereason.errors import UsageError

#: A share of things, or how many of them.
Part = Fraction | int


def parse_part(flag: str, text: str | None) -> Part | None:
    """The part that an option names, ``None`` without one.

    Raises:
        UsageError: the text is neither a share of more than nothing and at most all, nor a number from 1.
    """
    if not text:
        return None
    if re.fullmatch(r"\d{1,9}", text) and int(text):
        return int(text)
    if match := re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)(%?)|(\d{1,9})/([1-9]\d{0,8})", text):
        share = Fraction(int(match[3]), int(match[4])) if match[3] else Fraction(match[1]) / (100 if match[2] else 1)
        if 0 < share <= 1:
            return share
    raise UsageError(f"{flag} {text}: must be a share such as 10%, 0.1 or 1/8, or a number of questions from 1")


def count_part(part: Part, whole: int) -> int:
    """How many of ``whole`` things the part is; at least one, and at most all."""
    many = part if isinstance(part, int) else max(1, round(part * whole))
    return min(many, whole)


def spell_part(part: Part) -> str:
    """``1/8`` for a share, ``50`` for a number."""
    return str(part) if isinstance(part, int) or part.denominator > 1 else f"{part}/1"
