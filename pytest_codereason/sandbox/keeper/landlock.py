"""Landlock: limits a job's access to files, TCP, signals and abstract sockets."""

from __future__ import annotations

import ctypes
import os
import stat
from functools import cache

from .kernel import syscall

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION_FLAG, _PATH_BENEATH = 1, 1

_EXECUTE, _WRITE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_TRUNCATE, _IOCTL_DEVICE = 1 << 14, 1 << 15
_READ = _EXECUTE | _READ_FILE | _READ_DIR
#: The rights that can be granted on a path that is not a folder.
_OF_FILES = _EXECUTE | _WRITE | _READ_FILE | _TRUNCATE | _IOCTL_DEVICE
#: All rights on files that the kernel knows, by version of Landlock: 13, then refer, truncate, ioctl.
_ALL = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
_TCP, _SCOPES = 3, 3

#: The first version that refuses signals to processes outside.
SCOPED = 6


_Attribute = ctypes.c_uint64 * 3


class _PathRule(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


@cache
def read_version() -> int:
    """The kernel's version of Landlock, 0 if it has none."""
    try:
        return syscall(_CREATE, 0, 0, _VERSION_FLAG)
    except OSError:
        return 0


def make_rules(readable: list[int], writable: list[int]) -> int:
    """The descriptor of rules that allow access beneath these descriptors only."""
    offered = read_version()
    every = _ALL[min(offered, 5)]
    attribute = _Attribute(every, _TCP if offered >= 4 else 0, _SCOPES if offered >= SCOPED else 0)
    size = 8 if offered < 4 else 16 if offered < SCOPED else 24
    ruleset = syscall(_CREATE, attribute, size, 0)
    for descriptors, rights in ((readable, _READ), (writable, every)):
        for descriptor in descriptors:
            folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
            allowed = rights & (every if folder else _OF_FILES & every)
            syscall(_ADD, ruleset, _PATH_BENEATH, ctypes.byref(_PathRule(allowed, descriptor)), 0)
    return ruleset


def restrict(ruleset: int) -> None:
    """Applies rules to this process and its children, on top of those that apply already."""
    syscall(_RESTRICT, ruleset, 0)
