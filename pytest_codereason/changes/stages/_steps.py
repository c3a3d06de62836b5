"""One step of a composition of perturbations: a program before it and after it."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from pytest_codereason import registry
from pytest_codereason.changes.stages._call_graphs import follow_call_graph, mark_bodies
from pytest_codereason.changes.stages._compositions import Part, identify
from pytest_codereason.core import Dose, Perturbation, Program, derive_seed
from pytest_codereason.core.doses import RANDOM
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.code_files import list_code
from pytest_codereason.errors import NothingToChange, Skip, blame


class Step(NamedTuple):
    """One part of a composition, and everything that decides what it makes of a program."""

    program: Program
    part: Part
    seed: int
    asks: str
    text: str

    def __hash__(self) -> int:
        return hash((self.program.source, self.part, self.seed))


@lru_cache(maxsize=64)
def take_step(step: Step) -> Program:
    """The program changed by one part. The last steps are kept, because many compositions begin alike.

    Raises:
        NothingToChange: the perturbation gave the program back as it was.
        Skip: there is nothing to change.
    """
    marked = mark_bodies(step.program, list_code_files(step.program))
    with blame(step.part.kind):
        changed = _apply(marked, step.part, step.seed, step.asks, step.text)
        if not isinstance(changed, Program):
            raise TypeError(f"apply must return a Program, as change() does, not {type(changed).__name__}")
    # A density below 1 may choose no place, so that a curve over densities begins at the unchanged program.
    is_idle = changed.files == marked.files and changed.call == marked.call and step.part.dose.density >= 1
    if is_idle and not step.part.kind.changes_nothing:
        raise NothingToChange(f"{identify(step.part.kind)} found nothing to change")
    return follow_call_graph(marked, changed)


def _apply(program: Program, part: Part, seed: int, asks: str, text: str) -> Program:
    """The program with each of its files changed by one perturbation.

    Raises:
        Skip: there is nothing to change in any of them; the reason is the entry's.
    """
    perturbation = part.kind(text) if text else part.kind()  # type: ignore[call-arg]  # who shows a text takes one
    if len(program.files) == 1:
        return _apply_in_place(perturbation, program, seed, part.dose, asks)
    skips: dict[str, Skip] = {}
    files = list_code_files(program)
    for file in files:
        try:
            drawn = derive_file_seed(program, file, seed)
            view = _apply_in_place(perturbation, program.view(file), drawn, part.dose, asks)
            program = program.accept_view(view)
        except Skip as skip:
            skips[file] = skip
    if len(skips) == len(files):
        raise skips[program.entry]
    return program


def _apply_in_place(perturbation: Perturbation, program: Program, seed: int, dose: Dose, asks: str) -> Program:
    """The program changed by one perturbation.

    With a random place, it is the first of the four quarters, in an order of their own draws, that can be changed.

    Raises:
        Skip: there is nothing to change, in no quarter; the reason is that of the quarter drawn first.
    """
    if dose.place != RANDOM:
        return perturbation.apply(program, Draws(seed), dose, asks)
    skips: list[Skip] = []
    for quarter in Draws(derive_seed(seed, "place")).shuffle((1, 2, 3, 4)):
        try:
            return perturbation.apply(program, Draws(seed), replace(dose, place=quarter), asks)
        except Skip as skip:
            skips.append(skip)
    raise skips[0]


def list_code_files(program: Program) -> list[str]:
    """The files of a program that hold code of its language."""
    return list_code(program, registry.language(program.language).suffixes)


def derive_file_seed(program: Program, file: str, seed: int) -> int:
    """The seed of a part in one file of a program."""
    return seed if len(program.files) == 1 else derive_seed(seed, file)
