"""The processes that do the work."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pytest_codereason.errors import NotALiteral, SandboxError
from pytest_codereason.harvest.workers import WorkerDied, Workers

pytestmark = pytest.mark.slow


def die() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def fail() -> None:
    raise NotALiteral("no literal")


def test_a_worker_that_dies_is_replaced() -> None:
    workers = Workers(1)
    try:
        with pytest.raises(WorkerDied):
            workers.wait(workers.call(die))
        assert workers.wait(workers.call(os.getppid)) == os.getpid()
        with pytest.raises(SandboxError, match="no literal"):
            workers.wait(workers.call(fail))
    finally:
        workers.close()


def test_workers_end_with_the_process_that_started_them() -> None:
    script = (
        "import os, time\nfrom pytest_codereason.harvest.workers import Workers\n"
        "if __name__ == '__main__':\n"
        "    print(Workers(1).call(os.getpid).result(), flush=True)\n    time.sleep(60)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    worker = int(process.stdout.readline())
    process.kill()
    process.wait()
    process.stdout.close()
    until = time.monotonic() + 20
    while Path(f"/proc/{worker}").exists():
        assert time.monotonic() < until
        time.sleep(0.1)
