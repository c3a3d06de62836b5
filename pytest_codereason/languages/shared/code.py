"""A parsed program whose functions, statements and blocks are collected by one walk over its syntax tree."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Protocol

from pytest_codereason.core.lazy import lazy
from pytest_codereason.core.structure import Block, Code, Function, Statement


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
