"""How many examples a property is tried on, and how many programs of a long list."""

from __future__ import annotations

import os

from hypothesis import settings

#: What the profile ``quick`` of ``tests/conftest.py`` gives a property that asks for no number of its own.
QUICK = 30


def examples(quick: int) -> int:
    """``quick`` in the quick tests, and as many times more as ``HYPOTHESIS_PROFILE`` gives all other properties."""
    return quick * settings().max_examples // QUICK


def take_every(step: int) -> int:
    """``step``, of which programs are tried each so many-th; with ``CODEREASON_ALL=1`` all are, which takes long."""
    return 1 if os.environ.get("CODEREASON_ALL") else step
