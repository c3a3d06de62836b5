"""Counts the memory that all processes of a job hold together. The kernel itself limits each process alone."""

from __future__ import annotations

import contextlib
import os

from . import processes

#: How often the memory of a job is counted, in seconds.
INTERVAL = 0.05
#: The most memory that an idle interpreter holds, and a fork of the warm one. A job's limit is on what it holds beyond.
IDLE_BYTES, WARM_BYTES = 128 << 20, 32 << 20
#: How much the last message may exceed the limit of a socket's buffer.
_LAST_MESSAGE_BYTES = 64 << 10
#: What a pipe counts for, and an epoll, which may watch all other descriptors.
_QUEUE_BYTES = 64 << 10
#: What the kernel keeps for each mapping, and once more for each process of the job: a mapping that comes by forks is
#: linked with those of every process that it came from.
_MAPPING_BYTES, _LINK_BYTES = 400, 64
#: The most mappings of a process, by default, and the least bytes of a mapping.
_MOST_MAPPINGS, _PAGE_BYTES = 65_530, 4096

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
    """The bytes that processes hold together, exact only near ``most``: a larger sum is cut short.

    Args:
        proc: a descriptor of ``/proc``.
        pids: the processes, by their numbers in ``/proc``.
        most: the limit.
        socket_bytes: what a socket counts for.
    """
    held = _count_buffers(proc, pids, socket_bytes)
    mapping_bytes = _MAPPING_BYTES + _LINK_BYTES * len(pids)
    bound = held + sum(_bound_process(proc, pid, mapping_bytes) for pid in pids)
    if bound <= most:
        return bound
    for pid in pids:
        held += _measure_process(proc, pid, mapping_bytes)
        if held > most:
            break
    return held


def _bound_process(proc: int, pid: int, mapping_bytes: int) -> int:
    """The most that a process holds. Its mappings are not counted one by one."""
    sizes = _read_sizes(proc, f"{pid}/status")
    mappings = min(sizes.get("VmSize:", 0) // _PAGE_BYTES, _MOST_MAPPINGS)
    return sum(sizes.get(field, 0) for field in _RESIDENT) + mappings * mapping_bytes


def _measure_process(proc: int, pid: int, mapping_bytes: int) -> int:
    """The bytes that a process holds: 0 if it has ended. Of one that must not be read, shared memory counts whole."""
    resident = _read_sizes(proc, f"{pid}/status")
    try:
        shares = _read_sizes(proc, f"{pid}/smaps_rollup")
        with open(os.open(f"{pid}/maps", os.O_RDONLY, dir_fd=proc), "rb") as maps:
            mappings = sum(1 for _ in maps)
    except PermissionError:
        return sum(resident.get(field, 0) for field in _RESIDENT)
    tables = resident.get("VmPTE:", 0)
    return sum(shares.get(field, 0) for field in _PROPORTIONAL) + tables + mappings * mapping_bytes


def _read_sizes(proc: int, path: str) -> dict[str, int]:
    """The sizes in a file of ``/proc``, in bytes, by their fields. Empty if the process has ended."""
    try:
        lines = processes.read(proc, path).splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return {}
    return {words[0]: int(words[1]) << 10 for words in map(str.split, lines) if words[2:] == ["kB"]}


def _count_buffers(proc: int, pids: list[int], socket_bytes: int) -> int:
    """The most that the kernel keeps for the open descriptors of processes. A buffer that they share counts once."""
    names = {name for pid in pids for name in _list_descriptors(proc, pid)}
    sockets = sum(name.startswith("socket:") for name in names)
    queues = sum(name.startswith(("pipe:", "anon_inode:[eventpoll]")) for name in names)
    return sockets * socket_bytes + queues * _QUEUE_BYTES


def _list_descriptors(proc: int, pid: int) -> list[str]:
    with contextlib.suppress(OSError):
        return [_name_descriptor(proc, f"{pid}/fd/{number}") for number in processes.list_entries(proc, f"{pid}/fd")]
    return []


def _name_descriptor(proc: int, path: str) -> str:
    """The name of what a descriptor stands for, such as ``pipe:[17]``. A watch has no number, so its path is added."""
    with contextlib.suppress(OSError):
        name = os.readlink(path, dir_fd=proc)
        return f"{name}{path}" if name.startswith("anon_inode:") else name
    return ""
