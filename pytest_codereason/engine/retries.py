"""Asks a question again after a temporary failure, a limited number of times."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from pytest_codereason.errors import FatalModelError, TransientModelError

T = TypeVar("T")


class Pause(Protocol):
    """A time in which no request is sent."""

    def left(self) -> float:
        """For how many more seconds no request is to be sent."""

    def extend(self, seconds: float) -> None:
        """Sends no request for so many seconds from now."""


class OwnPause:
    """The pause of this process alone."""

    def __init__(self) -> None:
        self._until = 0.0

    def left(self) -> float:
        """For how many more seconds no request is to be sent."""
        return max(0.0, self._until - time.monotonic())

    def extend(self, seconds: float) -> None:
        """Sends no request for so many seconds from now."""
        self._until = max(self._until, time.monotonic() + seconds)


@dataclass(kw_only=True)
class Patience:
    """Bounded retries with jitter, shared by all requests to one model.

    If a server answers one request with ``Retry-After``, all requests wait, also those of the processes that share
    ``pause``. If ``breaker`` questions in a row get no answer, the endpoint counts as dead and the run stops.

    ``Retry-After: 0`` names no time: it costs an attempt like any other failure. A time shorter than
    ``first_wait_s`` is lengthened to the wait that would be due without it, so that a server that says "10 ms" for ever
    is asked at growing intervals.
    """

    attempts: int = 6
    first_wait_s: float = 0.5
    longest_wait_s: float = 60.0
    total_s: float = 600.0  #: the longest that one question waits in all
    breaker: int = 10
    pause: Pause = field(default_factory=OwnPause)
    _given_up: int = 0
    _stopped: asyncio.Event = field(default_factory=asyncio.Event)
    _jitter: random.Random = field(default_factory=random.Random)

    async def retry(self, ask: Callable[[], Awaitable[T]]) -> T:
        """The first result of ``ask`` that is not a :class:`TransientModelError`.

        Raises:
            TransientModelError: the last error, after all retries.
            FatalModelError: ``ask`` raised it, too many questions in a row got no answer, or the run is ending.
        """
        waited, failures, limits = 0.0, 0, 0
        while True:
            while (pause := self.pause.left()) > 0:
                # Requests resume at different moments. All at once, they would hit the limit again.
                pause += self._jitter.random() * min(pause, 1.0)
                await self._sleep(pause)
                waited += pause
            try:
                result = await ask()
            except TransientModelError as error:
                # A limit with a time to wait does not count as an attempt. The wait counts towards total_s.
                wish = error.retry_after or None
                failures, limits = failures + (wish is None), limits + (wish is not None)
                wait = self._wait(failures + limits, wish)
                if failures == self.attempts or waited + wait > self.total_s:
                    self._give_up(error)
                    raise
                if wish is not None:
                    self.pause.extend(wait)
                else:
                    await self._sleep(wait)
                    waited += wait
            else:
                self._given_up = 0
                return result

    def stop(self) -> None:
        """Ends every wait. Call it in the event loop."""
        self._stopped.set()

    async def _sleep(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopped.wait(), seconds)
            raise FatalModelError("the run is ending")

    def _wait(self, times: int, wish: float | None) -> float:
        """Seconds to wait after a question failed so many times, and the server wished for so many."""
        if wish is not None and wish >= self.first_wait_s:
            return min(wish, self.longest_wait_s)
        longest: float = min(self.first_wait_s * 2 ** min(times - 1, 32), self.longest_wait_s)
        return max(longest * (0.5 + 0.5 * self._jitter.random()), wish or 0.0)

    def _give_up(self, error: TransientModelError) -> None:
        self._given_up += 1
        if self._given_up >= self.breaker:
            raise FatalModelError(
                f"{self._given_up} questions in a row got no answer; the last error was: {error}"
            ) from error
