"""Names that say nothing: ``Var_1``, ``Var_2`` ... for variables and parameters, ``f``, ``f1`` ... for functions."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_codereason import registry
from pytest_codereason.core import Dose, Language, Perturbation, Program
from pytest_codereason.core.draws import Draws
from pytest_codereason.core.structure import Binding, Code
from pytest_codereason.errors import Skip
from pytest_codereason.perturbations._choosing import chosen, quarter
from pytest_codereason.perturbations._parsing import parsed
from pytest_codereason.text.changes import change
from pytest_codereason.text.changes import rename as renaming


class Rename(Perturbation):
    """Takes away what names tell (CodeCrash, appendix B.1.1).

    Names are numbered in the order in which they first appear, whatever the dose, so that ``Var_3`` is the same
    variable at every strength. Names that are unsafe to change stay, and so do those of classes, imports, labels,
    fields and methods. The entry call and the facts follow.
    """

    name = "rename"
    version = 2

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        """The program under new names; ``strength`` is the number of names, at their first appearance they stand."""
        code = parsed(program)
        names = dict(_names(code, registry.language(program.language)))
        if not names:
            raise Skip("there is no name that can safely be changed")
        wanted = chosen(list(names), dose, draws, lambda binding: quarter(code.source, _first(binding)))
        return change(program, renaming({binding: names[binding] for binding in wanted}))


def _names(code: Code, speaker: Language) -> Iterator[tuple[Binding, str]]:
    """Every binding to be renamed, with its new name; one that has that name already is left out."""
    variables, functions = _Series("Var_", 1, code.taken, speaker), _Series("f", 0, code.taken, speaker)
    series = {"variable": variables, "parameter": variables, "function": functions}
    for binding in code.bindings:
        if binding.kind in series and not binding.unsafe:
            name = series[binding.kind].next(binding.name)
            if name != binding.name:
                yield binding, name


class _Series:
    """``Var_1``, ``Var_2`` ... or ``f``, ``f1`` ..., as far as they are free."""

    def __init__(self, stem: str, first: int, taken: frozenset[str], speaker: Language) -> None:
        self._stem, self._number, self._taken, self._speaker = stem, first, taken, speaker

    def next(self, own: str) -> str:
        """The next name that nothing has, or nothing but what is to get it."""
        while True:
            name = f"{self._stem}{self._number or ''}"
            self._number += 1
            if name == own or self._speaker.dialect.fresh(name, self._taken) == name:
                return name


def _first(binding: Binding) -> int:
    """Where a binding first appears in the source; the call stands above it."""
    return 0 if binding.uses[0].in_call else binding.uses[0].span.start
