"""What a run that may stop early plans to ask, and in which order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pytest_codereason.core import AxisValue, derive_seed


class PlannedQuestion(NamedTuple):
    """One question that the run will ask."""

    suite: str
    plan: str  #: of the suite
    model: str
    id: str
    program: str  #: language and name
    axes: Mapping[str, AxisValue]  #: with ``language``; axes that only the answer will know may lack
    samples: int
    family: str = ""  #: what statistics count as one program: in all languages, and apart where axes change the program


def place_program(seed: int, plan: str, program: str) -> int:
    """The place of a program in the random order of its suite: a large number by which to sort."""
    return derive_seed(seed, "order", plan, program)
