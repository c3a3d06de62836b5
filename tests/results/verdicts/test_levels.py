"""How often a verdict may be wrong."""

from __future__ import annotations

import pytest

from pytest_codereason.results.verdicts.levels import LEVEL, share_level


@pytest.mark.parametrize(
    ("op", "misses"),
    [
        (">=", (LEVEL, LEVEL / 4)),
        (">", (LEVEL, LEVEL / 4)),
        ("<=", (LEVEL / 4, LEVEL)),
        ("<", (LEVEL / 4, LEVEL)),
        ("==", (LEVEL / 8, LEVEL / 8)),
    ],
)
def test_only_the_side_that_fails_a_gate_is_divided_among_gates(op: str, misses: tuple[float, float]) -> None:
    assert share_level(op, 4) == misses
