"""A property that is computed once."""

from __future__ import annotations

from pytest_codereason.core.lazy import lazy


class Counted:
    def __init__(self) -> None:
        self.count = 0

    @lazy
    def value(self) -> int:
        """How often this was computed."""
        self.count += 1
        return self.count


def test_it_is_computed_when_it_is_first_read_and_kept() -> None:
    counted = Counted()
    assert counted.count == 0
    assert (counted.value, counted.value, counted.count) == (1, 1, 1)
    assert Counted.value.__doc__ == "How often this was computed."
