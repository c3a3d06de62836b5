"""seccomp: the filter of system calls that a job may make.

The list in ``calls.py`` holds the calls that are allowed with any arguments. This file holds the calls that are allowed
with some arguments only. Every other call is refused.
"""

from __future__ import annotations

import ctypes
import errno
import struct

from .calls import ALLOWED, ATTRIBUTES
from .kernel import MACHINE, PR_SET_SECCOMP, prctl

#: Calls that name a process: their numbers, and the index of that argument. Without a namespace of processes a job
#: could reach other processes by them.
_ON_PROCESSES: dict[str, tuple[int, int, int]] = {
    "prlimit64": (302, 261, 0),
    "sched_setparam": (142, 118, 0),
    "sched_setscheduler": (144, 119, 0),
    "sched_setaffinity": (203, 122, 0),
    "sched_setattr": (314, 274, 0),
    "setpriority": (141, 140, 1),
    "ioprio_set": (251, 30, 1),
}
#: The calls that send signals, in the same form. They are checked only if Landlock does not stop such signals.
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
#: setpriority and ioprio_set for all processes of a user, pytest too: PRIO_USER, IOPRIO_WHO_USER.
_OF_USERS: dict[tuple[int, int], tuple[int]] = {(141, 140): (2,), (251, 30): (3,)}
#: The commands of ioctl for terminals and pipes: TCGETS, TCSETS, TCSETSW, TCSETSF, TIOCGPGRP, TIOCGWINSZ, FIONREAD,
#: FIONBIO, FIONCLEX, FIOCLEX, TCGETS2. Others put input into terminals, send signals and change files of the user.
_ON_STREAMS = (0x5401, 0x5402, 0x5403, 0x5404, 0x540F, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x802C542A)
#: The commands of fcntl that concern only the job: F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_DUPFD_QUERY,
#: F_DUPFD_CLOEXEC, F_GETPIPE_SZ, F_ADD_SEALS, F_GET_SEALS. Others take leases on the interpreter's files, send signals,
#: and take memory that no limit counts (F_SETPIPE_SZ).
_FCNTL, _ON_DESCRIPTORS = (72, 25), (0, 1, 2, 3, 4, 5, 1027, 1030, 1032, 1033, 1034)
#: F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW, and flock: a lock on the interpreter's files would block others.
_LOCKS, _FLOCK = (6, 7, 37, 38), (73, 32)
#: The advice of madvise that saves memory or changes nothing. MADV_HUGEPAGE and MADV_COLLAPSE make huge pages, of which
#: one byte in use keeps the whole page. MADV_MERGEABLE lets the kernel compare the memory of all jobs.
_MADVISE, _SPARING = (28, 233), (*range(5), 8, 9, 10, 11, 13, *range(15, 25), 102, 103)
#: The options of prctl that read a state or set one that takes no memory: PR_SET_PDEATHSIG, PR_GET_PDEATHSIG,
#: PR_GET_DUMPABLE, PR_GET_KEEPCAPS, PR_SET_NAME, PR_GET_NAME, PR_GET_SECCOMP, PR_CAPBSET_READ, PR_SET_TIMERSLACK,
#: PR_GET_TIMERSLACK, PR_GET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS, PR_GET_THP_DISABLE, and five
#: that read the state of the processor. Others take memory that no limit counts (PR_FUTEX_HASH, PR_SET_SECCOMP,
#: PR_SET_VMA), allow huge pages, and keep other programs from half of a processor's core (PR_SCHED_CORE).
_PRCTL, _HARMLESS = (157, 167), (1, 2, 3, 7, 15, 16, 21, 23, 29, 30, 37, 38, 39, 42, 51, 52, 56, 61, 64)
#: MAP_SHARED with MAP_ANONYMOUS: such memory stays, uncounted, after all but one of its pages are unmapped. MAP_HUGETLB
#: takes the machine's reserve of huge pages.
_MMAP, _SHARED_AND_ANONYMOUS, _HUGE_TABLE = (9, 222), 0x21, 0x40000
#: sendfile puts pages of a file into a pipe or socket, where they stay, uncounted, after the file has gone.
_SENDFILE = (40, 71)
#: Datagrams from a pair of sockets could reach any named socket of the machine, such as the log's. So a pair is of the
#: family AF_UNIX and of the type SOCK_STREAM or SOCK_SEQPACKET.
_SOCKETPAIR, _AF_UNIX, _CONNECTED, _TYPES = (53, 199), 1, (1, 5), 0xF
#: SO_REUSEADDR, SO_REUSEPORT, SO_KEEPALIVE, SO_LINGER, SO_PASSCRED, SO_RCVLOWAT, SO_RCVTIMEO, SO_SNDTIMEO. Other
#: options take memory that no limit counts, such as larger buffers and filters.
_SETSOCKOPT, _WITHOUT_MEMORY = (54, 208), (2, 15, 9, 13, 16, 18, 20, 21, 66, 67)
#: RLIMIT_CORE of prlimit64 and setrlimit: with 0, a kernel that pipes core dumps into a program starts that program.
_PRLIMIT, _SETRLIMIT, _CORE = (302, 261), (160, 164), (4,)
#: The last call in the kernel headers from which ``calls.py`` was made. Later calls fail with ENOSYS, so that the
#: C library uses older ones.
_LAST = 456

_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_KILL, _ALLOW, _ERRNO = 0x80000000, 0x7FFF0000, 0x00050000
_LOAD, _AND, _EQUAL, _AT_LEAST, _ANY_BIT, _JUMP, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x05, 0x06


class _Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]


def is_supported() -> bool:
    """Whether the numbers of this machine's system calls are known."""
    return MACHINE in _ARCHITECTURE


def _encode(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("HBBI", code, then, otherwise, value)


def _refuse(number: int = errno.EPERM) -> bytes:
    return _encode(_RETURN, _ERRNO | number)


def _match_call(number: int | None, body: bytes) -> bytes:
    """Runs ``body`` if the call is ``number``. Before and after, the accumulator holds the call's number."""
    if number is None:
        return b""
    return _encode(_EQUAL, number, 0, len(body) // 8) + body


def _load_argument(index: int) -> bytes:
    return _encode(_LOAD, 16 + 8 * index)  # the low half: both machines are little-endian


def _refuse_others(index: int, pid: int) -> bytes:
    """Refuses the call unless the argument is 0 or the job's own process."""
    return _load_argument(index) + _encode(_EQUAL, 0, 2) + _encode(_EQUAL, pid, 1) + _refuse()


def _refuse_any(values: tuple[int, ...], *, argument: int = 1, answer: int = errno.EPERM) -> bytes:
    """Refuses the call if the argument is one of these values. With ``answer`` 0 the call seems to succeed."""
    return _load_argument(argument) + b"".join(_encode(_EQUAL, v, 0, 1) + _refuse(answer) for v in values)


def _allow_only(values: tuple[int, ...], *, argument: int, answer: int) -> bytes:
    """Allows the call if the argument is one of these values, and refuses any other."""
    comparisons = b"".join(_encode(_EQUAL, v, len(values) - n) for n, v in enumerate(values))
    return _load_argument(argument) + comparisons + _refuse(answer)


def _refuse_memory_beyond_limits() -> bytes:
    """Refuses ``mmap`` of memory that the limit on address space does not count."""
    shared = _encode(_AND, _SHARED_AND_ANONYMOUS) + _encode(_EQUAL, _SHARED_AND_ANONYMOUS, 0, 1)
    return _load_argument(3) + _encode(_ANY_BIT, _HUGE_TABLE, 2) + shared + _refuse(errno.ENOMEM)


def _refuse_datagrams() -> bytes:
    """Refuses ``socketpair`` of anything but connected local sockets."""
    family = _load_argument(0) + _encode(_EQUAL, _AF_UNIX, 1) + _refuse()
    first, second = _CONNECTED
    kind = _encode(_AND, _TYPES) + _encode(_EQUAL, first, 2) + _encode(_EQUAL, second, 1)
    return family + _load_argument(1) + kind + _refuse()


def _refuse_core_limit() -> bytes:
    """Refuses ``prlimit64`` if it sets the size of core dumps. With a null pointer the call only reads the limit."""
    new_limit = (
        _load_argument(2)
        + _encode(_EQUAL, 0, 0, 2)
        + _encode(_LOAD, 16 + 8 * 2 + 4)
        + _encode(_EQUAL, 0, 1)
        + _refuse()
    )
    return _load_argument(1) + _encode(_EQUAL, *_CORE, 0, len(new_limit) // 8) + new_limit


def _allow() -> bytes:
    return _encode(_RETURN, _ALLOW)


def build_filter(own: int, *, signals: bool, forks: bool) -> bytes:
    """The filter's code for the kernel.

    Args:
        own: the only process that a call may name; 0 if a namespace shows no other processes.
        signals: whether ``own`` limits calls that send signals too.
        forks: whether the job may start processes. It may always start threads.
    """
    column = 0 if MACHINE == "x86_64" else 1
    code = _encode(_LOAD, 4) + _encode(_EQUAL, _ARCHITECTURE[MACHINE], 1) + _encode(_RETURN, _KILL) + _encode(_LOAD, 0)
    if MACHINE == "x86_64":  # numbers of the x32 interface
        code += _encode(_AT_LEAST, 0x40000000, 0, 1) + _encode(_RETURN, _KILL)
    if not forks:
        for fork in _FORKS:
            code += _match_call(fork[column], _refuse(errno.EAGAIN))
    code += _allow_calls(_group_neighbours({n[column] for n in ALLOWED.values()}))
    # The flags of clone3 lie in memory, where a filter cannot read them. After ENOSYS the C library calls clone.
    code += _match_call(_CLONE3[column], _refuse(errno.ENOSYS))
    flags = _load_argument(0) + _encode(_ANY_BIT, _NEW_NAMESPACES, 0, 1) + _refuse()
    if not forks:
        flags += _encode(_ANY_BIT, _THREAD, 1) + _refuse(errno.EAGAIN)
    by_arguments: dict[tuple[int | None, int | None], bytes] = {
        _CLONE: flags,
        _MMAP: _refuse_memory_beyond_limits(),
        _IOCTL: _allow_only(_ON_STREAMS, argument=1, answer=errno.ENOTTY),
        # A job is alone in its folder, so a lock that only seems to succeed serves as well as a real one.
        _FCNTL: _refuse_any(_LOCKS, answer=0) + _allow_only(_ON_DESCRIPTORS, argument=1, answer=errno.EPERM),
        _FLOCK: _refuse(0),
        _MADVISE: _allow_only(_SPARING, argument=2, answer=errno.EINVAL),
        _PRCTL: _allow_only(_HARMLESS, argument=0, answer=errno.EINVAL),
        _SENDFILE: _refuse(errno.ENOSYS),  # after which programs copy by read and write
        _SOCKETPAIR: _refuse_datagrams(),
        _SETSOCKOPT: _allow_only(_WITHOUT_MEMORY, argument=2, answer=errno.EPERM),
        _SETRLIMIT: _refuse_any(_CORE, argument=0),
        # Landlock does not check attributes of files. A namespace shows no files of the user.
        **dict.fromkeys(ATTRIBUTES.values(), _refuse(0) if own else b""),
    }
    for numbers, body in by_arguments.items():
        code += _match_call(numbers[column], body + _allow())
    for numbers_and_index in (_ON_PROCESSES | _SIGNALS).values():
        body = _refuse_others(numbers_and_index[2], own) if own and _names_others(numbers_and_index, signals) else b""
        if numbers_and_index[:2] == _PRLIMIT:
            body = _refuse_core_limit() + body
        elif own and numbers_and_index[:2] in _OF_USERS:
            body = _refuse_any(_OF_USERS[numbers_and_index[:2]], argument=0) + body
        code += _match_call(numbers_and_index[column], body + _allow())
    return code + _encode(_AT_LEAST, _LAST + 1, 0, 1) + _refuse(errno.ENOSYS) + _refuse()


def _names_others(numbers_and_index: tuple[int, int, int], signals: bool) -> bool:
    return signals or numbers_and_index in _ON_PROCESSES.values()


def _group_neighbours(numbers: set[int | None]) -> list[tuple[int, int]]:
    """The first and last number of each run of consecutive numbers."""
    runs: list[tuple[int, int]] = []
    for number in sorted(n for n in numbers if n is not None):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


def _allow_calls(runs: list[tuple[int, int]], *, above_first: bool = False) -> bytes:
    """Allows calls by their numbers, found by halves: for each job, the kernel follows the filter for every number.

    With ``above_first`` the number is known to be the first one or a larger one.
    """
    if len(runs) == 1:
        first, last = runs[0]
        lower = b"" if above_first else _encode(_AT_LEAST, first, 0, 2)
        return lower + _encode(_AT_LEAST, last + 1, 1) + _allow()
    half = len(runs) // 2
    above = _allow_calls(runs[half:], above_first=True)
    below = _allow_calls(runs[:half], above_first=above_first) + _encode(_JUMP, len(above) // 8)
    return _encode(_AT_LEAST, runs[half][0], len(below) // 8) + below + above


def restrict(code: bytes) -> None:
    """Applies a filter to the system calls of this process and its children."""
    prctl(PR_SET_SECCOMP, 2, ctypes.byref(_Filter(len(code) // 8, code)))
