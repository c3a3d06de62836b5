"""System calls that reach past a job's own limits: refused with seccomp, and really made without it."""

from __future__ import annotations

import pytest

from pytest_codereason.core.execution import Run
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.sandbox.keeper import calls, kernel, seccomp
from tests.sandbox.attacks import SECCOMP, TIERS
from tests.sandbox.conftest import in_tier

CTYPES = """
import ctypes, errno, fcntl, mmap, os, resource, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), 'refused')
"""

#: What each attack does, small enough to harm nobody where nothing stops it.
ATTACKS = {
    "pages given to a pipe": """
        reader, writer = os.pipe()
        page = mmap.mmap(-1, 4096); page[0:1] = b'x'
        class Piece(ctypes.Structure): _fields_ = [('at', ctypes.c_void_p), ('length', ctypes.c_size_t)]
        piece = Piece(ctypes.addressof(ctypes.c_char.from_buffer(page)), 4096)
        checked(libc.vmsplice(writer, ctypes.byref(piece), 1, 0))
    """,
    "huge pages for a mapping": "mmap.mmap(-1, 1 << 22).madvise(14)",
    "huge pages for the process": "checked(libc.prctl(41, 0, 0, 0, 0))",
    "a larger pipe": "fcntl.fcntl(os.pipe()[0], 1031, 1 << 17)",
    "larger buffers of sockets": "socket.socketpair()[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 17)",
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
#: Refused by this kernel in any case, for want of the call or of a feature.
WITHOUT_SECCOMP = {name: name != "a call of a later kernel" for name in ATTACKS}


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
    elif WITHOUT_SECCOMP[name]:
        assert execution.value == "done", "the attack does not bite"


def test_locks_seem_to_be_taken(tier: Sandbox) -> None:
    locking = "    with open('own', 'w') as file:\n        fcntl.flock(file, 2)\n        fcntl.lockf(file, 2)\n"
    source = f"import fcntl\ndef f():\n{locking}    return 1"
    execution = tier.run(Run.from_source(language="python", source=source, call="f()"))
    assert (execution.ending, execution.value) == ("returned", 1)


def test_no_call_is_both_allowed_and_checked() -> None:
    """A call in the list never reaches the rules about its arguments."""
    checked = {seccomp._CLONE, seccomp._CLONE3, seccomp._IOCTL, seccomp._FCNTL, seccomp._FLOCK, seccomp._MADVISE}
    checked |= {seccomp._PRCTL, seccomp._SETSOCKOPT, seccomp._PRLIMIT, seccomp._SETRLIMIT}
    checked |= {numbers[:2] for numbers in (seccomp._ON_PROCESSES | seccomp._SIGNALS).values()}
    assert not checked & set(calls.ALLOWED.values())
    for column in (0, 1):
        numbers = [n[column] for n in calls.ALLOWED.values() if n[column] is not None]
        assert len(numbers) == len(set(numbers))
