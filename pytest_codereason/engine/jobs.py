"""What the engine is given to ask."""

from __future__ import annotations

from typing import NamedTuple

from pytest_codereason.core import Spec
from pytest_codereason.questions.suites.suite import Suite


class Job(NamedTuple):
    """One question to one model."""

    model: str  #: its label
    suite: Suite
    spec: Spec
    samples: tuple[int, ...] = ()  #: the numbers of the samples; empty for all samples of the suite
    repeats: int = 0  #: how often each sample is asked once more
