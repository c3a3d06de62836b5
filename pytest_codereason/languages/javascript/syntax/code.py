"""A parsed JavaScript program."""

from __future__ import annotations

from functools import cached_property

from pytest_codereason.core.language.structure import Binding, Comment, Documentation, Function, Insertion, Site, Unit
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.code import DetailedCode, OutlinedCode
from pytest_codereason.languages.frame.comments import list_comments
from pytest_codereason.languages.frame.documentation import find_block_comment
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.javascript.syntax import details, insertions, sites, units
from pytest_codereason.languages.javascript.syntax.bindings import JavaScriptResolver
from pytest_codereason.languages.javascript.syntax.outline import JavaScriptOutline
from pytest_codereason.languages.javascript.syntax.purity import JavaScriptPurity
from pytest_codereason.languages.javascript.syntax.tree import COMMENTS, list_children, list_words, parse_source


class JavaScriptCode(OutlinedCode, DetailedCode):
    """A parsed program. Each property is computed once."""

    def __init__(self, source: str, call: str = "") -> None:
        self.source = source
        self.call = call
        self._tree = parse_source(source)
        self._call = _parse_call(call) if call else None

    @cached_property
    def _outline(self) -> JavaScriptOutline:
        return JavaScriptOutline.of(self._tree)

    @cached_property
    def _resolved(self) -> tuple[tuple[Binding, ...], frozenset[str]]:
        return JavaScriptResolver(self._tree, self._outline.owners).bindings(self._call)

    @cached_property
    def _plain_sites(self) -> tuple[Site, ...]:
        return sites.list_sites(self._outline)

    def is_pure(self, site: Site) -> bool:
        """Whether a condition is pure. No other site is."""
        node = self._tree.find_node(site.span) if site.kind == "condition" else None
        return node is not None and self._purity.of(node)

    @cached_property
    def _purity(self) -> JavaScriptPurity:
        getters = any(
            v.kind == "method_definition" and v.node.children[0].type in ("get", "static") for v in self._outline.visits
        )
        return JavaScriptPurity(self._tree, self.taken, self._resolved[1], getters=getters)

    def find_documentation(self, function: Function | None = None) -> Documentation | None:
        """The comment ``/** ... */`` before a function; a program as a whole has none."""
        return find_block_comment(self.source, function)

    @cached_property
    def _details(self) -> tuple[Site, ...]:
        return tuple(details.list_sites(self._outline))

    @cached_property
    def bindings(self) -> tuple[Binding, ...]:
        """The names it declares, with their uses in source and call."""
        return self._resolved[0]

    @cached_property
    def taken(self) -> frozenset[str]:
        """Every identifier that appears in source, call, strings or comments."""
        return list_words(self.source) | list_words(self.call)

    @cached_property
    def insertions(self) -> tuple[Insertion, ...]:
        """The places where text may be inserted."""
        return insertions.list_insertions(self._outline)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Its movable definitions."""
        return units.list_units(self._outline)

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        """Its comments."""
        return list_comments(self._tree, COMMENTS)


def _parse_call(call: str) -> Tree:
    try:
        tree = parse_source(call)
    except DoesNotParse as error:
        raise DoesNotParse(f"the entry call: {error}") from None
    statements = list_children(tree.root)
    if len(statements) != 1 or statements[0].type != "expression_statement":
        raise DoesNotParse("the entry call is not one expression")
    return tree
