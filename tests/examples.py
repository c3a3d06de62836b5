"""How many examples a property is tried on."""

from __future__ import annotations

from hypothesis import settings

#: What the profile ``quick`` of ``tests/conftest.py`` gives a property that asks for no number of its own.
QUICK = 30


def examples(quick: int) -> int:
    """``quick`` in the quick tests, and as many times more as ``HYPOTHESIS_PROFILE`` gives all other properties."""
    return quick * settings().max_examples // QUICK
