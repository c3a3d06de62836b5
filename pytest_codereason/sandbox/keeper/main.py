"""The keeper of one interpreter: forks a process for each job."""

from __future__ import annotations

import array
import contextlib
import ctypes
import gc
import importlib
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Iterable
from typing import Any

from . import job, kernel, landlock, memory, seccomp, view, watch, wire

#: The modules that programs import most. The keeper loads them once, so that no job spends time on them.
PRELOADED = (
    *("atexit", "json", "threading", "types", "typing", "collections", "collections.abc", "functools", "itertools"),
    *("math", "random", "re", "string", "heapq", "bisect", "copy", "operator", "datetime", "dataclasses", "enum"),
)


def start(descriptor: int) -> None:
    """Runs the keeper. ``descriptor`` is the socket to the process that started it."""
    while os.open("/dev/null", os.O_RDONLY) < 2 * job.CONTROL:  # reserves the numbers that jobs use for their streams
        pass
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # pytest may have been started with another setting
    with socket.socket(fileno=descriptor) as channel:
        settings = wire.receive(descriptor)
        try:
            setup = _prepare_setup(settings)
        except OSError as error:
            wire.send(descriptor, {"trouble": str(error)})
            return
        if "namespaces" in setup.layers:
            child = os.fork()  # the first process of the new namespace: when it ends, the kernel kills all others
            if child:
                channel.close()
                os.waitpid(child, 0)
                return
            kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        for name in [m for m in sys.modules if m.partition(".")[0] == __package__]:
            del sys.modules[name]  # programs do not see the keeper's modules
        gc.collect()
        gc.freeze()
        wire.send(descriptor, {})
        if "namespaces" in setup.layers:
            _Keeper(channel, setup).serve()
        else:
            _serve_plainly(channel, setup)
            watch.sweep(setup.proc)
            with contextlib.suppress(OSError):  # pytest may be killed, or fail to remove the folder
                watch.remove(setup.folder)


def _prepare_setup(settings: dict[str, Any]) -> job.Setup:
    """Sets up the layers that all jobs share.

    Raises:
        OSError: the machine does not offer one of the layers.
    """
    layers = frozenset(settings["layers"])
    proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
    if "landlock" in layers and not landlock.read_version():
        raise OSError("the kernel has no Landlock")
    if "seccomp" in layers and not seccomp.is_supported():
        raise OSError("no list of system calls for this machine")
    for name in PRELOADED if settings["warm"] else ():
        importlib.import_module(name)
    user = settings["user"] if settings["user"] is not None and job.can_become(settings["user"]) else None
    warm: dict[str, Any] = {"__name__": "harness", "main": None}
    exec(compile(settings["warm"], "main.py", "exec", dont_inherit=True), warm)
    with open("/proc/self/statm") as file:
        idle = int(file.read().split()[0]) * os.sysconf("SC_PAGESIZE")
    socket_bytes = memory.read_socket_bytes(proc)
    refused = b""
    if "namespaces" in layers:
        user = _enter_namespaces(proc, settings, user)
        refused = seccomp.build_filter(0, signals=False, forks=True) if "seccomp" in layers else b""
    else:
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    readable, writable = _open_paths(settings["readable"]), _open_paths(view.DEVICES)
    rules = None
    if "landlock" in layers:
        spaces = "namespaces" in layers  # which hide folders by mounts
        within = readable if spaces else _open_paths(view.exclude_hidden(settings["readable"], settings["hidden"]))
        rules = landlock.make_rules(within, [*writable, *_open_paths([view.JOBS if spaces else settings["folder"]])])
        for descriptor in within if not spaces else ():
            os.close(descriptor)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    return job.Setup(
        layers=layers,
        folder=settings["folder"],
        proc=proc,
        readable=tuple(readable),
        writable=tuple(writable),
        rules=rules,
        refused=refused,
        user=user,
        socket_bytes=socket_bytes,
        idle_bytes=idle + 32 * job.MIB,
        main=warm["main"],
    )


def _open_paths(paths: Iterable[str]) -> list[int]:
    return [os.open(p, os.O_PATH) for p in paths if os.path.exists(p) and not os.path.islink(p)]


def _enter_namespaces(proc: int, settings: dict[str, Any], user: int | None) -> int | None:
    """Enters the namespaces that all jobs share. Returns the jobs' user, ``None`` for the present one."""
    spaces = kernel.NEWNS | kernel.NEWPID | kernel.NEWNET | kernel.NEWIPC | kernel.NEWUTS
    try:
        kernel.unshare(spaces)
    except PermissionError:  # an ordinary user, or root without capabilities
        job.enter_user_namespace(proc)
        kernel.unshare(spaces)
        user = None  # the new namespace has one user only
    view.enter(settings["folder"], settings["readable"], settings["hidden"])
    return user


def _receive_job(channel: socket.socket) -> tuple[int, list[int], int] | None:
    """The control, the streams and the memory in MiB of the next job, ``None`` once pytest has closed the channel."""
    word, ancillary, _, _ = channel.recvmsg(wire.MEMORY.size, socket.CMSG_SPACE(5 * ctypes.sizeof(ctypes.c_int)))
    if not word:
        return None
    descriptors = array.array("i")
    descriptors.frombytes(ancillary[0][2])
    return descriptors[0], descriptors[1:].tolist(), wire.MEMORY.unpack(word)[0]


def _serve_plainly(channel: socket.socket, setup: job.Setup) -> None:
    """Runs jobs without namespaces. Each job has a process that watches it."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel removes watching processes that have ended
    while received := _receive_job(channel):
        control, streams, memory_mb = received
        if os.fork() == 0:
            channel.close()
            watch.supervise(setup, control, streams, memory_mb)
        for descriptor in (control, *streams):
            os.close(descriptor)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)


class _Keeper:
    """Runs jobs with namespaces. It watches all jobs itself and never reads their contents."""

    def __init__(self, channel: socket.socket, setup: job.Setup) -> None:
        self.channel = channel
        self.setup = setup
        self.own = os.open("self/ns/pid", os.O_RDONLY, dir_fd=setup.proc)
        self.running: dict[int, watch.RunningJob] = {}  #: by the handle of the process
        self.controls: dict[int, watch.RunningJob] = {}
        self.too_large: set[watch.RunningJob] = set()
        self.counted = 0.0  #: when the memory of the jobs was last counted
        self.poll = select.poll()

    def serve(self) -> None:
        self.poll.register(self.channel, select.POLLIN)
        while True:
            for descriptor, _ in self.poll.poll(memory.INTERVAL * 1000 if self.running else None):
                if descriptor in self.running:
                    self._end(descriptor)
                elif descriptor in self.controls:
                    self.poll.unregister(descriptor)
                    self.controls.pop(descriptor).kill()
                elif descriptor == self.channel.fileno():
                    received = _receive_job(self.channel)
                    if received is None:
                        return
                    self._begin(*received)
            if time.monotonic() >= self.counted + memory.INTERVAL:
                self._kill_large_jobs()
                self.counted = time.monotonic()

    def _begin(self, control: int, streams: list[int], memory_mb: int) -> None:
        kernel.unshare(kernel.NEWPID)
        pid = os.fork()
        if pid == 0:
            job.begin(self.setup, control, streams, view.JOB, self.setup.user)
        kernel.enter(self.own, kernel.NEWPID)  # so that the next unshare gives the next job a namespace of its own
        for descriptor in streams:
            os.close(descriptor)
        running_job = watch.RunningJob(pid, os.pidfd_open(pid), control, time.monotonic(), memory_mb)
        self.running[running_job.handle] = self.controls[control] = running_job
        self.poll.register(running_job.handle, select.POLLIN)
        self.poll.register(control, select.POLLRDHUP)

    def _kill_large_jobs(self) -> None:
        for running_job in self.running.values():
            if running_job not in self.too_large and running_job.is_too_large(self.setup):
                self.too_large.add(running_job)
                running_job.kill()

    def _end(self, handle: int) -> None:
        running_job = self.running.pop(handle)
        self.poll.unregister(handle)
        os.close(handle)
        if self.controls.pop(running_job.control, None):
            self.poll.unregister(running_job.control)
        report = running_job.report(too_large=running_job in self.too_large)
        self.too_large.discard(running_job)
        with contextlib.suppress(OSError):
            wire.send(running_job.control, report)
        os.close(running_job.control)
