"""How much of the prompts a real vLLM server computes when it has a prefix cache, by its own counters.

Needs ``CODEREASON_TEST_VLLM_PYTHON``, a Python that has vLLM, and ``CODEREASON_TEST_VLLM_MODEL``, the folder
of a small chat model in Hugging Face's layout.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress

import pytest

from pytest_codereason.programs.contexts.corpora import freeze
from pytest_codereason.programs.contexts.pool import Distractor, Pool
from tests.session.conftest import Project, project

__all__ = ["project"]  # a fixture

PYTHON = os.environ.get("CODEREASON_TEST_VLLM_PYTHON")
FOLDER = os.environ.get("CODEREASON_TEST_VLLM_MODEL")
START_S = 300.0
TARGETS = 3
SUITE = """
task = "output-prediction"
languages = ["python"]

[source]
name = "semtrace"
count = {targets}
seed = {seed}

[context]
pool = "pool"

[matrix]
distractors = [20]
position = 11

[sampling]
max_tokens = 8
"""
#: 270 characters, as the functions of a standard library have.
FUNCTION = """def g{i}(values, limit=None):
    # keeps what is below the limit, and adds up what is left of it
    found = [value * {i} for value in values if limit is None or value < limit]
    if not found:
        raise ValueError("nothing below the limit of g{i}")
    return sum(found) - len(values) // {i}
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of vLLM."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    command = [str(PYTHON), "-m", "vllm.entrypoints.openai.api_server", "--model", str(FOLDER), "--port", str(port)]
    command += ["--served-model-name", "small", "--max-model-len", "8192", "--enforce-eager"]
    log = tmp_path_factory.mktemp("vllm") / "log"
    with log.open("wb") as output:
        environment = {"VLLM_CPU_KVCACHE_SPACE": "2", "VLLM_NO_USAGE_STATS": "1", **os.environ}
        process = subprocess.Popen(command, stdout=output, stderr=output, env=environment)
        try:
            end = time.monotonic() + START_S
            while not _healthy(address):
                assert process.poll() is None, log.read_text("utf-8", "replace")[-2000:]
                assert time.monotonic() < end, "the server did not start"
                time.sleep(1)
            yield address
        finally:
            process.terminate()
            process.wait(30)


def _healthy(address: str) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"{address}/health", timeout=5) as reply:
        return bool(reply.status == 200)
    return False


def counters(address: str) -> tuple[float, float]:
    """Tokens looked up in the prefix cache so far, and tokens found there."""
    with urllib.request.urlopen(f"{address}/metrics", timeout=30) as reply:
        text = reply.read().decode()
    names = ("vllm:prefix_cache_queries_total", "vllm:prefix_cache_hits_total")
    queries, hits = (float(re.findall(rf"^{name}(?:{{.*}})? (\S+)$", text, re.MULTILINE)[0]) for name in names)
    return queries, hits


@pytest.mark.real
@pytest.mark.benchmark
@pytest.mark.skipif(
    not (PYTHON and FOLDER), reason="CODEREASON_TEST_VLLM_PYTHON and CODEREASON_TEST_VLLM_MODEL are not set"
)
@pytest.mark.parametrize("in_flight", [None, 1])
def test_a_sweep_over_positions_is_computed_in_part(project: Project, server: str, in_flight: int | None) -> None:
    functions = [Distractor(f"g{i}", FUNCTION.format(i=i)) for i in range(1, 61)]
    freeze(Pool("pool", "python", functions), project.path / "pool")
    path = project.path / "sweep.suite.toml"
    path.write_text(SUITE.format(targets=TARGETS, seed=in_flight or 99))  # other programs each time: nothing is kept
    flight = [] if in_flight is None else [f"--eval-concurrency={in_flight}"]
    before, began = counters(server), time.perf_counter()
    result = project.run("--model=openai:small", f"--model-url={server}/v1", *flight)
    wall_s = time.perf_counter() - began
    assert result.ret == 0
    queries, hits = (after - early for after, early in zip(counters(server), before, strict=True))
    computed = 1 - hits / queries
    print(
        f"\n{TARGETS} targets x 11 positions, {in_flight or 'as many as it comes'} in flight: {queries:,.0f} prompt "
        f"tokens, {computed:.1%} of them computed, {wall_s:.0f} s"
    )
    assert computed < 0.65
