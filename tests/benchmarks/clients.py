"""Asks the questions of a suite as somebody would who does without pytest. Each way is a process of its own::

    python -m tests.benchmarks.clients WAY URL SUITE IN_FLIGHT

It prints how many answers there were, and how many seconds of processor and clock went by between the first question
and the last answer: without the start of Python, and without writing down the prompts that are sent.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
NO_PREFILL = {"continue_final_message": True, "add_generation_prompt": False}
SAMPLING = {"temperature": 0.0, "max_tokens": 200}


class Spent(NamedTuple):
    """What some answers have cost."""

    answers: int
    cpu_s: float
    wall_s: float


def measure(way: str, url: str, suite: Path, in_flight: int) -> Spent:
    """Starts one of :data:`WAYS`."""
    command = [sys.executable, "-m", __name__, way, url, str(suite), str(in_flight)]
    quiet = {**os.environ, "INSPECT_DISPLAY": "none"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=quiet)
    assert done.returncode == 0, done.stdout + done.stderr
    return Spent(*json.loads(done.stdout.splitlines()[-1]))


def list_prompts(suite: Path) -> list[list[dict[str, str]]]:
    """The messages that the plugin would send for a suite."""
    command = [sys.executable, "-m", "pytest_codereason.cli", "export", str(suite)]
    rows = map(json.loads, subprocess.run(command, capture_output=True, check=True).stdout.splitlines())
    return [[*row["messages"], {"role": "assistant", "content": row["prefill"]}] for row in rows]


async def _ask_all(ask: Callable[[T], Awaitable[str]], questions: Sequence[T], in_flight: int) -> Spent:
    slots = asyncio.Semaphore(in_flight)

    async def ask_one(question: T) -> str:
        async with slots:
            return await ask(question)

    await asyncio.gather(*map(ask_one, questions[:in_flight]))  # opens the connections
    began, used = time.perf_counter(), time.process_time()
    texts = await asyncio.gather(*map(ask_one, questions))
    spent = Spent(len(texts), time.process_time() - used, time.perf_counter() - began)
    assert all(text.startswith("[") for text in texts)
    return spent


async def ask_by_openai(url: str, suite: Path, in_flight: int) -> Spent:
    """The client of the package openai in its fastest form: transport of aiohttp, raw post, own reading of JSON."""
    import httpx2
    from openai import AsyncOpenAI, DefaultAioHttpClient

    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
    client = AsyncOpenAI(api_key="x", base_url=url, http_client=DefaultAioHttpClient(limits=limits), max_retries=0)

    async def ask(messages: list[dict[str, str]]) -> str:
        body = {"model": "scripted", "messages": messages, **NO_PREFILL, **SAMPLING}
        response = await client.post(f"{url}/chat/completions", cast_to=httpx2.Response, body=body)
        return str(json.loads(response.content)["choices"][0]["message"]["content"])

    async with client:
        return await _ask_all(ask, list_prompts(suite), in_flight)


async def ask_by_aiohttp(url: str, suite: Path, in_flight: int) -> Spent:
    """Bare aiohttp. The questions are built and the replies judged as in a run; nothing is stored or recorded."""
    import aiohttp

    from pytest_codereason.core import Ask, Completion, Spec
    from pytest_codereason.engine.building.builder import Builder
    from pytest_codereason.engine.building.executing import Executor
    from pytest_codereason.engine.task_steps import follow_steps
    from pytest_codereason.questions.replies.reasoning import measure_reasoning
    from pytest_codereason.questions.suites.reading import load

    suite_read, executor = load(suite), Executor("auto")
    builder = Builder(executor.run)

    async def ask(spec: Spec) -> str:
        steps = follow_steps(suite_read.task, (await builder.build(suite_read, spec)).instance)
        step = next(steps)
        assert isinstance(step, Ask)
        messages = [{"role": each.role, "content": each.content} for each in step.messages]
        messages.append({"role": "assistant", "content": step.prefill})
        body = {"model": "scripted", "messages": messages, **NO_PREFILL, **SAMPLING}
        async with session.post(f"{url}/chat/completions", data=json.dumps(body).encode()) as response:
            text = str(json.loads(await response.read())["choices"][0]["message"]["content"])
        with suppress(StopIteration):  # which carries the verdict
            steps.send(Completion(text=text))
        measure_reasoning([("", text)])
        return text

    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, headers={"Content-Type": "application/json"}) as session:
        return await _ask_all(ask, list(suite_read.specs()), in_flight)


async def ask_by_inspect(url: str, suite: Path, in_flight: int) -> Spent:
    """Inspect, with all that makes it slower switched off, and the fastest transport of its client."""
    import httpx2
    from inspect_ai import Task, eval_async
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, GenerateConfig, get_model
    from inspect_ai.scorer import includes
    from inspect_ai.solver import generate
    from openai import DefaultAioHttpClient

    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
    model = get_model(
        "openai-api/local/scripted",
        base_url=url,
        api_key="x",
        config=GenerateConfig(max_connections=in_flight, temperature=0.0, max_tokens=200, extra_body=NO_PREFILL),
        http_client=DefaultAioHttpClient(limits=limits),
    )
    kinds: dict[str, Any] = {"user": ChatMessageUser, "assistant": ChatMessageAssistant}
    samples = [
        Sample(input=[kinds[each["role"]](content=each["content"]) for each in messages], target="[")
        for messages in list_prompts(suite)
    ]
    with tempfile.TemporaryDirectory() as folder:
        began, used = time.perf_counter(), time.process_time()
        (log,) = await eval_async(
            Task(dataset=MemoryDataset(samples), solver=generate(cache=False), scorer=includes()),
            model=model,
            log_dir=folder,
            log_level="error",
            max_samples=in_flight,
            ctl_server=False,
            log_samples=False,
            log_realtime=False,
            log_images=False,
            log_model_api=False,
            score_display=False,
        )
        spent = Spent(len(samples), time.process_time() - used, time.perf_counter() - began)
    assert log.results is not None, log.error
    assert log.results.completed_samples == len(samples)
    assert log.results.scores[0].metrics["accuracy"].value == 1
    return spent


WAYS = {"openai": ask_by_openai, "aiohttp": ask_by_aiohttp, "inspect": ask_by_inspect}


def main() -> None:
    """Asks by the way that is named, and prints what it took."""
    way, url, suite, in_flight = sys.argv[1:]
    print(json.dumps(asyncio.run(WAYS[way](url, Path(suite), int(in_flight)))))


if __name__ == "__main__":
    main()
