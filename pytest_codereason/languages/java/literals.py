"""Writes values of common types of Java, as a person might in a small program."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache

from pytest_codereason.languages.frame.files import read_beside
from pytest_codereason.languages.frame.parameter_kinds import guess_kind

_WHOLE = {"number": ("3", "5", "12"), "start": ("1", "0", "2"), "end": ("3", "2", "9")}
_TEXT = ('"one two three"', '"Hello, World 42"', '"a,b;c"')
_SUFFIXED = {
    "long": "{}L",
    "Long": "{}L",
    "short": "(short) {}",
    "Short": "(short) {}",
    "byte": "(byte) {}",
    "Byte": "(byte) {}",
}
_WHOLE_NUMBERS = ("int", "long", "short", "float", "double")


@cache
def _read_values() -> Mapping[str, Sequence[str]]:
    """The values of types that are no numbers and no texts."""
    return {
        kind: tuple(values) for kind, values in tomllib.loads(read_beside(__file__, "plausible_values.toml")).items()
    }


def write_values(type_: str, name: str) -> Sequence[str]:
    """Expressions of a type, for a parameter of a name; none if the type is not known."""
    arguments = re.search(r"<(.*)>", type_)
    plain = re.sub(r"<.*>", "", type_).replace(" ", "").rpartition(".")[2]
    if plain in ("int", "Integer", *_SUFFIXED):
        numbers = _WHOLE.get(guess_kind(name), _WHOLE["number"])
        return tuple(_SUFFIXED.get(plain, "{}").format(number) for number in numbers)
    if plain in ("String", "CharSequence"):
        return _TEXT if guess_kind(name) != "path" else ('"notes/plan.txt"',)
    if values := _read_values().get(plain, ()):
        if arguments and re.match(r"(\? (super|extends) )?(Integer|Number)$", arguments[1]):
            return tuple(value.replace('"pear", "fig", "plum"', "3, 1, 2") for value in values)
        return values
    if plain.endswith("[]") and plain[:-2] in _WHOLE_NUMBERS:
        return (f"new {plain} {{3, 1, 2, 3}}", f"new {plain} {{9}}")
    if plain in ("Integer[]", "Number[]"):
        return (f"new {plain} {{3, 1, 2, 3}}",)
    if plain in ("String[]", "Object[]", "T[]", "E[]", "K[]", "CharSequence[]", "Comparable[]"):
        return ('new String[] {"pear", "fig", "plum"}',)
    return ()
