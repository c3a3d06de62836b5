"""Reads literals, for all languages: limits, bounded powers, the walk over a tree."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from pytest_codereason.core import Value
from pytest_codereason.errors import NotALiteral

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

#: Characters of the longest literal read.
MAX_CHARS = 100_000
#: Levels of brackets, signs and operators inside each other.
MAX_DEPTH = 100
#: Bits of the largest integer: some 3,000 digits, fewer than Python refuses to print.
MAX_BITS = 10_000
#: Small whole numbers, words, and strings without escapes, in lists. They mean the same in every language as in JSON,
#: which is read several times as fast as a tree. A text that JSON refuses may still be a literal.
_PLAIN = re.compile(
    r"""(?:"[^"\\$\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]*+"|\b(?:true|false|null)\b"""
    r"""|(?<![\w.])(?:0|-?[1-9]\d{0,8}+)(?![\w.])|[\[\], \n])+"""
)


def strip_blanks(text: str) -> str:
    """``text`` without the whitespace around it.

    Raises:
        NotALiteral: the rest is empty or too long.
    """
    if len(text) > MAX_CHARS:
        raise NotALiteral(f"longer than {MAX_CHARS:,} characters")
    if not (text := text.strip()):
        raise NotALiteral("empty")
    return text


def read_plain(text: str) -> Value | None:
    """The value of a text that JSON reads as every language does; ``None`` of any other text.

    ``[1, "a"]`` is such a text. ``'a'`` and ``1.0`` are none.
    """
    if not _PLAIN.fullmatch(text) or text.count("[") > MAX_DEPTH // 2:
        return None
    try:
        return Value(json.loads(text))
    except ValueError:
        return None


def count_level(depth: int) -> int:
    """``depth`` plus one.

    Raises:
        NotALiteral: the nesting is too deep.
    """
    if depth >= MAX_DEPTH:
        raise NotALiteral(f"nested more than {MAX_DEPTH} levels deep")
    return depth + 1


def check_size(number: int) -> int:
    """``number``, if it is not too large."""
    if number.bit_length() > MAX_BITS:
        raise NotALiteral(f"an integer of more than {MAX_BITS:,} bits")
    return number


def raise_power(base: int, exponent: int) -> int:
    """``base ** exponent`` for ``exponent >= 0``, refused before it is computed if it would be too large."""
    if abs(base) > 1 and (abs(base).bit_length() - 1) * exponent > MAX_BITS:
        raise NotALiteral(f"an integer of more than {MAX_BITS:,} bits")
    return int(base**exponent)


def unify_nan(number: float) -> float | str:
    """A number in the form in which it is compared: NaN equals itself, and zero has no sign."""
    return "nan" if math.isnan(number) else number


def refuse_signed_base(node: Node, signed: str) -> None:
    """Refuses ``-2 ** 2``: PHP means ``-(2 ** 2)``, JavaScript allows neither, and the grammars read ``(-2) ** 2``.

    Raises:
        NotALiteral: the operation is such a power; ``signed`` is the type of the node ``-2``.
    """
    left = node.child_by_field_name("left")
    if left is not None and left.type == signed and any(child.type == "**" for child in node.children):
        raise NotALiteral("not a literal: a power of a number with a sign, without brackets")


class TreeReader:
    """Reads a literal off a tree-sitter tree.

    A subclass reads nodes of type ``t`` in a method ``on_t(node, depth)``. A literal has no other
    types of nodes.
    """

    #: the value of each node that is a word, such as ``true``
    words: ClassVar[Mapping[str, object]] = {}

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.unresolved = False

    @classmethod
    def read(cls, parser: Parser, text: str, end: str = "") -> Value:
        """The value of ``text``; ``end`` closes a statement in the language."""
        text = strip_blanks(text)
        if (plain := read_plain(text)) is not None:
            return plain
        try:
            # In parentheses, so that `{` opens an object and not a block.
            source = f"({text}\n)".encode()
        except UnicodeEncodeError:
            raise NotALiteral("holds half of a surrogate pair") from None
        root = parser.parse(source + end.encode()).root_node
        if root.has_error:
            raise NotALiteral("not one expression")
        statements = _list_inside(root)
        inside = _list_inside(statements[0]) if len(statements) == 1 else []
        if len(inside) != 1 or inside[0].type != "parenthesized_expression" or inside[0].end_byte != len(source):
            raise NotALiteral("not one expression")
        reader = cls(source)
        return Value(reader.on_parenthesized_expression(inside[0], 0), reader.unresolved)

    def value(self, node: Node, depth: int) -> Any:
        """The value of a node whose parent is at ``depth``."""
        if node.type in self.words:
            return self.words[node.type]
        read: Callable[[Node, int], Any] | None = getattr(self, f"on_{node.type}", None)
        if read is None:
            raise NotALiteral(f"not a literal: {node.type.replace('_', ' ')}")
        return read(node, count_level(depth))

    def text(self, node: Node) -> str:
        """The source of a node."""
        return self.raw(node).decode()

    def raw(self, node: Node) -> bytes:
        """The source of a node, as bytes."""
        return self.source[node.start_byte : node.end_byte]

    def on_parenthesized_expression(self, node: Node, depth: int) -> Any:
        """``(value)``."""
        inside = _list_inside(node)
        if len(inside) != 1:
            raise NotALiteral("not one expression")
        return self.value(inside[0], depth)

    def signed(self, node: Node, depth: int) -> tuple[str, Any]:
        """The sign and the number of ``-1`` or ``+1``."""
        sign = self.text(node.children[0])
        number = self.value(_list_inside(node)[-1], depth)
        if sign not in ("-", "+") or isinstance(number, bool) or not isinstance(number, (int, float)):
            raise NotALiteral(f"not a literal: {sign} before a value that is not a number")
        return sign, number

    def operands(self, node: Node, depth: int) -> tuple[str, Any, Any]:
        """Operator, left and right value."""
        left, right = (self.value(n, depth) for n in _list_inside(node))
        return self.text(next(n for n in node.children if not n.is_named)), left, right

    def on_binary_expression(self, node: Node, depth: int) -> Any:
        """``1 + 2``."""
        return self.combine(*self.operands(node, depth))

    def combine(self, operator: str, left: Any, right: Any) -> Any:
        """What an operator makes of two values: arithmetic between numbers."""
        if any(isinstance(v, bool) or not isinstance(v, (int, float)) for v in (left, right)):
            raise NotALiteral(f"not a literal: {operator} between values that are not numbers")
        self.unresolved = True
        return self.calculate(operator, left, right)

    def calculate(self, operator: str, left: Any, right: Any) -> Any:
        """Arithmetic as the language does it."""
        raise NotALiteral(f"not a literal: the operator {operator}")

    def read_inside(self, node: Node, depth: int) -> list[Any]:
        """The values of the arguments of a call."""
        arguments = node.child_by_field_name("arguments")
        return [] if arguments is None else [self.value(argument, depth) for argument in self.elements(arguments)]

    def elements(self, node: Node) -> list[Node]:
        """The elements between the commas of a list.

        Raises:
            NotALiteral: nothing stands before a comma.
        """
        items: list[Node] = []
        commas = 0
        for child in node.children:
            if child.type == ",":
                commas += 1
                if commas > len(items):
                    raise NotALiteral("a comma with nothing before it")
            elif child.is_named and child.type != "comment":
                items.append(child)
        return items


def _list_inside(node: Node) -> list[Node]:
    return [n for n in node.named_children if n.type != "comment"]
