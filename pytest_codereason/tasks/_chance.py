"""Answers by chance, of the type and shape of the right one."""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Any


def alike(value: Any, random: Callable[[], float], limit: int | None = None) -> Any:
    """A value by chance, of the type and shape of ``value``; integers lie within the digits of the largest.

    ``random`` draws uniformly from [0, 1). ``limit`` bounds the integers, ``None`` takes it from ``value``.
    """
    if limit is None:
        limit = max((10 ** len(str(abs(n))) - 1 for n in _integers(value)), default=9)
    match value:
        case bool():
            made: Any = random() < 0.5
        case int():
            made = int(random() * (2 * limit + 1)) - limit
        case float():
            made = round((2 * random() - 1) * 10, 1)
        case str():
            made = "".join(string.ascii_lowercase[int(random() * 26)] for _ in value)
        case bytes():
            made = bytes(int(random() * 256) for _ in value)
        case dict():
            made = {key: alike(item, random, limit) for key, item in value.items()}
        case list() | tuple() | set():
            made = type(value)(alike(item, random, limit) for item in value)
        case _:
            made = value
    return made


def _integers(value: Any) -> list[int]:
    if isinstance(value, int) and not isinstance(value, bool):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple, set)) else ()
    return [number for item in items for number in _integers(item)]
