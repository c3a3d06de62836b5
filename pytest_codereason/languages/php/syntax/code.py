"""A PHP program as :class:`~pytest_codereason.core.language.structure.Code`."""

from __future__ import annotations

from functools import cached_property

from pytest_codereason.core.language.structure import Binding, Comment, Documentation, Function, Insertion, Site, Unit
from pytest_codereason.languages.frame.code import DetailedCode, OutlinedCode
from pytest_codereason.languages.frame.comments import list_comments
from pytest_codereason.languages.frame.documentation import find_block_comment
from pytest_codereason.languages.php.syntax import bindings, details, insertions, sites
from pytest_codereason.languages.php.syntax.outline import PHPOutline
from pytest_codereason.languages.php.syntax.tree import PHPTree, list_words


class PHPCode(OutlinedCode, DetailedCode):
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
    def _plain_sites(self) -> tuple[Site, ...]:
        declared = frozenset(function.name.rpartition(".")[2].lower() for function in self.functions)
        return sites.list_sites(self._outline, declared)

    def list_parameters(self, function: Function, at: int) -> tuple[str, ...]:
        """Those of the function; in a closure without a name its own, and those that it captures."""
        for nameless in reversed(self._outline.nameless):
            if function.span.start < nameless.span.start < at < nameless.span.end:
                return nameless.parameters
        return function.parameters

    def can_read(self, binding: Binding, at: int) -> bool:
        """Whether each closure without a name that holds the place, or the variable, but not both, lets it through."""
        uses = [use.span for use in binding.uses if not use.in_call]
        for nameless in self._outline.nameless:
            span = nameless.span
            holds_variable = bool(uses) and all(span.start < use.start < span.end for use in uses)
            if span.start < at < span.end:
                if not (holds_variable or nameless.sees(binding.name)):
                    return False
            elif holds_variable:
                return False
        return True

    def find_documentation(self, function: Function | None = None) -> Documentation | None:
        """The comment ``/** ... */`` before a function; a program as a whole has none."""
        return find_block_comment(self.source, function)

    @cached_property
    def _details(self) -> tuple[Site, ...]:
        return tuple(details.list_sites(self._outline))

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

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        """Its comments; none if it may read them by reflection."""
        return () if "getDocComment" in self.taken else list_comments(self._tree, ("comment",))
