"""The program without comments and with a uniform layout, so that formatting is no clue."""

from __future__ import annotations

from pytest_codereason.core import Dose, Perturbation, Program
from pytest_codereason.core.draws import Draws


class Vanilla(Perturbation):
    """Changes nothing more: every perturbation begins with the normalised program (CodeCrash, section 2)."""

    name = "vanilla"
    version = 1

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        """The program as it is given."""
        return program
