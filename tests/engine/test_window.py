"""The window: answers in order, work ahead of its turn, a clean end."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Iterator

import pytest

from pytest_codereason.engine.window import Loop, Window


@pytest.fixture
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


def test_a_pause_stops_whatever_runs_in_the_loop(loop: Loop) -> None:
    steps: list[int] = []

    async def work() -> None:
        while True:
            steps.append(len(steps))
            await asyncio.sleep(0)

    loop.submit(work())
    for _ in range(20):
        with loop.pause():
            before = len(steps)
            threading.Event().wait(0.001)
            assert len(steps) == before
    loop.submit(asyncio.sleep(0.01)).result()
    assert len(steps) > before


def test_results_belong_to_their_jobs(loop: Loop) -> None:
    async def work(job: int) -> int:
        await asyncio.sleep(0)
        return job * job

    window = Window(loop, range(100), work, ahead=7)
    assert [window.result(i) for i in range(100)] == [i * i for i in range(100)]


def test_work_goes_on_ahead_of_its_turn_but_no_further(loop: Loop) -> None:
    begun: list[int] = []
    release = threading.Event()

    async def work(job: int) -> int:
        begun.append(job)
        if job > 0:
            await asyncio.to_thread(release.wait)
        return job

    window = Window(loop, range(100), work, ahead=10)
    assert window.result(0) == 0
    loop.submit(asyncio.sleep(0.05)).result()
    # One more where the first was done before the others were started.
    assert sorted(begun) in (list(range(10)), list(range(11)))
    release.set()
    assert window.result(1) == 1


def test_who_waits_learns_how_many_later_jobs_have_ended(loop: Loop) -> None:
    release, counts = threading.Event(), list[int]()

    async def work(job: int) -> int:
        if job == 0:
            await asyncio.to_thread(release.wait)
        return job

    def look() -> None:
        counts.append(window.count_ahead())
        if counts[-1] == 9:
            release.set()

    window = Window(loop, range(10), work, ahead=10)
    assert window.result(0, look) == 0
    assert counts[-1] == 9
    assert window.result(1) == 1
    assert window.count_ahead() == 8


def test_no_job_begins_in_a_loop_that_closes() -> None:
    begun: list[int] = []
    full, loop = threading.Event(), Loop()

    async def work(job: int) -> None:
        begun.append(job)
        if len(begun) == 10:
            full.set()
        await asyncio.Event().wait()

    Window(loop, range(100), work, ahead=10).begin()
    assert full.wait(5)
    loop.close()
    assert begun == [*range(10)]


def test_one_slow_job_holds_up_no_other(loop: Loop) -> None:
    jobs: list[int] = []
    slow, most = threading.Event(), threading.Event()

    async def work(job: int) -> int:
        if job == 0:
            await asyncio.to_thread(slow.wait)
        jobs.append(job)
        if len(jobs) >= 20:
            most.set()
        return job

    window = Window(loop, range(100), work, ahead=4, waiting=20)
    first = concurrent.futures.ThreadPoolExecutor(1).submit(window.result, 0)
    assert most.wait(10)
    loop.submit(asyncio.sleep(0.05)).result()
    assert not first.done()
    assert max(jobs) < 24, "no more may wait for their turn"
    slow.set()
    assert [first.result(), *map(window.result, range(1, 100))] == list(range(100))


def test_the_order_may_jump_ahead(loop: Loop) -> None:
    jobs: list[int] = []

    async def work(job: int) -> int:
        jobs.append(job)
        return job

    window = Window(loop, range(1000), work, ahead=4, waiting=4)
    assert [window.result(i) for i in (0, 500, 501, 999)] == [0, 500, 501, 999]
    assert len(jobs) < 40


def test_an_item_may_be_asked_for_again(loop: Loop) -> None:
    async def work(job: int) -> int:
        return job

    window = Window(loop, range(10), work, ahead=4)
    assert [window.result(i) for i in (0, 1, 1, 0, 2)] == [0, 1, 1, 0, 2]


def test_once_begun_it_works_to_the_end_and_what_is_far_away_waits_on_disk(loop: Loop) -> None:
    end = threading.Event()
    jobs: list[int] = []

    async def work(job: int) -> list[int]:
        jobs.append(job)
        if len(jobs) == 300:
            end.set()
        return [job]

    window = Window(loop, range(300), work, ahead=4, waiting=20)
    window.begin()
    assert end.wait(10)
    loop.submit(asyncio.sleep(0.05)).result()
    assert len(window._results) <= 24, "the others lie on the shelf"
    assert [window.result(i) for i in (*range(200), 250, 299)] == [[i] for i in (*range(200), 250, 299)]
    assert jobs == list(range(300))


def test_what_cannot_be_written_waits_in_memory(loop: Loop) -> None:
    end = threading.Event()

    async def work(job: int) -> object:
        if job == 99:
            end.set()
        return lambda: job

    window = Window(loop, range(100), work, ahead=4, waiting=4)
    window.begin()
    assert end.wait(10)
    assert [window.result(i)() for i in range(100)] == list(range(100))  # type: ignore[operator]


def test_an_error_reaches_its_item_only(loop: Loop) -> None:
    async def work(job: int) -> int:
        if job == 1:
            raise ValueError("one")
        return job

    window = Window(loop, range(3), work, ahead=3)
    assert window.result(0) == 0
    with pytest.raises(ValueError, match="one"):
        window.result(1)
    assert window.result(2) == 2


def test_stopping_lets_what_is_under_way_land(loop: Loop) -> None:
    landed: list[int] = []
    gate = threading.Event()

    async def work(job: int) -> int:
        await asyncio.to_thread(gate.wait)
        landed.append(job)
        return job

    window = Window(loop, range(100), work, ahead=5)
    threading.Thread(target=window.result, args=(0,), daemon=True).start()
    loop.submit(asyncio.sleep(0.05)).result()
    gate.set()
    assert window.stop(grace_s=5) == 0
    assert sorted(landed) == [0, 1, 2, 3, 4]


def test_who_peeks_sees_what_has_ended_and_takes_no_turn(loop: Loop) -> None:
    release = threading.Event()

    async def work(job: int) -> int:
        if job == 4:
            raise RuntimeError("broken")
        while job == 2 and not release.is_set():
            await asyncio.sleep(0.001)
        return job

    window = Window(loop, range(5), work, ahead=5, waiting=-4)  # results beyond the next one wait on disk
    window.begin()
    assert window.result(0) == 0
    while window.count_ahead() < 3:
        threading.Event().wait(0.001)
    assert [window.peek(place) for place in range(1, 5)] == [1, None, 3, None]
    release.set()
    window.stop(5)
    assert [window.peek(2), window.result(1), window.result(2), window.result(3)] == [2, 1, 2, 3]
