"""What ``run.json`` says of an adaptive suite: by which rule it was asked, and what became of its cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pytest_codereason.core import AxisValue
from pytest_codereason.core.adaptive import Adaptive, Ended


@dataclass(frozen=True, slots=True, kw_only=True)
class CellInfo:
    """What became of one cell of an adaptive suite, as the records tell it."""

    model: str  #: the label of the model
    where: Mapping[str, AxisValue]  #: the value of every axis but the one that is chosen
    asked: int  #: questions
    rounds: int  #: in which they were asked
    ended: Ended | None  #: why; ``None`` if it has not ended


@dataclass(frozen=True, slots=True, kw_only=True)
class AdaptiveInfo(Adaptive):
    """How an axis of a suite was chosen question by question."""

    version: int = 0  #: of the rule that chooses
    unneeded: int = 0  #: questions of all models that were selected and then not needed
    cells: tuple[CellInfo, ...] = ()  #: of each model, known once the run has ended
