"""Watches a program of ``horizon`` run, and says whether it may be asked about.

A program that comes back to an earlier state has a short cut: who sees the period need not follow the steps. So has one
whose condition is always true, or true every second time. And a step that changes nothing need not be followed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pytest_codereason.core.language.pseudocode import Block, ExecutedStep, If, walk_statements
from pytest_codereason.programs.generation.evaluation import Scope
from pytest_codereason.programs.horizon.operations import BODY
from pytest_codereason.programs.horizon.states import State

#: The share of steps that may leave the state as it is in a loop, and how many of the last may not.
IDLE, LAST = 0.05, 8
#: From so many rounds on a condition is looked at: the share of rounds in which it is true, and its longest period.
ROUNDS, TRUE, PERIOD = 8, (0.2, 0.8), 8


class Unfit(Exception):
    """The program is not asked about."""


class Watcher:
    """Collects the states of a run, and stops it at the first rule that it breaks.

    Args:
        start: the state before the first step.
        steps: how many steps there will be.
        idle: the share of them that may leave the state as it is.
    """

    def __init__(self, state: State, start: Any, steps: int, *, idle: float) -> None:
        self._read = state.read
        self._lead = steps % BODY  # steps before the first round
        self._idle = int(idle * steps)
        self.states: list[Any] = [start]
        self._moves: list[bool] = []  # whether each step moved the state
        self._truths: list[bool | None] = []  # of the condition that chose each step
        self._branches: dict[ExecutedStep, bool] = {}
        self._heads: dict[str, int] = {} if self._lead else {repr(start): 0}  # the first step with each state

    def expect(self, body: Block) -> None:
        """Has the condition of a body looked at."""
        for one in walk_statements(body):
            if isinstance(one, If):
                steps = [part for _, inner in one.branches for part in inner if isinstance(part, ExecutedStep)]
                self._branches |= {part: place == 0 for place, part in enumerate(steps)}

    def __call__(self, step: ExecutedStep, scope: Scope) -> None:
        """Sees the state after a step.

        Raises:
            Unfit: too many steps do nothing, or a round begins with the state of an earlier one.
        """
        value = self._read(scope)
        moved = value != self.states[-1]
        self.states.append(value)
        self._moves.append(moved)
        self._truths.append(self._branches.get(step))
        number = len(self._moves)
        if not moved and self._moves.count(False) > self._idle:
            raise Unfit
        if number % BODY == self._lead and self._heads.setdefault(repr(value), number) != number:
            raise Unfit

    def forget(self, after: int) -> None:
        """Forgets all that came after so many steps."""
        for head in map(repr, self.states[after + 1 :]):
            if self._heads.get(head, 0) > after:
                del self._heads[head]
        del self.states[after + 1 :], self._moves[after:], self._truths[after:]

    def check_end(self) -> None:
        """Looks at the whole run.

        Raises:
            Unfit: one of the last steps does nothing, the last state is an earlier one, or the condition is no riddle.
        """
        *earlier, last = self.states
        truths = [truth for truth in self._truths if truth is not None]
        if not all(self._moves[-LAST:]) or last in earlier or not is_riddle(truths):
            raise Unfit


def is_riddle(truths: Sequence[bool]) -> bool:
    """Whether a condition is true now and then, and without a short period; too few rounds do not tell."""
    if len(truths) < ROUNDS:
        return True
    low, high = TRUE
    periods = range(1, min(PERIOD, len(truths) // 2) + 1)
    return low <= sum(truths) / len(truths) <= high and not any(truths[each:] == truths[:-each] for each in periods)
