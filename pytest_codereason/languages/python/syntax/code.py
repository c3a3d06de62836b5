"""A parsed Python program."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cached_property
from typing import get_args

from pytest_codereason.core.language.structure import (
    Binding,
    Comment,
    Documentation,
    Function,
    Insertion,
    Site,
    SiteKind,
    Unit,
    list_words,
)
from pytest_codereason.core.text import python_trees
from pytest_codereason.languages.frame.code import OutlinedCode, sort_sites
from pytest_codereason.languages.frame.comments import list_comments
from pytest_codereason.languages.frame.details import DETAILS
from pytest_codereason.languages.python.syntax import bindings, details, insertions
from pytest_codereason.languages.python.syntax.binder import CONSTANT_EVALS, EVALS
from pytest_codereason.languages.python.syntax.entry_calls import read_call
from pytest_codereason.languages.python.syntax.outline import PythonOutline
from pytest_codereason.languages.python.syntax.sites import is_pure, plan_search
from pytest_codereason.languages.python.syntax.tree import parse

#: A comment by which Python may read the file in another encoding.
_ENCODING = re.compile(r"#.*coding[:=]")

#: Words of programs that may read docstrings.
_DOCSTRING_READERS = frozenset({"__doc__", "getdoc", "doctest", "help", "inspect", "__dict__", "vars"})


class PythonCode(OutlinedCode):
    """A parsed program and its entry call. The call is read when its names are first asked for.

    Raises:
        DoesNotParse: the program is not Python, or the call is not an expression.
    """

    def __init__(self, source: str, call: str) -> None:
        self.source = source
        self.call = call
        self._tree = parse(source)

    @cached_property
    def _outline(self) -> PythonOutline:
        return PythonOutline(self._tree)

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """Its sites. The span of an operator is the operator alone; the span of a condition is the whole expression."""
        return tuple(self.sites_of(*get_args(SiteKind)))

    def sites_of(self, *kinds: SiteKind) -> list[Site]:
        """Its sites of these kinds. A program, or an expression, that cannot hold such a site is not visited."""
        search = plan_search(kinds)
        if not search.may_find(self.source):
            return []
        plain = self._outline.sites.find(search)
        if search.kinds.isdisjoint(DETAILS):
            return plain
        return sort_sites([*plain, *[site for site in self._details if site.kind in search.kinds]])

    def is_pure(self, site: Site) -> bool:
        """Whether a condition is pure. No other site is."""
        node = self._tree.find_node(site.span) if site.kind == "condition" else None
        return node is not None and is_pure(node, self._tree.kinds)

    @cached_property
    def _details(self) -> list[Site]:
        return details.list_sites(self._tree, self._outline.sites)

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
    def insertions(self) -> tuple[Insertion, ...]:
        """The places where lines can be inserted."""
        return insertions.list_insertions(self._tree, self._outline)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Functions, classes and methods that can change places."""
        return insertions.list_units(self._tree)

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        """Its comments, and its docstrings unless it may read them.

        A line that may name the file's encoding is no comment.
        """
        spans = self._outline.docstrings if _DOCSTRING_READERS.isdisjoint(self.taken) else ()
        docstrings = [node for span in spans if (node := self._tree.find_node(span))]
        listed = list_comments(self._tree, ("comment",), docstrings)
        return tuple(c for c in listed if not _ENCODING.match(self.source[slice(*c.span)]))
