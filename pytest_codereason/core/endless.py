"""Sources that make programs without end, to train on: one for each whole number."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

from pytest_codereason.core.parts import Source
from pytest_codereason.core.programs import AxisValue, Program

#: The sides of all programs that a seed may draw: those to train on, and those to ask about later.
SPLITS = ("train", "test")


class EndlessSource(Source):
    """A source that draws programs from a seed, as many as anybody wants.

    Its settings hold ``split``, one of :data:`SPLITS`. A program is of the same side for every seed, so programs of
    ``train`` and of ``test`` are never the same.
    """

    @abstractmethod
    def draw_program(self, language: str, number: int, axes: Mapping[str, AxisValue]) -> Program:
        """The program of a whole number from 0, made without those before it. Two numbers may have the same one."""
