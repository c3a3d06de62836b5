"""The requests, the time and the money that the processes of a session may use together."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_codereason.core import Model
from pytest_codereason.engine.limits.time_limit import TimeLimit


@dataclass(frozen=True, kw_only=True)
class Allowance:
    """What a session may use, and the place of this process among those that share it."""

    concurrency: int | None = None  #: requests in flight to each model; ``None`` for the model's own default
    max_cost: float | None = None  #: US dollars
    end: TimeLimit | None = None  #: no request is sent after it
    session: str = ""  #: the processes add up their costs under this name, and stop together
    processes: int = 1
    process: int = 0  #: the number of this process, from 0

    def count_requests(self, model: Model) -> int:
        """How many requests to a model this process keeps in flight, at least one."""
        whole = self.concurrency or model.concurrency
        return max(1, whole // self.processes + (self.process < whole % self.processes))
