"""The position of a program in its context, as the share of the context before it."""

from __future__ import annotations

from fractions import Fraction

MAX_POSITIONS = 101


def space_positions(count: int) -> tuple[int | float, ...]:
    """``count`` equally spaced positions in percent, from 0 (before everything) to 100 (after everything).

    Whole numbers if possible: 11 gives 0, 10, 20 ... 100 (Sense and Sensitivity, section 4).
    """
    if count == 1:
        return (50,)
    shares = (Fraction(100 * i, count - 1) for i in range(count))
    return tuple(int(p) if p.denominator == 1 else round(float(p), 2) for p in shares)


def count_before(position: float, distractors: int) -> int:
    """How many of ``distractors`` stand before the program at ``position`` percent; halves go up."""
    return int(Fraction(position).limit_denominator(10_000) * distractors / 100 + Fraction(1, 2))
