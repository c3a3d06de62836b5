"""The program without comments and with a uniform layout, so that formatting is no clue."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_codereason.changes.perturbations._examples import read_examples
from pytest_codereason.core import Dose, Perturbation, Program
from pytest_codereason.core.doses import PerturbationExample
from pytest_codereason.core.random_draws import Draws


class Vanilla(Perturbation):
    """Changes nothing more: every perturbation begins with the normalised program (CodeCrash, section 2)."""

    name = "vanilla"
    version = 2
    changes_nothing = True
    doses = Dose.SETTINGS  #: at every dose it changes nothing: a curve may begin with it

    @classmethod
    def examples(cls) -> Sequence[PerturbationExample]:
        """Programs of four languages, in ``examples/vanilla.toml``."""
        return read_examples(cls.name)

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        """The program as it is given."""
        return program
