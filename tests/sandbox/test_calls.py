"""System calls that reach past a job's own limits: refused with seccomp, and really made without it."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from pytest_codereason.core.execution import Run
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.sandbox.keeper import calls, kernel, seccomp
from pytest_codereason.sandbox.keeper.job import MOST_SIGNALS
from tests.sandbox import resources
from tests.sandbox.attacks import TIERS, applies, complaint, run_attack
from tests.sandbox.conftest import in_tier
from tests.sandbox.targets import Targets


@pytest.fixture(params=TIERS)
def tier(request: pytest.FixtureRequest, sandboxes: dict[str, Sandbox]) -> Sandbox:
    return in_tier(sandboxes, request.param)


def reach(language: str, name: str, sandbox: Sandbox, folder: Path) -> None:
    """Runs an attack, which is stopped where a layer claims to stop it, and succeeds where no layer does."""
    attack = resources.ALL[language][name]
    with Targets(folder) as targets:
        execution = run_attack(attack, sandbox, targets, language)
        if applies(attack, sandbox):
            assert not complaint(attack, execution), execution
            assert targets.list_reached() == []
        elif name not in resources.STOPPED_ANYWAY:
            assert (execution.ending, execution.value) == ("returned", "done"), f"the attack does not bite: {execution}"


@pytest.mark.slow
@pytest.mark.skipif(kernel.MACHINE != "x86_64", reason="its numbers are those of x86-64")
@pytest.mark.parametrize("name", resources.CALLS)
def test_a_call_that_reaches_past_the_limits_is_refused(name: str, tier: Sandbox, tmp_path: Path) -> None:
    reach("python", name, tier, tmp_path)


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
