"""seccomp: the filter of system calls that a job may make.

Most calls are allowed whatever their arguments, by the list in ``calls.py``. Some are allowed with some arguments only;
these stand here. Every other call is refused.
"""

from __future__ import annotations

import ctypes
import errno
import struct

from .calls import ALLOWED
from .kernel import MACHINE, PR_SET_SECCOMP, prctl

#: Calls that take a process in the argument of that index; without a namespace of processes they reach others.
_ON_PROCESSES: dict[str, tuple[int, int, int]] = {
    "prlimit64": (302, 261, 0),
    "sched_setparam": (142, 118, 0),
    "sched_setscheduler": (144, 119, 0),
    "sched_setaffinity": (203, 122, 0),
    "sched_setattr": (314, 274, 0),
    "setpriority": (141, 140, 1),
    "ioprio_set": (251, 30, 1),
}
#: The same for signals: needed only where Landlock does not keep them in.
_SIGNALS: dict[str, tuple[int, int, int]] = {
    "kill": (62, 129, 0),
    "tkill": (200, 130, 0),
    "tgkill": (234, 131, 0),
    "rt_sigqueueinfo": (129, 138, 0),
    "rt_tgsigqueueinfo": (297, 240, 0),
    "pidfd_open": (434, 434, 0),
}
_CLONE, _CLONE3, _IOCTL, _FORKS = (56, 220), (435, 435), (16, 29), ((57, None), (58, None))
_NEW_NAMESPACES, _THREAD = 0x7E020080, 0x10000
_TERMINAL_INPUT = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
#: Whom to signal when a descriptor is ready: F_SETOWN, F_SETOWN_EX of fcntl; FIOSETOWN, SIOCSPGRP of ioctl.
_FCNTL, _OWNERS_BY_FCNTL, _OWNERS_BY_IOCTL = (72, 25), (8, 15), (0x8901, 0x8902)
#: F_SETLEASE, F_NOTIFY reach whoever else opens the interpreter's files; F_SETPIPE_SZ takes memory no limit counts.
_LEASES_AND_SIZES = (1024, 1026, 1031)
#: F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW, and flock: locks on the interpreter's files would reach others.
_LOCKS, _FLOCK = (6, 7, 37, 38), (73, 32)
#: MADV_HUGEPAGE, MADV_COLLAPSE of madvise, PR_SET_THP_DISABLE of prctl: one byte of a huge page keeps all of it.
_MADVISE, _HUGE_PAGES = (28, 233), (14, 25)
_PRCTL, _HUGE_PAGES_ON = (157, 167), (41,)
#: SO_SNDBUF, SO_RCVBUF: buffers of sockets take memory that no limit counts.
_SETSOCKOPT, _BUFFERS = (54, 208), (7, 8)
#: RLIMIT_CORE of prlimit64 and setrlimit: below 1 a kernel that pipes core dumps into a program would start it.
_PRLIMIT, _SETRLIMIT, _CORE = (302, 261), (160, 164), (4,)
#: The last call of the kernel whose headers ``calls.py`` was made from; a later one is said to be missing, so that the
#: C library takes an older one.
_LAST = 456

_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_KILL, _ALLOW, _ERRNO = 0x80000000, 0x7FFF0000, 0x00050000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06


class _Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]


def offered() -> bool:
    """Whether the numbers of this machine are known."""
    return MACHINE in _ARCHITECTURE


def _step(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("HBBI", code, then, otherwise, value)


def _refuse(number: int = errno.EPERM) -> bytes:
    return _step(_RETURN, _ERRNO | number)


def _on_call(number: int | None, body: bytes) -> bytes:
    """``body`` where the call is ``number``; the number stands in the accumulator, before and after."""
    if number is None:
        return b""
    return _step(_EQUAL, number, 0, len(body) // 8) + body


def _argument(index: int) -> bytes:
    return _step(_LOAD, 16 + 8 * index)  # the low half: both machines are little-endian


def _only_itself(index: int, pid: int) -> bytes:
    """Refuses unless the argument is 0 or the job's own process."""
    return _argument(index) + _step(_EQUAL, 0, 2) + _step(_EQUAL, pid, 1) + _refuse()


def _none_of(values: tuple[int, ...], *, argument: int = 1, answer: int = errno.EPERM) -> bytes:
    """Refuses where an argument is one of these; with ``answer`` 0 the call seems to have been made."""
    return _argument(argument) + b"".join(_step(_EQUAL, v, 0, 1) + _refuse(answer) for v in values)


def _no_core_limit() -> bytes:
    """Refuses ``prlimit64`` where it sets the size of core dumps; a null pointer for the new limit only reads it."""
    new_limit = _argument(2) + _step(_EQUAL, 0, 0, 2) + _step(_LOAD, 16 + 8 * 2 + 4) + _step(_EQUAL, 0, 1) + _refuse()
    return _argument(1) + _step(_EQUAL, *_CORE, 0, len(new_limit) // 8) + new_limit


def _allow() -> bytes:
    return _step(_RETURN, _ALLOW)


def program(own: int, *, signals: bool, forks: bool) -> bytes:
    """The filter, as the kernel takes it.

    ``own`` is the process that calls which take one may name, 0 where a namespace leaves no others; ``signals`` says
    that signals count among them; without ``forks`` there are threads but no new processes.
    """
    column = 0 if MACHINE == "x86_64" else 1
    code = _step(_LOAD, 4) + _step(_EQUAL, _ARCHITECTURE[MACHINE], 1) + _step(_RETURN, _KILL) + _step(_LOAD, 0)
    if MACHINE == "x86_64":  # numbers of the x32 interface
        code += _step(_AT_LEAST, 0x40000000, 0, 1) + _step(_RETURN, _KILL)
    if not forks:
        for fork in _FORKS:
            code += _on_call(fork[column], _refuse(errno.EAGAIN))
    for first, last in _ranges({n[column] for n in ALLOWED.values()}):
        code += _step(_AT_LEAST, first, 0, 2) + _step(_AT_LEAST, last + 1, 1) + _allow()
    code += _on_call(_CLONE3[column], _refuse(errno.ENOSYS))  # its flags lie in memory; the C library then asks clone
    flags = _argument(0) + _step(_ANY_BIT, _NEW_NAMESPACES, 0, 1) + _refuse()
    if not forks:
        flags += _step(_ANY_BIT, _THREAD, 1) + _refuse(errno.EAGAIN)
    owners = own and signals
    by_arguments: dict[tuple[int, int], bytes] = {
        _CLONE: flags,
        _IOCTL: _none_of(_TERMINAL_INPUT + (_OWNERS_BY_IOCTL if owners else ())),
        # A job is alone in its folder, so that a lock which seems to be taken is as good as one that is.
        _FCNTL: _none_of(_LEASES_AND_SIZES + (_OWNERS_BY_FCNTL if owners else ())) + _none_of(_LOCKS, answer=0),
        _FLOCK: _refuse(0),
        _MADVISE: _none_of(_HUGE_PAGES, argument=2),
        _PRCTL: _none_of(_HUGE_PAGES_ON, argument=0),
        _SETSOCKOPT: _none_of(_BUFFERS, argument=2),
        _SETRLIMIT: _none_of(_CORE, argument=0),
    }
    for numbers, body in by_arguments.items():
        code += _on_call(numbers[column], body + _allow())
    for numbers_and_index in (_ON_PROCESSES | _SIGNALS).values():
        body = _only_itself(numbers_and_index[2], own) if own and _watched(numbers_and_index, signals) else b""
        if numbers_and_index[:2] == _PRLIMIT:
            body = _no_core_limit() + body
        code += _on_call(numbers_and_index[column], body + _allow())
    return code + _step(_AT_LEAST, _LAST + 1, 0, 1) + _refuse(errno.ENOSYS) + _refuse()


def _watched(numbers_and_index: tuple[int, int, int], signals: bool) -> bool:
    return signals or numbers_and_index in _ON_PROCESSES.values()


def _ranges(numbers: set[int | None]) -> list[tuple[int, int]]:
    """The first and last of each run of neighbours."""
    runs: list[tuple[int, int]] = []
    for number in sorted(n for n in numbers if n is not None):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


def restrict(code: bytes) -> None:
    """Filters the calls of this process and its children."""
    prctl(PR_SET_SECCOMP, 2, ctypes.byref(_Filter(len(code) // 8, code)))
