"""Java's arithmetic."""

from __future__ import annotations

import math
import struct
from typing import Any

from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.java.values.data import Char, Float, Long

_BITS = {"byte": 8, "short": 16, "int": 32, "long": 64}


def wrap_integer(number: int, bits: int) -> int:
    """``number`` in two's complement of so many bits."""
    half = 1 << (bits - 1)
    return (number + half) % (2 * half) - half


def round_to_float(number: float) -> Float:
    """The ``float`` nearest to a number, as the shortest decimal that means it."""
    if not math.isfinite(number):
        return Float(number)
    try:
        exact: float = struct.unpack("f", struct.pack("f", number))[0]
    except OverflowError:
        return Float(math.copysign(math.inf, number))
    return next(
        candidate for digits in range(1, 18) if _round_float(candidate := Float(f"{exact:.{digits}g}")) == exact
    )


def widen(number: Any) -> Any:
    """A ``float`` as the ``double`` of the same value: ``0.1f`` is 0.10000000149011612. Other numbers stay."""
    return _round_float(number) if isinstance(number, Float) else number


def _round_float(number: float) -> float:
    try:
        rounded: float = struct.unpack("f", struct.pack("f", number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)
    return rounded


def calculate(operator: str, left: float, right: float) -> float:
    """``left operator right``. Whole numbers wrap at 32 bits, or at 64 bits if one is a :class:`Long`.

    Raises:
        NotALiteral: the operation has no result, or an unknown result.
    """
    if isinstance(left, Float) or isinstance(right, Float):
        raise NotALiteral("not a literal: arithmetic with a float")
    if isinstance(left, int) and isinstance(right, int):
        long = isinstance(left, Long) or isinstance(right, Long)
        bits = 64 if long else 32
        if any(wrap_integer(number, bits) != number for number in (left, right)):
            raise NotALiteral("a whole number outside the range of its type")
        result = wrap_integer(_calculate_whole(operator, int(left), int(right)), bits)
        return Long(result) if long else result
    return _calculate_floating(operator, float(left), float(right))


def _calculate_whole(operator: str, left: int, right: int) -> int:
    if operator in ("/", "%") and right == 0:
        raise NotALiteral("a division by zero")
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            quotient = abs(left) // abs(right)
            return quotient if (left < 0) == (right < 0) else -quotient
        case "%":
            rest = abs(left) % abs(right)
            return -rest if left < 0 else rest
    raise NotALiteral(f"not a literal: the operator {operator}")


def _calculate_floating(operator: str, left: float, right: float) -> float:
    """The result by IEEE 754, also where Python raises."""
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" if right != 0:
            return left / right
        case "/":
            signed = math.copysign(1, left) * math.copysign(1, right)
            return math.nan if left == 0 or math.isnan(left) else signed * math.inf
        case "%":
            return math.nan if right == 0 or math.isinf(left) else math.fmod(left, right)
    raise NotALiteral(f"not a literal: the operator {operator}")


def cast(kind: str, value: Any) -> Any:
    """``(kind) value`` for a primitive type.

    Raises:
        NotALiteral: the value cannot have this type.
    """
    if kind == "boolean" and isinstance(value, bool):
        return value
    if isinstance(value, Char):
        value = ord(value)
    if kind == "boolean" or isinstance(value, bool) or not isinstance(value, (int, float)):
        raise NotALiteral(f"not a literal: a cast to {kind}")
    value = widen(value)
    if kind in ("float", "double"):
        return round_to_float(float(value)) if kind == "float" else float(value)
    if isinstance(value, float):  # the nearest whole number towards zero that the type holds
        bits = 64 if kind == "long" else 32
        value = 0 if math.isnan(value) else int(max(-(2.0**63), min(value, 2.0**63)))
        value = max(-(2 ** (bits - 1)), min(value, 2 ** (bits - 1) - 1))
    if kind == "char":
        return Char(chr(value % 2**16))
    number = wrap_integer(value, _BITS[kind])
    return Long(number) if kind == "long" else number
