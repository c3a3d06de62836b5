"""The keeper: started once for an interpreter, it forks a process for each job."""

from __future__ import annotations

import array
import ctypes
import gc
import importlib
import os
import signal
import socket
from collections.abc import Iterable
from typing import Any

from . import job, kernel, landlock, seccomp, view

#: What programs import most: loaded once, so that no job pays for it.
PRELOADED = (
    *("atexit", "json", "threading", "types", "typing", "collections", "collections.abc", "functools", "itertools"),
    *("math", "cmath", "random", "re", "string", "heapq", "bisect", "copy", "operator", "statistics", "datetime"),
    *("dataclasses", "enum", "decimal", "fractions", "abc", "textwrap", "hashlib", "inspect", "time", "contextlib"),
)


def main(channel: socket.socket) -> None:
    """Reads the settings, takes on the layers that all jobs share, then serves until the other side is gone."""
    while os.open("/dev/null", os.O_RDONLY) < 2 * job.STATUS:  # what is opened from here on is in no job's way
        pass
    settings = job.receive(channel.fileno())
    try:
        site = _prepare(settings)
    except OSError as error:
        job.send(channel.fileno(), {"trouble": str(error)})
        return
    if "namespaces" in site.layers:
        child = os.fork()
        if child:
            channel.close()
            os.waitpid(child, 0)
            return
    job.send(channel.fileno(), {"pid": os.getpid()})
    _serve(channel, site)
    if "namespaces" not in site.layers:
        job.sweep(site.processes)


def _prepare(settings: dict[str, Any]) -> job.Site:
    layers = frozenset(settings["layers"])
    processes = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
    if "landlock" in layers and not landlock.version():
        raise OSError("the kernel has no Landlock")
    if "seccomp" in layers and not seccomp.offered():
        raise OSError("no list of system calls for this machine")
    for name in PRELOADED if settings["warm"] else ():
        importlib.import_module(name)
    code = compile(settings["warm"], "main.py", "exec", dont_inherit=True)
    with open("/proc/self/statm") as file:
        idle = int(file.read().split()[0]) * os.sysconf("SC_PAGESIZE")
    counted = 0
    if "namespaces" in layers:
        _enter_namespaces(processes, settings)
    else:
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
        counted = 512 + sum(name.isdigit() for name in os.listdir("/proc"))
    readable, writable = _opened(settings["readable"]), _opened(view.DEVICES)
    narrowed = None
    if "landlock" in layers and "namespaces" not in layers:  # which hide by mounts
        within = _opened(view.granted(settings["readable"], settings["hidden"]))
        narrowed = landlock.rules(within, [*writable, *_opened([settings["folder"]])])
        for descriptor in within:
            os.close(descriptor)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    return job.Site(
        layers=layers,
        folder=settings["folder"],
        processes=processes,
        readable=tuple(readable),
        writable=tuple(writable),
        narrowed=narrowed,
        user=settings["user"],
        counted=counted,
        idle_bytes=idle + 32 * job.MIB,
        warm=(settings["warm"], code),
    )


def _opened(paths: Iterable[str]) -> list[int]:
    return [os.open(p, os.O_PATH) for p in paths if os.path.exists(p) and not os.path.islink(p)]


def _enter_namespaces(processes: int, settings: dict[str, Any]) -> None:
    if os.geteuid() != 0:
        job.new_user(processes)
    kernel.unshare(kernel.NEWNS | kernel.NEWPID | kernel.NEWNET | kernel.NEWIPC | kernel.NEWUTS)
    view.enter(settings["folder"], settings["readable"], settings["hidden"])


def _serve(channel: socket.socket, site: job.Site) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that watch
    gc.collect()
    gc.freeze()
    while True:
        word, ancillary, _, _ = channel.recvmsg(1, socket.CMSG_SPACE(5 * ctypes.sizeof(ctypes.c_int)))
        if not word:
            return
        descriptors = array.array("i")
        descriptors.frombytes(ancillary[0][2])
        if os.fork() == 0:
            channel.close()
            control, *streams = descriptors
            try:
                job.supervise(site, control, streams)
            finally:
                os._exit(0)
        for descriptor in descriptors:
            os.close(descriptor)


def start(descriptor: int) -> None:
    """The entry: ``descriptor`` is the socket to the process that started this one."""
    main(socket.socket(fileno=descriptor))
