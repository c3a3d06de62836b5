"""Programs with dead code."""

from __future__ import annotations

from pytest_codereason.changes.perturbations.dead_code import DeadCode
from pytest_codereason.core import Dose, Program
from pytest_codereason.core.random_draws import Draws

EVERYTHING = Dose(strength=100)


def add_dead_code(source: str, call: str = "f(3)", seed: int = 0, dose: Dose = EVERYTHING, lang: str = "python") -> str:
    return (
        DeadCode()
        .apply(Program.from_source(language=lang, source=source, call=call), Draws(seed), dose, "output")
        .source
    )
