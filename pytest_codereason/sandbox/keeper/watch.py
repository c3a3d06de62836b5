"""Watching jobs: until they have ended, or the other side wants them ended, and nothing of them is left."""

from __future__ import annotations

import contextlib
import itertools
import os
import select
import signal
import time
from dataclasses import dataclass
from typing import Any, NoReturn

from . import kernel, wire
from .job import Site, begin

#: Users that nobody is: without namespaces each job of root has one to itself, so that its processes are counted, and
#: killed all at once.
FIRST_USER = 2_000_000_000
#: Seconds after which what cannot be killed is given up.
PATIENCE = 20.0


@dataclass(frozen=True, slots=True)
class Watched:
    """A running job. What is left of it in a namespace of processes dies with its first one."""

    pid: int
    control: int
    started: float

    def kill(self) -> None:
        """Ends it."""
        os.kill(self.pid, signal.SIGKILL)

    def report(self) -> dict[str, Any]:
        """Waits for its end and says what it was."""
        _, status, usage = os.wait4(self.pid, 0)
        cpu = usage.ru_utime + usage.ru_stime
        wall = time.monotonic() - self.started
        return {"status": status, "cpu": cpu, "peak": usage.ru_maxrss / 1024, "wall": wall}


def supervise(site: Site, control: int, streams: list[int]) -> NoReturn:
    """Runs a job without namespaces in a child of this process, and cleans up after it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    folder = f"{site.folder}/{os.getpid()}"
    with contextlib.suppress(OSError):
        os.mkdir(folder, 0o700)
        user, counted = _user(site, folder)
        pid = os.fork()
        if pid == 0:
            begin(site, control, streams, folder, user, counted)
        for descriptor in streams:
            os.close(descriptor)
        job = Watched(pid, control, time.monotonic())
        with os.fdopen(os.pidfd_open(pid), "rb", buffering=0) as handle:
            poll = select.poll()
            poll.register(handle, select.POLLIN)
            poll.register(control, select.POLLRDHUP)
            if any(descriptor == control for descriptor, _ in poll.poll()):
                job.kill()
        report = job.report()
        if counted == 0:
            _kill_all_of(user)
        sweep()
        wire.send(control, report)
        remove(folder)  # which may take a while
    os._exit(0)


def remove(folder: str) -> None:
    """Removes a folder whatever a program made of it: subfolders that are locked, or nested too deep to walk down to.

    What lies below is moved up, so that no path is ever longer than two names.
    """
    fresh = (f"{folder}/{os.urandom(8).hex()}" for _ in itertools.count())
    os.chmod(folder, 0o700)
    while entries := [*os.scandir(folder)]:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                os.rename(_unlocked(entry.path), place := next(fresh))
                for below in [*os.scandir(place)]:
                    if below.is_dir(follow_symlinks=False):
                        os.rename(_unlocked(below.path), next(fresh))
                    else:
                        os.unlink(below.path)
                os.rmdir(place)
            else:
                os.unlink(entry.path)
    os.rmdir(folder)


def _unlocked(folder: str) -> str:
    os.chmod(folder, 0o700)
    return folder


def _user(site: Site, folder: str) -> tuple[int | None, int]:
    """Whom the job runs as, ``None`` to stay, and how many processes count against its limit already."""
    if site.user is not None:
        with contextlib.suppress(OSError):  # where few users can be had
            own = FIRST_USER + os.getpid()
            os.chown(folder, own, own)
            return own, 0
        os.chown(folder, site.user, site.user)
    with open("/proc/loadavg") as file:  # `0.20 0.18 0.12 1/80 11206`: all that there are, at least
        return site.user, int(file.read().split()[3].partition("/")[2])


def _kill_all_of(user: int | None) -> None:
    """Kills every process of a user, in one call that none can run away from."""
    if user is None:
        return
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(OSError):
            os.setresuid(user, user, user)
            os.kill(-1, signal.SIGKILL)
        os._exit(0)
    os.waitpid(pid, 0)


def sweep() -> None:
    """Kills what is left of this process's descendants, however they were detached."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found: set[int] = set()
        while new := set(_descendants(os.getpid())) - found:  # stopped ones make no more, and still count
            found |= new
            _signal(new, signal.SIGSTOP)
        _signal(found, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                continue
        except ChildProcessError:
            return
        time.sleep(0.001)


def _signal(pids: set[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def _descendants(pid: int) -> list[int]:
    found = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as file:
                found += [int(child) for child in file.read().split()]
    return [*found, *(below for child in found for below in _descendants(child))]
