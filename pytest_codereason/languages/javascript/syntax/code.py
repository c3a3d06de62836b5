"""A parsed JavaScript program."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from pytest_codereason.core.language.structure import Binding, Unit
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.code import TableCode
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.javascript.syntax import units
from pytest_codereason.languages.javascript.syntax.bindings import JavaScriptResolver
from pytest_codereason.languages.javascript.syntax.grammar import TABLES
from pytest_codereason.languages.javascript.syntax.hooks import JavaScriptHooks
from pytest_codereason.languages.javascript.syntax.purity import JavaScriptPurity
from pytest_codereason.languages.javascript.syntax.tree import list_children, list_words, parse_source

if TYPE_CHECKING:
    from tree_sitter import Node


class JavaScriptCode(TableCode):
    """A parsed program. Each property is computed once."""

    tables = TABLES
    hooks = JavaScriptHooks
    resolver: ClassVar[type[JavaScriptResolver]] = JavaScriptResolver
    parse = staticmethod(parse_source)
    list_taken = staticmethod(list_words)

    @classmethod
    def parse_call(cls, call: str) -> Tree:
        """The tree of an entry call, which is one expression."""
        try:
            tree = cls.parse(call)
        except DoesNotParse as error:
            raise DoesNotParse(f"the entry call: {error}") from None
        statements = list_children(tree.root)
        if len(statements) != 1 or statements[0].type != "expression_statement":
            raise DoesNotParse("the entry call is not one expression")
        return tree

    @cached_property
    def _resolved(self) -> tuple[tuple[Binding, ...], frozenset[str]]:
        return self.resolver(self._tree, self._outline.owners).bindings(self._call)

    @cached_property
    def bindings(self) -> tuple[Binding, ...]:
        """The names it declares, with their uses in source and call."""
        return self._resolved[0]

    def is_pure_node(self, node: Node) -> bool:
        """Whether an expression is pure."""
        return self._purity.of(node)

    @cached_property
    def _purity(self) -> JavaScriptPurity:
        getters = any(
            v.kind == "method_definition" and any(child.type in ("get", "static") for child in v.node.children)
            for v in self._outline.visits
        )
        return JavaScriptPurity(self._tree, self.taken, self._resolved[1], getters=getters)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Its movable definitions."""
        return units.list_units(self._outline)
