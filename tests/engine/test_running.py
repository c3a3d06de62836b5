"""Coroutines run to their end, inside and outside an event loop."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

import pytest_codereason
from pytest_codereason.engine.running import OwnLoop, run_to_end


async def double(number: int) -> int:
    await asyncio.sleep(0)
    return 2 * number


async def find_thread() -> threading.Thread:
    return threading.current_thread()


async def fail() -> None:
    raise KeyError("no")


def test_a_coroutine_is_run_to_its_end() -> None:
    assert run_to_end(double(3)) == 6
    with pytest.raises(KeyError, match="no"):
        run_to_end(fail())


def test_a_running_loop_does_not_matter() -> None:
    async def inside() -> int:
        return run_to_end(double(3))

    assert asyncio.run(inside()) == 6


def test_all_coroutines_share_the_loop() -> None:
    async def find_loop() -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    with OwnLoop() as loop:
        assert loop.run(find_loop()) is loop.run(find_loop())


def test_a_loop_ends_with_its_block() -> None:
    with OwnLoop() as loop:
        first = loop.run(find_thread())
        assert first.is_alive()
    second = run_to_end(find_thread())
    assert not first.is_alive()
    assert not second.is_alive()


def test_nothing_in_the_package_refuses_a_caller_in_a_loop() -> None:
    root = Path(pytest_codereason.__file__).parent
    words = ("asyncio.run(", "asyncio.Runner(", "run_until_complete(")
    assert [path for path in root.rglob("*.py") if any(word in path.read_text("utf-8") for word in words)] == []
