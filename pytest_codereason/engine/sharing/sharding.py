"""Decides which process or machine asks which question. All of them compute the same shares, without communication.

Whole families stay together, in the order of collection. So a server that caches the beginning of prompts gets the
positions of one target one after another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Work(NamedTuple):
    """The family and the cost of one question or test."""

    family: str  #: file, model, language and program, or the cell of an adaptive suite; a family stays together
    cost: int  #: a rough measure of its duration, see :meth:`Suite.cost_of`; an ordinary test costs 1


def find_family(nodeid: str) -> str:
    """The part of an id before the axes, which names the program: ``python/0007`` of ``python/0007[digits:2]``."""
    return nodeid.partition("[")[0]


def find_shared(nodeid: str, over: str) -> str:
    """What stays together with a question: its program, and in a suite that chooses an axis ``over`` its cell.

    The cell of ``python/0007[state:int,steps:64]`` over ``steps`` is ``python[state:int]``.
    """
    if not over:
        return find_family(nodeid)
    head, colons, question = nodeid.rpartition("::")
    program, _, axes = question.partition("[")
    kept = [axis for axis in axes.removesuffix("]").split(",") if not axis.startswith(f"{over}:")]
    return f"{head}{colons}{program.partition('/')[0]}[{','.join(kept)}]"


def share(work: Sequence[Work], n: int, k: int) -> list[int]:
    """The indices of ``work`` in part ``k`` of ``n`` (0 <= k < n), in order.

    Each family goes to the part with the least work so far. Every index belongs to exactly one part.
    """
    if not 0 <= k < n:
        raise ValueError(f"part {k} of {n}")
    families: dict[str, list[int]] = {}
    for index, (family, _) in enumerate(work):
        families.setdefault(family, []).append(index)
    loads = [0] * n
    mine: list[int] = []
    for indices in families.values():
        part = loads.index(min(loads))
        loads[part] += sum(work[i].cost for i in indices)
        if part == k:
            mine.extend(indices)
    return sorted(mine)
