"""Parses PHP sources, with an opening tag or without.

A program without an opening tag is parsed as if ``<?php`` stood before it. Offsets never count that tag.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.php.syntax.grammar import STRUCTURE

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

#: What a program without an opening tag is read behind.
OPENING = "<?php "
_TAG = re.compile(r"<\?(?:php\b|=)", re.IGNORECASE)
_MARKUP = re.compile(r"\ufeff?(?:#!.*\n)?\s*<(?!<<)")
_CODE = re.compile(r"[;{}$'\"]|\?>")
_ECHO = re.compile(rb"<\?=")
#: Signs, and the strings and comments that may hold some of them.
_SIGN = re.compile(
    rb"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|/\*.*?\*/|(?://|\#(?!\[))(?:(?!\?>)[^\n])*"""
    rb"""|<<<[ \t]*['"]?(\w+)['"]?\n.*?\n[ \t]*\1\b|\?>|[\[\](){},;]""",
    re.DOTALL,
)
_PLAIN = re.compile(r"[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*")

#: What takes constant expressions: the values of constants, properties, static variables, parameters, cases.
_CONSTANT = frozenset(
    {
        *("const_element", "property_element", "static_variable_declaration", "enum_case", "attribute"),
        *("simple_parameter", "property_promotion_parameter"),
    }
)
#: Nodes whose text is taken as it is: every character within them counts.
STRINGS = frozenset({"string", "encapsed_string", "heredoc", "nowdoc", "shell_command_expression"})


def find_opening(source: str) -> str:
    """The opening tag that ``source`` lacks, empty if it has one.

    A source needs no tag if it begins with ``<``, or if no sign of code stands before its first ``<?php``.
    """
    if _MARKUP.match(source):
        return ""
    tag = _TAG.search(source)
    return "" if tag and not _CODE.search(source, 0, tag.start()) else OPENING


@cache
def _make_parser() -> Parser:
    import tree_sitter
    import tree_sitter_php

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_php.language_php()))


def _amend(code: bytes, root: Node) -> bytes:
    """``<?= $a; $b ?>`` for ``<?= $a, $b ?>``, which the grammar does not know: each value is a statement."""
    text = bytearray(code)
    for tag in _ECHO.finditer(code) if root.has_error else ():
        depth = 0
        for found in _SIGN.finditer(code, tag.end()):
            word = found[0]
            if word in (b"(", b"[", b"{"):
                depth += 1
            elif word in (b")", b"]", b"}"):
                depth -= 1
            elif word == b"," and depth == 0:
                text[found.start() : found.end()] = b";"
            elif word in (b";", b"?>"):
                break
    return bytes(text)


class PHPTree(Tree):
    """The syntax tree of a PHP source.

    Raises:
        DoesNotParse: the text is too long, has a NUL or half a surrogate pair, or is not a program.
    """

    def __init__(self, source: str) -> None:
        self.opening = find_opening(source)
        self._ahead = len(self.opening)
        super().__init__(_make_parser(), self.opening + source, _amend if "<?=" in source else None)
        _ = self._characters  # made from the text that was parsed
        self.source = source

    def at(self, byte: int) -> int:
        """The character offset of a byte offset."""
        offset = byte if (characters := self._characters) is None else characters[byte]
        return offset - self._ahead if offset > self._ahead else 0

    def byte(self, at: int) -> int:
        """The byte offset of a character offset."""
        return super().byte(at) + self._ahead


def is_word(text: str) -> bool:
    """Whether ``text`` is one identifier."""
    return _PLAIN.fullmatch(text) is not None


def list_words(text: str) -> frozenset[str]:
    """Every identifier in ``text``."""
    return frozenset(_PLAIN.findall(text))


list_children = STRUCTURE.list_children


def is_constant(node: Node) -> bool:
    """Whether an expression stands where PHP takes constant expressions only, such as the default of a parameter."""
    around = node.parent
    while around is not None and around.type != "compound_statement":
        if around.type in _CONSTANT:
            return True
        around = around.parent
    return False


def read_string(node: Node, tree: Tree) -> str | None:
    """The text of a plain string. ``None`` for a string with escapes or values in it, and for any other node."""
    if node.type not in ("string", "encapsed_string"):
        return None
    parts = node.named_children
    if not parts:
        return ""
    return tree.text(parts[0]) if len(parts) == 1 and parts[0].type == "string_content" else None
