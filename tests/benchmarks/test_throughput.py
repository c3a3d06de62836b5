"""Answers a second: the whole path through pytest against the bare client in its fastest form, in one run.

Prints figures and fails on nothing but wrong results; the target is a ratio of at least 0.60.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

from tests.benchmarks.extent import limit
from tests.session.conftest import SUITE

pytestmark = pytest.mark.benchmark

PROGRAMS, IN_FLIGHT, LATENCY_S, ROUNDS = limit(2000, 400), 128, 0.05, limit(3, 1)


@pytest.fixture
def url() -> Iterator[str]:
    """A server in a process of its own that answers in 50 ms."""
    command = [sys.executable, "-m", "tests.servers", "--latency", str(LATENCY_S)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.kill()


def write_suite(folder: Path) -> Path:
    path = folder / "speed.suite.toml"
    path.write_text(SUITE.format(languages='["python"]', count=PROGRAMS, prompting='["direct"]'))
    return path


def bodies(suite: Path) -> list[dict[str, object]]:
    """What the plugin would send for this suite."""
    rows = subprocess.run(
        [sys.executable, "-m", "pytest_codereason.cli", "export", str(suite)],
        capture_output=True,
        text=True,
        check=True,
    )
    return [
        {
            "model": "scripted",
            "messages": [*row["messages"], {"role": "assistant", "content": row["prefill"]}],
            "continue_final_message": True,
            "add_generation_prompt": False,
            "temperature": 0.0,
            "max_tokens": 200,
        }
        for row in map(json.loads, rows.stdout.splitlines())
    ]


async def bare(url: str, requests: list[dict[str, object]]) -> float:
    """Answers a second of the openai client: aiohttp transport, raw post, own JSON reading."""
    import httpx2
    from openai import AsyncOpenAI, DefaultAioHttpClient

    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
    client = AsyncOpenAI(api_key="x", base_url=url, http_client=DefaultAioHttpClient(limits=limits), max_retries=0)
    slots = asyncio.Semaphore(IN_FLIGHT)

    async def one(body: dict[str, object]) -> str:
        async with slots:
            response = await client.post(f"{url}/chat/completions", cast_to=httpx2.Response, body=body)
            return str(json.loads(response.content)["choices"][0]["message"]["content"])

    await asyncio.gather(*map(one, requests[:IN_FLIGHT]))
    began = time.perf_counter()
    texts = await asyncio.gather(*map(one, requests))
    took = time.perf_counter() - began
    assert all(text.startswith("[") for text in texts)
    await client.close()
    return len(requests) / took


def through_pytest(url: str, suite: Path, store: Path) -> tuple[float, float]:
    """Answers a second from the first question to the last, and over the whole command."""
    command = [
        *(sys.executable, "-m", "pytest", str(suite), "-q", "-p", "no:cacheprovider"),
        *("--model=openai:scripted", f"--model-url={url}", f"--eval-concurrency={IN_FLIGHT}"),
        *(f"--eval-store={store}", f"--eval-report={store / 'report'}"),
    ]
    began = time.perf_counter()
    process = subprocess.run(
        command, capture_output=True, text=True, check=False, env={"OPENAI_API_KEY": "x", "HOME": str(store)}
    )
    whole = time.perf_counter() - began
    assert process.returncode == 0, process.stdout + process.stderr
    rows = [json.loads(line) for line in (store / "report/records.jsonl").read_text().splitlines()]
    assert [row["outcome"] for row in rows] == ["correct"] * PROGRAMS
    times = sorted(row["steps"][0]["answered_at"] for row in rows)
    first_asked = times[0] - LATENCY_S
    return PROGRAMS / (times[-1] - first_asked), PROGRAMS / whole


def test_answers_a_second(url: str, tmp_path: Path) -> None:
    suite = write_suite(tmp_path)
    requests = bodies(suite)
    clients, paths, wholes = [], [], []
    for round_number in range(ROUNDS):
        clients.append(asyncio.run(bare(url, requests)))
        path, whole = through_pytest(url, suite, tmp_path / f"store{round_number}")
        paths.append(path)
        wholes.append(whole)
    ratios = [path / client for path, client in zip(paths, clients, strict=True)]
    print(
        f"\n{PROGRAMS} questions, {IN_FLIGHT} in flight, {LATENCY_S * 1000:.0f} ms an answer, median of {ROUNDS}\n"
        f"bare openai client, fastest form   {median(clients):7.0f} answers/s\n"
        f"through pytest, first to last      {median(paths):7.0f} answers/s, ratio {median(ratios):.2f} (target 0.6)\n"
        f"the whole command, start to report {median(wholes):7.0f} answers/s"
    )
