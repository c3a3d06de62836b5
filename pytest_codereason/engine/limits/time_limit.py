"""Limits the time of a session: no request is sent after it, and requests in flight get a few seconds more."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeVar

from pytest_codereason.errors import TimeSpent

#: Seconds that a run which ends waits for answers in flight.
GRACE_S = 10.0
R = TypeVar("R")


@dataclass(frozen=True, kw_only=True)
class TimeLimit:
    """The end of a session that may take so long."""

    seconds: float
    end: float  #: by ``time.monotonic()``, which is also the clock of an event loop
    grace_s: float = GRACE_S

    @classmethod
    def start(cls, seconds: float, *, left: float | None = None) -> TimeLimit:
        """The limit of a session that starts now, or of one that has so many seconds left."""
        return cls(seconds=seconds, end=time.monotonic() + (seconds if left is None else left))

    def left(self) -> float:
        """For how many more seconds requests may be sent."""
        return max(0.0, self.end - time.monotonic())

    def make_error(self, more: str = "") -> TimeSpent:
        """The reason why no request is sent any more."""
        return TimeSpent(f"--eval-max-time: the {_format(self.seconds)} of this run are over{more}")

    async def wait_for(self, answer: Awaitable[R]) -> R:
        """The answer, if it arrives before the end or soon after it.

        Raises:
            TimeSpent: it does not.
        """
        limit = asyncio.timeout_at(self.end + self.grace_s)
        try:
            async with limit:
                return await answer
        except TimeoutError:
            if limit.expired():
                error = self.make_error(f", and no answer came in the {self.grace_s:g} seconds after")
                error.unbilled = False  # the server works on it
                raise error from None
            raise


def _format(seconds: float) -> str:
    for unit, many in (("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * many:
            return f"{seconds / many:g} {unit}"
    return f"{seconds:g} seconds"
