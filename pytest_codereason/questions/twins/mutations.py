"""Other arguments for a call: of the same types and nesting and about as long, or with one that breaks the program.

Example: of ``[4, -12], "abc"`` come ``[7, -30], "cba"``, and broken ``[], "abc"`` and ``[4, None], "abc"``.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from typing import Any

from pytest_codereason.core.random_draws import Draws

#: How much longer or shorter texts and lists may become, as a share of their length.
_STRETCH = 0.25
_SORTS = (string.ascii_lowercase, string.ascii_uppercase, string.digits)


def redraw(value: Any, draws: Draws) -> Any:
    """Another value of the same type and nesting, about as long. Truth values and nothing may stay as they are."""
    match value:
        case bool():
            return draws.chance(0.5)
        case int():
            return type(value)(_redraw_whole(value, draws))
        case float() if value - value == 0:
            return type(value)(round(_redraw_whole(int(value), draws) + draws.below(10) / 10, 1))
        case str():
            return _redraw_text(value, draws)
        case list():
            return [redraw(item, draws) for item in _stretch(value, draws)]
        case tuple():
            return tuple(redraw(item, draws) for item in value)
        case set():
            return {redraw(item, draws) for item in sorted(value, key=repr)}
        case dict():
            return {
                (key if draws.chance(0.5) else redraw(key, draws)): redraw(item, draws) for key, item in value.items()
            }
    return value


def list_broken(values: Sequence[Any]) -> Iterator[list[Any]]:
    """The arguments with one that is empty, of another type, or without one of its keys."""
    for place, value in enumerate(values):
        for other in _break(value):
            yield [*values[:place], other, *values[place + 1 :]]


def _redraw_whole(value: int, draws: Draws) -> int:
    """As many digits, the same sign."""
    low = 10 ** (len(str(abs(value))) - 1) if abs(value) > 9 else 0
    drawn = low + int(draws.uniform() * (10 ** len(str(abs(value))) - low))
    return -drawn if value < 0 else drawn


def _redraw_text(value: str, draws: Draws) -> str:
    """Letters for letters, digits for digits; half of them are such as the text has."""
    if type(value) is not str or len(value) == 1:  # a character stays one
        return type(value)(_redraw_character(value[0], value, draws))
    return "".join(_redraw_character(each, value, draws) for each in _stretch([*value], draws))


def _redraw_character(character: str, text: str, draws: Draws) -> str:
    for sort in _SORTS:
        if character in sort:
            return draws.choice([each for each in text if each in sort] if draws.chance(0.5) else sort)
    return character


def _stretch(items: list[Any], draws: Draws) -> list[Any]:
    """The items in another order, a few of them missing or there twice."""
    if not items:
        return items
    most = max(1, int(len(items) * _STRETCH))
    length = max(1, len(items) + draws.below(2 * most + 1) - most)
    mixed = draws.shuffle(items)
    return [mixed[place] if place < len(mixed) else draws.choice(mixed) for place in range(length)]


def _break(value: Any) -> Iterator[Any]:
    match value:
        case bool() | None:
            yield from ("a", 7)
        case int() | float():
            yield from ("a", None, 0, -1)
        case str():
            yield from ("", 7, None)
        case list():
            yield from ([], [*value[:1], None], [*value[:-1], "a"], [*value[:-1], 7], value[:1], value[1:])
        case tuple() | set():
            yield type(value)()
        case dict():
            yield {}
            for key in value:
                yield {other: item for other, item in value.items() if other != key}
                yield {**value, key: None}
