"""Which of the places that it could change a perturbation does change: its dose, for all of them alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from pytest_codereason.core import Dose
from pytest_codereason.core.draws import Draws
from pytest_codereason.errors import Skip

T = TypeVar("T")


def chosen(places: Sequence[T], dose: Dose, draws: Draws, quarter_of: Callable[[T], int]) -> list[T]:
    """The places that are changed, in the order in which they are given.

    ``quarter_of`` says in which quarter of the file a place stands (see :func:`quarter`); it is asked only where
    the dose names one. Draws the same numbers whatever the dose, so that a stronger or denser dose changes what a
    weaker one does, and more, and the draws after it stay the same. What a place is changed *to* must not depend on
    the others that are chosen: draw that for every place, not for the chosen ones. A low density may choose none.

    Raises:
        Skip: there is no place, or none in the quarter.
    """
    used = [draws.chance(dose.density) for _ in places]
    order = draws.shuffled(range(len(places)))
    here = [i for i in order if quarter_of(places[i]) == dose.place] if dose.place else order
    if not here:
        raise Skip(f"there is nothing to change{f' in quarter {dose.place}' if dose.place else ''}")
    wanted = [i for i in here if used[i]]
    return [places[i] for i in sorted(wanted[: dose.strength])]


def quarter(source: str, offset: int) -> int:
    """The quarter of a file, 1 to 4, in which a character stands; quarters are measured in lines."""
    lines = source.count("\n") + (not source.endswith("\n"))
    return min(4, 1 + 4 * source.count("\n", 0, offset) // lines)
