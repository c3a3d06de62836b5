"""How many examples a property is tried on, how many programs of a long list, and how many of these quickly."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

#: What the profile ``quick`` of ``tests/conftest.py`` gives a property that asks for no number of its own.
QUICK = 30


def examples(quick: int) -> int:
    """``quick`` in the quick tests, and as many times more as ``HYPOTHESIS_PROFILE`` gives all other properties."""
    return quick * settings().max_examples // QUICK


def take_every(step: int) -> int:
    """``step``, of which programs are tried each so many-th; with ``CODEREASON_ALL=1`` all are, which takes long."""
    return 1 if os.environ.get("CODEREASON_ALL") else step


def mostly_slow(values: Iterable[Any], step: int) -> list[Any]:
    """Parameters of a test, of which each ``step``-th is tried in the quick tests and the others in the slow ones."""
    return [value if place % step == 0 else _make_slow(value) for place, value in enumerate(values)]


def _make_slow(value: Any) -> Any:
    if hasattr(value, "marks"):  # of ``pytest.param``
        return value._replace(marks=(*value.marks, pytest.mark.slow))
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.slow)
