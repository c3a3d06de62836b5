"""The memory of a job whose processes each stay within the limit."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import subprocess
from collections.abc import Iterator

import pytest

from pytest_codereason.core.execution import Run
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.sandbox.keeper import memory
from tests.sandbox import memories
from tests.sandbox.attacks import TIERS, applies, complaint, run_attack
from tests.sandbox.conftest import in_tier


@pytest.mark.parametrize("name", memories.PYTHON)
@pytest.mark.parametrize("tier", [TIERS[0], *(pytest.param(tier, marks=pytest.mark.slow) for tier in TIERS[1:])])
def test_processes_share_one_limit(tier: str, name: str, sandboxes: dict[str, Sandbox]) -> None:
    sandbox, attack = in_tier(sandboxes, tier), memories.PYTHON[name]
    if os.geteuid() != 0 and not applies(attack, sandbox):
        pytest.skip(f"{tier} does not claim to count these for an ordinary user")
    execution = run_attack(attack, sandbox, None)
    assert not complaint(attack, execution)
    assert execution.wall_s < 39, "each of these programs would end by itself after 40 seconds"


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
    execution = sandbox.run(Run.from_source(language="python", source=SHARING, call="f()", limits=memories.LIMITS))
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
