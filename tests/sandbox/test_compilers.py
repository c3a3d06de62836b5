"""A warm compiler that stumbles over programs."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from pytest_codereason.core.execution import Harness
from pytest_codereason.errors import MissingInterpreter, SandboxError
from pytest_codereason.registry import language
from pytest_codereason.sandbox import compilers
from pytest_codereason.sandbox.compilers import Compiler
from tests.sandbox import attacks

#: Answers a line each, but ends at the word "crash" and says nothing to the word "hang".
SCRIPT = """
import sys
for line in sys.stdin:
    if "crash" in line:
        break
    if "hang" not in line:
        print('{"files":{"entry":"QQ=="}}', flush=True)
"""


HARNESS = Harness(interpreter="thing", package="thing", arguments=(), files={}, trial={"Program.java": ""})


@pytest.fixture
def compiler() -> Iterator[Compiler]:
    """A compiler that is a script."""
    started: list[subprocess.Popen[bytes]] = []

    def begin(streams: tuple[int, ...]) -> socket.socket:
        read, _, _, result = streams
        with open(read, "rb") as its_input, open(result, "wb") as its_output:
            started.append(subprocess.Popen([sys.executable, "-c", SCRIPT], stdin=its_input, stdout=its_output))
        return socket.socket()

    compiler = Compiler(begin, HARNESS)
    yield compiler
    compiler.close()
    for process in started:
        process.kill()
        process.wait()


def test_a_program_that_ends_the_compiler_is_rejected(compiler: Compiler) -> None:
    assert "gives up" in compiler.compile({"Program.java": "crash"})["rejected"]
    assert compiler.compile({"Program.java": ""}) == {"files": {"entry": "QQ=="}}


@pytest.mark.slow
def test_a_program_that_keeps_the_compiler_busy_is_rejected(
    compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "files" in compiler.compile({"Program.java": ""})
    monkeypatch.setattr(compilers, "PATIENCE", 3.0)
    assert "gives up" in compiler.compile({"Program.java": "hang"})["rejected"]


def test_closing_does_not_wait_for_a_compilation() -> None:
    with attacks.open_tier("processes") as sandbox, ThreadPoolExecutor(1) as pool:
        files = {"main.py": "import time\ntime.sleep(99)"}
        silent = replace(language("python").runner.harness({"main": ""}, "main", ""), forkable="", files=files)
        compiler = sandbox._find_compiler(silent)
        waiting = pool.submit(compiler.compile, {"Program.java": ""})
        while compiler._control is None:
            assert not waiting.done()
        started = time.monotonic()
        sandbox.close()
        with pytest.raises(SandboxError, match="closed while a program was compiled"):
            waiting.result()
        assert time.monotonic() - started < compilers.PATIENCE / 2


def test_a_compiler_that_compiles_nothing_is_missing(compiler: Compiler) -> None:
    compiler._harness = replace(HARNESS, trial={"Program.java": "crash"})
    with pytest.raises(MissingInterpreter, match="install thing"):
        compiler.compile({"Program.java": "crash"})


def test_a_compiler_that_is_too_slow_for_an_empty_program_is_not_missing(
    compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler._harness = replace(HARNESS, trial={"Program.java": "hang"})
    monkeypatch.setattr(compilers, "PATIENCE", 0.1)
    with pytest.raises(SandboxError, match="too busy") as caught:
        compiler.compile({"Program.java": "hang"})
    assert not isinstance(caught.value, MissingInterpreter)
    assert "install" not in str(caught.value)
