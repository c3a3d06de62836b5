"""System calls that the standard library does not offer."""

from __future__ import annotations

import ctypes
import os
import platform
import resource

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 0x20, 0x1000, 0x4000, 0x40000
MNT_DETACH = 2
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 36, 38
PR_SET_THP_DISABLE = 41

MACHINE = platform.machine()
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_MOUNT_SETATTR, _CLOSE_RANGE = 442, 436

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
# These are made once, before any fork: made in a fork, each would cost a copy of the pages that it writes.
_capset, _prctl, _unshare, _mount = _libc.capset, _libc.prctl, _libc.unshare, _libc.mount
_CAPABILITY_VERSION_3 = (ctypes.c_uint32 * 2)(0x20080522, 0)
_NO_CAPABILITIES = (ctypes.c_uint32 * 6)()


def _check_result(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(number: int, *arguments: object) -> int:
    """Makes the system call of that number. Returns its result."""
    plain = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return _check_result(_libc.syscall(ctypes.c_long(number), *plain), f"system call {number}")


def prctl(option: int, value: int, pointer: object = 0) -> None:
    """Calls ``prctl`` with two values."""
    third = ctypes.c_long(pointer) if isinstance(pointer, int) else pointer
    _check_result(_prctl(option, ctypes.c_long(value), third, ctypes.c_long(0), ctypes.c_long(0)), f"prctl {option}")


def unshare(flags: int) -> None:
    """Puts this process into new namespaces. A new namespace of process ids holds its children."""
    _check_result(_unshare(flags), "unshare")


def enter(descriptor: int, flags: int) -> None:
    """Puts this process into the namespace of a descriptor."""
    _check_result(_libc.setns(descriptor, flags), "setns")


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """Calls ``mount``. An empty text is passed as a null pointer."""
    texts = [os.fsencode(t) or None for t in (source, target, kind)]
    data = options.encode() or None
    _check_result(_mount(*texts, ctypes.c_ulong(flags), data), f"mount {target}")


def mount_memory(target: str, options: str, flags: int = 0) -> None:
    """Mounts a file system in memory."""
    mount("tmpfs", target, "tmpfs", flags | MS_NOSUID | MS_NODEV, options)


def restrict_mount(path: str, attributes: int) -> None:
    """Adds ``MS_RDONLY``, ``MS_NOSUID``, ``MS_NODEV`` to the mounts from ``path`` down."""
    attribute = (ctypes.c_uint64 * 4)(attributes, 0, 0, 0)
    syscall(_MOUNT_SETATTR, AT_FDCWD, os.fsencode(path), AT_RECURSIVE, attribute, ctypes.sizeof(attribute))


def enter_root(path: str) -> None:
    """Makes ``path`` the root and unmounts the old root."""
    os.chdir(path)
    syscall(_PIVOT_ROOT[MACHINE], b".", b".")
    _check_result(_libc.umount2(b".", MNT_DETACH), "umount2")
    os.chdir("/")


def drop_capabilities() -> None:
    """Drops every capability. A user other than root cannot get them back."""
    _check_result(_capset(_CAPABILITY_VERSION_3, _NO_CAPABILITIES), "capset")


def close_from(first: int) -> None:
    """Closes every descriptor from ``first`` up."""
    try:
        syscall(_CLOSE_RANGE, first, 0xFFFFFFFF, 0)
    except OSError:
        os.closerange(first, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
