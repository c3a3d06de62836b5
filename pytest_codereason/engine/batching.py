"""Joins calls that wait at the same moment into one: a hundred answers, for example, are stored at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

A = TypeVar("A")
R = TypeVar("R")


class Batcher(Generic[A, R]):
    """A function that callers await with one argument each, and that runs once with all arguments of a turn.

    A transaction takes as long as several rows, and a fast model gives many answers at a time.

    Args:
        function: returns a result for each argument, in order. If it raises an error, every caller gets the error.
    """

    def __init__(self, function: Callable[[Sequence[A]], Sequence[R]]) -> None:
        self._function = function
        self._waiting: list[tuple[A, asyncio.Future[R]]] = []

    async def __call__(self, argument: A) -> R:
        """The result for ``argument``."""
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._serve)
        future: asyncio.Future[R] = loop.create_future()
        self._waiting.append((argument, future))
        return await future

    def _serve(self) -> None:
        served, self._waiting = self._waiting, []
        error: Exception | None = None
        results: Sequence[R] = ()
        try:
            results = self._function([argument for argument, _ in served])
        except Exception as raised:  # each caller handles the error
            error = raised
        for position, (_, future) in enumerate(served):
            if future.done():  # cancelled meanwhile
                continue
            if error is None:
                future.set_result(results[position])
            else:
                future.set_exception(error)
