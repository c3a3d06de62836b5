"""The value of the fixture ``codereason``, through which a test asks a model."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pytest_codereason import registry
from pytest_codereason.core import AxisValue, Outcome, Program, Record, Task
from pytest_codereason.core.text.wording import clip
from pytest_codereason.errors import CodereasonError, Skip, UsageError
from pytest_codereason.fuzzing.probes import Probe
from pytest_codereason.fuzzing.signals import AnswerPending, ExampleEnd, LimitReached, Mistake, NoAnswer

#: After a wrong answer the question is asked so many times more. The answer counts as wrong if every answer is wrong.
#: A model that errs by chance one time in five is wrong six times in a row once in 15,000 questions.
MORE_WRONG = 5
#: The question about the original is asked so many times more. Every answer must be right.
MORE_RIGHT = 2
#: The most further answers while a counterexample shrinks, once an answer has changed between two requests.
MORE_SHRINKING = 2

#: The line that ends an assertion about a call in a prompt. Such a prompt says no more than the program and its call.
_ASSERTS = re.compile(r"^\[/ASSERTION\]$", re.MULTILINE)


class LostAnswer(AssertionError):
    """A model is right about a program, and wrong about it after a change that keeps the program's behaviour."""


class PerturbedCase(Protocol):
    """A program and its change, as :meth:`Examiner.survives` needs them."""

    @property
    def original(self) -> Program:
        """The program before it is changed."""

    @property
    def perturbation(self) -> str:
        """The change, as a suite file names it."""

    def changed(self, asks: str) -> Program:
        """The program after it is changed.

        Raises:
            Skip: the program holds no place for the change.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A model's answer, and its verdict."""

    correct: bool
    outcome: Outcome
    answer: str | None  #: as the model wrote it, ``None`` if the reply holds no answer
    expected: str
    reason: str
    times: int  #: how often the question was asked; a wrong answer was wrong each time
    asked: str = ""  #: the prompt, where it says more than that the program is to be read

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
            asked=_find_question(last),
        )

    @property
    def said(self) -> str:
        """The model's answer on one line."""
        if self.answer is None:
            return f"no answer ({self.reason or self.outcome})"
        return clip(self.answer, 200)

    @property
    def words(self) -> str:
        """The expected answer and the model's answer."""
        return f"expected {self.expected}, got {self.said}"


def _find_question(record: Record) -> str:
    """The last message of a prompt; empty where it holds an assertion about the call: then the program says it all."""
    messages = record.steps[-1].messages if record.steps else ()
    content = messages[-1]["content"] if messages else ""
    return "" if _ASSERTS.search(content) else content


@dataclass
class Tally:
    """The counts of one search so far."""

    requests: int = 0  #: paid requests; answers from the store do not count
    questions: set[str] = field(default_factory=set)  #: the keys of all questions that were answered
    passed_over: dict[str, str] = field(default_factory=dict)  #: the reasons of questions that could not be asked
    stored: int = 0  #: answers that come from the store
    missed: dict[str, Outcome] = field(default_factory=dict)  #: originals that the model gets wrong, and how
    right: set[str] = field(default_factory=set)  #: originals that the model gets right

    @property
    def reasons(self) -> Counter[str]:
        """How many programs could not be asked about, by reason."""
        return Counter(self.passed_over.values())


#: Puts questions, each with the number of a sample, to the model at once. Raises :class:`LimitReached` if the budget is
#: spent, and an error of the package if there is no answer.
Put = Callable[[Sequence[tuple[Probe, int]]], Sequence[Record]]


class Examiner:
    """Puts questions about programs to one model and judges its answers. A question is asked once in a session.

    In a test under ``@given`` questions are asked in rounds. An example that needs an unknown answer ends early. Once
    the answer is known, the example runs again with the same arguments.
    """

    def __init__(self, model: str, put: Put, *, window: int) -> None:
        self.model = model
        self.window = window  #: how many questions to ask at once
        self._put = put
        self._known: dict[tuple[str, int], Record] = {}
        self.wavers = False  #: whether the model has answered a repeated question differently
        self.begin_test()

    def begin_test(self) -> None:
        """Forgets the last test. From now on each question is asked as soon as it comes."""
        self.tally = Tally()
        self.trail: list[tuple[Probe, Answer]] = []
        self.waiting: dict[tuple[str, int], tuple[Probe, int]] | None = None
        self.shrinking = False
        self.smaller_than: tuple[object, ...] | None = None  # if set, larger questions are not asked
        self._limit: int | None = None
        self._limited_by = ""

    # --- what a test calls --------------------------------------------------------------------

    def ask(self, program: Program, *, task: str = "output-prediction", **axes: AxisValue) -> Answer:
        """The model's answer to one question.

        After a wrong answer the question is asked again, up to five times. The first right answer counts.

        Args:
            program: the program of the question. It is run to find out what it returns.
            task: ``output-prediction``, ``input-prediction``, or a task of your own.
            axes: how the question is asked, such as ``prompting="cot"``; see the task.
        """
        return self._answer(Probe(program=program, task=task, axes=tuple(sorted(axes.items()))))

    def survives(self, case: PerturbedCase, *, task: str = "output-prediction", **axes: AxisValue) -> None:
        """Asks about a program and, if the model is right, about the changed program.

        Raises:
            LostAnswer: the model is right about the program, three times, and wrong about the changed one, six times.
        """
        __tracebackhide__ = True
        chosen = tuple(sorted(axes.items()))
        if isinstance(case, Program):
            raise Mistake("survives() takes a program with its change, as perturbed() draws it, not a program alone")
        try:
            kind: type[Task] = registry.find(Task, task)
        except UsageError as error:
            raise Mistake(str(error)) from error
        before = Probe(program=case.original, task=task, axes=chosen)
        try:
            changed = case.changed(kind.asks)
        except Skip as skip:
            raise self._pass_over(before.key + case.perturbation, str(skip)) from None
        after = Probe(program=changed, original=case.original, perturbation=case.perturbation, task=task, axes=chosen)
        self._require_smaller(after)
        if (outcome := self._take_record(before, 0).outcome) != "correct":
            self.tally.missed[before.key] = outcome
            return
        self.tally.right.add(before.key)
        wrong = self._answer(after)
        if wrong.correct:
            return
        asked = [self._take_record(before, number, alone=True) for number in self._list_numbers(before, MORE_RIGHT)]
        if any(record.outcome != "correct" for record in asked):
            self.wavers = True
            return
        self.trail.insert(-1, (before, Answer.of(asked)))
        raise LostAnswer(f"right about the program, wrong about the changed program: {wrong.words}")

    # --- how it is answered -------------------------------------------------------------------

    def begin(self) -> None:
        """Begins another example."""
        self.trail = []

    def _answer(self, question: Probe) -> Answer:
        asked = []
        for number in self._list_numbers(question, MORE_WRONG):
            asked.append(self._take_record(question, number, alone=number > 1))
            if asked[-1].outcome == "correct":
                break
        self.wavers = self.wavers or (asked[-1].outcome == "correct" and len(asked) > 1)
        answer = Answer.of(asked)
        self.trail.append((question, answer))
        return answer

    def _list_numbers(self, question: Probe, more: int) -> range:
        """The numbers of the samples that decide: the first, all known samples, and as many more as are needed."""
        if self.shrinking:
            more = min(more, MORE_SHRINKING if self.wavers else 0)
        while (question.key, more + 1) in self._known:
            more += 1
        return range(1 + more)

    def _take_record(self, question: Probe, number: int, *, alone: bool = False) -> Record:
        """One answer. With ``alone`` the question is asked now and by itself, because its answer may end the search."""
        self._require_smaller(question)
        key = (question.key, number)
        if key not in self._known:
            if self.waiting is None or alone:
                self.fetch([(question, number)])
            elif self.room:
                self.waiting[key] = (question, number)
                raise AnswerPending
            else:
                raise LimitReached(self._limited_by)
        record = self._known[key]
        if record.outcome == "skipped":
            raise self._pass_over(question.key, record.reason)
        self.tally.questions.add(question.key)
        return record

    def _require_smaller(self, question: Probe) -> None:
        # A known answer costs nothing and guides Hypothesis while it shrinks.
        known = self.shrinking and (question.key, 0) in self._known
        if not known and self.smaller_than is not None and question.size >= self.smaller_than:
            raise ExampleEnd("not smaller")

    def _pass_over(self, key: str, reason: str) -> ExampleEnd:
        self.tally.passed_over[key] = reason
        return ExampleEnd(reason)

    def allow(self, requests: int, shown_limit: int) -> None:
        """Allows so many further requests. Messages name ``shown_limit``, the limit that the user has set."""
        self._limit = self.tally.requests + max(0, requests)
        self._limited_by = f"the limit of {shown_limit:,} requests"

    @property
    def left(self) -> int:
        """How many further requests are allowed."""
        return sys.maxsize if self._limit is None else self._limit - self.tally.requests

    @property
    def room(self) -> int:
        """How many questions a round asks."""
        # The first question is asked alone. Hypothesis draws constants from the imported modules; after the first
        # question everything is imported, so that the same seed draws the same examples again.
        # A round uses at most half of the requests that are left, because a wrong answer is asked for again.
        return min(self.window if self._known else 1, (self.left + 1) // 2)

    def fetch(self, questions: Sequence[tuple[Probe, int]]) -> None:
        """Puts questions to the model and remembers its answers.

        Raises:
            LimitReached: the limit of requests or the budget is used up.
            NoAnswer: there is no answer, for a reason that is not the model's fault.
            Mistake: the question cannot be asked like this.
        """
        if len(questions) > self.left:
            raise LimitReached(self._limited_by)
        try:
            records = self._put(questions)
        except UsageError as error:
            raise Mistake(str(error)) from error
        except CodereasonError as error:
            raise NoAnswer(str(error)) from error
        for (question, number), record in zip(questions, records, strict=True):
            self.tally.requests += 0 if record.reused else len(record.steps)
            self.tally.stored += record.reused
            self._known[question.key, number] = record
