"""Watching jobs: until they have ended, or the other side wants them ended, and nothing of them is left."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import time
from dataclasses import dataclass
from typing import Any, NoReturn

from . import kernel, wire
from .job import Site, begin


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
        if site.user is not None:
            os.chown(folder, site.user, site.user)
        pid = os.fork()
        if pid == 0:
            begin(site, control, streams, folder)
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
        sweep(site.processes)
        shutil.rmtree(folder, ignore_errors=True)
        wire.send(control, report)
    os._exit(0)


def sweep(processes: int) -> None:
    """Kills what is left of this process's descendants, however they were detached."""
    until = time.monotonic() + 5
    while time.monotonic() < until:
        with open(f"/proc/self/fd/{processes}/self/task/{os.getpid()}/children") as file:
            left = [int(p) for p in file.read().split()]
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, 0 if left else os.WNOHANG) != (0, 0):
                left = []
        except ChildProcessError:
            return
