"""Counts the memory that all processes of a job hold together. The kernel itself limits each process alone."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable

from . import processes

#: How often the memory of a job is counted, in seconds.
INTERVAL = 0.05
#: The most memory that an idle interpreter holds, and a fork of the warm one. A job's limit is on what it holds beyond.
IDLE_BYTES, WARM_BYTES = 128 << 20, 32 << 20
#: How much the last message may exceed the limit of a socket's buffer.
_LAST_MESSAGE_BYTES = 64 << 10

_RESIDENT = ("RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:")
#: The same where memory that processes share is divided among them. The kernel takes longer to count it.
_PROPORTIONAL = ("Pss_Anon:", "Pss_Shmem:", "SwapPss:")


def read_socket_bytes(proc: int) -> int:
    """The most that the buffer of a socket holds on this machine."""
    try:
        return int(processes.read(proc, "sys/net/core/wmem_default")) + _LAST_MESSAGE_BYTES
    except OSError:  # a container may hide the setting
        return (208 << 10) + _LAST_MESSAGE_BYTES


def count_bytes(proc: int, pids: list[int], most: int, socket_bytes: int) -> int:
    """The bytes that processes hold together, exact only if they may be more than ``most``.

    Args:
        proc: a descriptor of ``/proc``.
        pids: the processes, by their numbers in ``/proc``.
        most: the limit.
        socket_bytes: what a socket counts for.
    """
    buffers = socket_bytes * len({name for pid in pids for name in _list_sockets(proc, pid)})
    resident = [_sum_sizes(proc, f"{pid}/status", _RESIDENT) for pid in pids]
    if sum(resident) + buffers <= most:
        return sum(resident) + buffers
    exact = (_sum_sizes(proc, f"{pid}/smaps_rollup", _PROPORTIONAL) for pid in pids)
    return sum(least or most for least, most in zip(exact, resident, strict=True)) + buffers


def _sum_sizes(proc: int, path: str, fields: tuple[str, ...]) -> int:
    """The sum of sizes in a file of ``/proc``; 0 if the process has ended or must not be read."""
    with contextlib.suppress(OSError):
        return sum(_read_sizes(processes.read(proc, path), fields))
    return 0


def _read_sizes(text: str, fields: tuple[str, ...]) -> Iterable[int]:
    return (int(line.split()[1]) << 10 for line in text.splitlines() if line.startswith(fields))


def _list_sockets(proc: int, pid: int) -> list[str]:
    with contextlib.suppress(OSError):
        names = [_read_link(proc, f"{pid}/fd/{number}") for number in processes.list_entries(proc, f"{pid}/fd")]
        return [name for name in names if name.startswith("socket:")]
    return []


def _read_link(proc: int, path: str) -> str:
    with contextlib.suppress(OSError):
        return os.readlink(path, dir_fd=proc)
    return ""
