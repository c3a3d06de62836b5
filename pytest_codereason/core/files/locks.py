"""Locks on files. The system frees the lock of a process that has died."""

from __future__ import annotations

import importlib
import os
import time
from typing import IO, Any

try:
    import fcntl
except ImportError:
    _windows: Any = importlib.import_module("msvcrt")
else:
    _windows = None

#: On Windows one byte is locked, and nobody else may read it then: one that lies behind all content.
_FAR = 1 << 30
_PAUSE_S = 0.05


def lock(file: IO[Any], *, wait: bool = True) -> None:
    """Locks an open file, until it is closed.

    Raises:
        BlockingIOError: another one has locked it, and this call does not ``wait``.
        OSError: the file system has no locks.
    """
    if _windows is None:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    while not _lock_byte(file.fileno()):
        if not wait:
            raise BlockingIOError("the file is locked")
        time.sleep(_PAUSE_S)


def _lock_byte(number: int) -> bool:
    """Locks the byte of an open file; false if another one has locked it."""
    before = os.lseek(number, 0, os.SEEK_CUR)
    os.lseek(number, _FAR, os.SEEK_SET)
    try:
        _windows.locking(number, _windows.LK_NBLCK, 1)
        return True
    except PermissionError:
        return False
    finally:
        os.lseek(number, before, os.SEEK_SET)
