"""Parses Python programs with tree-sitter."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Language, Node

_DEEP = re.compile(r"^[ \t]{100}", re.MULTILINE)
_LONE_RETURN = re.compile(r"\r(?!\n)")
#: What may have type parameters with defaults.
_PARAMETERS = re.compile(r"\b(?:def|class|type)\s+\w+\s*\[[^\n]*=")
_HEADER = re.compile(rb"\b(?:def|class|type)\s+[\w\x80-\xff]+\s*\[")
#: Brackets, signs, and what may hold some of them: strings and comments.
_SIGN = re.compile(rb"[\[\](){},:]|(?<![=!<>])=(?!=)")
#: CPython's own limit.
_LEVELS = 100


@cache
def _load_grammar() -> Language:
    import tree_sitter
    import tree_sitter_python

    return tree_sitter.Language(tree_sitter_python.language())


def _amend(code: bytes, root: Node) -> bytes:
    """``def f[T: int]`` for ``def f[T = int]``, and ``T: int | str`` for ``T: int = str``.

    The grammar knows no defaults. The same names are read at the same places.
    """
    text = bytearray(code)
    for header in _HEADER.finditer(code) if root.has_error else ():
        depth, sign = 1, b":"
        for found in _SIGN.finditer(code, header.end()):
            word = found[0]
            if word in b"([{":
                depth += 1
            elif word in b")]}":
                depth -= 1
            elif word == b"," and depth == 1:
                sign = b":"
            elif word == b":" and depth == 1:
                sign = b"|"
            elif word == b"=" and depth == 1:
                text[found.start() : found.end()] = sign
            if not depth:
                break
    return bytes(text)


@lru_cache(maxsize=4)
def parse(source: str) -> Tree:
    """The syntax tree of a Python 3 program. The last few trees are cached, because most programs are laid out already.

    Raises:
        DoesNotParse: the text is not Python 3, or has a carriage return that ends no line.
    """
    import tree_sitter

    if "\r" in source and (lone_return := _LONE_RETURN.search(source)):
        line = source.count("\n", 0, lone_return.start()) + 1
        raise DoesNotParse("holds a carriage return without a line feed", line=line)
    amend = _amend if _PARAMETERS.search(source) else None
    tree = Tree(tree_sitter.Parser(_load_grammar()), source, amend)  # a parser serves one thread
    # what programs of Python 2 may hold
    if "print" in source or "exec" in source or "<>" in source:
        for node in tree.find_nodes("print_statement", "exec_statement", "<>"):
            raise DoesNotParse("is written in Python 2", line=node.start_point[0] + 1)
    deep = ("\t" in source or " " * _LEVELS in source) and _DEEP.search(source)
    if deep and any(_count_levels(node) > _LEVELS for node in tree.find_nodes("block")):
        raise DoesNotParse("has too many levels of indentation")
    return tree


def _count_levels(node: Node | None) -> int:
    levels = 0
    while node is not None:
        levels += node.type == "block"
        node = node.parent
    return levels
