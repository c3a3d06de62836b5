"""seccomp: the system calls that a job may not make.

A list of what is refused, not of what is allowed: four interpreters in any version must run. What is refused makes
no sense in a program that computes: the network, other processes, namespaces, mounts, keys, the kernel itself.
"""

from __future__ import annotations

import ctypes
import errno
import struct

from .kernel import MACHINE, PR_SET_SECCOMP, prctl

#: Number on x86-64, number on arm64; ``None`` where the machine has no such call.
_REFUSED: dict[str, tuple[int | None, int | None]] = {
    "socket": (41, 198),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "perf_event_open": (298, 241),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "fanotify_init": (300, 262),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "syslog": (103, 116),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "vhangup": (153, 58),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
}
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
    return _argument(index) + _step(_EQUAL, 0, 2) + _step(_EQUAL, pid, 1) + _refuse() + _step(_RETURN, _ALLOW)


def _none_of(requests: tuple[int, ...]) -> bytes:
    """Refuses where the second argument is one of these."""
    return _argument(1) + b"".join(_step(_EQUAL, r, 0, 1) + _refuse() for r in requests) + _step(_RETURN, _ALLOW)


def program(own: int, *, signals: bool, forks: bool) -> bytes:
    """The filter, as the kernel takes it.

    ``own`` is the process that calls which take one may name, 0 where a namespace leaves no others; ``signals`` says
    that signals count among them; without ``forks`` there are threads but no new processes.
    """
    column = 0 if MACHINE == "x86_64" else 1
    code = _step(_LOAD, 4) + _step(_EQUAL, _ARCHITECTURE[MACHINE], 1) + _step(_RETURN, _KILL) + _step(_LOAD, 0)
    if MACHINE == "x86_64":  # numbers of the x32 interface
        code += _step(_AT_LEAST, 0x40000000, 0, 1) + _step(_RETURN, _KILL)
    for numbers in _REFUSED.values():
        code += _on_call(numbers[column], _refuse())
    code += _on_call(_CLONE3[column], _refuse(errno.ENOSYS))  # its flags lie in memory; the C library then asks clone
    flags = _argument(0) + _step(_ANY_BIT, _NEW_NAMESPACES, 0, 1) + _refuse()
    if not forks:
        flags += _step(_ANY_BIT, _THREAD, 1) + _refuse(errno.EAGAIN)
        for numbers in _FORKS:
            code += _on_call(numbers[column], _refuse(errno.EAGAIN))
    code += _on_call(_CLONE[column], flags + _step(_RETURN, _ALLOW))
    code += _on_call(_IOCTL[column], _none_of(_TERMINAL_INPUT + (_OWNERS_BY_IOCTL if own and signals else ())))
    if own and signals:
        code += _on_call(_FCNTL[column], _none_of(_OWNERS_BY_FCNTL))
    if own:
        watched = {**_ON_PROCESSES, **(_SIGNALS if signals else {})}
        for numbers_and_index in watched.values():
            code += _on_call(numbers_and_index[column], _only_itself(numbers_and_index[2], own))
    return code + _step(_RETURN, _ALLOW)


def restrict(code: bytes) -> None:
    """Filters the calls of this process and its children."""
    prctl(PR_SET_SECCOMP, 2, ctypes.byref(_Filter(len(code) // 8, code)))
