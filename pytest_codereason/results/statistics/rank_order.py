"""Whether two lists of numbers put the same things into the same order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations


def kendall_tau(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Kendall's tau-b of two lists of one length: 1 for the same order, -1 for the opposite; ``None`` if all tie.

    Example: three models score 0.2, 0.5, 0.9 on one data set and 0.1, 0.4, 0.3 on another. Of three pairs of models two
    stand in the same order and one in the opposite: tau is 1/3.

    Source: Kendall 1945, "The treatment of ties in ranking problems".
    """
    pairs = [(_find_sign(a, b), _find_sign(c, d)) for (a, c), (b, d) in combinations(zip(one, other, strict=True), 2)]
    untied = math.sqrt(sum(bool(x) for x, _ in pairs)) * math.sqrt(sum(bool(y) for _, y in pairs))
    return sum(x * y for x, y in pairs) / untied if untied else None


def _find_sign(a: float, b: float) -> int:
    return (a > b) - (a < b)
