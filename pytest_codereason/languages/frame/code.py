"""A parsed program whose functions, statements and blocks are collected by one walk over its syntax tree."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Protocol

from pytest_codereason.core.language.structure import Block, Code, Function, Site, SiteKind, Statement
from pytest_codereason.core.lazy import lazy
from pytest_codereason.languages.frame.details import DETAILS


class Outline(Protocol):
    """What the walk collects, outer before inner. The outline of each language says how it names functions."""

    @property
    def functions(self) -> Sequence[Function]:
        """The functions."""
        ...

    @property
    def statements(self) -> Sequence[Statement]:
        """The statements."""
        ...

    @property
    def blocks(self) -> Sequence[Block]:
        """The blocks."""
        ...


class DetailedCode(Code):
    """A parsed program whose details are collected apart, because only faults ask for them."""

    @property
    @abstractmethod
    def _plain_sites(self) -> Sequence[Site]:
        """Its sites of the kinds that perturbations ask for."""

    @property
    @abstractmethod
    def _details(self) -> Sequence[Site]:
        """Its sites of the kinds in :data:`~pytest_codereason.languages.frame.details.DETAILS`."""

    @lazy
    def sites(self) -> tuple[Site, ...]:
        """Its sites of every kind."""
        return tuple(sort_sites([*self._plain_sites, *self._details]))

    def sites_of(self, *kinds: SiteKind) -> Sequence[Site]:
        """Its sites of these kinds. Details are collected only if one of the kinds is a detail."""
        plain = [site for site in self._plain_sites if site.kind in kinds]
        if DETAILS.isdisjoint(kinds):
            return plain
        return sort_sites([*plain, *[site for site in self._details if site.kind in kinds]])


class OutlinedCode(Code):
    """A parsed program whose outline is made when its first part is asked for."""

    @property
    @abstractmethod
    def _outline(self) -> Outline:
        """The outline of the source."""

    @lazy
    def functions(self) -> tuple[Function, ...]:
        """Its functions, outer functions first."""
        return tuple(self._outline.functions)

    @lazy
    def statements(self) -> tuple[Statement, ...]:
        """Its statements, outer statements first."""
        return tuple(self._outline.statements)

    @lazy
    def blocks(self) -> tuple[Block, ...]:
        """Its blocks, outer blocks first."""
        return tuple(self._outline.blocks)


def sort_sites(sites: list[Site]) -> list[Site]:
    """Sites in the order of the source. Of sites with the same start, the outer comes first."""
    return sorted(sites, key=lambda site: (site.span.start, -site.span.end))
