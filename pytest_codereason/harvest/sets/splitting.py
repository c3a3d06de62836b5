"""Splits programs into training and test, whole repositories at a time and alike in each language."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from typing import Literal

Side = Literal["train", "test"]
#: The share of programs that are for testing. The third study has 2,129 of 10,583.
TEST_SHARE = 0.2


def split(programs: Mapping[str, Mapping[str, int]], seed: int) -> dict[str, Side]:
    """The side of each repository. All programs of a repository are on one side, in whatever language.

    Repositories come in an order drawn at random. Each goes to the test side if this brings the languages nearer to
    the test side's share, on average over the languages.

    Args:
        programs: How many programs each repository has in each language.
        seed: Decides the order.
    """
    totals = Counter[str]()
    for counts in programs.values():
        totals.update(counts)
    tested = Counter[str]()
    sides: dict[str, Side] = {}
    for repository in sorted(programs, key=lambda name: hashlib.sha256(f"{seed} {name}".encode()).digest()):
        counts = programs[repository]
        with_it = tested + Counter(counts)
        wanted = {name: TEST_SHARE * totals[name] for name in counts}
        gain = sum(
            (abs(tested[name] - wanted[name]) - abs(with_it[name] - wanted[name])) / totals[name] for name in counts
        )
        sides[repository] = "test" if gain > 0 else "train"
        if sides[repository] == "test":
            tested = with_it
    return {name: sides[name] for name in sorted(sides)}
