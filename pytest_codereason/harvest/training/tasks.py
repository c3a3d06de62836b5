"""Tasks to train on, without end: a prompt, the right answer, and a key by which any reply is scored."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any

from pytest_codereason.core import AxisValue, Spec
from pytest_codereason.core.adaptive import list_rungs
from pytest_codereason.errors import Skip, UsageError
from pytest_codereason.harvest.training.endless import EndlessQuestions, TaskKey
from pytest_codereason.harvest.training.grading import Grader
from pytest_codereason.harvest.training.reward import RewardFunction, reward_by
from pytest_codereason.questions.suites.shipped import find_suite

#: A task as trainers take it: see :meth:`Tasks.__getitem__`.
Entry = dict[str, Any]
#: What sets the difficulty of tasks: a value, or several of which each is asked equally often.
Difficulty = AxisValue | Sequence[AxisValue] | None
#: The highest difficulty that :meth:`Tasks.make_harder` goes to, where the suite names no higher.
_TOP = 1 << 17
#: Questions that are drawn for one task before the suite is given up.
_MOST_ATTEMPTS = 64
#: The files of the suites that were opened in this process, by their names.
_FILES: dict[str, Path] = {}


class Tasks:
    """The tasks of a suite, by number from 0. :func:`tasks_for` makes them.

    ::

        tasks = tasks_for("horizon", seed=7, difficulty=8)
        task = tasks[0]
        task["question"], task["answer"], task["key"]
        tasks.score_answer(task["answer"], task)  # 1.0

    The task of a number is the same in every process. If the difficulty is another, so is the task.
    """

    def __init__(self, path: Path, size: int | None, seed: int, difficulty: Difficulty, split: str) -> None:
        if size is not None and size < 1:
            raise UsageError(f"'size' must be a whole number from 1, or None for tasks without end, not {size!r}")
        self.size, self.seed, self.split = size, seed, split
        self._path = path
        self._questions, self.grader = _open(path, seed, split)
        self._difficulties: tuple[AxisValue, ...] = self._questions.difficulties
        #: how often a question was stepped over that cannot be asked, by the reason
        self.skipped = Counter[str]()
        if difficulty is not None:
            self.difficulty = difficulty

    @property
    def name(self) -> str:
        """The name of the suite."""
        return self._questions.suite.name

    @property
    def difficulties(self) -> Sequence[AxisValue]:
        """The values that are asked equally often; none if the suite has no axis that makes questions harder."""
        return self._difficulties

    @property
    def difficulty(self) -> Difficulty:
        """The difficulty of the tasks that are made from now on: a value, or several, each equally often."""
        return self._difficulties[0] if len(self._difficulties) == 1 else self._difficulties or None

    @difficulty.setter
    def difficulty(self, wanted: Difficulty) -> None:
        values = tuple(wanted) if isinstance(wanted, Sequence) and not isinstance(wanted, str) else (wanted,)
        self._questions.check(values)  # type: ignore[arg-type]  # it refuses None
        self._difficulties = values  # type: ignore[assignment]

    def make_harder(self) -> bool:
        """Moves each difficulty up by a rung (0, 1, 2, 3, 4, 6, 8, 12, ...); whether any was moved."""
        return self._move(1)

    def make_easier(self) -> bool:
        """Moves each difficulty down by a rung; whether any was moved."""
        return self._move(-1)

    def _move(self, by: int) -> bool:
        axis = self._questions.axis
        rungs = [rung for rung in _list_rungs() if axis and axis.accepts(rung)]
        before, moved = self._difficulties, tuple(_step(rungs, value, by) for value in self._difficulties)
        try:
            self._questions.check(moved)
        except UsageError:
            return False
        self._difficulties = tuple(dict.fromkeys(moved))
        return self._difficulties != before

    def __len__(self) -> int:
        if self.size is None:
            raise TypeError("these tasks have no end: give a size to tasks_for")
        return self.size

    def __iter__(self) -> Iterator[Entry]:
        for number in count() if self.size is None else range(self.size):
            yield self[number]

    def __getitem__(self, number: int) -> Entry:
        """The task of a number.

        ``question`` is the prompt as one text, ``prompt`` the same as messages, ``answer`` the right answer,
        ``metadata`` says where the task comes from. A question that cannot be asked is stepped over: another one is
        drawn in its place, the same in every process.

        Raises:
            IndexError: there are not so many.
            UsageError: none of many questions could be asked.
        """
        if number < 0 and self.size is not None:
            number += self.size
        if number < 0 or (self.size is not None and number >= self.size):
            raise IndexError(f"there is no task {number}")
        for attempt in range(_MOST_ATTEMPTS):
            spec = self._questions.draw(number, self._difficulties, attempt)
            try:
                return self._make_entry(number, spec)
            except Skip as skip:
                self.skipped[str(skip)] += 1
        reasons = "; ".join(reason for reason, _ in self.skipped.most_common(3))
        raise UsageError(f"none of {_MOST_ATTEMPTS} questions of the suite {self.name} can be asked: {reasons}")

    def _make_entry(self, number: int, spec: Spec) -> Entry:
        key = self._questions.write_key(spec)
        ask, expected = self.grader.ask_in_full(key)
        return {
            "key": key,
            "question": "\n\n".join(message.content for message in ask.messages),
            "answer": expected,
            "prompt": [{"role": message.role, "content": message.content} for message in ask.messages],
            "metadata": {
                "key": key,
                "source_dataset": self.name,
                "source_index": number,
                "language": spec.language,
                "difficulty": dict(spec.axes),
            },
        }

    def score_answer(self, answer: str | None, entry: Entry) -> float:
        """The reward of a reply to a task: 1 if it gives the right answer and no other, else 0.

        Args:
            answer: a whole reply, or only what it answers.
            entry: the task.
        """
        return 0.0 if answer is None else _reward(self.grader, str(entry["metadata"]["key"]), answer)

    def make_reward(self, metric: str = "") -> RewardFunction:
        """A reward function for trl's trainers. It reads the column ``key`` of the data set.

        Args:
            metric: one that the task gives each answer; by default its headline.

        Raises:
            UsageError: there is no such metric.
        """
        return reward_by(self.grader, metric, "key", "as the items of tasks_for have it")

    def __reduce__(self) -> tuple[Any, ...]:
        return Tasks, (self._path, self.size, self.seed, self._difficulties or None, self.split)


def tasks_for(
    name: str | os.PathLike[str],
    size: int | None = None,
    *,
    seed: int = 0,
    difficulty: Difficulty = None,
    split: str = "train",
) -> Tasks:
    """The tasks of a suite whose programs are generated, as many as anybody wants.

    Example: ``tasks_for("horizon", seed=7, difficulty=8)`` asks about programs of 8 executed steps.

    Args:
        name: a suite that ships, such as ``horizon`` or ``ladder``, or the path of a suite file.
        size: the number of tasks; without one they have no end.
        seed: another seed gives other tasks.
        difficulty: a value of the axis that makes questions harder (``steps`` of ``horizon``, ``level`` of
            ``ladder``), or several, each equally often; by default the values that the suite names.
        split: ``train``, or ``test`` for programs that no task of ``train`` has, whatever the seeds.

    Raises:
        UsageError: there is no such suite, or it has a fixed set of programs; or an argument cannot be.
    """
    return Tasks(find_suite(Path(name)), size, seed, difficulty, split)


def score_answer(key: str, text: str) -> float:
    """The reward of a reply to the task of a key: 1 if it gives the right answer and no other, else 0.

    Args:
        key: of a suite that ships, or of one whose tasks were opened in this process.
        text: a whole reply, or only what it answers.

    Raises:
        UsageError: there is no such task.
    """
    parts = TaskKey.read(key)
    path = _FILES.get(parts.suite) or find_suite(parts.suite)
    return _reward(_open(path, parts.seed, parts.split)[1], key, text)


def _reward(grader: Grader, key: str, text: str) -> float:
    try:
        return grader.reward(key, text)
    except Skip as skip:
        raise UsageError(f"{key}: cannot be asked: {skip}") from skip


_OPENING = threading.Lock()


def _open(path: Path, seed: int, split: str) -> tuple[EndlessQuestions, Grader]:
    with _OPENING:
        opened = _open_once(path.absolute(), seed, split, os.getpid())
        _FILES[opened[0].suite.name] = path.absolute()
        return opened


@lru_cache(maxsize=32)
def _open_once(path: Path, seed: int, split: str, process: int) -> tuple[EndlessQuestions, Grader]:
    """The questions and their grader. A process that was forked opens its own: threads do not survive a fork."""
    questions = EndlessQuestions(path, seed, split)
    return questions, Grader(questions.suite, find=questions.find)


@lru_cache
def _list_rungs() -> Sequence[int]:
    return list_rungs(_TOP)


def _step(rungs: Sequence[int], value: AxisValue, by: int) -> AxisValue:
    """The next rung above or below a value; the value itself at an end."""
    beyond = [rung for rung in rungs if (rung > value if by > 0 else rung < value)]  # type: ignore[operator]
    return value if not beyond else min(beyond) if by > 0 else max(beyond)
