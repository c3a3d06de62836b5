"""Retries: bounded, with jitter, and stopped for good by a dead endpoint."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest

from pytest_codereason.engine.retries import OwnPause, Patience
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


@pytest.mark.slow
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


def test_an_answer_begins_the_row_anew() -> None:
    patience = Patience(attempts=1, breaker=3)

    async def scenario() -> None:
        for fails in (1, 1, 0, 1, 1):
            ask, _calls = failing(fails, TransientModelError("refused"))
            if fails:
                with pytest.raises(TransientModelError, match="refused"):
                    await patience.retry(ask)
            else:
                assert await patience.retry(ask) == "answer"
        with pytest.raises(FatalModelError, match="3 questions in a row got no answer; the last error was: refused"):
            await patience.retry(failing(1, TransientModelError("refused"))[0])

    asyncio.run(scenario())


@dataclass
class Noted:
    """A pause that only notes for how long it was wanted."""

    wanted: list[float] = field(default_factory=list)

    def left(self) -> float:
        return 0.0

    def extend(self, seconds: float) -> None:
        self.wanted.append(seconds)


@pytest.mark.parametrize(
    ("wish", "least", "most"),
    [
        (3.0, [3, 3, 3, 3], [3, 3, 3, 3]),
        (30.0, [8, 8, 8, 8], [8, 8, 8, 8]),
        (1.0, [1, 1, 1, 1], [1, 1, 1, 1]),
        (0.9, [0.9, 1, 2, 4], [1, 2, 4, 8]),
        (0.001, [0.5, 1, 2, 4, 4, 4], [1, 2, 4, 8, 8, 8]),
    ],
)
def test_a_wish_is_kept_within_limits_and_a_short_one_grows(wish: float, least: list[float], most: list[float]) -> None:
    pause = Noted()
    ask, _ = failing(len(least), TransientModelError("429", retry_after=wish))
    asyncio.run(Patience(first_wait_s=1.0, longest_wait_s=8.0, pause=pause).retry(ask))
    assert len(pause.wanted) == len(least)
    for low, wanted, high in zip(least, pause.wanted, most, strict=True):
        assert low <= wanted <= high


def test_requests_do_not_come_back_at_one_moment() -> None:
    waits = set()
    for _ in range(8):
        pause = Noted()
        ask, _calls = failing(1, TransientModelError("429", retry_after=0.001))
        asyncio.run(Patience(first_wait_s=1.0, pause=pause).retry(ask))
        waits |= {*pause.wanted}
    assert len(waits) == 8


def test_failures_without_a_time_make_the_next_wait_longer_too() -> None:
    """A server that fails and limits in turn is asked at growing intervals."""
    pause, calls = Noted(), [0]

    async def ask() -> str:
        calls[0] += 1
        raise TransientModelError("x", retry_after=0.0001 if calls[0] % 2 else None)

    with pytest.raises(TransientModelError):
        asyncio.run(Patience(first_wait_s=0.001, attempts=4, pause=pause).retry(ask))
    assert calls == [8]
    assert pause.wanted[1] > pause.wanted[0]
    assert pause.wanted[3] >= 0.001 * 2**5


def test_a_pause_is_never_cut_short() -> None:
    pause = OwnPause()
    assert pause.left() == 0.0
    pause.extend(20.0)
    pause.extend(10.0)
    assert 19.0 < pause.left() <= 20.0
    pause.extend(30.0)
    assert 29.0 < pause.left() <= 30.0


def test_a_pause_counts_towards_the_longest_wait_of_a_question() -> None:
    class Open(Noted):
        """Tells each wish once."""

        told = 0

        def left(self) -> float:
            told, self.told = self.told, len(self.wanted)
            return sum(self.wanted[told:])

    pause = Open()
    ask, calls = failing(100, TransientModelError("429", retry_after=0.004))
    with pytest.raises(TransientModelError, match="429"):
        asyncio.run(Patience(first_wait_s=0.001, total_s=0.02, pause=pause).retry(ask))
    assert 3 <= len(calls) <= 5, "each pause takes up to twice its time"


def test_the_end_of_a_run_ends_every_wait() -> None:
    async def scenario() -> None:
        patience = Patience(first_wait_s=100.0)
        waiting = [
            asyncio.ensure_future(patience.retry(failing(9, TransientModelError("x", retry_after=wish))[0]))
            for wish in (None, 100.0)
        ]
        await asyncio.sleep(0)
        patience.stop()
        for each in waiting:
            with pytest.raises(FatalModelError, match="the run is ending"):
                await each

    asyncio.run(asyncio.wait_for(scenario(), 5))


def test_the_waits_of_a_question_are_bounded_together() -> None:
    ask, calls = failing(100, TransientModelError("503"))
    with pytest.raises(TransientModelError, match="503"):
        asyncio.run(Patience(attempts=100, first_wait_s=0.002, longest_wait_s=0.002, total_s=0.01).retry(ask))
    assert 6 <= len(calls) <= 11, "each waits 1 or 2 milliseconds"


def test_ten_questions_in_a_row_are_enough_unless_the_user_says_otherwise() -> None:
    patience = Patience(attempts=1)

    async def scenario() -> list[type[Exception]]:
        kinds: list[type[Exception]] = []
        for _ in range(10):
            with pytest.raises((TransientModelError, FatalModelError)) as caught:
                await patience.retry(failing(1, TransientModelError("refused"))[0])
            kinds.append(caught.type)
        return kinds

    assert asyncio.run(scenario()) == [TransientModelError] * 9 + [FatalModelError]
