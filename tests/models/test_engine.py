"""The engine's process: what it cannot load, what kills it, and that nothing of it stays behind."""

from __future__ import annotations

import asyncio
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_codereason.errors import FatalModelError, ModelError, UsageError
from pytest_codereason.models.local import engine
from pytest_codereason.models.local.engine import EngineProcess
from tests.models.engines import LONG, settings
from tests.models.gguf_files import small, text, write_weights
from tests.processes import read_processes

pytest.importorskip("xllamacpp")

GGUF = os.environ.get("CODEREASON_TEST_GGUF")
real = pytest.mark.skipif(not GGUF, reason="CODEREASON_TEST_GGUF names no SmolLM2-135M-Instruct GGUF")
PATIENCE_S = 60.0
HEAD = b"GGUF" + struct.pack("<I", 3)


def find_engines(starter: int) -> list[int]:
    """The processes of engines that a process has started."""
    return [
        int(process)
        for process, stat in read_processes("stat")
        if int(stat.rpartition(b")")[2].split()[1]) == starter
        and stat.rpartition(b")")[2].split()[0] != b"Z"
        and str(engine.SERVING).encode() in read_command(process)
    ]


def read_command(process: str) -> bytes:
    with suppress(OSError):
        return Path("/proc", process, "cmdline").read_bytes()
    return b""


def wait_until(what: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < end, "it did not come to that"
        os.sched_yield()


def is_gone(process: int) -> bool:
    try:
        return Path("/proc", str(process), "stat").read_bytes().rpartition(b")")[2].split()[0] == b"Z"
    except OSError:
        return True


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"no weights at all", "invalid magic"),
        (small(), "error loading model"),
        (HEAD + struct.pack("<QQ", 1, 0) + text("weights") + struct.pack("<I", 5_000_000), "dimensions"),
        (HEAD + struct.pack("<QQ", 0, 1) + text("general.alignment") + struct.pack("<II", 4, 0), "alignment"),
        (HEAD + struct.pack("<QQ", 0, 1) + text("general.alignment") + struct.pack("<II", 4, 1 << 31), "."),
    ],
    ids=["no GGUF", "no tensors", "a tensor of 5,000,000 dimensions", "an alignment of 0", "an alignment of 2 GB"],
)
def test_what_cannot_be_loaded_is_said_in_the_words_of_the_engine(
    tmp_path: Path, content: bytes, complaint: str
) -> None:
    with pytest.raises(UsageError, match=complaint) as caught:
        asyncio.run(EngineProcess.start(settings(write_weights(tmp_path, content))))
    assert "\n" not in str(caught.value)
    assert find_engines(os.getpid()) == []


def test_an_interrupted_start_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    idle = tmp_path / "idle.py"
    idle.write_text("import time; time.sleep(600)")
    monkeypatch.setattr(engine, "SERVING", idle)

    async def start() -> None:
        task = asyncio.create_task(EngineProcess.start(settings("model.gguf")))
        while not find_engines(os.getpid()):
            await asyncio.sleep(0)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    asyncio.run(start())
    assert find_engines(os.getpid()) == []


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("", "ended with exit code 0"),
        ("import sys; sys.exit('libgomp.so.1: no such file')", "libgomp.so.1: no such file"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "was killed .* where memory runs out"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGILL)", "was ended by signal 4"),
    ],
)
def test_an_engine_that_ends_at_its_start_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, complaint: str
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(script)
    monkeypatch.setattr(engine, "SERVING", broken)
    with pytest.raises(UsageError, match=complaint):
        asyncio.run(EngineProcess.start(settings("model.gguf")))


@real
@pytest.mark.real
@pytest.mark.slow
def test_a_file_that_was_cut_is_said(tmp_path: Path) -> None:
    assert GGUF
    whole = Path(GGUF).read_bytes()
    with pytest.raises(UsageError, match="data is not within the file bounds"):
        asyncio.run(EngineProcess.start(settings(write_weights(tmp_path, whole[: len(whole) // 3]))))


@real
@pytest.mark.real
@pytest.mark.slow
def test_a_killed_engine_is_an_error_that_ends_the_asking() -> None:
    async def run() -> None:
        running = await EngineProcess.start(settings(GGUF))
        request = asyncio.create_task(running.post("/completion", LONG))
        with pytest.raises(ModelError, match=r"refuses the request: .*prompt"):
            await running.post("/completion", {"prompt": [], "n_predict": 1})
        (process,) = find_engines(os.getpid())
        os.kill(process, signal.SIGKILL)
        with pytest.raises(FatalModelError, match=r"the engine llama.cpp was killed \(signal 9\)"):
            await request
        with pytest.raises(FatalModelError, match="was killed"):
            await running.post("/completion", LONG)
        await running.close()

    asyncio.run(run())


@real
@pytest.mark.real
@pytest.mark.slow
def test_only_who_has_the_key_is_answered() -> None:
    async def run() -> None:
        running = await EngineProcess.start(settings(GGUF))
        key, running._key = running._key, "another"
        with pytest.raises(ModelError, match="Invalid API Key"):
            await running.post("/completion", LONG)
        assert key.encode() not in read_command(str(find_engines(os.getpid())[0])), "a command is seen by everybody"
        await running.close()

    asyncio.run(run())
    assert find_engines(os.getpid()) == []


@real
@pytest.mark.real
@pytest.mark.slow
@pytest.mark.parametrize("moment", ["loading", "answering"])
def test_an_engine_ends_with_a_starter_that_is_killed(moment: str) -> None:
    script = f"""
import asyncio
from tests.models.engines import LONG, settings
from pytest_codereason.models.local.engine import EngineProcess
async def run():
    engine = await EngineProcess.start(settings({GGUF!r}))
    print("loaded", flush=True)
    await engine.post("/completion", LONG)
asyncio.run(run())
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as starter:
        assert starter.stdout is not None
        if moment == "loading":
            wait_until(lambda: any(b"xllamacpp" in read_maps(process) for process in find_engines(starter.pid)))
        else:
            starter.stdout.readline()
        (process,) = find_engines(starter.pid)
        starter.kill()
        wait_until(lambda: is_gone(process))


def read_maps(process: int) -> bytes:
    with suppress(OSError):
        return Path("/proc", str(process), "maps").read_bytes()
    return b""


def test_no_request_is_written_to_a_connection_that_the_server_may_end() -> None:
    served: list[asyncio.Task[None] | None] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers one request, and ends the connection when another comes, as a server does after an idle time."""
        served.append(asyncio.current_task())
        await reader.readuntil(b"\r\n\r\n{}")
        writer.write(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\n{"n": 1}')
        await reader.read(1)
        writer.close()

    async def run() -> None:
        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            log = tempfile.TemporaryFile()  # noqa: SIM115  # the engine's end closes it
            running = EngineProcess(process, log, f"http://127.0.0.1:{port}", "key")
            assert [await running.post("/completion", {}) for _ in range(3)] == [{"n": 1}] * 3
            await running.close()
            await asyncio.gather(*filter(None, served))

    asyncio.run(run())
