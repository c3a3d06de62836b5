"""A failing example: what was asked, what came back, how small it is, and how it is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_codereason.fuzzing.examiner import Answer, Fell
from pytest_codereason.fuzzing.probes import Probe


@dataclass(frozen=True, kw_only=True)
class Counterexample:
    """One example on which a test fails."""

    trail: tuple[tuple[Probe, Answer], ...]  #: what it asked, in order
    drawn: Mapping[str, Any]  #: what the test was called with
    error: BaseException  #: how it failed

    @classmethod
    def of(
        cls, trail: Sequence[tuple[Probe, Answer]], drawn: Mapping[str, Any], error: BaseException
    ) -> Counterexample:
        """The example whose test has just failed."""
        return cls(trail=tuple(trail), drawn=dict(drawn), error=error)

    @property
    def wrong(self) -> tuple[tuple[Probe, Answer], ...]:
        """The questions that were not answered right."""
        return tuple((question, answer) for question, answer in self.trail if not answer.correct)

    @property
    def fell(self) -> bool:
        """Whether a change turned a right answer wrong, as :meth:`Examiner.survives` finds it."""
        return isinstance(self.error, Fell)

    @property
    def size(self) -> tuple[int, int, int, int, str]:
        """What is to be small: statements, edits, strength, then the text."""
        if not self.wrong:
            return 0, 0, 0, len(repr(self.drawn)), repr(self.drawn)
        return self.wrong[-1][0].size
