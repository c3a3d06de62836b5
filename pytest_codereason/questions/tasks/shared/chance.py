"""Guesses: values of the type and shape of the right one, drawn by chance."""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Any


def guess_value(value: Any, random: Callable[[], float], limit: int | None = None) -> Any:
    """A random value of the type and shape of ``value``.

    ``random`` draws uniformly from [0, 1). Integers lie between ``-limit`` and ``limit``; ``None`` allows as many
    digits as the largest integer of ``value`` has.
    """
    if limit is None:
        limit = max((10 ** len(str(abs(n))) - 1 for n in _list_integers(value)), default=9)
    match value:
        case bool():
            guess: Any = random() < 0.5
        case int():
            guess = int(random() * (2 * limit + 1)) - limit
        case float():
            guess = round((2 * random() - 1) * 10, 1)
        case str():
            guess = "".join(string.ascii_lowercase[int(random() * 26)] for _ in value)
        case bytes():
            guess = bytes(int(random() * 256) for _ in value)
        case dict():
            guess = {key: guess_value(item, random, limit) for key, item in value.items()}
        case list() | tuple() | set():
            guess = type(value)(guess_value(item, random, limit) for item in value)
        case _:
            guess = value
    return guess


def _list_integers(value: Any) -> list[int]:
    """Every integer within ``value``."""
    if isinstance(value, int) and not isinstance(value, bool):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple, set)) else ()
    return [number for item in items for number in _list_integers(item)]
