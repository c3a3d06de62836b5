"""Models that forget in known ways what stands at a position of a context."""

from __future__ import annotations

from collections.abc import Callable

from tests.results.figures.rows import Axes

POSITIONS = list(range(0, 101, 10))
CELLS: list[Axes] = [{"distractors": 0}, *({"distractors": d, "position": p} for d in (20, 80) for p in POSITIONS)]
AXES = {"distractors": [0, 20, 80], "position": POSITIONS}


Chance = Callable[[Axes], float]


def everywhere(_: Axes) -> float:
    return 1.0


def nowhere(_: Axes) -> float:
    return 0.0


def ends(axes: Axes) -> float:
    """Right at both ends of a long context, half as often in the middle; a short one is no trouble."""
    depth = abs(axes.get("position", 0) - 50) / 50
    return 0.8 * (0.5 + 0.5 * depth) if axes["distractors"] == 80 else 0.8
