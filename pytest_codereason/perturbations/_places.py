"""The places that a perturbation changes: the parsed program, and which of its places the dose takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from pytest_codereason import registry
from pytest_codereason.core import Dose, Program
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.structure import (
    Binding,
    Block,
    Code,
    Function,
    Insertion,
    Site,
    SiteKind,
    Statement,
    Unit,
)
from pytest_codereason.errors import Skip

T = TypeVar("T")


def parse_program(program: Program) -> Code:
    """The structure of a program's entry.

    The last few are cached: several perturbations of one program, and several axis values, begin with the same text.

    In a program of several files, names that another file may use are left alone. Only variables of functions and
    functions within functions can be renamed, not top-level names, and not parameters, which another file may name in a
    call. A fresh name occurs in no file.

    Raises:
        DoesNotParse: The text is no program of its language.
    """
    code = _parse(program.language, program.source, program.call)
    if len(program.files) == 1:
        return code
    others = [_parse(program.language, text, "").taken for file, text in program.files.items() if file != program.entry]
    return _FileOfSeveral(code, frozenset().union(*others))


@lru_cache(maxsize=8)
def _parse(language: str, source: str, call: str) -> Code:
    return registry.language(language).syntax.parse(source, call)


class _FileOfSeveral(Code):
    """One file of a program with other files, which may use its names."""

    def __init__(self, code: Code, taken_elsewhere: frozenset[str]) -> None:
        self.source, self.call = code.source, code.call
        self._code, self._taken_elsewhere = code, taken_elsewhere

    @property
    def bindings(self) -> tuple[Binding, ...]:
        """Its bindings. Names that another file may see are unsafe to rename."""
        return tuple(
            binding._replace(unsafe=binding.unsafe or "another file may see it") if _is_exposed(binding) else binding
            for binding in self._code.bindings
        )

    @property
    def taken(self) -> frozenset[str]:
        """Every identifier of any file."""
        return self._code.taken | self._taken_elsewhere

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

    @property
    def insertions(self) -> tuple[Insertion, ...]:
        """Where something may be inserted."""
        return self._code.insertions

    @property
    def units(self) -> tuple[Unit, ...]:
        """Its movable definitions."""
        return self._code.units


def _is_exposed(binding: Binding) -> bool:
    return not binding.function or binding.kind not in ("variable", "function")


def choose_places(places: Sequence[T], dose: Dose, draws: Draws, find_quarter: Callable[[T], int]) -> list[T]:
    """The places that are changed, in the order of ``places``. A low density may choose none.

    The same numbers are drawn whatever the dose. So a stronger or denser dose changes what a weaker dose does, and
    more, and the draws after it stay the same. The new text of a place must not depend on the other places that are
    chosen: draw it for every place, not for the chosen ones.

    Args:
        find_quarter: gives the quarter of the file in which a place stands, see :func:`find_quarter`. It is called
            only if the dose names a quarter.

    Raises:
        Skip: There is no place, or none in the quarter.
    """
    if places and dose.strength is None and dose.density >= 1 and not dose.place:
        for _ in range(2 * len(places) - 1):  # as many as below
            draws.uniform()
        return list(places)
    used = [draws.chance(dose.density) for _ in places]
    order = draws.shuffle(range(len(places)))
    inside = [i for i in order if find_quarter(places[i]) == dose.place] if dose.place else order
    if not inside:
        raise Skip(f"there is nothing to change{f' in quarter {dose.place}' if dose.place else ''}")
    dense = [i for i in inside if used[i]]
    return [places[i] for i in sorted(dense[: dose.strength])]


def find_quarter(source: str, offset: int) -> int:
    """The quarter of a file, 1 to 4, in which a character stands. Quarters are measured in lines."""
    lines = source.count("\n") + (not source.endswith("\n"))
    return min(4, 1 + 4 * source.count("\n", 0, offset) // lines)
