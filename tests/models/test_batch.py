"""The thread between event loop and pipeline, over a pipeline that counts instead of thinking."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, field

import pytest

from pytest_codereason.errors import ModelError
from pytest_codereason.models.local.batch import Batch, find_last_line


@dataclass
class Handle:
    """Done after as many steps as its settings say; then holds its tokens."""

    tokens: str
    steps: int
    cancelled: bool = False

    def get_status(self) -> str:
        return "running" if self.steps > 0 else "finished"

    def can_read(self) -> bool:
        return self.tokens != "too big"

    def read_all(self) -> list[str]:
        return [self.tokens]

    def cancel(self) -> None:
        self.cancelled = True


@dataclass
class Pipeline:
    """Waits at its first step until ``go`` is set, so that a test decides what is in the batch by then."""

    go: threading.Event = field(default_factory=threading.Event)
    handles: list[Handle] = field(default_factory=list)
    widths: list[int] = field(default_factory=list)
    fails: bool = False

    def add_request(self, number: int, tokens: str, steps: int) -> Handle:
        if steps < 0:
            raise RuntimeError("Check 'steps' failed\nat some_file.cpp:17:\nsteps must not be negative\n")
        self.handles.append(Handle(tokens, steps))
        return self.handles[-1]

    def step(self) -> None:
        self.go.wait()
        alive = [handle for handle in self.handles if handle.steps > 0 and not handle.cancelled]
        self.widths.append(len(alive))
        if self.fails:
            self.fails = False
            raise RuntimeError("out of memory")
        for handle in alive:
            handle.steps -= 1


async def tasks(batch: Batch, *requests: tuple[str, int]) -> list[asyncio.Task[str]]:
    running = [asyncio.create_task(batch.run(tokens, steps)) for tokens, steps in requests]
    await asyncio.sleep(0)  # each has put its request by now
    return running


def test_requests_share_steps_and_end_each_in_its_own_time() -> None:
    pipeline = Pipeline()

    async def run() -> list[str]:
        batch = Batch(pipeline, "running")
        running = await tasks(batch, *((f"r{n}", n) for n in range(1, 9)))
        pipeline.go.set()
        replies = await asyncio.gather(*running)
        batch.close()
        return replies

    assert asyncio.run(run()) == [f"r{n}" for n in range(1, 9)]
    assert sum(pipeline.widths) == sum(range(1, 9))  # no step was spent on a request that was done
    assert len(pipeline.widths) <= 9  # one at a time would take 36


def test_a_prompt_that_does_not_fit_is_none() -> None:
    pipeline = Pipeline()
    pipeline.go.set()

    async def run() -> object:
        batch = Batch(pipeline, "running")
        try:
            return await batch.run("too big", 1)
        finally:
            batch.close()

    assert asyncio.run(run()) is None


def test_a_refused_request_fails_alone() -> None:
    pipeline = Pipeline()

    async def run() -> list[object]:
        batch = Batch(pipeline, "running")
        running = await tasks(batch, ("good", 2), ("bad", -1))
        pipeline.go.set()
        replies = await asyncio.gather(*running, return_exceptions=True)
        batch.close()
        return list(replies)

    good, bad = asyncio.run(run())
    assert good == "good"
    assert isinstance(bad, ModelError)
    assert str(bad) == "openvino-genai refuses the request: steps must not be negative"


def test_a_failed_step_fails_what_was_in_it_and_nothing_after() -> None:
    pipeline = Pipeline(fails=True)

    async def run() -> str:
        batch = Batch(pipeline, "running")
        running = await tasks(batch, ("one", 3))
        pipeline.go.set()
        with pytest.raises(ModelError, match="out of memory"):
            await running[0]
        reply: str = await batch.run("two", 1)
        batch.close()
        return reply

    assert asyncio.run(run()) == "two"
    assert pipeline.handles[0].cancelled


def test_a_cancelled_request_leaves_the_batch() -> None:
    pipeline = Pipeline()

    async def run() -> None:
        batch = Batch(pipeline, "running")
        running = await tasks(batch, ("long", 1_000_000), ("short", 3))
        running[0].cancel()
        await asyncio.sleep(0)
        pipeline.go.set()
        assert await running[1] == "short"
        batch.close()

    asyncio.run(run())
    assert len(pipeline.widths) < 10


def test_close_ends_the_thread() -> None:
    before = threading.active_count()

    async def run() -> None:
        Batch(Pipeline(), "running").close()

    asyncio.run(run())
    assert threading.active_count() == before


def test_an_empty_message_is_still_said() -> None:
    assert find_last_line(RuntimeError("")) == "RuntimeError('')"
