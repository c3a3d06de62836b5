"""``local:`` against a bare llama.cpp server: answers a second on the same prompts, by the clock and by processor time.

The bare server has llama.cpp's own settings, as many threads, and 1 or 4 prompts at once. The target is 0.9 of its
answers; ``precision=repeatable`` stays below where beginnings are equal (docs/measurements.md says why).
``CODEREASON_TEST_GGUF`` names the weights.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from pytest_codereason.core import Message, Request, Sampling
from pytest_codereason.models.local import PRECISIONS, LocalModel
from pytest_codereason.models.local.machine import count_cores, measure_cores
from tests.benchmarks.extent import limit
from tests.models.asking import request

GGUF = os.environ.get("CODEREASON_TEST_GGUF")
pytestmark = [
    pytest.mark.benchmark,
    pytest.mark.real,
    pytest.mark.skipif(not GGUF, reason="CODEREASON_TEST_GGUF names no weights"),
]
SUITE = Path(__file__).parents[2] / "suites/quickstart.suite.toml"
QUESTIONS, ANSWER = limit(40, 2), limit(80, 20)
BARE = """
import sys, threading, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, threads, params.n_parallel = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
params.n_ctx = 4096 * params.n_parallel
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
threading.Event().wait()
"""


@dataclass(frozen=True)
class Cost:
    """What some answers took."""

    way: str
    answers: int
    load_s: float
    wall_s: float
    cpu_s: float  #: of the engine
    memory: int  #: its most, in bytes

    def __str__(self) -> str:
        rates = f"{self.answers / self.wall_s:.2f} answers/s, {self.answers / self.cpu_s:.2f} by processor time"
        return f"{self.way:<32} {rates}; load {self.load_s:.1f} s, {self.memory / 1e6:.0f} MB"


def read_questions(*, shared: bool) -> list[Request]:
    """The questions of the quickstart. Without ``shared`` no two of them begin alike."""
    command = [sys.executable, "-m", "pytest_codereason.cli", "export", str(SUITE)]
    rows = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    asked = []
    for number, row in enumerate(map(json.loads, rows[:QUESTIONS])):
        messages = [Message(message["role"], message["content"]) for message in row["messages"]]
        if not shared:
            messages = [Message("system", f"Question {number * 7919}"), *messages]
        made = request(id=row["id"], sampling=Sampling(max_tokens=ANSWER))
        ask = replace(made.ask, messages=tuple(messages), prefill=row["prefill"], prefill_stop=("\n",))
        asked.append(replace(made, ask=ask))
    return asked


def read_cpu(process: int) -> float:
    fields = Path("/proc", str(process), "stat").read_bytes().rpartition(b")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def read_memory(process: int) -> int:
    lines = Path("/proc", str(process), "status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) << 10


async def measure(
    way: str, process: int, load_s: float, ask: Callable[[int], Awaitable[object]], in_flight: int, count: int
) -> Cost:
    gate, cpu_s, begun = asyncio.Semaphore(in_flight), read_cpu(process), time.perf_counter()

    async def work(number: int) -> None:
        async with gate:
            await ask(number)

    await asyncio.gather(*map(work, range(count)))
    return Cost(way, count, load_s, time.perf_counter() - begun, read_cpu(process) - cpu_s, read_memory(process))


async def measure_local(questions: Sequence[Request], threads: int, precision: str) -> tuple[Cost, list[list[int]]]:
    begun = time.perf_counter()
    model = LocalModel.create(str(GGUF), url=None, args={"threads": str(threads), "precision": precision})
    await model.start()
    load_s = time.perf_counter() - begun
    assert model._engine is not None
    process = model._engine._process.pid
    tokens = [await model._encode(question.ask) for question in questions]
    cost = await measure(
        f"local:, {precision}",
        process,
        load_s,
        lambda number: model.answer(questions[number]),
        model.concurrency,
        len(questions),
    )
    await model.close()
    return cost, tokens


async def measure_bare(prompts: Sequence[Sequence[int]], threads: int, slots: int) -> Cost:
    import aiohttp

    begun = time.perf_counter()
    command = [sys.executable, "-c", BARE, str(GGUF), str(threads), str(slots)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            load_s = time.perf_counter() - begun
            async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None)) as session:

                async def ask(number: int) -> None:
                    body = {"prompt": prompts[number], "n_predict": ANSWER, "temperature": 0, "stop": ["\n"]}
                    async with session.post(f"{address}/completion", json=body) as response:
                        assert response.status == 200
                        await response.read()

                return await measure(f"bare, {slots} at once", process.pid, load_s, ask, slots, len(prompts))
        finally:
            process.kill()


@pytest.mark.parametrize("shared", [True, False][: limit(2, 1)], ids="equal beginnings: {}".format)
def test_answers_a_second(*, shared: bool) -> None:
    threads = measure_cores(count_cores())
    questions = read_questions(shared=shared)
    ours = []
    for precision in [*PRECISIONS][: limit(2, 1)]:
        cost, prompts = asyncio.run(measure_local(questions, threads, precision))
        ours.append(cost)
    bare = [asyncio.run(measure_bare(prompts, threads, slots)) for slots in (1, 4)[: limit(2, 1)]]
    print(f"\n{'equal' if shared else 'no equal'} beginnings, {threads} thread(s), {sum(map(len, prompts)):,} tokens")
    print(*ours, *bare, sep="\n")
    best = min(each.cpu_s for each in bare)
    for cost in ours:
        print(f"{cost.way} gives {best / cost.cpu_s:.2f} of the better bare server's answers by processor time")
