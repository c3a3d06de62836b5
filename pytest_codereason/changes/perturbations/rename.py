"""Gives neutral names: ``Var_1``, ``Var_2`` ... to variables and parameters, ``f``, ``f1`` ... to functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_codereason import registry
from pytest_codereason.changes.perturbations._examples import read_examples
from pytest_codereason.changes.perturbations._places import parse_program, rename_bindings
from pytest_codereason.core import Dialect, Dose, Perturbation, Program
from pytest_codereason.core.doses import PerturbationExample
from pytest_codereason.core.language.structure import Binding, Code
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import Skip


class Rename(Perturbation):
    """Gives variables and functions neutral names (CodeCrash, appendix B.1.1).

    Names are numbered in the order in which they first appear, whatever the dose, so that ``Var_3`` is the same
    variable at every strength. The function that is called comes first. Variables of one name get one new name, also in
    different functions, so that a variable hides what it hid before. Names that are unsafe to change stay, and so do
    those of classes, imports and labels, and of fields and methods that other code may use. The entry call and the
    facts follow.
    """

    name = "rename"
    version = 6
    doses = Dose.SETTINGS
    capabilities = frozenset({"syntax", "dialect"})

    @classmethod
    def examples(cls) -> Sequence[PerturbationExample]:
        """Programs of four languages, in ``examples/rename.toml``."""
        return read_examples(cls.name)

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        """The program under new names; ``strength`` is the number of names, each placed where it first appears.

        Raises:
            Skip: No name can safely be changed.
        """
        code = parse_program(program)
        names = dict(_choose_names(code, registry.language(program.language).dialect))
        if not names:
            raise Skip("there is no name that can safely be changed")
        chosen = dose.choose(list(names), draws, code.source, _find_first)
        return rename_bindings(program, code, {binding: names[binding] for binding in chosen})


def _choose_names(code: Code, dialect: Dialect) -> Iterator[tuple[Binding, str]]:
    """Every binding to be renamed, with its new name; a binding that has that name already is left out."""
    variables, functions = _NameSeries("Var_", 1, code.taken, dialect), _NameSeries("f", 0, code.taken, dialect)
    for binding in code.bindings:  # the function that is called is the first
        if binding.kind == "function" and not binding.unsafe and binding.uses[-1].in_call:
            functions.find_name(binding.name)
    series = {"variable": variables, "parameter": variables, "field": variables, "function": functions}
    for binding in code.bindings:
        if binding.kind in series and not binding.unsafe:
            name = series[binding.kind].find_name(binding.name)
            if name != binding.name:
                yield binding, name


class _NameSeries:
    """``Var_1``, ``Var_2`` ... or ``f``, ``f1`` ..., as far as they are free, one for each present name."""

    def __init__(self, stem: str, first: int, taken: frozenset[str], dialect: Dialect) -> None:
        self._stem, self._number, self._taken, self._dialect = stem, first, taken, dialect
        self._names: dict[str, str] = {}

    def find_name(self, present: str) -> str:
        """The new name for a ``present`` name, which counts as free itself."""
        if present not in self._names:
            self._names[present] = self._take_next(present)
        return self._names[present]

    def _take_next(self, present: str) -> str:
        while True:
            name = f"{self._stem}{self._number or ''}"
            self._number += 1
            if name == present or self._dialect.fresh(name, self._taken) == name:
                return name


def _find_first(binding: Binding) -> int:
    """The offset in the source at which a binding first appears; 0 for the entry call."""
    return 0 if binding.uses[0].in_call else binding.uses[0].span.start
