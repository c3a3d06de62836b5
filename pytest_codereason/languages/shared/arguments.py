"""Reads the arguments of a call in languages whose parser is not asked for them."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

from pytest_codereason.core import Arguments, Values
from pytest_codereason.errors import NotALiteral
from pytest_codereason.text.brackets import split_at_commas


def read_arguments(language: Values, text: str, *, keep_literals: bool = False) -> Arguments:
    """The arguments of a call; their text is written anew from their values.

    With ``keep_literals`` the text of each argument stays as it is: in Java ``1`` and ``1L`` are one value and two
    types. Numbers that are not finite are written anew all the same: an answer may say them as no program can, such
    as ``nan`` as Python prints it, or ``1e999`` in Java.

    Raises:
        NotALiteral: An argument is no literal, or a comma stands in a comment.
    """
    parts = [_split_name(language, part) for part in split_at_commas(text)]
    if not "".join(parts[-1]).strip():
        parts.pop()  # nothing stands after the last comma
    values = language.read(f"[{','.join(argument for _, argument in parts)}]").value
    if not isinstance(values, list):
        raise NotALiteral("not a list of arguments")
    if [*map(language.write, values)] != [language.write(language.read(argument).value) for _, argument in parts]:
        raise NotALiteral("a comma in a comment")
    texts = (
        name + (argument if keep_literals and _is_finite(value) else language.write(value))
        for (name, argument), value in zip(parts, values, strict=True)
    )
    return Arguments(tuple(values), tuple("".join(name.split()) for name, _ in parts), ",".join(texts))


def _split_name(language: Values, argument: str) -> tuple[str, str]:
    """The name of the parameter with the mark after it, empty where there is none, and the argument itself."""
    name = _name_pattern(language.parameter_mark).match(argument) if language.parameter_mark else None
    return (name[0], argument[name.end() :]) if name else ("", argument)


@cache
def _name_pattern(mark: str) -> re.Pattern[str]:
    return re.compile(rf"\s*[^\W\d]\w*\s*{re.escape(mark)}(?!{re.escape(mark)})")


def _is_finite(value: Any) -> bool:
    """Whether every number within ``value`` is finite."""
    if isinstance(value, dict):
        return all(_is_finite(item) for pair in value.items() for item in pair)
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(_is_finite, value))
    return not isinstance(value, float) or math.isfinite(value)
