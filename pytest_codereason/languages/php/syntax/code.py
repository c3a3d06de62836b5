"""A PHP program as :class:`~pytest_codereason.core.structure.Code`."""

from __future__ import annotations

from functools import cached_property

from pytest_codereason.core.structure import Binding, Insertion, Site, Unit
from pytest_codereason.languages.php.syntax import bindings, insertions, sites
from pytest_codereason.languages.php.syntax.outline import PHPOutline
from pytest_codereason.languages.php.syntax.tree import PHPTree, list_words
from pytest_codereason.languages.shared.code import OutlinedCode


class PHPCode(OutlinedCode):
    """A parsed program.

    Raises:
        DoesNotParse: the program or its entry call is not PHP.
    """

    def __init__(self, source: str, call: str) -> None:
        self.source = source
        self.call = call
        self._tree = PHPTree(source)
        self._call = PHPTree(f"{call};") if call else None

    @cached_property
    def _outline(self) -> PHPOutline:
        return PHPOutline.of(self._tree)

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """Its sites."""
        declared = frozenset(function.name.rpartition(".")[2].lower() for function in self.functions)
        return sites.list_sites(self._outline, declared)

    @cached_property
    def bindings(self) -> tuple[Binding, ...]:
        """Its variables, functions, classes, imports and labels."""
        return bindings.resolve(self._tree, self._call)

    @cached_property
    def taken(self) -> frozenset[str]:
        """Every identifier, without ``$``."""
        return list_words(self.source) | list_words(self.call)

    @cached_property
    def insertions(self) -> tuple[Insertion, ...]:
        """The places between statements, members and definitions, but not in the text outside PHP."""
        return insertions.list_insertions(self._outline)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Its functions, classes and methods."""
        return insertions.list_units(self._outline)
