"""A parsed Python program."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cached_property
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Binding, Comment, Documentation, Function, Unit, list_words
from pytest_codereason.core.text import python_trees
from pytest_codereason.languages.frame.code import TableCode
from pytest_codereason.languages.frame.comments import list_comments
from pytest_codereason.languages.python.syntax import bindings, units
from pytest_codereason.languages.python.syntax.binder import CONSTANT_EVALS, EVALS
from pytest_codereason.languages.python.syntax.entry_calls import read_call
from pytest_codereason.languages.python.syntax.grammar import TABLES
from pytest_codereason.languages.python.syntax.hooks import PythonHooks
from pytest_codereason.languages.python.syntax.purity import is_pure
from pytest_codereason.languages.python.syntax.tree import parse

if TYPE_CHECKING:
    from tree_sitter import Node

#: A comment by which Python may read the file in another encoding.
_ENCODING = re.compile(r"#.*coding[:=]")
#: Words of programs that may read docstrings.
_DOCSTRING_READERS = frozenset({"__doc__", "getdoc", "doctest", "help", "inspect", "__dict__", "vars"})


class PythonCode(TableCode):
    """A parsed program and its entry call. The call is read when its names are first asked for."""

    tables = TABLES
    hooks = PythonHooks
    parse = staticmethod(parse)

    def __init__(self, source: str, call: str = "") -> None:
        super().__init__(source)
        self.call = call

    def is_pure_node(self, node: Node) -> bool:
        """Whether an expression is pure."""
        return is_pure(node, self._tree.kinds)

    def find_documentation(self, function: Function | None = None) -> Documentation | None:
        """The docstring of a function, or of the module."""
        if function is None:
            first = next(iter(self.statements), None)
        else:
            first = next((each for each in self.statements if each.span.start == function.body.start), None)
        if first is None or first.kind != "expression":
            return None
        try:
            value = ast.literal_eval(python_trees.parse(self.source[first.span.start : first.span.end], "eval"))
        except python_trees.NO_TREE:
            return None
        if not isinstance(value, str) or not value.strip():
            return None
        return Documentation(inspect.cleandoc(value), first.span)

    @cached_property
    def bindings(self) -> tuple[Binding, ...]:
        """Its names, see :mod:`~pytest_codereason.languages.python.syntax.bindings`."""
        return bindings.find(self._tree, read_call(self.call) if self.call else None)

    @cached_property
    def taken(self) -> frozenset[str]:
        """Every word in source and call, also in strings and comments, but for calls of ``eval`` that see no names."""
        text = f"{self.source}\n{self.call}"
        if EVALS not in text or any(binding.name == "str" for binding in self.bindings):
            return frozenset(self.words)
        for call in CONSTANT_EVALS:
            text = text.replace(call, "")
        return frozenset(list_words(text))

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Functions, classes and methods that can change places."""
        return units.list_units(self._tree)

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        """Its comments, and its docstrings unless it may read them.

        A line that may name the file's encoding is no comment.
        """
        docstrings: list[Node] = []
        if _DOCSTRING_READERS.isdisjoint(self.taken):
            firsts = [sequence.statements[0] for sequence in self._outline.sequences if sequence.statements]
            hooks = PythonHooks(self._tree)
            spans = [self._tree.span(first) for first in firsts if hooks.is_docstring(first)]
            docstrings = [node for span in spans if (node := self._tree.find_node(span)) is not None]
        listed = list_comments(self._tree, ("comment",), docstrings)
        return tuple(c for c in listed if not _ENCODING.match(self.source[slice(*c.span)]))
