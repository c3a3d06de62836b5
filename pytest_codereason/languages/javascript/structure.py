"""The structure of a JavaScript program, read off a tree-sitter tree."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from pytest_codereason.core.structure import Binding, Block, Code, Function, Insertion, Site, Statement, Unit
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages._tree import Tree, walk
from pytest_codereason.languages.javascript import insertions, sites, units
from pytest_codereason.languages.javascript.bindings import Resolver
from pytest_codereason.languages.javascript.grammar import inside, parser, words
from pytest_codereason.languages.javascript.outline import Outline
from pytest_codereason.languages.javascript.purity import Purity

if TYPE_CHECKING:
    from tree_sitter import Node

#: What may be one of the things that the grammar reads in another way than the language: see :func:`_complaint`.
_DOUBTFUL = re.compile(
    r"</|/>"
    r"|<!--|-->"
    r"|\blet\s*[\n\r\u2028\u2029]"
    r"|\}[ \t]*[\n\r\u2028\u2029]\s*(?:[\[(`+-]|/(?![/*]))"
)

#: What an arrow function is no operand of, unless in parentheses.
_OPERATIONS = frozenset({"binary_expression", "call_expression", "member_expression", "subscript_expression"})


def tree_of(source: str) -> Tree:
    """The tree of a program.

    Raises:
        DoesNotParse: it is none, or holds markup (JSX), comments of HTML, ``let`` at the end of a line, or an arrow
            function that ends without a semicolon before ``[`` or the like.
    """
    tree = Tree(parser(), source)
    if _DOUBTFUL.search(source):
        for node in walk(tree.root):
            if complaint := _complaint(tree, node):
                raise DoesNotParse(complaint, line=node.start_point[0] + 1)
    return tree


def _complaint(tree: Tree, node: Node) -> str:
    """What is wrong with a node that the grammar lets pass."""
    if node.type == "arrow_function" and node.parent is not None and node.parent.type in _OPERATIONS:
        return "an arrow function ends without a semicolon"
    if node.type.startswith("jsx"):
        return "holds markup"
    if node.type == "html_comment" or (node.type == "<" and tree.bytes.startswith(b"<!--", node.start_byte)):
        return "holds a comment of HTML"
    return "a let with nothing behind it" if node.type == "identifier" and tree.text(node) == "let" else ""


class JavaScriptCode(Code):
    """A parsed program; each question is answered once and kept."""

    def __init__(self, source: str, call: str = "") -> None:
        self.source = source
        self.call = call
        self._tree = tree_of(source)
        self._call = _expression(call) if call else None

    @cached_property
    def _outline(self) -> Outline:
        return Outline.of(self._tree)

    @cached_property
    def _resolved(self) -> tuple[tuple[Binding, ...], frozenset[str]]:
        return Resolver(self._tree, self._outline.owners).bindings(self._call)

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """Its functions, methods, and closures that a variable or property names, outer before inner."""
        return tuple(self._outline.functions)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Its statements, outer before inner."""
        return tuple(self._outline.statements)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Its blocks, outer before inner; the statements behind a ``case`` are one."""
        return tuple(self._outline.blocks)

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """Its sites of every kind."""
        getters = any(
            v.node.type == "method_definition" and v.node.children[0].type in ("get", "static")
            for v in self._outline.visits
        )
        return sites.sites(self._outline, Purity(self._tree, self.taken, self._resolved[1], getters=getters))

    @cached_property
    def bindings(self) -> tuple[Binding, ...]:
        """The names it declares, with their uses in source and call."""
        return self._resolved[0]

    @cached_property
    def taken(self) -> frozenset[str]:
        """Every identifier that appears in source, call, strings or comments."""
        return words(self.source) | words(self.call)

    @cached_property
    def insertions(self) -> tuple[Insertion, ...]:
        """Where something may be inserted."""
        return insertions.insertions(self._outline)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Its movable definitions."""
        return units.units(self._outline)


def _expression(call: str) -> Tree:
    try:
        tree = tree_of(call)
    except DoesNotParse as error:
        raise DoesNotParse(f"the entry call: {error}") from None
    statements = inside(tree.root)
    if len(statements) != 1 or statements[0].type != "expression_statement":
        raise DoesNotParse("the entry call is not one expression")
    return tree
