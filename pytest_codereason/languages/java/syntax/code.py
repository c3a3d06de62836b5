"""A parsed Java program."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Binding, Unit
from pytest_codereason.languages.frame.code import TableCode
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.java.syntax import units
from pytest_codereason.languages.java.syntax.bindings import JavaResolver
from pytest_codereason.languages.java.syntax.declarations import Declarations, collect_declarations
from pytest_codereason.languages.java.syntax.escapes import list_words, parse_program
from pytest_codereason.languages.java.syntax.fields import StaticFields
from pytest_codereason.languages.java.syntax.flow import is_pure
from pytest_codereason.languages.java.syntax.grammar import TABLES
from pytest_codereason.languages.java.syntax.hooks import JavaHooks
from pytest_codereason.languages.java.syntax.methods import Methods
from pytest_codereason.languages.java.syntax.tree import make_parser

if TYPE_CHECKING:
    from tree_sitter import Node


class JavaCode(TableCode):
    """A parsed Java source file, which may have several classes, and its entry call."""

    tables = TABLES
    hooks = JavaHooks
    parse = staticmethod(parse_program)
    list_taken = staticmethod(list_words)

    @staticmethod
    def parse_call(call: str) -> Tree:
        """The tree of an entry call."""
        return Tree(make_parser(), f"{call};")

    @cached_property
    def _declared(self) -> Declarations:
        return collect_declarations(self._tree)

    @cached_property
    def bindings(self) -> tuple[Binding, ...]:
        """Variables, parameters, type parameters, labels, local classes, and members that no other code uses."""
        methods, fields = Methods(self._tree, self._declared), StaticFields(self._tree, self._declared)
        if self._call is not None:
            methods.entry(self._call)
            fields.entry(self._call)
        return JavaResolver(self._tree, self._declared, methods, fields, self._outline.owners).run()

    def is_pure_node(self, node: Node) -> bool:
        """Whether a condition is pure."""
        return is_pure(node, self._tree, frozenset(self._declared.named))

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Methods, constructors and nested classes, which may stand in any order."""
        return tuple(units.list_units(self._outline))
