"""The numbers that make one statement, and the range of each number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """The numbers that make one statement. Their meaning depends on ``kind``; 0 is the simplest value of each."""

    kind: str
    depth: int = 0
    branch: int = 0
    target: int = 0
    operator: int = 0
    left: int = 0
    right: int = 0
    number: int = 0
    link: int = 0
    other: int = 0
    other_number: int = 0


_VALUE = "operator left right number link"
#: What a row may be, simplest first, with the feature that it needs, how often it is drawn, and the numbers it reads.
KINDS: Mapping[str, tuple[str, int, str]] = {
    "augment": ("", 6, "target operator right number"),
    "assign": ("", 2, f"target {_VALUE}"),
    "if": ("if", 3, f"branch {_VALUE}"),
    "elif": ("elif", 3, f"branch {_VALUE} other other_number"),
    "else": ("else", 2, f"branch {_VALUE}"),
    "count": ("for", 2, "right number"),
    "each": ("for", 2, "left"),
    "while": ("while", 2, "target operator number other_number"),
    "return": ("return", 1, f"branch target {_VALUE}"),
    "break": ("break", 1, f"{_VALUE} other_number"),
    "continue": ("continue", 1, f"{_VALUE} other_number"),
    "extend": ("strings", 1, "target right number"),
    "text": ("strings", 1, "target operator left right number"),
    "append": ("lists", 2, f"target {_VALUE}"),
    "put": ("lists", 1, "target left right number"),
    "sort": ("lists", 1, "target"),
    "pop": ("lists", 1, "target"),
    "items": ("lists", 1, f"target {_VALUE} other other_number"),
    "flag": ("booleans", 1, f"target {_VALUE}"),
}
#: The numbers that a row of each kind reads.
READ: Mapping[str, Sequence[str]] = {kind: ("depth", *reads.split()) for kind, (*_, reads) in KINDS.items()}
#: What each number is drawn from, each as often as it stands there; ``number`` and ``other_number`` go through `skew`.
RANGES: Mapping[str, Sequence[int]] = {
    "depth": (0, 0, 0, 1, 1, 2),
    "branch": range(3),
    "target": range(4),
    **dict.fromkeys(("operator", "left", "right", "other"), range(10)),
    **dict.fromkeys(("number", "other_number"), range(10_000)),
    "link": range(12),
}


def skew(number: int) -> int:
    """Turns a number from 0 to 9,999 into a number from 0 to 999; half of the results are below 250. The sign stays."""
    return (number**2 // 10**5) * (1 if number > 0 else -1)


def reads_other(link: int) -> bool:
    """Whether rows of every kind use their ``other`` and ``other_number`` if they have this ``link``."""
    return link % 6 >= 4
