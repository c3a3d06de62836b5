"""Decides which process or machine asks which question: one pure function, so that all agree without talking.

Whole families stay together, in the order in which they were collected, so that a server which caches
prompts by prefix meets the positions of one target one after another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pytest_codereason.core import digest


class Work(NamedTuple):
    """The size of one question or test, for dealing it out."""

    family: str  #: what stays together: file, model, language and program
    cost: int  #: a rough measure of how long it takes, see :meth:`Suite.cost_of`; an ordinary test costs 1


def find_family(nodeid: str) -> str:
    """The part of an id that names the program: all of it before the axes."""
    return nodeid.partition("[")[0]


def share(work: Sequence[Work], n: int, k: int) -> list[int]:
    """The indices of ``work`` that fall to part ``k`` of ``n`` (0 <= k < n), in order.

    Each family goes to the part with the least to do so far. The parts are disjoint and cover all.
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


def sample(ids: Iterable[tuple[str, str, str]], limit: int, order: str) -> set[int]:
    """At most ``limit`` positions of ``ids``, spread evenly over strata, the same in every process.

    Args:
        ids: of each question its language, program and cell (how it is asked), in order.
        limit: how many to choose; a smaller choice is part of every larger one.
        order: what the order of programs is drawn from: the same for every model.

    Programs are taken in one random order for all languages and cells, so that what is compared
    with each other is asked about the same programs.
    """
    rank: dict[str, str] = {}
    strata: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for position, (language, program, cell) in enumerate(ids):
        if program not in rank:
            rank[program] = digest(order, program)
        strata.setdefault((language, cell), []).append((rank[program], position))
    columns = [sorted(stratum) for stratum in strata.values()]
    chosen: set[int] = set()
    for row in range(max(map(len, columns), default=0)):
        for column in columns:
            if len(chosen) == limit:
                return chosen
            if row < len(column):
                chosen.add(column[row][1])
    return chosen
