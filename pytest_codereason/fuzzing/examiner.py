"""What a test asks through: the fixture ``codereason``."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pytest_codereason import registry
from pytest_codereason.core import AxisValue, Outcome, Program, Record, Task
from pytest_codereason.errors import CodereasonError, Skip
from pytest_codereason.fuzzing.probes import Probe
from pytest_codereason.fuzzing.signals import Cut, Spent, Troubled, Waits
from pytest_codereason.text.wording import clip

#: A wrong answer is asked for so many times more, and counts if each of them is wrong: a model that is wrong one
#: time in five by chance is so six times in a row once in 15,000 questions.
MORE_WRONG = 5
#: The answer to the original is asked for so many times more, and must be right each time.
MORE_RIGHT = 2
#: The same while it shrinks, once an answer has been seen to change.
MORE_SHRINKING = 2


class Fell(AssertionError):
    """A model is right about a program, and wrong about the same program after a change that keeps what it does."""


class Changed(Protocol):
    """What :meth:`Examiner.survives` needs of a case."""

    @property
    def original(self) -> Program:
        """The program before it is changed."""

    @property
    def perturbation(self) -> str:
        """The change, as a suite names it."""

    def changed(self, asks: str) -> Program:
        """The program after it is changed.

        Raises:
            Skip: there is nothing to change.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a model answered, and what it is worth."""

    correct: bool
    outcome: Outcome
    answer: str | None  #: as the model wrote it, ``None`` where none was found
    expected: str
    reason: str
    times: int  #: how often the question was asked; an answer that is not right was so each time

    @classmethod
    def of(cls, records: Sequence[Record]) -> Answer:
        """The last of several answers to one question."""
        last = records[-1]
        return cls(
            correct=last.outcome == "correct",
            outcome=last.outcome,
            answer=last.answer,
            expected=last.expected,
            reason=last.reason,
            times=len(records),
        )

    @property
    def said(self) -> str:
        """What the model answered, in one line."""
        if self.answer is None:
            return f"no answer ({self.reason or self.outcome})"
        return clip(self.answer, 200)

    @property
    def words(self) -> str:
        """What was expected and what came."""
        return f"expected {self.expected}, got {self.said}"


@dataclass
class Tally:
    """What one search has come to so far."""

    requests: int = 0  #: paid for, not answered from the store
    questions: set[str] = field(default_factory=set)  #: keys of those that were answered
    passed_over: dict[str, str] = field(default_factory=dict)  #: why, by the question that could not be asked
    missed: set[str] = field(default_factory=set)  #: originals that the model does not get right, so that none can fall

    @property
    def reasons(self) -> Counter[str]:
        """How many programs could not be asked about, by reason."""
        return Counter(self.passed_over.values())


#: Puts questions, each with the number of a sample, to the model at once. Raises :class:`Spent` where what may be
#: paid is used up, and an error of the package where there is no answer.
Put = Callable[[Sequence[tuple[Probe, int]]], Sequence[Record]]


class Examiner:
    """Puts questions about programs to one model and judges its answers. The same question is asked once a session.

    In a test under ``@given`` answers are asked for in rounds: an example whose answer is not known yet ends there,
    and is run again, with what it has drawn, once it is.
    """

    def __init__(self, model: str, put: Put, *, window: int) -> None:
        self.model = model
        self.window = window  #: questions worth asking at once
        self._put = put
        self._known: dict[tuple[str, int], Record] = {}
        self.wavers = False  #: whether an answer has changed when it was asked for again
        self.begin_test()

    def begin_test(self) -> None:
        """Forgets the last test. From now on each question is asked as soon as it comes."""
        self.tally = Tally()
        self.trail: list[tuple[Probe, Answer]] = []
        self.waiting: dict[tuple[str, int], tuple[Probe, int]] | None = None
        self.shrinking = False
        self.smaller_than: tuple[object, ...] | None = None  # where set, larger questions are not asked
        self._limit: int | None = None
        self._limited_by = ""

    # --- what a test calls --------------------------------------------------------------------

    def ask(self, program: Program, *, task: str = "output-prediction", **axes: AxisValue) -> Answer:
        """The model's answer to one question.

        An answer that is not right is asked for again, up to five times, and the first right one stands.

        Args:
            program: what is asked about; what it returns is found out by running it.
            task: ``output-prediction``, ``input-prediction``, or one of your own.
            axes: how it is asked, such as ``prompting="cot"``; see the task.
        """
        return self._answer(Probe(program=program, task=task, axes=tuple(sorted(axes.items()))))

    def survives(self, case: Changed, *, task: str = "output-prediction", **axes: AxisValue) -> None:
        """Asks about a program and, where the model is right, about the changed one.

        Raises:
            Fell: the model is right about the first, three times in a row, and wrong about the second, six times.
        """
        __tracebackhide__ = True
        chosen = tuple(sorted(axes.items()))
        kind: type[Task] = registry.find(Task, task)
        before = Probe(program=case.original, task=task, axes=chosen)
        try:
            changed = case.changed(kind.asks)
        except Skip as skip:
            raise self._pass_over(before.key + case.perturbation, str(skip)) from None
        after = Probe(program=changed, original=case.original, perturbation=case.perturbation, task=task, axes=chosen)
        self._require_smaller(after)
        if self._record(before, 0).outcome != "correct":
            self.tally.missed.add(before.key)
            return
        wrong = self._answer(after)
        if wrong.correct:
            return
        asked = [self._record(before, number, alone=True) for number in self._numbers(before, MORE_RIGHT)]
        if any(record.outcome != "correct" for record in asked):
            self.wavers = True
            return
        self.trail.insert(-1, (before, Answer.of(asked)))
        raise Fell(f"right about the program, wrong about the changed one: {wrong.words}")

    # --- how it is answered -------------------------------------------------------------------

    def begin(self) -> None:
        """Begins another example."""
        self.trail = []

    def _answer(self, question: Probe) -> Answer:
        asked = []
        for number in self._numbers(question, MORE_WRONG):
            asked.append(self._record(question, number, alone=number > 1))
            if asked[-1].outcome == "correct":
                break
        self.wavers = self.wavers or (asked[-1].outcome == "correct" and len(asked) > 1)
        answer = Answer.of(asked)
        self.trail.append((question, answer))
        return answer

    def _numbers(self, question: Probe, more: int) -> range:
        """The samples by which an answer is judged: the first, those that are known, and as many more as it takes."""
        if self.shrinking:
            more = min(more, MORE_SHRINKING if self.wavers else 0)
        while (question.key, more + 1) in self._known:
            more += 1
        return range(1 + more)

    def _record(self, question: Probe, number: int, *, alone: bool = False) -> Record:
        """One answer. With ``alone`` the question is asked at once and by itself, because it may end the search."""
        self._require_smaller(question)
        key = (question.key, number)
        if key not in self._known:
            if self.waiting is None or alone:
                self.fetch([(question, number)])
            elif self.room:
                self.waiting[key] = (question, number)
                raise Waits
            else:
                raise Spent(self._limited_by)
        record = self._known[key]
        if record.outcome == "skipped":
            raise self._pass_over(question.key, record.reason)
        self.tally.questions.add(question.key)
        return record

    def _require_smaller(self, question: Probe) -> None:
        # What is known costs nothing, and leads Hypothesis on while it shrinks.
        known = self.shrinking and (question.key, 0) in self._known
        if not known and self.smaller_than is not None and question.size >= self.smaller_than:
            raise Cut("not smaller")

    def _pass_over(self, key: str, reason: str) -> Cut:
        self.tally.passed_over[key] = reason
        return Cut(reason)

    def allow(self, requests: int, said: int) -> None:
        """Allows so many further requests. ``said`` is the limit that the user knows."""
        self._limit = self.tally.requests + max(0, requests)
        self._limited_by = f"the limit of {said:,} requests"

    @property
    def left(self) -> int:
        """How many further requests are allowed."""
        return sys.maxsize if self._limit is None else self._limit - self.tally.requests

    @property
    def room(self) -> int:
        """How many questions a round asks."""
        # The first question of all goes alone: Hypothesis draws constants from the modules that it sees, and by the
        # second example all that asking imports is there, as it is when the same is drawn again.
        # And never all that is left, however wide the window: a wrong answer is asked for again before it counts.
        return min(self.window if self._known else 1, (self.left + 1) // 2)

    def fetch(self, questions: Sequence[tuple[Probe, int]]) -> None:
        """Puts questions to the model and keeps its answers.

        Raises:
            Spent: what may be asked or paid for is used up.
            Troubled: there is no answer, through no fault of the model.
        """
        if len(questions) > self.left:
            raise Spent(self._limited_by)
        try:
            records = self._put(questions)
        except CodereasonError as error:
            raise Troubled(str(error)) from error
        for (question, number), record in zip(questions, records, strict=True):
            self.tally.requests += 0 if record.reused else len(record.steps)
            self._known[question.key, number] = record
