"""A moment that may be asked about, and what a kind of moments is."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine

#: What a kind asks for: a value of the language, a number, a row of letters, a line, a line with a type, or a word.
Answer: TypeAlias = Any


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentCandidate:
    """A moment with its right answer.

    Two lists of wrong guesses stand beside it. ``excluded`` are the answers of readers who do not run the program in
    their mind; a moment is left out if one of them is right. ``naive`` is the same where there are hardly more than two
    answers to choose from. There the naive answer is right in half of the questions: were it always wrong, the other
    one would always be right.
    """

    place: ProgramLine  #: the line that is asked about
    answer: Answer
    visit: int = 0  #: which of its visits, from 1; 0 if all are asked about
    visits: int = 0  #: how often the line runs
    depth: int = 0  #: how many lines run before the moment
    names: tuple[str, ...] = ()
    weight: float = 1.0  #: how likely it is drawn
    excluded: Mapping[str, Answer] = field(default_factory=dict)  #: by the name of the reader
    naive: Answer = None
    options: tuple[Answer, ...] = ()  #: what a guess chooses from


class Kind(ABC):
    """A kind of moments: which there are in a run."""

    name: ClassVar[str]
    #: whether variables are looked at, which takes a second run
    looks: ClassVar[bool] = False
    #: how often a program is asked for a moment whose naive answer is right. Programs that have no such moment are
    #: skipped, so the share differs from a half where one side is rarer: over the shipped programs both are then even
    naive_chance: ClassVar[float] = 0.5

    @abstractmethod
    def list_candidates(self, run: WitnessedRun) -> Iterator[MomentCandidate]:
        """The moments that meet the rules of the kind, before wrong guesses are excluded."""

    def equal(self, run: WitnessedRun, one: Answer, other: Answer) -> bool:
        """Whether two answers are the same."""
        return bool(one == other)


def measure_entropy(answers: Iterable[Hashable]) -> float:
    """The entropy of answers in bits, at least 1."""
    counts = Counter(answers)
    total = sum(counts.values())
    bits = -sum(count / total * math.log2(count / total) for count in counts.values())
    return max(1.0, round(bits, 6))
