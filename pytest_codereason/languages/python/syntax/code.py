"""A parsed Python program."""

from __future__ import annotations

import unicodedata
from typing import get_args

from pytest_codereason.core.lazy import lazy
from pytest_codereason.core.structure import Binding, Insertion, Site, SiteKind, Unit
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.python.syntax import bindings, insertions
from pytest_codereason.languages.python.syntax.binder import CONSTANT_EVALS
from pytest_codereason.languages.python.syntax.outline import PythonOutline
from pytest_codereason.languages.python.syntax.sites import may_have
from pytest_codereason.languages.python.syntax.tree import parse
from pytest_codereason.languages.shared.code import OutlinedCode
from pytest_codereason.languages.shared.tree import Tree


class PythonCode(OutlinedCode):
    """A parsed program and its entry call. The call is read when its names are first asked for.

    Raises:
        DoesNotParse: the program is not Python, or the call is not an expression.
    """

    def __init__(self, source: str, call: str) -> None:
        self.source = source
        self.call = call
        self._tree = parse(source)

    @lazy
    def _outline(self) -> PythonOutline:
        return PythonOutline(self._tree)

    @lazy
    def sites(self) -> tuple[Site, ...]:
        """Its sites. The span of an operator is the operator alone; the span of a condition is the whole expression."""
        return tuple(self._outline.sites.of(frozenset(get_args(SiteKind))))

    def sites_of(self, *kinds: SiteKind) -> list[Site]:
        """Its sites of these kinds. A program, or an expression, that cannot hold such a site is not visited."""
        if not may_have(self.source, kinds):
            return []
        return self._outline.sites.of(frozenset(kinds))

    @lazy
    def bindings(self) -> tuple[Binding, ...]:
        """Its names, see :mod:`~pytest_codereason.languages.python.syntax.bindings`."""
        return bindings.find(self._tree, _parse(self.call) if self.call else None)

    @lazy
    def taken(self) -> frozenset[str]:
        """Every word in source and call, also in strings and comments, but for calls of ``eval`` that see no names."""
        text = f"{self.source}\n{self.call}"
        if "eval(str(" in text and all(binding.name != "str" for binding in self.bindings):
            for call in CONSTANT_EVALS:
                text = text.replace(call, "")
        return frozenset(bindings.WORD.findall(text if text.isascii() else unicodedata.normalize("NFKC", text)))

    @lazy
    def insertions(self) -> tuple[Insertion, ...]:
        """The places where lines can be inserted."""
        return insertions.list_insertions(self._tree, self._outline)

    @lazy
    def units(self) -> tuple[Unit, ...]:
        """Functions, classes and methods that can change places."""
        return insertions.list_units(self._tree)


def _parse(call: str) -> Tree:
    tree = parse(call)
    nodes = tree.root.named_children
    kinds = [node.type for node in (*nodes, *nodes[0].named_children)] if nodes else []
    if kinds[:1] != ["expression_statement"] or len(kinds) != 2 or kinds[1].endswith("assignment"):
        raise DoesNotParse("the entry call is not an expression")
    return tree
