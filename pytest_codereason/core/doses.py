"""How much of a program a perturbation changes, and which of its places these are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypeVar

from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import Skip

T = TypeVar("T")

#: The place that is a quarter drawn for each program.
RANDOM = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Dose:
    """How much of a program a perturbation changes, and where: ``rename(strength=3,density=0.5)``.

    A perturbation gets the settings that its :attr:`Perturbation.doses` names. :meth:`choose` obeys all of them.
    """

    #: the settings that :meth:`choose` obeys
    SETTINGS: ClassVar[tuple[str, ...]] = ("strength", "density", "place")

    strength: int | None = None  #: at most so many places; ``None`` is the perturbation's own measure
    density: float = 1.0  #: the probability with which each place is used, 0 to 1
    #: only in this quarter of the file by lines, 1 to 4; 0 is everywhere. :data:`RANDOM` is one of the four, drawn for
    #: each program; the stage draws it, so :meth:`Perturbation.apply` never sees it
    place: int = 0
    placement: str = ""  #: one of the perturbation's ``placements``; empty for the first

    def choose(self, places: Sequence[T], draws: Draws, source: str, find_offset: Callable[[T], int]) -> list[T]:
        """The places that are changed, in the order of ``places``. A low density may choose none.

        A stronger or denser dose changes what a weaker dose does, and more. The same numbers are drawn whatever the
        dose, so the draws after it stay the same. The new text of a place must not depend on the other places that
        are chosen: draw it for every place, not for the chosen ones.

        Args:
            places: all places that could be changed, of any type.
            draws: the draws that :meth:`Perturbation.apply` gets.
            source: the text in which they stand.
            find_offset: gives the character at which a place begins, counted from 0. It is called only if the dose
                names a quarter of the file.

        Raises:
            Skip: there is no place, or none in the quarter.
        """
        if places and self.strength is None and self.density >= 1 and not self.place:
            draws.skip(2 * len(places) - 1)  # as many as below
            return list(places)
        used = [draws.chance(self.density) for _ in places]
        order = draws.shuffle(range(len(places)))
        inside = [i for i in order if self.allows(source, find_offset(places[i]))] if self.place else order
        if not inside:
            raise Skip(f"there is nothing to change{f' in quarter {self.place}' if self.place else ''}")
        dense = [i for i in inside if used[i]]
        return [places[i] for i in sorted(dense[: self.strength])]

    def allows(self, source: str, offset: int) -> bool:
        """Whether a character of the file stands in the quarter that may be changed."""
        return self.place in (0, RANDOM) or find_quarter(source, offset) == self.place


def find_quarter(source: str, offset: int) -> int:
    """The quarter of a file, 1 to 4, in which a character stands. Quarters are measured in lines."""
    lines = source.count("\n") + (not source.endswith("\n"))
    return min(4, 1 + 4 * source.count("\n", 0, offset) // lines)


class PerturbationExample(NamedTuple):
    """A program before and after a perturbation. Both are run in a test and must return ``output``."""

    language: str
    before: str
    after: str
    call: str  #: before the change
    call_after: str
    output: str  #: a literal of the language
    seed: int = 0  #: of the draws
    dose: Dose = Dose()
