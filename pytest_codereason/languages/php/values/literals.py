"""Reads, writes and compares PHP values. Literals are read with tree-sitter."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from pytest_codereason.core import Value
from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.frame.literals import TreeReader, raise_power, refuse_signed_base, unify_nan

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_MAX_INT = 2**63 - 1
_CONSTANTS = {"NAN": math.nan, "INF": math.inf, "PHP_INT_MAX": _MAX_INT, "PHP_INT_MIN": -_MAX_INT - 1}
_ESCAPE = re.compile(rb"\\(?:u\{([0-9A-Fa-f]*)(\}?)|x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|([nrtvef\\$\"]))")
_ESCAPES = {
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"v": b"\v",
    b"e": b"\x1b",
    b"f": b"\f",
    b"\\": b"\\",
    b"$": b"$",
    b'"': b'"',
}
_WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,18}")


def read(text: str) -> Value:
    """The value of a literal. An array is a list if its keys are 0, 1, 2... in order, else a dict."""
    return PHPReader.read(make_parser(), text, end=";")


def write(value: Any) -> str:
    """The literal of a value."""
    match value:
        case None | bool():
            return {None: "null", True: "true", False: "false"}[value]
        case int():
            return "PHP_INT_MIN" if value == -_MAX_INT - 1 else str(value)
        case float():
            return repr(value) if math.isfinite(value) else str(value).upper()
        case str():
            return _write_string(value)
        case list() | tuple():
            return f"[{', '.join(map(write, value))}]"
        case dict():
            return f"[{', '.join(f'{write(k)} => {write(v)}' for k, v in value.items())}]"
    raise TypeError(f"PHP has no literal for {type(value).__name__}")


def equal(left: Any, right: Any) -> bool:
    """Whether ``left === right``, whatever the order of keys."""
    return bool(_tag_types(left) == _tag_types(right))


@cache
def make_parser() -> Parser:
    """The parser of PHP without tags."""
    import tree_sitter
    import tree_sitter_php

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_php.language_php_only()))


def _tag_types(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return "array", frozenset((i, _tag_types(v)) for i, v in enumerate(value))
    if isinstance(value, dict):
        return "array", frozenset((_convert_key(k), _tag_types(v)) for k, v in value.items())
    return type(value).__name__, unify_nan(value) if isinstance(value, float) else value


def _convert_key(key: Any) -> int | str:
    """The key under which PHP stores an element.

    Raises:
        NotALiteral: the key is an array, or a number of more than 64 bits.
    """
    if key is None:
        return ""
    if isinstance(key, str):
        return int(key) if _WHOLE_NUMBER.fullmatch(key) and -_MAX_INT - 1 <= int(key) <= _MAX_INT else key
    if isinstance(key, (int, float)) and math.isfinite(key) and -_MAX_INT - 1 <= int(key) <= _MAX_INT:
        return int(key)
    raise NotALiteral("not a literal: a key that is neither a string nor a number of 64 bits")


def _write_string(text: str) -> str:
    if text.isprintable():
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\", "$": "\\$", '"': '\\"'}

    def _escape(char: str) -> str:
        if char in named or char.isprintable():
            return named.get(char, char)
        return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogateescape"))

    return '"' + "".join(map(_escape, text)) + '"'


def _read_whole(number: int) -> int | float:
    """An integer, or a float if the integer needs more than 64 bits."""
    if -_MAX_INT - 1 <= number <= _MAX_INT:
        return number
    try:
        return float(number)
    except OverflowError:
        return -math.inf if number < 0 else math.inf


class PHPReader(TreeReader):
    """Reads a literal."""

    words: ClassVar[Mapping[str, object]] = {"null": None}

    def on_integer(self, node: Node, _: int) -> int | float:
        text = self.text(node)
        try:
            if text[:2].lower() in ("0x", "0o", "0b"):
                if text[2:3] == "_":
                    raise NotALiteral("not a number of the language")
                return _read_whole(int(text, 0))
            if text[0] == "0" and len(text) > 1:
                return _read_whole(int(text.replace("_", ""), 8))
            # Too long to fit in 64 bits, and perhaps too long for Python to read as a whole number.
            return float(text) if len(text) > 40 else _read_whole(int(text))
        except ValueError:
            raise NotALiteral("not a number of the language") from None

    def on_float(self, node: Node, _: int) -> float:
        try:
            return float(self.text(node))
        except ValueError:  # the grammar takes a lone dot for a number
            raise NotALiteral("not a number of the language") from None

    def on_boolean(self, node: Node, _: int) -> bool:
        return self.text(node).lower() == "true"

    def on_name(self, node: Node, _: int) -> float:
        if (word := self.text(node)) not in _CONSTANTS:
            raise NotALiteral("not a literal: a name")
        return _CONSTANTS[word]

    def on_string(self, node: Node, _: int) -> str:
        inside = self.raw(node).removeprefix(b"b").removeprefix(b"B")[1:-1]
        return re.sub(rb"\\([\\'])", rb"\1", inside).decode("utf-8", "surrogateescape")

    def on_encapsed_string(self, node: Node, _: int) -> str:
        if any(n.type not in ("string_content", "escape_sequence") for n in node.named_children):
            raise NotALiteral("not a literal: a string with a value inside")
        inside = self.raw(node).removeprefix(b"b").removeprefix(b"B")[1:-1]
        return _ESCAPE.sub(_unescape, inside).decode("utf-8", "surrogateescape")

    def on_unary_op_expression(self, node: Node, depth: int) -> Any:
        sign, number = self.signed(node, depth)
        if sign == "-":
            return -number if isinstance(number, float) else _read_whole(-number)
        return number

    def on_binary_expression(self, node: Node, depth: int) -> Any:
        refuse_signed_base(node, "unary_op_expression")
        return super().on_binary_expression(node, depth)

    def calculate(self, operator: str, left: Any, right: Any) -> float:
        try:
            result = _calculate(operator, left, right)
        except (ArithmeticError, ValueError) as error:
            raise NotALiteral(f"arithmetic without a result ({error})") from None
        return _read_whole(result) if isinstance(result, int) else result

    def on_array_creation_expression(self, node: Node, depth: int) -> list[Any] | dict[int | str, Any]:
        elements: dict[int | str, Any] = {}
        free, below = 0, False
        for element in self.elements(node):
            inside = [n for n in element.named_children if n.type != "comment"]
            if element.type != "array_element_initializer" or not 1 <= len(inside) <= 2:
                raise NotALiteral("not a literal: an element that is not a value")
            # After keys below 0, what comes next depends on the version of PHP.
            if len(inside) == 1 and ((below and not free) or free > _MAX_INT):
                raise NotALiteral("not a literal: an element without a key after a key below 0 or the last of all keys")
            key = _convert_key(self.value(inside[0], depth)) if len(inside) == 2 else free
            if isinstance(key, int):
                free, below = max(free, key + 1), below or key < 0
            elements[key] = self.value(inside[-1], depth)
        return list(elements.values()) if list(elements) == list(range(len(elements))) else elements


def _unescape(escape_match: re.Match[bytes]) -> bytes:
    code, end, two, octal, one = escape_match.groups()
    if code is not None:
        if not (code and end) or len(code) > 6 or int(code, 16) > 0x10FFFF:
            raise NotALiteral("an escape that is no character of Unicode")
        return chr(int(code, 16)).encode("utf-8", "surrogatepass")
    if two:
        return bytes([int(two, 16)])
    if octal:
        return bytes([int(octal, 8) & 0xFF])
    return _ESCAPES[one]


def _calculate(operator: str, left: float, right: float) -> float:
    whole = isinstance(left, int) and isinstance(right, int)
    result: float
    match operator:
        case "+":
            result = left + right
        case "-":
            result = left - right
        case "*":
            result = left * right
        case "/":
            result = left // right if whole and right and left % right == 0 else left / right
        case "%":
            # Between whole numbers alone, with the sign of the left one.
            if max(abs(left), abs(right)) > _MAX_INT:
                raise NotALiteral("arithmetic with a remainder beyond 64 bits")
            rest = abs(int(left)) % abs(int(right))
            result = -rest if left < 0 else rest
        case "**" if isinstance(left, int) and isinstance(right, int) and right >= 0:
            result = raise_power(left, right)
        case "**":
            root = left**right
            result = root if isinstance(root, float) else math.nan
        case _:
            raise NotALiteral(f"not a literal: the operator {operator}")
    return result


def decode(payload: Any) -> Any:
    """The value that the harness wrote.

    Raises:
        ValueError: the harness does not write such a value.
    """
    match payload:
        case None | bool() | int() | str():
            return payload
        case list():
            return [decode(item) for item in payload]
        case {"float": str(digits), **rest} if not rest and len(digits) == 16:
            return struct.unpack(">d", bytes.fromhex(digits))[0]
        case {"bytes": str(digits), **rest} if not rest:
            return bytes.fromhex(digits).decode("utf-8", "surrogateescape")
        case {"array": list(entries), **rest} if not rest:
            return dict(map(_read_entry, entries))
    raise ValueError(f"not a value of PHP: {str(payload)[:80]}")


def _read_entry(entry: Any) -> tuple[int | str, Any]:
    match entry:
        case [key, value] if isinstance(key := decode(key), int | str) and not isinstance(key, bool):
            return key, decode(value)
    raise ValueError(f"not an entry of an array: {str(entry)[:80]}")
