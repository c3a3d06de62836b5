"""How far a model reads, in a sentence: counts are whole, or said to be estimates."""

from __future__ import annotations

import pytest

from pytest_codereason.reports.words.horizon_captions import describe_reach
from pytest_codereason.results.values import AxisPlace


@pytest.mark.parametrize(
    ("axis", "value", "words"),
    [
        ("rounds", 9.02, "up to 9 rounds"),
        ("rounds", 8.6, "up to about 8.6 rounds"),
        ("steps", 37.4, "up to 37 executed steps"),
        ("level", 4.8, "up to level 4.8"),
        ("level", 4.0, "up to level 4.0"),
    ],
)
def test_a_count_is_whole_or_about(axis: str, value: float, words: str) -> None:
    assert (
        describe_reach(AxisPlace(value=value, n=1, lowest=1, highest=64), axis) == f"is right half of the time {words}"
    )
