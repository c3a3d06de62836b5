"""Programs whose structure is that of another: one file among several, and a program under new names."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate

from pytest_codereason import registry
from pytest_codereason.core.language.structure import (
    Binding,
    Block,
    Code,
    Comment,
    Function,
    Insertion,
    Site,
    SiteKind,
    Statement,
    Unit,
)
from pytest_codereason.core.text.edits import Edit, Replace


class CodeView(Code):
    """Has what ``_code`` has, but for what a subclass says otherwise."""

    _code: Code

    @property
    def bindings(self) -> tuple[Binding, ...]:
        """Its bindings."""
        return self._code.bindings

    @property
    def taken(self) -> frozenset[str]:
        """Every identifier."""
        return self._code.taken

    @property
    def functions(self) -> tuple[Function, ...]:
        """Its functions."""
        return self._code.functions

    @property
    def statements(self) -> tuple[Statement, ...]:
        """Its statements."""
        return self._code.statements

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Its blocks."""
        return self._code.blocks

    @property
    def sites(self) -> tuple[Site, ...]:
        """Its sites."""
        return self._code.sites

    def sites_of(self, *kinds: SiteKind) -> Sequence[Site]:
        """Its sites of these kinds."""
        return self._code.sites_of(*kinds)

    def is_pure(self, site: Site) -> bool:
        """Whether evaluating a condition twice, or not at all, cannot be noticed."""
        return self._code.is_pure(site)

    @property
    def insertions(self) -> tuple[Insertion, ...]:
        """Where something may be inserted."""
        return self._code.insertions

    def list_parameters(self, function: Function, at: int) -> tuple[str, ...]:
        """The parameters that can be read at a place in the body of a function."""
        return self._code.list_parameters(function, at)

    def can_read(self, binding: Binding, at: int) -> bool:
        """Whether code at a place may read a variable of the function around it."""
        return self._code.can_read(binding, at)

    @property
    def units(self) -> tuple[Unit, ...]:
        """Its movable definitions."""
        return self._code.units

    @property
    def comments(self) -> tuple[Comment, ...]:
        """Its comments."""
        return self._code.comments


class FileOfSeveral(CodeView):
    """One file of a program with other files, which may use its names."""

    def __init__(self, code: Code, taken_elsewhere: Sequence[frozenset[str]]) -> None:
        self.source, self.call = code.source, code.call
        self._code, self._taken_elsewhere = code, taken_elsewhere

    @cached_property
    def bindings(self) -> tuple[Binding, ...]:
        """Its bindings. Names that another file may see are unsafe to rename."""
        return tuple(
            binding
            if binding.unsafe or not _is_exposed(binding)
            else binding._replace(unsafe="another file may see it")
            for binding in self._code.bindings
        )

    @cached_property
    def taken(self) -> frozenset[str]:
        """Every identifier of any file."""
        return self._code.taken.union(*self._taken_elsewhere)

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        """Its comments. Another file may read its docstrings, so these are left out."""
        return tuple(comment for comment in self._code.comments if not comment.docstring)


def _is_exposed(binding: Binding) -> bool:
    return not binding.function or binding.kind not in ("variable", "function")


class RenamedCode(CodeView):
    """A program after bindings were renamed. It is parsed when its structure is asked for.

    What depends on no name in :attr:`names` stands where it stood :attr:`before`, moved by :meth:`move`.
    """

    def __init__(
        self,
        language: str,
        source: str,
        call: str,
        before: tuple[str, str],
        edits: Sequence[Edit],
        names: frozenset[str],
    ) -> None:
        self.source, self.call = source, call
        self.before = before  #: the source and the call before
        self.names = names  #: those that were replaced and those in their place
        self._syntax, self._edits = registry.language(language).syntax, edits

    def move(self, offset: int) -> int:
        """The place now of what stood at an offset before the renaming, and not within a name that it replaced."""
        starts, shifts = self._shifts
        return offset + shifts[bisect_left(starts, offset)]

    @cached_property
    def _shifts(self) -> tuple[list[int], list[int]]:
        """Where each edit starts, and how far all edits before it, and at last all edits, move what follows."""
        replaced = sorted((edit.span, len(edit.text)) for edit in self._edits if isinstance(edit, Replace))
        grown = (length - (end - start) for (start, end), length in replaced)
        return [span.start for span, _ in replaced], [*accumulate(grown, initial=0)]

    @cached_property
    def _code(self) -> Code:  # type: ignore[override]  # an attribute that is parsed when it is needed
        return self._syntax.parse(self.source, self.call)

    @cached_property
    def taken(self) -> frozenset[str]:
        """Every identifier."""
        return self._syntax.list_taken(self.source, self.call)
