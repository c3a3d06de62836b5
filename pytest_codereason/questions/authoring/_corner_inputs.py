"""Arguments at the corners of their types: empty, long, of another case, of the other sign, and named by the program.

Slips keep close to the arguments of a call: ``"abc"`` becomes ``"abd"``. A fault in ``len(text) > 9 and text != "no"``
shows only far away from them: for a long text, and for ``"no"``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice, zip_longest
from typing import Any

from pytest_codereason.core import Language
from pytest_codereason.core.language.structure import Code
from pytest_codereason.errors import NotALiteral

#: How often a long text or list repeats the one that it is made of.
_TIMES = 4
#: Literals of a call whose corners are taken.
_TOKENS = 4
#: Letters of both cases and a digit, and digits alone.
_TEXTS = ("aB1", "12")


def list_corner_inputs(lang: Language, code: Code, text: str, count: int, *, every: bool = False) -> list[str]:
    """At most ``count`` texts of arguments of the same types, each with one value at a corner.

    First come the corners of the first literals, in turn, which keep the rest of the text as it is, and those of lists
    and other collections of values.

    Args:
        code: the program, whose own literals are corners too.
        text: the arguments as a call has them.
        every: whether corners of each number or text are taken that is an argument, also behind a long list.
    """
    named = _read_literals(lang, code)
    arguments = _read(lang, f"[{text}]")
    arguments = arguments if isinstance(arguments, list) else []
    turns = zip_longest(
        *[_replace_literal(lang, text, token, named) for token in islice(lang.dialect.literal.finditer(text), _TOKENS)],
        *[_replace_argument(lang, text, arguments, place, named, every=every) for place in range(len(arguments))],
    )
    present = (None, text, _write(lang, arguments, text))
    inputs = dict.fromkeys(other for turn in turns for other in turn if other not in present)
    return [*islice(inputs, count)]


def _replace_literal(lang: Language, text: str, token: re.Match[str], named: Sequence[Any]) -> Iterator[str | None]:
    value = _read(lang, token[0])
    for corner in _list_corners(value, named):
        if not lang.values.equal(corner, value) and (written := _write(lang, [corner], token[0])):
            yield f"{text[: token.start()]}{written}{text[token.end() :]}"


def _replace_argument(
    lang: Language, text: str, arguments: list[Any], place: int, named: Sequence[Any], *, every: bool
) -> Iterator[str | None]:
    """The arguments with another in place of one, where that is a collection, or there are others of its type."""
    value = arguments[place]
    others = [other for other in arguments if type(other) is type(value) and other is not value]
    can_join = type(value) in (str, list)
    joined = (whole for other in others if can_join for whole in (value + other, other + value))
    corners = _list_corners(value, named) if every or isinstance(value, (list, tuple, dict)) else ()
    for corner in chain(others, corners, joined):
        yield _write(lang, [*arguments[:place], corner, *arguments[place + 1 :]], text)


def _write(lang: Language, arguments: Sequence[Any], like: str) -> str | None:
    with suppress(NotALiteral, TypeError, ValueError):
        return lang.values.write_arguments(arguments, like)
    return None


def _read(lang: Language, text: str) -> Any:
    """The value of a literal; ``None`` if it has none."""
    with suppress(NotALiteral):
        return lang.values.read(text).value
    return None


def _read_literals(lang: Language, code: Code) -> list[Any]:
    """The values of the literals that a program has, each once."""
    texts = dict.fromkeys(code.source[slice(*site.span)] for site in code.sites_of("literal"))
    return [_read(lang, text) for text in texts]


def _list_corners(value: Any, named: Sequence[Any]) -> Iterator[Any]:
    """Other values of the same type, each at a corner; not all of them are other values."""
    alike = [other for other in named if type(other) is type(value)]
    match value:
        case bool():
            yield not value
        case int() | float():
            make = type(value)
            yield from map(make, (0, 1, -value, 100 * value, *alike))
            yield from (make(other + step) for other in alike for step in (1, -1))
        case str() if type(value) is str:
            texts = [str(other) for other in named if isinstance(other, str)]  # characters too
            yield from ("", value.upper(), value.lower(), value.capitalize(), value * _TIMES, *_TEXTS, *texts)
            yield from (value + other for other in texts)
        case str():  # one character
            yield from map(type(value), (*"aB1", *alike))
        case list():
            yield from ([], value[:1], value[::-1], value * _TIMES)
            for corner in _list_corners(value[0], named) if value else named:
                yield [corner, *value[1:]]
        case tuple() if value:
            for corner in _list_corners(value[0], named):
                yield (corner, *value[1:])
        case dict():
            yield {}
            for key, inner in [*value.items()][:1]:
                yield from ({**value, key: corner} for corner in _list_corners(inner, named))
