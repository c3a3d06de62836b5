"""A failing example: its questions, its answers and its size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pytest_codereason.fuzzing.examiner import Answer, LostAnswer
from pytest_codereason.fuzzing.probes import Probe


@dataclass(frozen=True, kw_only=True)
class Counterexample:
    """One example on which a test fails."""

    trail: tuple[tuple[Probe, Answer], ...]  #: the questions and answers, in order
    drawn: Mapping[str, object]  #: the arguments of the test
    error: BaseException  #: the error that the test raised

    @classmethod
    def of(
        cls, trail: Sequence[tuple[Probe, Answer]], drawn: Mapping[str, object], error: BaseException
    ) -> Counterexample:
        """The counterexample of a test that has just failed."""
        return cls(trail=tuple(trail), drawn=dict(drawn), error=error)

    @property
    def wrong(self) -> tuple[tuple[Probe, Answer], ...]:
        """The questions with a wrong answer."""
        return tuple((question, answer) for question, answer in self.trail if not answer.correct)

    @property
    def fell(self) -> bool:
        """Whether a change turned a right answer wrong, as :meth:`Examiner.survives` finds it."""
        return isinstance(self.error, LostAnswer)

    @property
    def size(self) -> tuple[int, int, int, int, str]:
        """The size that the search reduces: statements, places and lines of the change, then the text."""
        if not self.wrong:
            return 0, 0, 0, len(repr(self.drawn)), repr(self.drawn)
        return self.wrong[-1][0].size
