"""Reads ``/proc`` by a descriptor, because the root of a keeper with namespaces has no ``/proc``."""

from __future__ import annotations

import contextlib
import os


def read(proc: int, path: str) -> str:
    """The text of a file of ``/proc``."""
    with open(os.open(path, os.O_RDONLY, dir_fd=proc), errors="replace") as file:
        return file.read()


def list_entries(proc: int, path: str) -> list[str]:
    """The names in a folder of ``/proc``."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY, dir_fd=proc)
    try:
        return os.listdir(descriptor)
    finally:
        os.close(descriptor)


def find_pid(proc: int, handle: int) -> int:
    """The number by which ``/proc`` knows the process of a handle. A namespace has numbers of its own."""
    lines = read(proc, f"self/fdinfo/{handle}").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pid:"))


def list_descendants(proc: int, pid: int) -> list[int]:
    """All processes below one."""
    descendants: list[int] = []
    above = [pid]
    while above:
        children = [child for parent in above for child in _list_children(proc, parent)]
        descendants += children
        above = children
    return descendants


def _list_children(proc: int, pid: int) -> list[int]:
    children: list[int] = []
    with contextlib.suppress(OSError):  # the process has ended
        for task in list_entries(proc, f"{pid}/task"):
            children += map(int, read(proc, f"{pid}/task/{task}/children").split())
    return children
