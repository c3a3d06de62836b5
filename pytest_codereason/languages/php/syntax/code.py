"""A parsed PHP program."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Binding, Comment, Function, Span, Unit
from pytest_codereason.languages.frame.code import TableCode
from pytest_codereason.languages.php.syntax import bindings, units
from pytest_codereason.languages.php.syntax.closures import Closure, list_closures
from pytest_codereason.languages.php.syntax.grammar import TABLES
from pytest_codereason.languages.php.syntax.hooks import PHPHooks
from pytest_codereason.languages.php.syntax.purity import PHPPurity
from pytest_codereason.languages.php.syntax.references import References
from pytest_codereason.languages.php.syntax.tree import PHPTree, list_words

if TYPE_CHECKING:
    from tree_sitter import Node


class PHPCode(TableCode):
    """A parsed program."""

    tables = TABLES
    hooks = PHPHooks
    parse = PHPTree
    list_taken = staticmethod(list_words)

    @staticmethod
    def parse_call(call: str) -> PHPTree:
        """The tree of an entry call."""
        return PHPTree(f"{call};")

    @cached_property
    def _closures(self) -> list[Closure]:
        return list_closures(self._outline)

    def list_parameters(self, function: Function, at: int) -> tuple[str, ...]:
        """Those of the function; in a closure without a name its own, and those that it captures."""
        for closure in reversed(self._closures):
            if function.span.start < closure.span.start < at < closure.span.end:
                return closure.parameters
        return function.parameters

    def can_read(self, binding: Binding, at: int) -> bool:
        """Whether each closure without a name that holds the place, or the variable, but not both, lets it through."""
        uses = [use.span for use in binding.uses if not use.in_call]
        for closure in self._closures:
            span = closure.span
            holds_variable = bool(uses) and all(span.start < use.start < span.end for use in uses)
            if span.start < at < span.end:
                if not (holds_variable or closure.sees(binding.name)):
                    return False
            elif holds_variable:
                return False
        return True

    def may_rebind(self, span: Span) -> bool:
        """Whether a use of a variable may be a reference to it."""
        return self._references.may_rebind(span)

    @cached_property
    def _references(self) -> References:
        return References(self._tree)

    def is_pure_node(self, node: Node) -> bool:
        """Whether a condition is pure."""
        return self._purity.of(node)

    @cached_property
    def _purity(self) -> PHPPurity:
        return PHPPurity(self._tree, PHPHooks(self._tree).declared)

    @cached_property
    def bindings(self) -> tuple[Binding, ...]:
        """Its variables, functions, classes, imports and labels."""
        return bindings.resolve(self._tree, self._call, self._outline.owners)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Its functions, classes and methods."""
        return units.list_units(self._outline)

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        """Its comments; none if it may read them by reflection."""
        return () if "getDocComment" in self.taken else super().comments
