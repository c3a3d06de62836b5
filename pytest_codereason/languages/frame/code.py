"""A parsed program of a language that is described by tables. Its parts are collected when they are asked for."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from pytest_codereason.core.language.structure import (
    Block,
    Code,
    Comment,
    Documentation,
    Function,
    Insertion,
    Site,
    SiteKind,
    Statement,
    check_site_kinds,
    list_words,
)
from pytest_codereason.languages.frame.comments import list_comments
from pytest_codereason.languages.frame.details import DETAILS, list_details
from pytest_codereason.languages.frame.documentation import find_block_comment
from pytest_codereason.languages.frame.hooks import Hooks
from pytest_codereason.languages.frame.insertions import list_insertions
from pytest_codereason.languages.frame.outline import Outline
from pytest_codereason.languages.frame.sites import list_sites
from pytest_codereason.languages.frame.tables import Tables
from pytest_codereason.languages.frame.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node


class TableCode(Code):
    """A parsed program of a language that is described by tables.

    A subclass says how texts are parsed, and finds bindings and units.

    Raises:
        DoesNotParse: The program or its entry call is none of the language.
    """

    tables: ClassVar[Tables]
    hooks: ClassVar[type[Hooks]] = Hooks

    def __init__(self, source: str, call: str = "") -> None:
        self.source = source
        self.call = call
        self._tree = self.parse(source)
        self._call = self.parse_call(call) if call else None

    @staticmethod
    @abstractmethod
    def parse(source: str) -> Tree:
        """The tree of a program."""

    @staticmethod
    def parse_call(call: str) -> Tree:
        """The tree of an entry call."""
        raise NotImplementedError

    @staticmethod
    def list_taken(text: str) -> frozenset[str]:
        """Every word of a text that may be a name."""
        return frozenset(list_words(text))

    @abstractmethod
    def is_pure_node(self, node: Node) -> bool:
        """Whether evaluating an expression twice, or not at all, cannot be noticed."""

    @cached_property
    def _outline(self) -> Outline:
        return Outline(self._tree, self.tables.structure, self.hooks(self._tree))

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """Its functions, outer functions first."""
        return tuple(self._outline.functions)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Its statements, outer statements first."""
        return tuple(self._outline.statements)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Its blocks, outer blocks first."""
        return tuple(self._outline.blocks)

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """Its sites of every kind."""
        return tuple(_sort_sites([*self._plain_sites, *self._details]))

    def sites_of(self, *kinds: SiteKind) -> Sequence[Site]:
        """Its sites of these kinds. Details, of which programs are full, are collected only if one is asked for."""
        check_site_kinds(kinds)
        plain = [site for site in self._plain_sites if site.kind in kinds]
        if DETAILS.isdisjoint(kinds):
            return plain
        return _sort_sites([*plain, *[site for site in self._details if site.kind in kinds]])

    @cached_property
    def _plain_sites(self) -> tuple[Site, ...]:
        return list_sites(self._outline, self.tables.places)

    @cached_property
    def _details(self) -> list[Site]:
        return list_details(self._tree, self.tables.details, self._outline.visits)

    def is_pure(self, site: Site) -> bool:
        """Whether a condition is pure. No other site is."""
        node = self._tree.find_node(site.span) if site.kind == "condition" else None
        return node is not None and self.is_pure_node(node)

    @cached_property
    def taken(self) -> frozenset[str]:
        """Every word of source and call that may be a name, also in comments and strings."""
        return self.list_taken(f"{self.source}\n{self.call}")

    @cached_property
    def insertions(self) -> tuple[Insertion, ...]:
        """The places where text may be put."""
        return list_insertions(self._outline, self.tables.places)

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        """Its comments."""
        return list_comments(self._tree, self.tables.structure.comments)

    def find_documentation(self, function: Function | None = None) -> Documentation | None:
        """The comment ``/** ... */`` before a function; a program as a whole has none."""
        return find_block_comment(self.source, function)


def _sort_sites(sites: list[Site]) -> list[Site]:
    """Sites in the order of the source. Of sites with the same start, the outer comes first."""
    return sorted(sites, key=lambda site: (site.span.start, -site.span.end))
