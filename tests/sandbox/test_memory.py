"""The memory of a job whose processes each stay within the limit. No attack takes more than some 300 MB."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import subprocess
from collections.abc import Iterator

import pytest

from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.sandbox.keeper import memory
from tests.sandbox.attacks import TIERS
from tests.sandbox.conftest import in_tier

LIMITS = Limits(memory_mb=64, wall_s=20)
SETTING = """
import ctypes, mmap, os, socket, time
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
"""
#: Each holds what it has taken for as long as a job may run.
ATTACKS = {
    "processes": """
        for _ in range(6):
            if not os.fork():
                held = b'x' * (48 << 20)
                time.sleep(10)
        time.sleep(10)
    """,
    "processes that nobody waits for": """
        for _ in range(6):
            if not os.fork():
                os.setsid()
                if os.fork():
                    os._exit(0)
                held = b'x' * (48 << 20)
                time.sleep(10)
        time.sleep(10)
    """,
    "sockets": """
        for _ in range(9):
            if not os.fork():
                held = []
                for _ in range(100):
                    pair = socket.socketpair()
                    held.append(pair)
                    for end in pair:
                        end.setblocking(False)
                        try:
                            while True: end.send(b'x' * 32768)
                        except BlockingIOError: pass
                time.sleep(10)
        time.sleep(10)
    """,
    "tables of pages": """
        for n in range(1, 25_000):
            at = n << 30
            if libc.mmap(at, 4096, mmap.PROT_READ, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x100000, -1, 0) == at:
                ctypes.c_char.from_address(at).value
        time.sleep(10)
    """,
    "mappings": """
        for n in range(20_000):
            libc.mmap(None, 4096, 1 + n % 2, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
        for _ in range(12):
            if not os.fork():
                break
        time.sleep(10)
    """,
}


def run(name: str, sandbox: Sandbox, limits: Limits = LIMITS) -> Execution:
    lines = ["def f():", *ATTACKS[name].strip("\n").splitlines()]
    source = SETTING + "\n".join(line.removeprefix(" " * 4) for line in lines)
    return sandbox.run(Run.from_source(language="python", source=source, call="f()", limits=limits))


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("tier", TIERS)
def test_processes_share_one_limit(tier: str, name: str, sandboxes: dict[str, Sandbox]) -> None:
    sandbox = in_tier(sandboxes, tier)
    execution = run(name, sandbox)
    refused = tier == "landlock+seccomp" and os.geteuid() == 0  # a job that stays root may not fork there
    assert execution.ending == "limit", execution
    assert execution.limit == "memory" or (refused and execution.limit == "processes"), execution
    assert execution.wall_s < 9


SHARING = """
import os
def f():
    held = b'x' * (40 << 20)
    children = []
    for _ in range(8):
        if not (child := os.fork()):
            import time
            time.sleep(0.3)
            os._exit(0)
        children.append(child)
    return [os.waitpid(child, 0)[1] for child in children]
"""


def test_memory_that_processes_share_counts_once(sandbox: Sandbox) -> None:
    execution = sandbox.run(Run.from_source(language="python", source=SHARING, call="f()", limits=LIMITS))
    assert execution.value == [0] * 8, execution


@pytest.fixture
def proc() -> Iterator[int]:
    descriptor = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
    yield descriptor
    os.close(descriptor)


def test_all_descendants_are_counted(proc: int) -> None:
    held = memory.count_bytes(proc, [os.getpid()], 1 << 50, 0)
    assert 1 << 20 < held < 1 << 30
    assert memory.count_bytes(proc, [os.getpid()] * 2, 1 << 50, 0) > held * 1.5


def test_a_process_that_has_ended_holds_nothing(proc: int) -> None:
    child = subprocess.Popen(["true"])
    child.wait()
    assert memory.count_bytes(proc, [child.pid], 0, 0) == 0


def test_pipes_watches_and_sockets_count_with_what_they_may_hold(proc: int) -> None:
    def count() -> int:
        return memory.count_bytes(proc, [os.getpid()], 1 << 50, 1 << 30)

    before = count()
    with contextlib.ExitStack() as stack:
        for _ in range(64):
            reader, writer = os.pipe()
            stack.callback(os.close, reader)
            stack.callback(os.close, writer)
            stack.enter_context(select.epoll())
        assert (128 << 16) <= count() - before < (160 << 16)
        for end in socket.socketpair():
            stack.enter_context(end)
        assert (2 << 30) <= count() - before < (3 << 30)
