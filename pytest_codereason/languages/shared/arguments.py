"""Reads the arguments of a call in languages whose parser is not asked for them."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

from pytest_codereason.core import Arguments, Values
from pytest_codereason.errors import NotALiteral
from pytest_codereason.text.brackets import split_at_commas


def read_arguments(language: Values, text: str) -> Arguments:
    """The arguments of a call; their text stays as it is, apart from numbers that are not finite.

    Raises:
        NotALiteral: An argument is no literal.
    """
    parts = [_split_name(language, part) for part in split_at_commas(text)]
    values = language.read(f"[{','.join(argument for _, argument in parts)}]").value
    if not isinstance(values, list):
        raise NotALiteral("not a list of arguments")
    return Arguments(
        values=tuple(values),
        names=tuple("".join(name.split()) for name, _ in parts),
        text=",".join(name + _write_argument(language, argument) for name, argument in parts),
    )


def _split_name(language: Values, argument: str) -> tuple[str, str]:
    """The name of the parameter with the mark after it, empty where there is none, and the argument itself."""
    name = _name_pattern(language.parameter_mark).match(argument) if language.parameter_mark else None
    return (name[0], argument[name.end() :]) if name else ("", argument)


@cache
def _name_pattern(mark: str) -> re.Pattern[str]:
    return re.compile(rf"\s*[^\W\d]\w*\s*{re.escape(mark)}(?!{re.escape(mark)})")


def _write_argument(language: Values, argument: str) -> str:
    """An argument as a call takes it.

    A number that is not finite is written anew: an answer may say it as no program can, such as ``nan`` as Python
    prints it, or ``1e999`` in Java.
    """
    try:
        value = language.read(argument).value
    except NotALiteral:  # nothing stands after the last comma
        return argument
    return argument if _is_finite(value) else language.write(value)


def _is_finite(value: Any) -> bool:
    """Whether every number within ``value`` is finite."""
    if isinstance(value, dict):
        return all(_is_finite(item) for pair in value.items() for item in pair)
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(_is_finite, value))
    return not isinstance(value, float) or math.isfinite(value)
