"""The memory of a job whose processes each stay within the limit. No attack takes more than some 300 MB."""

from __future__ import annotations

import os

import pytest

from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.sandbox.keeper import memory
from tests.sandbox.attacks import TIERS
from tests.sandbox.conftest import in_tier

LIMITS = Limits(memory_mb=64, wall_s=20)
SETTING = "import os, socket, time\n"
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


def test_all_descendants_are_counted() -> None:
    proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
    try:
        held = memory.count_bytes(proc, [os.getpid()], 1 << 50, 0)
        assert 1 << 20 < held < 1 << 30
        assert memory.count_bytes(proc, [os.getpid()] * 2, 1 << 50, 0) > held * 1.5
    finally:
        os.close(proc)
