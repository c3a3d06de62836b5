"""Which of several differences a sentence may name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from pytest_codereason.core import AxisValue
from pytest_codereason.results.values import Delta, Estimate, Undefined
from pytest_codereason.statistics.chance import count_needed, find_clear
from pytest_codereason.text.wording import plural

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
    def among(self) -> str:
        """``21 changes looked at together``: over how many a sentence was corrected."""
        return f"{self.changes:,} changes looked at together" if self.changes > 1 else "1 change"


def describe_too_few(changes: Sequence[Delta], claims: int) -> str:
    """``5 programs are too few to tell: it takes at least 7.`` Empty if there are enough for a clear difference.

    Args:
        changes: what was looked at.
        claims: how many claims are judged together.
    """
    programs, needed = max((delta.families for delta in changes), default=0), count_needed(claims)
    if not changes or programs >= needed:
        return ""
    are = "is" if programs == 1 else "are"
    return f"{plural(programs, 'program')} {are} too few to tell: it takes at least {needed}."


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
    :func:`~pytest_codereason.statistics.chance.find_clear`.
    """
    clear = find_clear([*(delta.p if delta else None for _, delta in changes), *beside])[: len(changes)]
    return [
        (name, delta)
        for (name, delta), is_clear in zip(changes, clear, strict=True)
        if is_clear and delta and delta.is_significant
    ]
