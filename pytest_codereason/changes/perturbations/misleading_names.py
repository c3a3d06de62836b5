"""Gives variables, parameters and functions names that mean something else."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pytest_codereason import registry
from pytest_codereason.changes.perturbations._examples import read_examples
from pytest_codereason.changes.perturbations._places import parse_program, rename_bindings
from pytest_codereason.changes.perturbations._wrong_names import choose_wrong_names
from pytest_codereason.core import Dose, Perturbation, Program, TextRequest
from pytest_codereason.core.doses import PerturbationExample
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import Skip


class MisleadingNames(Perturbation):
    """Gives names that are meaningful and wrong: ``index`` for a count, ``loadQueens`` for ``solveQueens``.

    This is the fourth study's M_v. Strength is the number of names. Everything of one name gets one new name, and the
    same names stay, as in ``rename``. The entry call and the facts follow.

    Args:
        text: new names by the present ones, as the kind of text ``names`` writes them; others are the catalogue's.
    """

    name = "misleading-names"
    version = 4
    doses = Dose.SETTINGS
    capabilities = frozenset({"syntax", "dialect"})
    text_kind = "names"
    text_reads_program = False

    def __init__(self, text: str = "") -> None:
        self._names: dict[str, str] = json.loads(text) if text else {}

    @classmethod
    def examples(cls) -> Sequence[PerturbationExample]:
        """Programs of four languages, in ``examples/misleading_names.toml``."""
        return read_examples(cls.name)

    def text_request(self, program: Program, draws: Draws, dose: Dose, asks: str) -> TextRequest:
        """The new names of a program, by the present ones; the rule leaves all to the catalogue."""
        return TextRequest(self.text_kind, program, candidates=("{}",))

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        """The program under wrong names, each placed where the present name first appears.

        Raises:
            Skip: No name can safely be changed.
        """
        code = parse_program(program)
        names = choose_wrong_names(code, registry.language(program.language).dialect, draws, self._names)
        if not names:
            raise Skip("there is no name that can safely be changed")
        chosen = dose.choose(names, draws, code.source, lambda name: name.first)
        return rename_bindings(program, code, {binding: name.wrong for name in chosen for binding in name.bindings})
