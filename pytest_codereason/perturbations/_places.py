"""The places that a perturbation changes: the parsed program, and which of its places the dose takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from pytest_codereason import registry
from pytest_codereason.core import Dose, Program
from pytest_codereason.core.draws import Draws
from pytest_codereason.core.structure import Code
from pytest_codereason.errors import Skip

T = TypeVar("T")


def parse_program(program: Program) -> Code:
    """The structure of a program.

    The last few are kept: several perturbations of one program, and several axis values, begin with the same text.

    Raises:
        DoesNotParse: The text is no program of its language.
    """
    return _parse(program.language, program.source, program.call)


@lru_cache(maxsize=8)
def _parse(language: str, source: str, call: str) -> Code:
    return registry.language(language).syntax.parse(source, call)


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
    used = [draws.chance(dose.density) for _ in places]
    order = draws.shuffled(range(len(places)))
    inside = [i for i in order if find_quarter(places[i]) == dose.place] if dose.place else order
    if not inside:
        raise Skip(f"there is nothing to change{f' in quarter {dose.place}' if dose.place else ''}")
    dense = [i for i in inside if used[i]]
    return [places[i] for i in sorted(dense[: dose.strength])]


def find_quarter(source: str, offset: int) -> int:
    """The quarter of a file, 1 to 4, in which a character stands. Quarters are measured in lines."""
    lines = source.count("\n") + (not source.endswith("\n"))
    return min(4, 1 + 4 * source.count("\n", 0, offset) // lines)
