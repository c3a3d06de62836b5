"""Runs coroutines to their end, also for a caller inside an event loop, such as a cell of Jupyter.

:func:`asyncio.run` refuses such a caller. So each loop of this package runs in a thread of its own.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Self, TypeVar

from pytest_codereason.engine.window import Loop

T = TypeVar("T")


class OwnLoop:
    """Runs coroutines in one event loop, and waits for each::

    with OwnLoop() as loop:
        value = loop.run(work())
    """

    def __init__(self) -> None:
        self._loop = Loop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What a coroutine returns. Whatever it raises is raised here. Ctrl-C cancels it."""
        future = self._loop.submit(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Ends the loop."""
        self._loop.close()


def run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns, run in a loop of its own."""
    with OwnLoop() as loop:
        return loop.run(work)
