"""Keeps some repositories out of training, so that a checkpoint is chosen on programs that it has not seen."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pytest_codereason.core import derive_seed
from pytest_codereason.errors import UsageError


class Slices(NamedTuple):
    """The rows to train on, those a checkpoint is chosen on, and the groups of the latter."""

    training: list[Mapping[str, object]]
    held_out: list[Mapping[str, object]]
    groups: list[str]


def hold_out(rows: Sequence[Mapping[str, object]], share: float, seed: int) -> Slices:
    """Divides rows by repository; a row without one counts as a repository of its own family.

    No repository is on both sides. Whole repositories are drawn until at least ``share`` of the rows is held out. One
    that would hold out more than twice the share is passed over while smaller ones are left.

    Args:
        rows: rows with ``family`` and ``repository``.
        share: 0 to 1. With 0 nothing is held out.
        seed: another seed draws other repositories.

    Raises:
        UsageError: Every row would be held out, or there is one repository alone.
    """
    groups: dict[str, list[Mapping[str, object]]] = {}
    for row in rows:
        groups.setdefault(str(row.get("repository") or row["family"]), []).append(row)
    wanted = math.ceil(share * len(rows))
    order = sorted(groups, key=lambda group: derive_seed(seed, "hold out", group))
    order.sort(key=lambda group: len(groups[group]) > 2 * wanted)  # keeps the drawn order within both kinds
    drawn: list[str] = []
    taken = 0
    for name in order:
        if taken >= wanted:
            break
        drawn.append(name)
        taken += len(groups[name])
    if wanted and taken >= len(rows):
        raise UsageError(
            f"there are {len(groups)} repositories, too few to hold {share:.0%} of the rows out of training: "
            "give rows of more repositories, or --held-out 0"
        )
    training = [row for name, members in groups.items() if name not in drawn for row in members]
    return Slices(training, [row for name in drawn for row in groups[name]], sorted(drawn))
