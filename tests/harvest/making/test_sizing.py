"""Files that are too short are refused, with how many lines they have."""

from __future__ import annotations

import pytest

from pytest_codereason.harvest.making.sizing import SHORTEST, refuse_short


@pytest.mark.parametrize(("lines", "words"), [(0, "0 lines"), (1, "1 line"), (SHORTEST - 1, "19 lines")])
def test_a_short_file_is_refused(lines: int, words: str) -> None:
    refusal = refuse_short("a = 1\n\n" * lines)
    assert refusal is not None
    assert (refusal.reason, refusal.detail) == ("is too short", f"{words}, fewer than {SHORTEST}")


def test_a_file_that_is_long_enough_is_not() -> None:
    assert refuse_short("a = 1\n" * SHORTEST) is None
