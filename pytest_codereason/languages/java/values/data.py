"""The Python data that stand for Java values: compares and writes them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from pytest_codereason.languages.frame.literals import unify_nan

#: The tuples of the javatuples library, by their size.
TUPLES = ["Unit", "Pair", "Triplet", "Quartet", "Quintet", "Sextet", "Septet", "Octet", "Ennead", "Decade"]
#: Pairs that ``Map.of`` takes.
MOST_PAIRS = 10
_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f", "\\": "\\\\"}


class Long(int):
    """``1L``: a whole number of 64 bits. It equals ``1``; arithmetic with it wraps at 64 bits."""


class Float(float):
    """``0.1f``, stored as the shortest decimal that means it: ``0.1``. The two are equal."""


class Char(str):
    """``'a'``, which is not ``"a"``."""


@dataclass(frozen=True, slots=True)
class Optional:
    """``Optional.of(value)``, or ``Optional.empty()`` if the value is ``None``."""

    value: Any = None


def equal(left: Any, right: Any) -> bool:
    """Whether the two values are the same, at every level."""
    return bool(_tag_types(left) == _tag_types(right))


def _tag_types(value: Any) -> Any:
    if isinstance(value, (bool, int, float, str)):
        return _tag_scalar(value)
    match value:
        case list() | tuple():
            return type(value).__name__, tuple(map(_tag_types, value))
        case dict():
            return "map", frozenset((_tag_types(k), _tag_types(v)) for k, v in value.items())
        case set() | frozenset():
            return "set", frozenset(map(_tag_types, value))
        case Optional():
            return "optional", _tag_types(value.value)
    return type(value).__name__, value


def _tag_scalar(value: float | str) -> tuple[str, Any]:
    if isinstance(value, str):
        return "char" if isinstance(value, Char) else "string", str(value)
    if isinstance(value, float):
        return "floating", unify_nan(float(value))
    return "boolean" if isinstance(value, bool) else "whole", int(value)


def write(value: Any) -> str:
    """The literal of a value."""
    if isinstance(value, (bool, int, float, str)) or value is None:
        return _write_plain(value)
    match value:
        case list():
            return _write_list(value)
        case tuple() if 0 < len(value) <= len(TUPLES):
            return f"{TUPLES[len(value) - 1]}.with({_join(value)})"
        case dict():
            return _write_map(value)
        case set() | frozenset():
            return _write_set(value)
        case Optional():
            return f"Optional.of({write(value.value)})" if value.value is not None else "Optional.empty()"
    raise TypeError(f"Java has no literal for {type(value).__name__}")


def _write_plain(value: float | str | None) -> str:
    match value:
        case None | bool():
            return {None: "null", True: "true", False: "false"}[value]
        case int():
            return _write_whole(value)
        case float():
            return _write_float(value)
    quote = "'" if isinstance(value, Char) else '"'
    if value.isprintable() and quote not in value and "\\" not in value:
        return f"{quote}{value}{quote}"
    return quote + "".join(_escape(char, quote) for char in value) + quote


def _join(values: Any) -> str:
    return ", ".join(map(write, values))


def _write_set(values: set[Any] | frozenset[Any]) -> str:
    # Sorted by what is written, so that one set has one literal.
    inside = ", ".join(sorted(map(write, values)))
    if None not in values:
        return f"Set.of({inside})"
    return f"new HashSet<>(Arrays.asList({inside}))" if len(values) > 1 else "Collections.singleton(null)"


def _write_whole(number: int) -> str:
    if not -(2**63) <= number < 2**63:
        return f'new BigInteger("{int(number)}")'
    return f"{int(number)}L" if isinstance(number, Long) or not -(2**31) <= number < 2**31 else str(number)


def _write_float(number: float) -> str:
    name = "Float" if isinstance(number, Float) else "Double"
    if math.isnan(number):
        return f"{name}.NaN"
    if math.isinf(number):
        return f"{name}.{'POSITIVE' if number > 0 else 'NEGATIVE'}_INFINITY"
    return repr(float(number)) + ("f" if isinstance(number, Float) else "")


def _write_list(values: list[Any]) -> str:
    if None not in values:
        return f"List.of({_join(values)})"
    return f"Arrays.asList({_join(values)})" if len(values) > 1 else "Collections.singletonList(null)"


def _write_map(values: dict[Any, Any]) -> str:
    if None in values or None in values.values():
        return f"new HashMap<>() {{{{ {' '.join(f'put({write(k)}, {write(v)});' for k, v in values.items())} }}}}"
    if len(values) <= MOST_PAIRS:
        return f"Map.of({', '.join(f'{write(k)}, {write(v)}' for k, v in values.items())})"
    return f"Map.ofEntries({', '.join(f'Map.entry({write(k)}, {write(v)})' for k, v in values.items())})"


def _escape(char: str, quote: str) -> str:
    if char == quote:
        return f"\\{quote}"
    if char in _ESCAPES or char.isprintable():
        return _ESCAPES.get(char, char)
    if char < "\x80":  # not as `\\u000a`: Java reads that as a line end before it sees the string
        return f"\\{ord(char):03o}"
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4))
