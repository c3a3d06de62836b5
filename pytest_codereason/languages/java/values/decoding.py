"""Decodes the values that the Java harness writes."""

from __future__ import annotations

import struct
from typing import Any

from pytest_codereason.languages.frame.literals import check_size
from pytest_codereason.languages.java.values.data import Char, Long, Optional
from pytest_codereason.languages.java.values.numbers import round_to_float


def decode(payload: Any) -> Any:
    """The value that the harness wrote.

    Raises:
        ValueError: the harness does not write such a value.
        NotALiteral: the value has an integer that is too large for a literal.
    """
    if payload is None or isinstance(payload, bool | int | str):
        return payload
    if isinstance(payload, list):
        return [decode(item) for item in payload]
    if isinstance(payload, dict) and len(payload) == 1:
        [(kind, inside)] = payload.items()
        try:
            return _decode(kind, inside)
        except (TypeError, struct.error) as error:
            raise ValueError(f"not a value of Java: {error}") from None
    raise ValueError(f"not a value of Java: {str(payload)[:80]}")


def _decode(kind: str, inside: Any) -> Any:
    value: Any
    match kind, inside:
        case "long", int():
            value = Long(inside)
        case "big", str():
            value = check_size(int(inside, 16))
        case "double", str():
            value = struct.unpack(">d", bytes.fromhex(inside.rjust(16, "0")))[0]
        case "float", str():
            value = round_to_float(struct.unpack(">f", bytes.fromhex(inside.rjust(8, "0")))[0])
        case "char", str():
            value = Char(inside)
        case "optional", [] | [_]:
            value = Optional(*map(decode, inside))
        case "tuple", list():
            value = tuple(map(decode, inside))
        case "set", list():
            value = set(map(decode, inside))
        case "map", list():
            value = {decode(key): decode(item) for key, item in inside}
        case _:
            raise ValueError(f"not a value of Java: {kind[:80]}")
    return value
