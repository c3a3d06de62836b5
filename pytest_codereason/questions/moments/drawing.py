"""Draws one moment of a kind from a run: fair ones only, by their weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import Skip
from pytest_codereason.questions.moments.candidate import Kind, MomentCandidate
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine

#: How much more likely a later visit of a line is drawn than its first, which the text often tells.
_LATER = 4.0


def list_fair(kind: Kind, run: WitnessedRun) -> list[MomentCandidate]:
    """The candidates of a kind that no excluded reader gets right.

    They are about the program alone, not about what was added to it, and about lines whose order the text tells.
    """
    return [
        each
        for each in kind.list_candidates(run)
        if is_own(run, each)
        and each.place not in run.unordered
        and not any(kind.equal(run, each.answer, guess) for guess in each.excluded.values())
    ]


def is_own(run: WitnessedRun, moment: MomentCandidate) -> bool:
    """Whether a moment is about lines and variables that the program had before changes."""
    places = [each for each in (moment.place, moment.answer) if isinstance(each, ProgramLine)]
    return all(map(run.is_own, places)) and all(run.has_own_name(moment.place.file, name) for name in moment.names)


def draw_candidate(kind: Kind, run: WitnessedRun, draws: Draws) -> MomentCandidate:
    """One of the fair candidates.

    Where a kind has a naive answer, it is drawn first whether that answer is right.

    Raises:
        Skip: there is none.
    """
    naive = draws.chance(kind.naive_chance)
    fair = list_fair(kind, run)
    if not fair:
        raise Skip(f"the run has no moment of the kind {kind.name}")
    if any(each.naive is not None for each in fair):
        fair = [each for each in fair if kind.equal(run, each.answer, each.naive) == naive]
        if not fair:
            side = "with" if naive else "without"
            raise Skip(f"the run has no moment of the kind {kind.name} {side} the answer of a naive reader")
    return draw_by_weight([replace(each, weight=each.weight * _LATER ** (each.visit > 1)) for each in fair], draws)


class Weighted(Protocol):
    """What is drawn."""

    @property
    def weight(self) -> float:
        """How likely it is drawn."""
        ...


Drawn = TypeVar("Drawn", bound=Weighted)


def draw_by_weight(candidates: Sequence[Drawn], draws: Draws) -> Drawn:
    """One of several, by their weight."""
    left = draws.uniform() * sum(each.weight for each in candidates)
    for each in candidates:
        left -= each.weight
        if left < 0:
            return each
    return candidates[-1]
