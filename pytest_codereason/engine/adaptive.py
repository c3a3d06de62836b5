"""Asks the cells of adaptive suites: round by round, each chosen from complete earlier rounds.

Example: a cell has 600 questions, 24 at each of 25 rungs. The first round asks eight of them. Their answers say where
the second round asks. After some forty questions the cell ends, and the others are not asked.

The answers of a round may arrive in any order, because a round is looked at only when it is complete. So every process
that has the whole cell asks the same questions, and a session that goes on finds the answers of the last one.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, Protocol

from pytest_codereason.core import AxisValue, Record, Spec, derive_seed
from pytest_codereason.core.adaptive import CUT_OUTCOMES, READ_OUTCOMES, VERSION, Adaptive, Ended, Seen
from pytest_codereason.engine.asking import Asker
from pytest_codereason.engine.jobs import Job
from pytest_codereason.engine.sharing.sharding import find_shared
from pytest_codereason.engine.window import wait_for
from pytest_codereason.questions.suites.suite import Suite


class Chooser(Protocol):
    """Chooses the rounds of a cell. It lives above the engine, which knows nothing of curves."""

    def choose(
        self, rungs: Mapping[float, Seen], rules: Adaptive, asked: int, draw_seed: Callable[[int], int]
    ) -> list[float] | Ended:
        """The rungs of the next round, or why the cell ends."""
        ...

    def explain(self, rungs: Mapping[float, Seen], rules: Adaptive, ended: Ended) -> str:
        """Why a question was not asked: ``h50 is known to 1.9 octaves``."""
        ...


class CellQuestion(NamedTuple):
    """One question that a cell may ask."""

    number: int  #: its place among the questions of the process
    spec: Spec
    repeats: int = 0


@dataclass(frozen=True, kw_only=True)
class CellJob:
    """One cell to one model."""

    model: str  #: its label
    suite: Suite
    name: str  #: ``python[state:int]``
    questions: tuple[CellQuestion, ...]  #: in the order of the suite

    @property
    def rules(self) -> Adaptive:
        """How the cell is asked."""
        assert self.suite.adaptive is not None
        return self.suite.adaptive

    @property
    def where(self) -> dict[str, AxisValue]:
        """The value of every axis but the one that is chosen, the language first."""
        spec = self.questions[0].spec
        kept = {axis: value for axis, value in spec.axes if axis != self.rules.over}
        return {"language": spec.language, **kept}

    def list_waiting(self) -> dict[float, deque[CellQuestion]]:
        """Its questions by rung, each in the order in which they are asked."""
        waiting: dict[float, deque[CellQuestion]] = {}
        for question in self.questions:
            rung = float(dict(question.spec.axes)[self.rules.over])
            waiting.setdefault(rung, deque()).append(question)
        return waiting


def list_cells(jobs: Iterable[Job]) -> list[CellJob]:
    """The cells of these jobs, in their order. A question is numbered by the place of its job."""
    cells: dict[tuple[str, str, str], tuple[Suite, list[CellQuestion]]] = {}
    for number, job in enumerate(jobs):
        key = job.model, str(job.suite.path), find_shared(job.spec.id, job.suite.chosen_axis)
        cells.setdefault(key, (job.suite, []))[1].append(CellQuestion(number, job.spec, job.repeats))
    return [
        CellJob(model=model, suite=suite, name=name, questions=tuple(questions))
        for (model, _, name), (suite, questions) in cells.items()
    ]


async def ask_cell(
    asker: Asker, cell: CellJob, chooser: Chooser, tell: Callable[[int, list[Record] | str], None]
) -> Ended:
    """Asks a cell to its end, and returns why it ended.

    Args:
        tell: is given the number of each question, as soon as it is answered with its records, and at the end of the
            cell with the reason why it was not asked. What is asked again, is asked at the end.
    """
    again: list[tuple[CellQuestion, list[Record]]] = []

    def take(question: CellQuestion, records: list[Record]) -> None:
        if question.repeats:
            again.append((question, records))
        else:
            tell(question.number, records)

    waiting = cell.list_waiting()
    rungs = {rung: Seen(left=len(questions)) for rung, questions in waiting.items()}
    asked = placed = number = 0
    while True:
        name = partial(derive_seed, cell.suite.seed, "adaptive", VERSION, cell.suite.plan, cell.name, number + 1)
        chosen = chooser.choose(rungs, cell.rules, asked, name)
        if isinstance(chosen, str):
            ended: Ended = chosen
            break
        number += 1
        answers = await _ask_round(asker, cell, chosen, waiting, _Round(number, placed), take)
        for rung, records in answers:
            rungs[rung] = _count(rungs[rung], records)
        rungs = {rung: seen._replace(left=len(waiting[rung])) for rung, seen in rungs.items()}
        asked, placed = asked + len(answers), placed + len(chosen)
        if any(record.outcome == "error" for _, records in answers for record in records):
            ended = "errors"
            break
    reason = chooser.explain(rungs, cell.rules, ended)
    for question in (each for rest in waiting.values() for each in rest):
        tell(question.number, reason)
    await asyncio.gather(*(_ask_again(asker, cell, *each, tell) for each in again))
    return ended


async def _ask_again(
    asker: Asker,
    cell: CellJob,
    question: CellQuestion,
    first: list[Record],
    tell: Callable[[int, list[Record] | str], None],
) -> None:
    """Asks an answered question once more. These answers choose no question, so none has waited for them."""
    records = await asker.records(cell.suite, question.spec, repeats=question.repeats, first=first)
    tell(question.number, [replace(record, adaptive=first[0].adaptive) for record in records])


class _Round(NamedTuple):
    """A round: its number, and how many places earlier rounds had."""

    number: int
    placed: int


async def _ask_round(
    asker: Asker,
    cell: CellJob,
    chosen: Sequence[float],
    waiting: Mapping[float, deque[CellQuestion]],
    current: _Round,
    take: Callable[[CellQuestion, list[Record]], None],
) -> list[tuple[float, list[Record]]]:
    """The answers of a round, each with its rung. The next program of the rung takes the place of a skipped one."""
    answers: dict[int, tuple[float, list[Record]]] = {}

    async def ask(place: int, rung: float, question: CellQuestion) -> None:
        records = await asker.records(cell.suite, question.spec)
        where = {"round": current.number, "place": current.placed + place + 1}
        records = [replace(record, adaptive=where) for record in records]
        if not any(record.outcome == "skipped" for record in records):
            answers[place] = rung, records
        take(question, records)

    while due := [
        (place, rung, waiting[rung].popleft())
        for place, rung in enumerate(chosen)
        if place not in answers and waiting[rung]
    ]:
        await asyncio.gather(*(ask(*each) for each in due))
    return [answers[place] for place in sorted(answers)]


def _count(seen: Seen, records: Sequence[Record]) -> Seen:
    """What is known of a rung after one more question, whose samples count as its parts."""
    outcomes = [record.outcome for record in records if not record.repeat]
    right, read, cut = (
        sum(outcome in kinds for outcome in outcomes) / len(outcomes)
        for kinds in ({"correct"}, READ_OUTCOMES, CUT_OUTCOMES)
    )
    return seen._replace(right=seen.right + right, scored=seen.scored + read, cut=seen.cut + cut)


class CellQueue:
    """The questions of cells, each answered when its cell comes to it.

    Args:
        cells: the cells of this process.
        start: starts the work on the cells of a model.
    """

    def __init__(self, cells: Sequence[CellJob], start: Callable[[str, CellQueue], None]) -> None:
        self._start = start
        self._models = {question.number: cell.model for cell in cells for question in cell.questions}
        self._results: dict[int, Future[list[Record] | str]] = {number: Future() for number in self._models}
        self._started: set[str] = set()
        self._taken: set[int] = set()  # the questions that have had their turn

    def begin(self, model: str) -> None:
        """Starts the cells of a model, unless they have been started."""
        if model not in self._started:
            self._started.add(model)
            self._start(model, self)

    def begin_all(self) -> None:
        """Starts all cells."""
        for model in dict.fromkeys(self._models.values()):
            self.begin(model)

    def records(self, number: int, meanwhile: Callable[[], object] = lambda: None) -> list[Record] | str:
        """The records of a question, or why it was not asked; waits for them, and calls ``meanwhile`` now and then."""
        self.begin(self._models[number])
        self._taken.add(number)
        return wait_for(self._results[number], meanwhile)

    def count_ahead(self) -> int:
        """How many questions are answered, or known to be unneeded, before their turn."""
        return sum(result.done() for number, result in self._results.items() if number not in self._taken)

    async def follow(self, cell: CellJob, work: Callable[[Callable[..., None]], Coroutine[Any, Any, Ended]]) -> Ended:
        """The end of a cell. Whoever waits for one of its questions learns of an exception."""
        try:
            return await work(self._tell)
        except BaseException as error:
            for question in cell.questions:
                if not (result := self._results[question.number]).done():
                    result.set_exception(error)
            raise

    def _tell(self, number: int, result: list[Record] | str) -> None:
        self._results[number].set_result(result)
