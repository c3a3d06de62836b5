"""Reads what the kernel tells of the processes that run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def read_processes(file: str) -> Iterator[tuple[str, bytes]]:
    """The id of each process, with one of its files in ``/proc``: ``stat``, ``cmdline`` or ``environ``.

    A process that ends meanwhile is left out, and so is one whose file may not be read. ``Path.glob`` fails where a
    process ends while it is listed.
    """
    for process in filter(str.isdecimal, os.listdir("/proc")):
        with suppress(OSError):
            yield process, Path("/proc", process, file).read_bytes()
