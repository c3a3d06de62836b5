"""Python: the two parsers, and names that are free to use."""

from __future__ import annotations

import builtins
import keyword
import re
import warnings
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from pytest_codereason.core.structure import Span
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages._tree import Tree, walk

if TYPE_CHECKING:
    from tree_sitter import Language, Node

#: Names that a program has without declaring them.
BUILTINS = frozenset(dir(builtins))
WORDS = frozenset(keyword.kwlist) | frozenset(keyword.softkwlist) | BUILTINS

_DEEP = re.compile(r"^[ \t]{100}", re.MULTILINE)
_LONE_RETURN = re.compile(r"\r(?!\n)")
#: CPython's own limit.
_LEVELS = 100


@cache
def _grammar() -> Language:
    import tree_sitter
    import tree_sitter_python

    return tree_sitter.Language(tree_sitter_python.language())


class PythonTree(Tree):
    """The syntax tree of a program of Python."""

    def span(self, node: Node) -> Span:
        """Where a node stands."""
        if self._plain is not None:
            return Span(node.start_byte, node.end_byte)
        return super().span(node)


@lru_cache(maxsize=4)
def parse(source: str) -> Tree:
    """The syntax tree of a program of Python 3; the last few are kept, as most layouts are uniform already.

    Raises:
        DoesNotParse: it is none, or holds a carriage return that ends no line: the parsers read it differently.
    """
    import tree_sitter

    if "\r" in source and (found := _LONE_RETURN.search(source)):
        line = source.count("\n", 0, found.start()) + 1
        raise DoesNotParse("holds a carriage return without a line feed", line=line)
    tree = PythonTree(tree_sitter.Parser(_grammar()), source)
    # what programs of Python 2 may hold
    if "print" in source or "exec" in source or "<>" in source:
        for node in walk(tree.root):
            if node.type in {"print_statement", "exec_statement", "<>"}:
                raise DoesNotParse("is written in Python 2", line=node.start_point[0] + 1)
    deep = ("\t" in source or " " * _LEVELS in source) and _DEEP.search(source)
    if deep and any(_levels(node) > _LEVELS for node in walk(tree.root) if node.type == "block"):
        raise DoesNotParse("has too many levels of indentation")
    return tree


def _levels(node: Node | None) -> int:
    levels = 0
    while node is not None:
        levels += node.type == "block"
        node = node.parent
    return levels


def check(source: str) -> str:
    """What CPython's compiler says against a program; empty where it accepts it. Nothing is run."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<program>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}" if error.lineno else str(error.msg)
    except (ValueError, MemoryError, RecursionError, OverflowError) as error:
        return str(error) or type(error).__name__
    return ""


def fresh(stem: str, taken: frozenset[str]) -> str:
    """``stem``, else ``stem_1`` and so on: no word of the language, no builtin, none of ``taken``."""
    name, number = stem, 0
    while name in taken or name in WORDS:
        number += 1
        name = f"{stem}_{number}"
    return name
