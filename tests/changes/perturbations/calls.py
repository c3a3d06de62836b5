"""Programs with calls, for messages beside operations on collections."""

from __future__ import annotations

from pytest_codereason.changes.perturbations.comments import Comments
from pytest_codereason.core import Dose, Facts, Program
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.registry import language
from tests.changes.perturbations.programs import PROGRAMS

CALLS = {"java": "P.f(null, null)"}


def program(name: str, source: str) -> Program:
    return Program.from_source(language=name, source=source, call=CALLS.get(name, "f([])"), facts=Facts(output=None))


def add_comments(name: str, dose: Dose = Dose(), seed: int = 0) -> str:
    return (
        Comments()
        .apply(program(name, language(name).syntax.normalise(PROGRAMS[name]).text), Draws(seed), dose, "output")
        .source
    )
