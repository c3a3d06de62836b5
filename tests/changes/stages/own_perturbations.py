"""Perturbations as users write them."""

from __future__ import annotations

from pytest_codereason.core import Dose, Perturbation, Program
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.changes import Change, change
from pytest_codereason.core.text.edits import Insert


class Undosed(Perturbation):
    """A perturbation of a user's own that does not look at its dose."""

    name = "undosed"
    version = 1

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        return change(program, Change(edits=(Insert(0, "# mind the gap\n"),)))


class Idle(Undosed):
    """One that finds nothing to change."""

    doses = Dose.SETTINGS

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        return change(program, Change())


class Ruinous(Undosed):
    """One that changes what a Python program returns."""

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        end = program.source.index("\n", program.source.index("def f(")) + 1
        return change(program, Change(edits=(Insert(end, "    return 'ruins'\n"),)))


class Strong(Undosed):
    """One that obeys the strength alone."""

    doses = ("strength",)
