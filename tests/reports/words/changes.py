"""A change with all that a cell may show of it, and one from zero."""

from __future__ import annotations

from pytest_codereason.results.values import Delta, Flips

DELTA = Delta(
    value=-0.1,
    low=-0.162,
    high=-0.04,
    relative=-0.165,
    relative_low=-0.2,
    relative_high=0.01,
    pairs=40,
    families=10,
    flips=Flips(lost=5, won=1, pairs=40),
)
FROM_ZERO = Delta(
    value=0.1, low=None, high=None, relative=None, relative_low=None, relative_high=None, pairs=0, families=10
)
