"""Finds comparisons that the grammar reads as arguments of types, and writes what it reads rightly in their place.

    at < xs.length && left > -1      at > xs.length && left > -1
    max(a < b, c > [0])              max(a > b, c > [0])

The rules are those of TypeScript's compiler: no type holds ``&&`` or ``||``, and after the arguments of a type there is
neither a sign nor the beginning of a value. What is written has the same length, and is compared as tightly.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.tree import walk

if TYPE_CHECKING:
    from tree_sitter import Node

_BEGINNING = r"[\w$\"'\[{!~#@\\\u0080-\U0010ffff]"
#: What stands in every program that may need it, where it has ``<``.
_PECULIAR = re.compile(rf"&&|\|\||(?<!=)>\s*(?:[-+<>]|/\*|{_BEGINNING})")
#: What follows ``>`` where it compares: on the same line a value, which these words do not begin.
_FOLLOWING = re.compile(
    rf"\s*[-+<>]|(?:[ \t]|/\*(?:[^*]|\*(?!/))*\*/)*(?!(?:in|instanceof|as|satisfies)\b){_BEGINNING}"
)
#: How far behind ``>`` that is looked for, in bytes.
_FAR = 200
_LOGICAL = frozenset({"&", "|"})


def may_amend(source: str) -> bool:
    """Whether a program may have such a comparison, by a glance at its text."""
    return "<" in source and _PECULIAR.search(source) is not None


def amend(code: bytes, root: Node) -> bytes:
    """The text for the grammar, given what the grammar made of the last one."""
    text = bytearray(code)
    for node in walk(root):
        if node.type == "type_arguments" and (_is_logical(node) or _is_compared(code, node)):
            text[node.start_byte : node.start_byte + 1] = b">"
    return bytes(text)


def _is_logical(node: Node) -> bool:
    """Whether arguments of types hold ``&&`` or ``||``, each read as two signs."""
    last = None
    for inner in walk(node):
        if inner.type in _LOGICAL:
            if last is not None and last.end_byte == inner.start_byte:
                return True
            last = inner
    return False


def _is_compared(code: bytes, node: Node) -> bool:
    """Whether something stands behind ``>`` to which a value is compared: behind a function with types, nothing may."""
    if node.parent is None or node.parent.type != "instantiation_expression":
        return False
    behind = code[node.end_byte : node.end_byte + _FAR].decode(errors="ignore")
    return _FOLLOWING.match(behind) is not None
