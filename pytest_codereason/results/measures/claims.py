"""Which of several differences a sentence may name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from pytest_codereason.core import AxisValue
from pytest_codereason.core.text.wording import plural
from pytest_codereason.results.statistics.chance import (
    count_needed,
    count_needed_along,
    count_needed_in_groups,
    find_clear,
)
from pytest_codereason.results.values import Delta, Estimate, Undefined

Named = TypeVar("Named")


class Claim(NamedTuple):
    """What could be said of a model along an axis in one condition: a value falls or rises, or the course varies."""

    model: str
    axis: str
    where: frozenset[tuple[str, str]]
    value: str | None  #: ``None`` for the course over all values

    @classmethod
    def about(cls, model: str, axis: str, where: Mapping[str, AxisValue], value: AxisValue | None = None) -> Claim:
        """The claim about these values."""
        own = frozenset((name, str(each)) for name, each in where.items())
        return cls(model, axis, own, None if value is None else str(value))


@dataclass(frozen=True, slots=True)
class SuiteClaims:
    """Everything that can be claimed of the axes of a suite, all axes and models judged together.

    Every sentence and table asks here what is clear. So terminal, summary, charts and ranking cannot disagree.
    """

    p_values: Mapping[Claim, float]
    clear: frozenset[Claim]

    @classmethod
    def judge(cls, p_values: Mapping[Claim, float], significant: frozenset[Claim]) -> SuiteClaims:
        """The claims that are clear of chance; a change also needs an interval that leaves out zero.

        Args:
            p_values: of every claim.
            significant: the changes whose interval leaves out zero.
        """
        found = zip(p_values, find_clear(list(p_values.values())), strict=True)
        clear = (claim for claim, is_clear in found if is_clear and (claim.value is None or claim in significant))
        return cls(p_values, frozenset(clear))

    @property
    def changes(self) -> int:
        """How many changes were looked at together; courses are judged with them."""
        return sum(claim.value is not None for claim in self.p_values)

    @property
    def still_open(self) -> int:
        """How many claims are not clear: what is corrected for before one more of them may be."""
        return len(self.p_values) - len(self.clear)

    @property
    def among(self) -> str:
        """``21 changes looked at together``: over how many a sentence was corrected."""
        return f"{self.changes:,} changes looked at together" if self.changes > 1 else "1 change"


@dataclass(frozen=True, slots=True)
class Reach:
    """Whether a claim could have been clear at all: the programs that it rests on, and the fewest that could tell.

    Every sentence that denies an effect is written by :meth:`deny`, so none of them takes a small run for a proof.
    """

    programs: int
    needed: int
    cluster: str = "program"  #: what is counted: programs, or repositories

    @classmethod
    def of_changes(cls, changes: Iterable[Delta], claims: int) -> Reach:
        """That of the change with the most programs, one of so many ``claims`` that are judged together."""
        needed = {True: count_needed(claims), False: count_needed_in_groups(claims)}
        found = (cls(delta.families, needed[delta.pairs > 0], delta.cluster) for delta in changes)
        return max(found, key=lambda each: each.programs / each.needed, default=cls(0, needed[True]))

    @classmethod
    def of_courses(cls, courses: Iterable[tuple[int, int]], claims: int) -> Reach:
        """That of the longest of several courses, each so many programs at so many places."""
        found = (cls(programs, count_needed_along(places, claims)) for programs, places in courses)
        return max(found, key=lambda each: each.programs / each.needed, default=cls(0, count_needed(claims)))

    @property
    def suffices(self) -> bool:
        """Whether the programs could have made a difference clear, had all of them answered alike."""
        return self.programs >= self.needed

    def deny(self, denial: str, question: str = "", among: str = "") -> str:
        """``No defence changes m clearly (6 changes looked at together).``, or that nobody can tell.

        Example: ``5 programs are too few to tell whether a defence changes m: it takes at least 8 (6 changes looked at
        together).``
        """
        note = f" ({among})" if among else ""
        if self.suffices:
            return f"{denial}{note}."
        are = "is" if self.programs == 1 else "are"
        tell = (
            f"{plural(self.programs, self.cluster)} {are} too few to tell{f' whether {question}' if question else ''}"
        )
        return f"{tell}: it takes at least {self.needed}{note}."


def describe_few_right(plain: Sequence[Estimate], claims: int) -> str:
    """That no fall could have been clear, because few answers are right before; empty if one could have been.

    Args:
        plain: the scores from which a fall was looked for.
        claims: how many claims are judged together.
    """
    most = max((round(score.value * score.n) for score in plain if score.value is not None), default=0)
    needed = count_needed(claims)
    if not plain or most >= needed:
        return ""
    right = f"{plural(most, 'answer')} {'is' if most == 1 else 'are'} right without a perturbation"
    return f"No fall could be: only {right}, and a clear fall loses at least {needed}."


def select_clear(
    changes: Sequence[tuple[Named, Delta | Undefined | None]], *, beside: Sequence[float | None] = ()
) -> list[tuple[Named, Delta]]:
    """The differences that are clear of chance although somebody looked at all of ``changes``, in their order.

    ``beside`` holds the p-values of other claims that the same sentence could make. A sentence that names the largest
    of several names one of these, or none. See
    :func:`~pytest_codereason.results.statistics.chance.find_clear`.
    """
    clear = find_clear([*(delta.p if delta else None for _, delta in changes), *beside])[: len(changes)]
    return [
        (name, delta)
        for (name, delta), is_clear in zip(changes, clear, strict=True)
        if is_clear and delta and delta.is_significant
    ]
