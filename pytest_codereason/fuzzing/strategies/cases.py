"""A program, a change of it that keeps what it does, and the seed of the change's draws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from pytest_codereason.changes.stages.perturbation import parse, perturb
from pytest_codereason.core import Program
from pytest_codereason.core.text.change_pieces import keep_pieces, list_pieces
from pytest_codereason.errors import Skip

#: What a suite's draws depend on besides the seed; one for all, so that a change stays while its program shrinks.
FAMILY = "case"
#: The seeds with which a change at one place is tried.
PLACES = 16


@dataclass(frozen=True, slots=True)
class Case:
    """One question asked twice: about a program, and about the same program changed.

    Its ``repr`` is Python, given this class and ``Facts`` and ``Program`` of ``pytest_codereason.core``.
    """

    program: Program
    perturbation: str  #: as on the axis of the stage: ``comments(strength=2)+rename``
    seed: int = 0
    #: the pieces of the change that are made, by their numbers in the order of the text; ``None`` for all of them
    kept: tuple[int, ...] | None = None

    @property
    def original(self) -> Program:
        """The program as ``vanilla`` shows it. :meth:`changed` differs from it only by the change."""
        return perturb(self.program, (), self.seed, FAMILY, "")

    def changed(self, asks: str = "output") -> Program:
        """The program as the stage ``perturbation`` changes it; ``asks`` is the fact that will be asked for.

        Raises:
            Skip: there is nothing to change.
        """
        changed = perturb(self.program, parse(self.perturbation), self.seed, FAMILY, asks)
        if self.kept is None:
            return changed
        before = self.original.source
        return changed.replace_source(keep_pieces(before, list_pieces(before, changed.source), self.kept))

    def list_simpler(self) -> Iterator[Case]:
        """The same program with a simpler change.

        First one change at one place, by each part of the perturbation, at different places. Then this change without
        one of its pieces. A part of a change may do something else, so whoever asks about it has to run it first.
        """
        known = {self.original.source}
        yield from self._list_single(known)
        changed = replace(self, kept=None).changed()
        if changed.call == self.original.call and len(changed.files) == 1:
            kept = self.kept or tuple(range(len(list_pieces(self.original.source, changed.source))))
            for left_out in kept:
                case = replace(self, kept=tuple(number for number in kept if number != left_out))
                if case.changed().source not in known:
                    yield case

    def _list_single(self, known: set[str]) -> Iterator[Case]:
        for part in parse(self.perturbation):
            for seed in range(PLACES):
                case = Case(self.program, f"{part.kind.name}(strength=1)", seed)
                if _is_changed(case) and (source := case.changed().source) not in known:
                    known.add(source)
                    yield case


def perturbed(programs: st.SearchStrategy[Program], perturbations: st.SearchStrategy[str]) -> st.SearchStrategy[Case]:
    """Cases of programs and perturbations in which the perturbation changes something. The seed shrinks to 0."""
    return st.builds(Case, programs, perturbations, st.integers(0, 2**16 - 1)).filter(_is_changed)


def _is_changed(case: Case) -> bool:
    try:
        return case.changed().source != case.original.source
    except Skip:
        return False
