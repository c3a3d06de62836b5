"""Watches jobs until they end or pytest ends them, and removes every process and file that they leave."""

from __future__ import annotations

import contextlib
import itertools
import os
import select
import signal
import time
from dataclasses import dataclass
from typing import Any, NoReturn

from . import kernel, memory, processes, wire
from .job import MIB, Setup, begin

#: Without namespaces each job of root runs as a user of its own, numbered from here. So the kernel counts its
#: processes, and one call kills them all.
FIRST_USER = 2_000_000_000
#: Seconds after which processes that cannot be killed are left alone.
PATIENCE = 20.0


@dataclass(frozen=True, slots=True)
class RunningJob:
    """A running job. In a namespace of processes, all its processes die with the first one."""

    pid: int
    handle: int  #: a descriptor of the first process
    control: int
    started: float
    memory_mb: int  #: what its processes may hold together, in MiB; 0 for any amount

    def kill(self) -> None:
        """Kills the job's first process."""
        os.kill(self.pid, signal.SIGKILL)

    def is_too_large(self, setup: Setup) -> bool:
        """Whether the job's processes hold too much memory together. ``False`` while the job has only just started."""
        if not self.memory_mb or time.monotonic() < self.started + memory.INTERVAL:
            return False
        most = self.memory_mb * MIB + (memory.WARM_BYTES if setup.main else memory.IDLE_BYTES)
        try:
            # Twice: while processes end, memory that they shared may count for several of them.
            return all(
                memory.count_bytes(setup.proc, self._list_processes(setup), most, setup.socket_bytes) > most
                for _ in range(2)
            )
        except OSError:  # the job has ended
            return False

    def _list_processes(self, setup: Setup) -> list[int]:
        if "namespaces" not in setup.layers:  # processes whose parent has ended are children of the watching one
            return processes.list_descendants(setup.proc, os.getpid())
        first = processes.find_pid(setup.proc, self.handle)
        return [first, *processes.list_descendants(setup.proc, first)]

    def report(self, *, too_large: bool) -> dict[str, Any]:
        """Waits for the job's end. Returns its exit status, times and memory, and the limit at which it was killed."""
        _, status, usage = os.wait4(self.pid, 0)
        cpu = usage.ru_utime + usage.ru_stime
        wall = time.monotonic() - self.started
        limit = "memory" if too_large else ""
        return {"status": status, "cpu": cpu, "peak": usage.ru_maxrss / 1024, "wall": wall, "limit": limit}


def supervise(setup: Setup, control: int, streams: list[int], memory_mb: int) -> NoReturn:
    """Runs a job without namespaces in a child of this process. Removes everything that the job leaves."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    folder = f"{setup.folder}/{os.getpid()}"
    with contextlib.suppress(OSError):
        os.mkdir(folder, 0o700)
        user, counted = _choose_user(setup, folder)
        pid = os.fork()
        if pid == 0:
            begin(setup, control, streams, folder, user, counted)
        for descriptor in streams:
            os.close(descriptor)
        job = RunningJob(pid, os.pidfd_open(pid), control, time.monotonic(), memory_mb)
        report = job.report(too_large=_follow(job, setup))
        if counted == 0:
            _kill_all_of(user)
        sweep(setup.proc)
        wire.send(control, report)
        remove(folder)  # after the report, because it may take a while
    os._exit(0)


def _follow(job: RunningJob, setup: Setup) -> bool:
    """Waits until a job ends, or kills it once pytest asks for that. Whether it was killed for its memory."""
    poll = select.poll()
    poll.register(job.handle, select.POLLIN)
    poll.register(job.control, select.POLLRDHUP)
    while not (ready := poll.poll(memory.INTERVAL * 1000)):
        if job.is_too_large(setup):
            job.kill()
            return True
    if any(descriptor == job.control for descriptor, _ in ready):
        job.kill()
    return False


def remove(folder: str) -> None:
    """Removes a folder, even with subfolders that are locked or nested too deeply for a path to reach.

    Subfolders are moved up before they are removed, so that no path is longer than two names.
    """
    fresh = (f"{folder}/{os.urandom(8).hex()}" for _ in itertools.count())
    os.chmod(folder, 0o700)
    while entries := [*os.scandir(folder)]:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                os.rename(_unlock(entry.path), place := next(fresh))
                for below in [*os.scandir(place)]:
                    if below.is_dir(follow_symlinks=False):
                        os.rename(_unlock(below.path), next(fresh))
                    else:
                        os.unlink(below.path)
                os.rmdir(place)
            else:
                os.unlink(entry.path)
    os.rmdir(folder)


def _unlock(folder: str) -> str:
    os.chmod(folder, 0o700)
    return folder


def _choose_user(setup: Setup, folder: str) -> tuple[int | None, int]:
    """The job's user, ``None`` for the present one, and how many processes the kernel already counts for that user."""
    if setup.user is not None:
        with contextlib.suppress(OSError):  # some machines offer few user numbers
            own = FIRST_USER + os.getpid()
            os.chown(folder, own, own)
            return own, 0
        os.chown(folder, setup.user, setup.user)
    with open("/proc/loadavg") as file:  # `0.20 0.18 0.12 1/80 11206`: 80 processes on this machine
        return setup.user, int(file.read().split()[3].partition("/")[2])


def _kill_all_of(user: int | None) -> None:
    """Kills every process of a user in one call, so that none can escape by forking."""
    if user is None:
        return
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(OSError):
            os.setresuid(user, user, user)
            os.kill(-1, signal.SIGKILL)
        os._exit(0)
    os.waitpid(pid, 0)


def sweep(proc: int) -> None:
    """Kills all descendants of this process, even detached ones."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        stopped: set[int] = set()
        while new := set(processes.list_descendants(proc, os.getpid())) - stopped:  # a stopped process starts no others
            stopped |= new
            _send_signal(new, signal.SIGSTOP)
        _send_signal(stopped, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                continue
        except ChildProcessError:
            return
        time.sleep(0.001)


def _send_signal(pids: set[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
