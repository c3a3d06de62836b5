"""Asks the questions of one process and tells each result as soon as it is there, in whatever order they come.

A :class:`~pytest_codereason.engine.window.Window` serves somebody who waits for one question after the other. A stream
serves another process, which puts the results in order itself.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from pytest_codereason.core import Record
from pytest_codereason.engine.adaptive import CellJob, Chooser, ask_cell, list_cells
from pytest_codereason.engine.asking import Asker
from pytest_codereason.engine.jobs import Job
from pytest_codereason.engine.window import Loop

#: What becomes of a question: its records, why adaptive asking did not need it, or an exception.
Result = list[Record] | str | Exception


class Hearer(NamedTuple):
    """Who is told, in the event loop. Questions are known by their numbers."""

    begun: Callable[[int], object]  #: a question is being asked
    ended: Callable[[int, Result], object]


class Stream:
    """The questions of one process.

    Args:
        loop: runs the work.
        askers: by the label of a model.
        jobs: by number, in the order in which they are asked. The numbers grow.
        ahead: how many questions to a model may be under way at once.
        hearer: is told of each question.
        find_chooser: who chooses the rounds of a cell of an adaptive suite.
        paced: whether questions wait until :meth:`reach` comes near them. Otherwise all are asked.
    """

    def __init__(
        self,
        loop: Loop,
        askers: Mapping[str, Asker],
        jobs: Mapping[int, Job],
        ahead: Callable[[str], int],
        hearer: Hearer,
        find_chooser: Callable[[CellJob], Chooser],
        *,
        paced: bool,
    ) -> None:
        self._loop, self._askers, self._jobs, self._ahead, self._hearer = loop, askers, jobs, ahead, hearer
        self._find_chooser = find_chooser
        self._models = dict.fromkeys(job.model for job in jobs.values())
        self._begun = set[str]() if paced else set(self._models)
        self._most = -math.inf if paced else math.inf  # the last number that may be asked
        self._stopped = False
        self._moved = asyncio.Condition()
        self._done: concurrent.futures.Future[None] = loop.submit(self._ask_all())

    def reach(self, model: str, most: int) -> None:
        """Lets the questions to a model begin, up to this number. Any thread may call it."""
        self._loop.submit(self._reach(model, most))

    async def _reach(self, model: str, most: int) -> None:
        async with self._moved:
            self._begun.add(model)
            self._most = max(self._most, most)
            self._moved.notify_all()

    def ask_again(self, number: int) -> None:
        """Asks a question once more that was told before. Any thread may call it."""
        self._loop.submit(self._ask(number))

    def stop(self, grace_s: float) -> int:
        """Begins no further question and waits up to ``grace_s`` seconds. Returns 1 if some have not ended."""
        self._stopped = True
        self._loop.submit(self._reach("", 0))
        return len(concurrent.futures.wait([self._done], timeout=grace_s).not_done)

    async def _ask_all(self) -> None:
        await asyncio.gather(*map(self._ask_model, self._models))

    async def _ask_model(self, label: str) -> None:
        async with self._moved:
            await self._moved.wait_for(lambda: self._stopped or label in self._begun)
        if self._stopped:
            return
        mine = {number: job for number, job in self._jobs.items() if job.model == label}
        plain = iter([number for number, job in mine.items() if not job.suite.chosen_axis])
        chosen = [number for number, job in mine.items() if job.suite.chosen_axis]
        works = [self._keep_asking(plain) for _ in range(self._ahead(label))]
        works += [self._follow(cell, chosen) for cell in list_cells([mine[number] for number in chosen])]
        await asyncio.gather(*works)

    async def _keep_asking(self, numbers: Iterator[int]) -> None:
        """Asks one question after the other, as others do that share the ``numbers``."""
        for number in numbers:
            if number > self._most:
                async with self._moved:
                    await self._moved.wait_for(partial(self._may_ask, number))
            if self._stopped:
                return
            await self._ask(number)

    def _may_ask(self, number: int) -> bool:
        return self._stopped or number <= self._most

    async def _ask(self, number: int) -> None:
        job = self._jobs[number]
        self._hearer.begun(number)
        try:
            asker = self._askers[job.model]
            result: Result = await asker.records(job.suite, job.spec, job.samples, repeats=job.repeats)
        except Exception as error:  # whoever waits for the question learns of it
            result = error
        self._hearer.ended(number, result)

    async def _follow(self, cell: CellJob, numbers: list[int]) -> None:
        """Asks a cell, whose questions stand at places among ``numbers``."""
        left = {question.number for question in cell.questions}
        for place in left:
            self._hearer.begun(numbers[place])

        def tell(place: int, result: Result) -> None:
            left.discard(place)
            self._hearer.ended(numbers[place], result)

        try:
            await ask_cell(self._askers[cell.model], cell, self._find_chooser(cell), tell)
        except Exception as error:
            for place in sorted(left):
                tell(place, error)
