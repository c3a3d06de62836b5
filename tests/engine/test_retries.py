"""Retries: bounded, with jitter, and stopped for good by a dead endpoint."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import pytest

from pytest_codereason.engine.retries import Patience
from pytest_codereason.errors import FatalModelError, TransientModelError


def failing(times: int, error: Exception) -> tuple[Callable[[], Awaitable[str]], list[float]]:
    calls: list[float] = []

    async def ask() -> str:
        calls.append(time.monotonic())
        if len(calls) <= times:
            raise error
        return "answer"

    return ask, calls


def test_passing_trouble_is_waited_out() -> None:
    ask, calls = failing(3, TransientModelError("503"))
    assert asyncio.run(Patience(first_wait_s=0.001).retry(ask)) == "answer"
    assert len(calls) == 4


def test_patience_ends() -> None:
    ask, calls = failing(100, TransientModelError("503"))
    with pytest.raises(TransientModelError, match="503"):
        asyncio.run(Patience(first_wait_s=0.001).retry(ask))
    assert len(calls) == 6


def test_a_fatal_error_is_not_retried() -> None:
    ask, calls = failing(100, FatalModelError("bad key"))
    with pytest.raises(FatalModelError, match="bad key"):
        asyncio.run(Patience().retry(ask))
    assert len(calls) == 1


def test_retry_after_makes_everybody_wait() -> None:
    limited, limited_at = failing(1, TransientModelError("429", retry_after=0.2))

    async def scenario() -> tuple[float, float]:
        patience = Patience()
        first = asyncio.ensure_future(patience.retry(limited))
        await asyncio.sleep(0.01)
        other, other_at = failing(0, TransientModelError(""))
        await asyncio.gather(first, patience.retry(other))
        return limited_at[1] - limited_at[0], other_at[0] - limited_at[0]

    waited, other_waited = asyncio.run(scenario())
    assert waited >= 0.2
    assert other_waited >= 0.2


def test_a_rate_limit_costs_no_attempt_but_its_time_is_bounded() -> None:
    ask, calls = failing(20, TransientModelError("429", retry_after=0.002))
    assert asyncio.run(Patience(first_wait_s=0.001).retry(ask)) == "answer"
    assert len(calls) == 21
    ask, calls = failing(10_000, TransientModelError("429", retry_after=0.01))
    with pytest.raises(TransientModelError, match="429"):
        asyncio.run(Patience(first_wait_s=0.001, total_s=0.05).retry(ask))


def test_a_wait_of_zero_seconds_is_no_wish() -> None:
    ask, calls = failing(10_000, TransientModelError("429", retry_after=0.0))
    with pytest.raises(TransientModelError, match="429"):
        asyncio.run(Patience(first_wait_s=0.001).retry(ask))
    assert len(calls) == 6


def test_a_server_that_always_wishes_for_a_moment_is_asked_at_growing_intervals() -> None:
    ask, calls = failing(10_000, TransientModelError("429", retry_after=0.00001))
    with pytest.raises(TransientModelError, match="429"):
        asyncio.run(Patience(first_wait_s=0.001, total_s=0.3).retry(ask))
    assert len(calls) <= 12


def test_a_wish_is_capped() -> None:
    ask, _ = failing(1, TransientModelError("429", retry_after=86_400))
    assert asyncio.run(Patience(longest_wait_s=0.01).retry(ask)) == "answer"


def test_a_dead_endpoint_stops_the_run() -> None:
    patience = Patience(attempts=1, breaker=3)

    async def scenario() -> list[str]:
        errors = []
        for _ in range(3):
            ask, _calls = failing(1, TransientModelError("refused"))
            try:
                await patience.retry(ask)
            except (TransientModelError, FatalModelError) as error:
                errors.append(type(error).__name__)
        return errors

    assert asyncio.run(scenario()) == ["TransientModelError", "TransientModelError", "FatalModelError"]
