"""One call for all that want the same in one turn of the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from pytest_codereason.engine.batching import Batcher


def test_all_of_one_turn_share_a_call() -> None:
    calls: list[list[int]] = []

    def double(numbers: Sequence[int]) -> list[int]:
        calls.append(list(numbers))
        return [2 * n for n in numbers]

    async def ask() -> list[int]:
        together = Batcher(double)
        return [*await asyncio.gather(together(1), together(2)), await together(3)]

    assert asyncio.run(ask()) == [2, 4, 6]
    assert calls == [[1, 2], [3]]


def test_all_of_one_turn_share_an_error() -> None:
    def fail(numbers: Sequence[int]) -> list[int]:
        raise OSError("full")

    async def ask() -> None:
        together = Batcher(fail)
        first, second = (asyncio.ensure_future(together(n)) for n in (1, 2))
        for one in (first, second):
            with pytest.raises(OSError, match="full"):
                await one

    asyncio.run(ask())


def test_one_that_is_cancelled_leaves_the_others_alone() -> None:
    async def ask() -> int:
        together: Batcher[int, int] = Batcher(lambda numbers: [2 * n for n in numbers])
        first, second = (asyncio.ensure_future(together(n)) for n in (1, 2))
        await asyncio.sleep(0)
        first.cancel()
        return await second

    assert asyncio.run(ask()) == 4
