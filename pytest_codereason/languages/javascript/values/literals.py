"""Reads, writes and compares JavaScript values. Literals are read with tree-sitter."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar

from pytest_codereason.core import Value
from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.frame.literals import TreeReader, check_size, refuse_signed_base, unify_nan
from pytest_codereason.languages.javascript.syntax.tree import make_parser

if TYPE_CHECKING:
    from tree_sitter import Node

#: Whole numbers up to here are exact, and read as ``int``.
_EXACT = 2**53
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_ESCAPES |= dict.fromkeys("\n\r\u2028\u2029", "")  # a string goes on behind a line end
_ESCAPE = re.compile(r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(\r\n|.))", re.DOTALL)
_LEADING_ZERO = re.compile(r"0[0-9_]")
_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
#: As a key it sets the prototype, unless it is computed.
_PROTO = "__proto__"
#: Numbers that the harness writes by name.
_NUMBERS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf, "-0": -0.0}


class UndefinedType(Enum):
    """``undefined``, which is not ``null``."""

    UNDEFINED = "undefined"


UNDEFINED = UndefinedType.UNDEFINED


class BigInt(int):
    """``1n``, which is not ``1``."""


@dataclass(frozen=True, slots=True)
class Collection:
    """``new Set([1, 2])`` or ``new Map([[1, 2]])``: an argument, and no literal."""

    kind: str
    items: tuple[Any, ...]


def read(text: str) -> Value:
    """The value of a literal; ``undefined`` is :data:`UNDEFINED`, ``1n`` a :class:`BigInt`."""
    return JavaScriptReader.read(make_parser(), text)


def write(value: Any) -> str:
    """The literal of a value."""
    match value:
        case None | bool():
            return json.dumps(value)
        case UndefinedType():
            return value.value
        case int():
            return f"{int(value)}n" if isinstance(value, BigInt) else str(value)
        case float() | str():
            return _write_float(value) if isinstance(value, float) else _write_string(value)
        case list() | tuple():
            return f"[{', '.join(map(write, value))}]"
        case Collection():
            return f"new {value.kind}({write(value.items)})"
        case dict():
            pairs = ((name_property(k), write(v)) for k, v in value.items())
            inside = ", ".join(f"{_write_key(k)}: {v}" for k, v in pairs)
            return f"{{ {inside} }}" if inside else "{}"
    raise TypeError(f"JavaScript has no literal for {type(value).__name__}")


def equal(left: Any, right: Any) -> bool:
    """Whether the two values are the same, at every level."""
    return bool(_tag_types(left) == _tag_types(right))


def _tag_types(value: Any) -> Any:
    if isinstance(value, BigInt):
        return "bigint", int(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return "number", unify_nan(_float(value))
    if isinstance(value, (list, tuple)):
        return "array", tuple(map(_tag_types, value))
    if isinstance(value, dict):
        return "object", frozenset((name_property(k), _tag_types(v)) for k, v in value.items())
    if isinstance(value, Collection):
        return value.kind, tuple(map(_tag_types, value.items))
    return type(value).__name__, value


def _float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return -math.inf if number < 0 else math.inf


def convert_number(number: float) -> float:
    """A number as Python data: an ``int`` if it is whole and exact, else a ``float``, as for ``-0``."""
    exact = _float(number)
    negative_zero = exact == 0 and math.copysign(1, exact) < 0
    return int(exact) if exact.is_integer() and abs(exact) < _EXACT and not negative_zero else exact


def _write_float(number: float) -> str:
    if math.isfinite(number):
        whole = number.is_integer() and abs(number) < _EXACT and number
        return str(int(number)) if whole else repr(number).removesuffix(".0")
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


def _write_string(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())


def _write_key(key: str) -> str:
    if key == _PROTO:
        return f"[{_write_string(key)}]"
    return key if _IDENTIFIER.fullmatch(key) else _write_string(key)


def name_property(key: Any) -> str:
    """The name of a property: JavaScript turns every key into a string."""
    if isinstance(key, float):
        return "0" if key == 0 else _name_number(key)
    return key if isinstance(key, str) else str(key)


def _name_number(number: float) -> str:
    """A number as JavaScript prints it, which writes out more of them than Python."""
    if 1e-6 <= abs(number) < 1e21:
        return f"{Decimal(repr(number)):f}".removesuffix(".0")
    return _write_float(number).replace("e-0", "e-")


def _unescape(text: str) -> str:
    def make_plain(escape_match: re.Match[str]) -> str:
        brace, four, two, one = escape_match.groups()
        if code := brace or four or two:
            if int(code, 16) > 0x10FFFF:
                raise NotALiteral("an escape beyond Unicode")
            return chr(int(code, 16))
        if one == "\r\n":
            return ""
        # Before a digit, `\0` begins an octal number.
        octal = one.isdigit() and (one != "0" or escape_match.string[escape_match.end() :][:1].isdigit())
        if octal or one in "ux":
            raise NotALiteral(f"there is no escape \\{one}")
        return _ESCAPES.get(one, one)

    text = _ESCAPE.sub(make_plain, text)
    # Two escapes may spell the halves of one character.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


class JavaScriptReader(TreeReader):
    """Reads a literal."""

    words: ClassVar[Mapping[str, object]] = {"true": True, "false": False, "null": None, "undefined": UNDEFINED}

    def on_number(self, node: Node, _: int) -> float:
        text = self.text(node)
        if _LEADING_ZERO.match(text):
            raise NotALiteral("not a number of the language")
        try:
            if text.endswith("n"):
                return BigInt(check_size(int(text[:-1], 0)))
            return convert_number(int(text, 0) if text[:2].lower() in ("0x", "0o", "0b") else float(text))
        except ValueError:
            raise NotALiteral("not a number of the language") from None

    def on_string(self, node: Node, _: int) -> str:
        return _unescape(self.text(node)[1:-1])

    def on_template_string(self, node: Node, _: int) -> str:
        if any(n.type == "template_substitution" for n in node.named_children):
            raise NotALiteral("not a literal: a template with a value inside")
        return _unescape(self.text(node)[1:-1].replace("\r\n", "\n").replace("\r", "\n"))

    def on_identifier(self, node: Node, _: int) -> float:
        words = {"NaN": math.nan, "Infinity": math.inf}
        if (word := self.text(node)) not in words:
            raise NotALiteral("not a literal: a name")
        return words[word]

    def on_unary_expression(self, node: Node, depth: int) -> Any:
        sign, number = self.signed(node, depth)
        if isinstance(number, BigInt):
            if sign == "+":
                raise NotALiteral("not a literal: + before a BigInt")
            return BigInt(-number)
        return convert_number(-_float(number)) if sign == "-" else number

    def on_binary_expression(self, node: Node, depth: int) -> Any:
        refuse_signed_base(node, "unary_expression")
        return super().on_binary_expression(node, depth)

    def calculate(self, operator: str, left: Any, right: Any) -> float:
        if isinstance(left, BigInt) or isinstance(right, BigInt):
            raise NotALiteral("not a literal: arithmetic with a BigInt")
        return convert_number(_calculate(operator, _float(left), _float(right)))

    def on_array(self, node: Node, depth: int) -> list[Any]:
        return [self.value(n, depth) for n in self.elements(node)]

    def on_object(self, node: Node, depth: int) -> dict[str, object]:
        properties: dict[str, object] = {}
        for pair in self.elements(node):
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            if pair.type != "pair" or key is None or value is None:
                raise NotALiteral(f"not a literal: {pair.type.replace('_', ' ')}")
            properties[self.key(key, depth)] = self.value(value, depth)
        return properties

    def key(self, node: Node, depth: int) -> str:
        computed = node.named_children if node.type == "computed_property_name" else []
        if len(computed) == 1 and computed[0].type == "string":
            return str(self.value(computed[0], depth))
        if node.type == "property_identifier":
            name = self.text(node)
            if "\\" in name:
                raise NotALiteral("not a literal: an escape in the name of a property")
        elif node.type in ("string", "number"):
            name = name_property(self.value(node, depth))
        else:
            raise NotALiteral("not a literal: a computed key")
        if name == _PROTO:
            raise NotALiteral(f"not a literal: {_PROTO} sets the prototype")
        return name


def _calculate(operator: str, left: float, right: float) -> float:
    """The result by IEEE 754, also where Python raises."""
    match operator:
        case "+":
            result = left + right
        case "-":
            result = left - right
        case "*":
            result = left * right
        case "/" if right != 0:
            result = left / right
        case "/":
            result = math.nan if left == 0 or math.isnan(left) else math.copysign(math.inf, left) * _sign(right)
        case "%":
            result = math.nan if right == 0 or math.isinf(left) else math.fmod(left, right)
        case "**":
            result = _raise_to_power(left, right)
        case _:
            raise NotALiteral(f"not a literal: the operator {operator}")
    return result


def _sign(number: float) -> float:
    return math.copysign(1, number)


def _raise_to_power(base: float, exponent: float) -> float:
    if math.isnan(exponent) or (abs(base) == 1 and math.isinf(exponent)):
        return math.nan  # here the standard departs from C
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -math.inf if base < 0 and exponent % 2 == 1 else math.inf
    except ValueError:  # 0 ** -1, or a root of a negative number
        if base != 0:
            return math.nan
        return _sign(base) * math.inf if exponent % 2 == 1 else math.inf


def decode(payload: Any) -> Any:
    """The value that the harness wrote.

    Raises:
        ValueError: the harness does not write such a value.
        NotALiteral: the value has an integer that is too large for a literal.
    """
    value: Any
    match payload:
        case None | bool() | str():
            value = payload
        case int() | float():
            value = convert_number(payload)
        case list():
            value = [decode(item) for item in payload]
        case {"number": str(name), **rest} if not rest and name in _NUMBERS:
            value = _NUMBERS[name]
        case {"bigint": str(digits), **rest} if not rest:
            value = BigInt(check_size(int(digits, 16)))
        case {"undefined": True, **rest} if not rest:
            value = UNDEFINED
        case {"object": list(entries), **rest} if not rest:
            value = dict(map(_read_entry, entries))
        case _:
            raise ValueError(f"not a value of JavaScript: {str(payload)[:80]}")
    return value


def _read_entry(entry: Any) -> tuple[str, Any]:
    match entry:
        case [str(key), value]:
            return key, decode(value)
    raise ValueError(f"not an entry of an object: {str(entry)[:80]}")
