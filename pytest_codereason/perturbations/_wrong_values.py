"""Wrong but plausible values, by rule: what a careless reader might take a value for."""

from __future__ import annotations

import math
import string
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any

from pytest_codereason.core import Language
from pytest_codereason.core.draws import Draws
from pytest_codereason.errors import NotALiteral

#: Edits that are drawn for each value that is asked for, before it is taken that there is no other.
_TRIES = 20
#: What may stand where nothing says of which type it is to be.
_ANY: tuple[Any, ...] = (0, 1, "a", False)
#: What a literal is read as that there is not, or that says something else.
_UNREADABLE = object()


def wrong_values(lang: Language, value: Any, draws: Draws, count: int) -> list[Any]:
    """At most ``count`` values of the type of ``value``, each one slip away from it, in the order they are drawn.

    None equals ``value`` or another of them, and the language can write each and read it back. ``None`` and
    ``undefined``, which are alone of their type, give values of others. Empty where no slip can be written.
    """
    value = _read(lang, value)
    found: list[Any] = []
    for _ in range(_TRIES * count if value is not _UNREADABLE else 0):
        wrong = _read(lang, slip(value, draws))
        fits = wrong is not _UNREADABLE and alike(wrong, value)
        if fits and not any(lang.values.equal(wrong, other) for other in (value, *found)):
            found.append(wrong)
        if len(found) == count:
            break
    return found


def _read(lang: Language, value: Any) -> Any:
    """A value as its own literal is read; a number, say, may outgrow its type."""
    try:
        read = lang.values.read(lang.values.write(value)).value
    except (NotALiteral, TypeError, ValueError):
        return _UNREADABLE
    return read if lang.values.equal(read, value) else _UNREADABLE


def alike(value: Any, other: Any) -> bool:
    """Whether ``value`` is of the type of ``other``, and of its length where that is a tuple.

    Where no other value is of that type, any will do.
    """
    if isinstance(other, tuple) and other and type(value) is type(other):
        return len(value) == len(other)
    return type(value) is type(other) or _alone(other)


def _alone(value: Any) -> bool:
    """Whether no other value is of its type."""
    return value is None or isinstance(value, Enum)


def slip(value: Any, draws: Draws) -> Any:
    """``value`` with one slip, drawn; possibly the same again."""
    if _alone(value):
        return draws.choice(_ANY)
    match value:
        case bool():
            made: Any = not value
        case int():
            made = type(value)(_number(value, draws))
        case float():
            made = type(value)(_fraction(value, draws))
        case str():
            made = _text(value, draws)
        case bytes():
            made = _text(value.decode("latin-1"), draws).encode("latin-1")
        case list():
            made = _sequence(value, draws)
        case tuple():
            made = tuple(_fixed(value, draws)) if value else (draws.choice(_ANY),)
        case set() | frozenset():
            # In an order of its own: that of a set differs from process to process.
            made = type(value)(_sequence(sorted(value, key=_sorted_by), draws))
        case dict():
            made = _mapping(value, draws)
        case _:
            made = _wrapped(value, draws)
    return made


def _sorted_by(item: Any) -> tuple[str, str]:
    return type(item).__name__, repr(item)


def _number(number: int, draws: Draws) -> int:
    """Off by one, by two, with two digits exchanged, or with the wrong sign."""
    turn = draws.below(8)
    digits = str(abs(number))
    if turn == 0 and number:
        return -number
    if turn == 1 and len(digits) > 1:
        return int("".join(_exchanged(digits, draws))) * (-1 if number < 0 else 1)
    return number + draws.choice((1, -1, 1, -1, 2, -2))


def _fraction(number: float, draws: Draws) -> float:
    if not math.isfinite(number):
        return draws.choice((0.5, -math.inf, math.inf))
    slips = (number + 1, number - 1, number + 0.5, number - 0.5, number * 2, number / 2, -number, number * 10)
    wrong = draws.choice(slips)
    return round(wrong, 6) if abs(wrong) >= 1e-3 else wrong


def _text(text: str, draws: Draws) -> str:
    """A character changed, left out, doubled, or exchanged with its neighbour; a text of its type."""
    kind = type(text)
    if not text:
        return kind(draws.choice(string.ascii_lowercase))
    if kind is not str:  # a single character has to stay one
        return kind(_changed(text[0], draws))
    at = draws.below(len(text))
    match draws.below(4):
        case 0:
            return "".join(_exchanged(text, draws))
        case 1 if len(text) > 1:
            return text[:at] + text[at + 1 :]
        case 2:
            return text[:at] + text[at] + text[at:]
    return text[:at] + _changed(text[at], draws) + text[at + 1 :]


def _changed(char: str, draws: Draws) -> str:
    """Another character of the same sort."""
    for sort in (string.ascii_lowercase, string.ascii_uppercase, string.digits):
        if char in sort:
            return draws.choice((sort[sort.index(char) - 1], sort[(sort.index(char) + 1) % len(sort)]))
    return draws.choice(" -_.,")


def _exchanged(items: Sequence[Any], draws: Draws) -> list[Any]:
    """Two neighbours in each other's places."""
    found = list(items)
    if len(found) > 1:
        at = draws.below(len(found) - 1)
        found[at], found[at + 1] = found[at + 1], found[at]
    return found


def _fixed(items: Sequence[Any], draws: Draws) -> list[Any]:
    """As many items: one of them wrong, or two neighbours exchanged."""
    if draws.below(3) == 0:
        return _exchanged(items, draws)
    at = draws.below(len(items))
    return [*items[:at], slip(items[at], draws), *items[at + 1 :]]


def _sequence(items: Iterable[Any], draws: Draws) -> list[Any]:
    """An item wrong, exchanged with its neighbour, left out or there twice; a lone item where there was none."""
    found = list(items)
    if not found:
        return [draws.choice(_ANY)]
    at = draws.below(len(found))
    match draws.below(6):
        case 0:
            return found[:at] + found[at + 1 :]
        case 1:
            return [*found[: at + 1], *found[at:]]
    return _fixed(found, draws)


def _mapping(items: dict[Any, Any], draws: Draws) -> dict[Any, Any]:
    """A key with a wrong value or that of another key, or a key left out."""
    if not items:
        return {"a": draws.choice(_ANY)}
    keys = list(items)
    key, other = draws.choice(keys), draws.choice(keys)
    match draws.below(4):
        case 0:
            return {name: value for name, value in items.items() if name != key}
        case 1 if key != other:
            return {**items, key: items[other], other: items[key]}
    return {**items, key: slip(items[key], draws)}


def _wrapped(value: Any, draws: Draws) -> Any:
    """A value with one value inside, such as an optional one: a wrong one in there, or none."""
    if not is_dataclass(value) or isinstance(value, type) or len(fields(value)) != 1:
        return value
    name = fields(value)[0].name
    inside = getattr(value, name)
    emptied = draws.below(4) == 0
    return replace(value, **{name: None if emptied and inside is not None else slip(inside, draws)})
