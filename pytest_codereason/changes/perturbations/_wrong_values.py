"""Writes wrong but plausible values and arguments, by rule, as a careless reader might get them."""

from __future__ import annotations

import math
import string
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any

from pytest_codereason.core import Language
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import NotALiteral

#: Slips that are drawn for each value that is asked for, before no further value is expected.
_TRIES = 20
#: The values in places of no type.
_ANY: tuple[Any, ...] = (0, 1, "a", False)
#: What :func:`_read_back` gives for a value without a literal, and for a literal of another value.
_UNREADABLE = object()
#: Texts of arguments that are made in each way, some of which are the same; after so many, each has a slip more.
_TEXTS, _GRACE = 16, 4


def list_wrong_values(lang: Language, value: Any, draws: Draws, count: int) -> list[Any]:
    """At most ``count`` values of the type of ``value``, each one slip away from it, in the order they are drawn.

    No two of them are equal and none equals ``value``. The language can write each and read it back. ``None`` and
    ``undefined``, which are alone of their type, give values of other types. The list is empty if no
    slip can be written.
    """
    value = _read_back(lang, value)
    wrong_values: list[Any] = []
    for _ in range(_TRIES * count if value is not _UNREADABLE else 0):
        wrong = _read_back(lang, draw_slip(value, draws))
        fits = wrong is not _UNREADABLE and has_type_of(wrong, value)
        if fits and not any(lang.values.equal(wrong, other) for other in (value, *wrong_values)):
            wrong_values.append(wrong)
        if len(wrong_values) == count:
            break
    return wrong_values


def _read_back(lang: Language, value: Any) -> Any:
    try:
        return lang.values.read_back(value)
    except NotALiteral:
        return _UNREADABLE


def has_type_of(value: Any, other: Any) -> bool:
    """Whether ``value`` has the type of ``other``, and for a tuple its length.

    Any value will do if ``other`` is the only value of its type.
    """
    if isinstance(other, tuple) and other and type(value) is type(other):
        return len(value) == len(other)
    return type(value) is type(other) or _is_alone(other)


def _is_alone(value: Any) -> bool:
    """Whether no other value is of its type."""
    return value is None or isinstance(value, Enum)


def list_wrong_inputs(lang: Language, text: str, draws: Draws, count: int) -> list[str]:
    """At most ``count`` texts of other arguments than ``text`` in each of two ways, and some of another length.

    First come texts with slips in their literals, which keep the types. Then come texts with slips in whole arguments,
    or with two arguments exchanged. Last come one argument too many and one too few. Only who runs the program can say
    whether a call with other arguments returns something else.
    """
    known = _read_arguments(lang, text)
    wrong_inputs: list[str] = []
    for texts in (_slip_literals(lang, text, draws), _slip_arguments(lang, text, known, draws)):
        most = len(wrong_inputs) + count
        for other in texts:
            values = _read_arguments(lang, other)
            differs = known is None or (values is not None and not lang.values.equal(values, known))
            if differs and other not in [text, *wrong_inputs] and len(wrong_inputs) < most:
                wrong_inputs.append(other)
    return [*wrong_inputs, *_change_count(lang, text, known)]


def _slip_literals(lang: Language, text: str, draws: Draws) -> Iterator[str]:
    for turn in range(_TEXTS):
        changed = text
        for _ in range(1 + turn // _GRACE):
            changed = _slip_literal(lang, changed, draws)
        yield changed


def _slip_literal(lang: Language, text: str, draws: Draws) -> str:
    tokens = list(lang.dialect.literal.finditer(text))
    if tokens:
        token = draws.choice(tokens)
        with suppress(NotALiteral):
            for wrong in list_wrong_values(lang, lang.values.read(token[0]).value, draws, 1):
                return f"{text[: token.start()]}{lang.values.write(wrong)}{text[token.end() :]}"
    return text


def _slip_arguments(lang: Language, text: str, known: list[Any] | None, draws: Draws) -> Iterator[str]:
    for turn in range(_TEXTS if known else 0):
        changed = tuple(known or ())
        for _ in range(1 + turn // _GRACE):
            changed = draw_slip(changed, draws)
        with suppress(NotALiteral, TypeError, ValueError):
            yield lang.values.write_arguments(changed, text)


def _change_count(lang: Language, text: str, known: list[Any] | None) -> Iterator[str]:
    if known is None:
        yield f"{text}, {text}"
        return
    yield lang.values.write_arguments([*known, known[-1] if known else 0], text)
    if known:
        yield lang.values.write_arguments(known[:-1], text)


def _read_arguments(lang: Language, text: str) -> list[Any] | None:
    """The arguments as values, ``None`` if they are no literals."""
    try:
        values = lang.values.read(f"[{text}]").value
    except NotALiteral:
        return None
    return values if isinstance(values, list) else None


def draw_slip(value: Any, draws: Draws) -> Any:
    """``value`` with one slip, drawn; possibly the same again."""
    if _is_alone(value):
        return draws.choice(_ANY)
    match value:
        case bool():
            wrong: Any = not value
        case int():
            wrong = type(value)(_slip_number(value, draws))
        case float():
            wrong = type(value)(_slip_fraction(value, draws))
        case str():
            wrong = _slip_text(value, draws)
        case bytes():
            wrong = _slip_text(value.decode("latin-1"), draws).encode("latin-1")
        case list():
            wrong = _slip_sequence(value, draws)
        case tuple():
            wrong = tuple(_slip_item(value, draws)) if value else (draws.choice(_ANY),)
        case set() | frozenset():
            # Sorted: the order of a set differs from process to process.
            wrong = type(value)(_slip_sequence(sorted(value, key=_make_sort_key), draws))
        case dict():
            wrong = _slip_mapping(value, draws)
        case _:
            wrong = _slip_inside(value, draws)
    return wrong


def _make_sort_key(item: Any) -> tuple[str, str]:
    return type(item).__name__, repr(item)


def _slip_number(number: int, draws: Draws) -> int:
    """Off by one, by two, with two digits exchanged, or with the wrong sign."""
    turn = draws.below(8)
    digits = str(abs(number))
    if turn == 0 and number:
        return -number
    if turn == 1 and len(digits) > 1:
        return int("".join(_exchange(digits, draws))) * (-1 if number < 0 else 1)
    return number + draws.choice((1, -1, 1, -1, 2, -2))


def _slip_fraction(number: float, draws: Draws) -> float:
    if not math.isfinite(number):
        return draws.choice((0.5, -math.inf, math.inf))
    slips = (number + 1, number - 1, number + 0.5, number - 0.5, number * 2, number / 2, -number, number * 10)
    wrong = draws.choice(slips)
    return round(wrong, 6) if abs(wrong) >= 1e-3 else wrong


def _slip_text(text: str, draws: Draws) -> str:
    """A character changed, left out, doubled, or exchanged with its neighbour; a text of its type."""
    kind = type(text)
    if not text:
        return kind(draws.choice(string.ascii_lowercase))
    if kind is not str:  # a single character has to stay one
        return kind(_change_character(text[0], draws))
    at = draws.below(len(text))
    match draws.below(4):
        case 0:
            return "".join(_exchange(text, draws))
        case 1 if len(text) > 1:
            return text[:at] + text[at + 1 :]
        case 2:
            return text[:at] + text[at] + text[at:]
    return text[:at] + _change_character(text[at], draws) + text[at + 1 :]


def _change_character(char: str, draws: Draws) -> str:
    """Another character of the same sort."""
    for sort in (string.ascii_lowercase, string.ascii_uppercase, string.digits):
        if char in sort:
            return draws.choice((sort[sort.index(char) - 1], sort[(sort.index(char) + 1) % len(sort)]))
    return draws.choice(" -_.,")


def _exchange(items: Sequence[Any], draws: Draws) -> list[Any]:
    """Two neighbours in each other's places."""
    exchanged = list(items)
    if len(exchanged) > 1:
        at = draws.below(len(exchanged) - 1)
        exchanged[at], exchanged[at + 1] = exchanged[at + 1], exchanged[at]
    return exchanged


def _slip_item(items: Sequence[Any], draws: Draws) -> list[Any]:
    """As many items, of which one is wrong or two neighbours are exchanged."""
    if draws.below(3) == 0:
        return _exchange(items, draws)
    at = draws.below(len(items))
    return [*items[:at], draw_slip(items[at], draws), *items[at + 1 :]]


def _slip_sequence(items: Iterable[Any], draws: Draws) -> list[Any]:
    """An item wrong, exchanged with its neighbour, left out or there twice; a lone item where there was none."""
    listed = list(items)
    if not listed:
        return [draws.choice(_ANY)]
    at = draws.below(len(listed))
    match draws.below(6):
        case 0:
            return listed[:at] + listed[at + 1 :]
        case 1:
            return [*listed[: at + 1], *listed[at:]]
    return _slip_item(listed, draws)


def _slip_mapping(items: dict[Any, Any], draws: Draws) -> dict[Any, Any]:
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
    return {**items, key: draw_slip(items[key], draws)}


def _slip_inside(value: Any, draws: Draws) -> Any:
    """A value with one value inside, such as an optional one: a wrong one in there, or none."""
    if not is_dataclass(value) or isinstance(value, type) or len(fields(value)) != 1:
        return value
    name = fields(value)[0].name
    inside = getattr(value, name)
    emptied = draws.below(4) == 0
    return replace(value, **{name: None if emptied and inside is not None else draw_slip(inside, draws)})
