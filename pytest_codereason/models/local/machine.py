"""What this machine has to spare: processor cores and memory."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from contextlib import suppress
from pathlib import Path

MEASURE_S = 0.15
#: An engine's memory by the size of its weights, of which it keeps most a second time in an order that is faster; and
#: beside them, in bytes.
_WEIGHTS, _WORKING = 1.75, 150 << 20
#: A piece of work that lets other threads run, and takes some tenth of a millisecond.
_WORK = bytes(1 << 18)
#: A core that gives less than this part of its time counts for nothing.
_WHOLE = 0.7


def count_cores() -> int:
    """The cores that this process may use, divided among the workers of xdist."""
    try:
        allowed = len(os.sched_getaffinity(0))
    except AttributeError:  # only Linux has it
        allowed = os.cpu_count() or 1
    return max(1, allowed // int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


def measure_cores(most: int) -> int:
    """How many of ``most`` cores are there for this process now; at least 1.

    The threads of an engine wait for each other at every step. If another process or a limit of the container takes
    one of their cores, all of them stand still: on two busy cores, two threads took 1.7 to 3.6 times as long as one.
    """
    if most == 1:
        return 1
    begun = time.perf_counter()
    used_s = [0.0] * most

    def work(number: int) -> None:
        before = time.thread_time()
        while time.perf_counter() - begun < MEASURE_S:
            hashlib.sha256(_WORK).digest()
        used_s[number] = time.thread_time() - before

    threads = [threading.Thread(target=work, args=(number,)) for number in range(most)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cores = sum(used_s) / (time.perf_counter() - begun)
    return max(1, min(most, int(cores + 1 - _WHOLE)))


def read_free_memory() -> int | None:
    """The bytes that processes may still take without swapping, ``None`` where the system does not say."""
    free = []
    with suppress(OSError, ValueError, IndexError):
        lines = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
        free.append(int(lines["MemAvailable"].split()[0]) << 10)
    with suppress(OSError, ValueError):  # of a container
        group = Path("/sys/fs/cgroup")
        most = int((group / "memory.max").read_text())
        used = int((group / "memory.current").read_text())
        files = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        free.append(most - used + int(files.get("inactive_file", 0)))
    return min(free, default=None)


def estimate_memory(weights: int) -> int:
    """The bytes that an engine takes for weights of so many bytes, without its attention cache."""
    return int(_WEIGHTS * weights) + _WORKING
