"""Which of several differences a sentence may name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from pytest_codereason.results.values import Delta, Estimate, Undefined
from pytest_codereason.statistics.chance import count_needed, find_clear
from pytest_codereason.text.wording import plural

Named = TypeVar("Named")


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
