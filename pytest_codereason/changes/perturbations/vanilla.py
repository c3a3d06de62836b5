"""The program without comments and with a uniform layout, so that formatting is no clue."""

from __future__ import annotations

from pytest_codereason.changes.perturbations._shipped import ShippedPerturbation
from pytest_codereason.core import Dose, Program
from pytest_codereason.core.random_draws import Draws


class Vanilla(ShippedPerturbation):
    """Changes nothing more: every perturbation begins with the normalised program (CodeCrash, section 2).

    It does so at every dose, so that a curve may begin with it.
    """

    name = "vanilla"
    version = 2
    changes_nothing = True
    capabilities = frozenset({"syntax"})

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        """The program as it is given."""
        return program
