"""System calls that reach past a job's own limits: refused with seccomp, and really made without it."""

from __future__ import annotations

import errno

import pytest

from pytest_codereason.core.execution import Run
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.sandbox.keeper import calls, kernel, seccomp
from pytest_codereason.sandbox.keeper.job import MOST_SIGNALS
from tests.sandbox.attacks import SECCOMP, TIERS
from tests.sandbox.conftest import in_tier

CTYPES = """
import ctypes, errno, fcntl, mmap, os, resource, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), 'refused')
"""

PRIVATE = "mmap.mmap(-1, 1 << 22, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)"
#: What each attack does, small enough to harm nobody where nothing stops it.
ATTACKS = {
    "pages given to a pipe": """
        reader, writer = os.pipe()
        page = mmap.mmap(-1, 4096); page[0:1] = b'x'
        class Piece(ctypes.Structure): _fields_ = [('at', ctypes.c_void_p), ('length', ctypes.c_size_t)]
        piece = Piece(ctypes.addressof(ctypes.c_char.from_buffer(page)), 4096)
        checked(libc.vmsplice(writer, ctypes.byref(piece), 1, 0))
    """,
    "pages of a file in a pipe": """
        with open('own', 'w+b') as file:
            file.write(b'x' * 4096); file.flush()
            os.sendfile(os.pipe()[1], file.fileno(), 0, 1)
    """,
    "memory that stays when it is unmapped": "mmap.mmap(-1, 1 << 20)",
    "huge pages of the reserve": "mmap.mmap(-1, 1 << 21, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x44000)",
    "huge pages for a mapping": f"{PRIVATE}.madvise(14)",
    "comparing its memory with that of others": f"{PRIVATE}.madvise(12)",
    "huge pages for the process": "checked(libc.prctl(41, 0, 0, 0, 0))",
    "a larger pipe": "fcntl.fcntl(os.pipe()[0], 1031, 1 << 17)",
    "larger buffers of sockets": "socket.socketpair()[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 17)",
    "sockets that hold sockets": """
        ends = socket.socketpair()
        socket.send_fds(ends[0], [b'x'], [ends[1].fileno()])
    """,
    "datagrams": "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
    "memory of System V": "checked(libc.shmget(0, 4096, 0o600))",
    "a queue of messages": "checked(libc.syscall(240, b'own', 0o102, 0o600, None))",
    "a key": "checked(libc.syscall(248, b'user', b'own', b'x', 1, -2))",
    "faults of its own memory": "checked(libc.syscall(323, 1))",
    "rings of input and output": "checked(libc.syscall(425, 1, ctypes.create_string_buffer(256)))",
    "a core of the processor for itself": "checked(libc.prctl(62, 1, 0, 1, 0))",
    "a file's attributes": "fcntl.ioctl(os.open('.', os.O_RDONLY), 0x80086601, bytes(8))",
    "signals for others": "fcntl.fcntl(os.pipe()[0], 8, 0)",
    "watches on files": "checked(libc.inotify_init())",
    "asynchronous input and output": """
        context = ctypes.c_ulong(0)
        checked(libc.syscall(206, 1, ctypes.byref(context)))
    """,
    "a lease on its own file": "fcntl.fcntl(os.open('mine', os.O_CREAT | os.O_RDONLY), 1024, 0)",
    "core dumps for a program": "resource.setrlimit(resource.RLIMIT_CORE, (0, 0))",
    "writing everything to disk": "checked(libc.syscall(306, os.open('.', os.O_RDONLY)))",
    "a call of a later kernel": "checked(libc.syscall(459, 0, 0, 0, 0))",
}
#: Refused in any case: by a limit, or because the kernel, its processor or the file system lacks the feature.
REFUSED_ANYWAY = {
    *("a call of a later kernel", "a core of the processor for itself", "a file's attributes", "a queue of messages"),
    "rings of input and output",
}


def program(attack: str) -> str:
    lines = [line.removeprefix(" " * 8) for line in attack.strip().splitlines()]
    body = "\n".join(f"        {line}" for line in lines)
    refused = "    except (OSError, ValueError):\n        return 'refused'\n    return 'done'\n"
    return f"{CTYPES}\ndef f():\n    try:\n{body}\n{refused}"


@pytest.fixture(params=TIERS)
def tier(request: pytest.FixtureRequest, sandboxes: dict[str, Sandbox]) -> Sandbox:
    return in_tier(sandboxes, request.param)


@pytest.mark.skipif(kernel.MACHINE != "x86_64", reason="its numbers are those of x86-64")
@pytest.mark.parametrize("name", ATTACKS)
def test_a_call_that_reaches_past_the_limits_is_refused(name: str, tier: Sandbox) -> None:
    execution = tier.run(Run.from_source(language="python", source=program(ATTACKS[name]), call="f()"))
    assert execution.ending == "returned", execution
    if SECCOMP in tier.layers:
        assert execution.value == "refused"
    elif name not in REFUSED_ANYWAY:
        assert execution.value == "done", "the attack does not bite"


def test_locks_seem_to_be_taken(tier: Sandbox) -> None:
    locking = "    with open('own', 'w') as file:\n        fcntl.flock(file, 2)\n        fcntl.lockf(file, 2)\n"
    source = f"import fcntl\ndef f():\n{locking}    return 1"
    execution = tier.run(Run.from_source(language="python", source=source, call="f()"))
    assert (execution.ending, execution.value) == ("returned", 1)


def test_no_call_is_both_allowed_and_checked() -> None:
    """A call in the list never reaches the rules about its arguments."""
    checked: set[calls.Numbers] = {
        seccomp._CLONE,
        seccomp._CLONE3,
        seccomp._IOCTL,
        seccomp._FCNTL,
        seccomp._FLOCK,
        seccomp._MADVISE,
    }
    checked |= {seccomp._PRCTL, seccomp._SETSOCKOPT, seccomp._PRLIMIT, seccomp._SETRLIMIT, seccomp._MMAP}
    checked |= {seccomp._SENDFILE, seccomp._SOCKETPAIR, *calls.ATTRIBUTES.values()}
    checked |= {numbers[:2] for numbers in (seccomp._ON_PROCESSES | seccomp._SIGNALS).values()}
    assert not checked & set(calls.ALLOWED.values())
    for column in (0, 1):
        numbers = [n[column] for n in calls.ALLOWED.values() if n[column] is not None]
        assert len(numbers) == len(set(numbers))


TIMERS = """
import ctypes
libc = ctypes.CDLL(None)
def f():
    timer, count = ctypes.c_long(), 0
    while count < 5000 and libc.timer_create(1, None, ctypes.byref(timer)) == 0:
        count += 1
    return count
"""


def test_timers_of_a_job_leave_those_of_other_programs(tier: Sandbox) -> None:
    """The kernel counts timers for each user."""
    came = tier.run(Run.from_source(language="python", source=TIMERS, call="f()"))
    assert came.returned, came
    assert 0 < came.value <= MOST_SIGNALS


PRIORITY = """
import os
def f():
    try:
        os.setpriority(os.PRIO_USER, 0, os.getpriority(os.PRIO_USER, 0))
    except OSError as error:
        return error.errno
"""


def test_a_job_sets_no_priority_of_its_users_other_processes(sandboxes: dict[str, Sandbox]) -> None:
    """The kernel itself answers EACCES, and only where a process of the user has another priority."""
    tier = in_tier(sandboxes, "landlock+seccomp")
    execution = tier.run(Run.from_source(language="python", source=PRIORITY, call="f()"))
    assert execution.value == errno.EPERM


def test_a_copy_falls_back_to_reading_and_writing(tier: Sandbox) -> None:
    body = "open('a', 'w').write('x')\n    shutil.copy('a', 'b')\n    return open('b').read()"
    source = f"import shutil\ndef f():\n    {body}"
    assert tier.run(Run.from_source(language="python", source=source, call="f()")).value == "x"
