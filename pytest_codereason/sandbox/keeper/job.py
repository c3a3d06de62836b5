"""One job: the process that watches it, and the layers that the program itself is put into."""

from __future__ import annotations

import base64
import builtins
import gc
import json
import os
import resource
import select
import shutil
import signal
import struct
import sys
import time
from dataclasses import dataclass
from typing import Any, NoReturn

from . import kernel, landlock, seccomp, view

RESULT, STATUS = 3, 4
MIB = 1 << 20
_LENGTH = struct.Struct("!I")


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What all jobs of a keeper share."""

    layers: frozenset[str]
    folder: str  #: where folders of jobs are made, without namespaces
    processes: int  #: descriptor of /proc
    readable: tuple[int, ...]  #: descriptors of what may be read
    writable: tuple[int, ...]  #: descriptors of devices
    narrowed: int | None  #: rules of Landlock that leave out what lies hidden among the readable
    user: int | None  #: whom jobs run as, ``None`` to stay
    counted: int  #: processes that already count against the limit
    idle_bytes: int  #: address space of the warm interpreter
    warm: tuple[str, Any]  #: text and code of the harness that may be run in a fork


def receive(descriptor: int) -> dict[str, Any]:
    """A message: its length, then JSON.

    Raises:
        EOFError: the other side is gone.
    """
    (length,) = _LENGTH.unpack(_read(descriptor, _LENGTH.size))
    message: dict[str, Any] = json.loads(_read(descriptor, length))
    return message


def _read(descriptor: int, size: int) -> bytes:
    parts = []
    while size:
        part = os.read(descriptor, min(size, MIB))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def send(descriptor: int, message: dict[str, Any]) -> None:
    """Writes a message."""
    body = json.dumps(message).encode()
    rest = _LENGTH.pack(len(body)) + body
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def supervise(site: Site, control: int, streams: list[int]) -> None:
    """Reads a job from ``control``, runs it, and writes there how it ended.

    ``streams`` are its standard input, output, error, and the descriptor for its result. Anything
    that comes on ``control`` meanwhile, its end included, kills the job.
    """
    job = receive(control)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    folder = ""
    try:
        folder = _folder(site, job)
        failed, failing = os.pipe()
        started = time.monotonic()
        child = os.fork()
        if child == 0:
            _begin(site, job, folder, streams, failing)
        for descriptor in (failing, *streams):
            os.close(descriptor)
        report = _await(child, control)
        report["wall"] = time.monotonic() - started
        if trouble := os.read(failed, 4096):
            report = {"trouble": trouble.decode(errors="replace")}
    except OSError as error:
        report = {"trouble": str(error)}
    if "namespaces" not in site.layers:
        sweep(site.processes)
        shutil.rmtree(folder, ignore_errors=True)
    send(control, report)


def _folder(site: Site, job: dict[str, Any]) -> str:
    """The job's own empty folder, with its files."""
    if "namespaces" in site.layers:
        kernel.unshare(kernel.NEWPID | kernel.NEWNS | kernel.NEWIPC)
        size = job["file_mb"] + 16
        kernel.mount("tmpfs", view.JOB, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, f"size={size}m,mode=0777")
        folder = view.JOB
    else:
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
        folder = f"{site.folder}/{os.getpid()}"
        os.mkdir(folder, 0o700)
        if site.user is not None:
            os.chown(folder, site.user, site.user)
    for name, text in job["files"].items():
        _write(f"{folder}/{name}", text.encode("utf-8", "surrogatepass"), site.user)
    for name, text in job["binaries"].items():
        _write(f"{folder}/{name}", base64.b64decode(text), site.user)
    return folder


def _write(path: str, content: bytes, user: int | None) -> None:
    with open(path, "wb") as file:
        file.write(content)
    if user is not None:
        os.chown(path, user, user)


def _await(child: int, control: int) -> dict[str, Any]:
    """Waits for the child's end, which any word on ``control`` brings about."""
    with os.fdopen(os.pidfd_open(child), "rb", buffering=0) as handle:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        poll.register(control, select.POLLIN)
        if any(descriptor == control for descriptor, _ in poll.poll()):
            os.kill(child, signal.SIGKILL)
    _, status, usage = os.wait4(child, 0)
    return {"status": status, "cpu": usage.ru_utime + usage.ru_stime, "peak": usage.ru_maxrss / 1024}


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


def _begin(site: Site, job: dict[str, Any], folder: str, streams: list[int], failing: int) -> NoReturn:
    """In the new process: takes on every layer, then becomes the program."""
    try:
        os.setsid()
        os.chdir(folder)
        for target, descriptor in enumerate((*streams, failing)):
            os.dup2(descriptor, target, inheritable=target != STATUS)
        _confine(site, folder)
        kernel.close_from(STATUS + 1)
        _limit(site, job)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        environment = {**job["environment"], "CODEREASON_RESULT": str(RESULT), "HOME": folder, "TMPDIR": folder}
        if job["compile"] and _compile(job["compile"], environment):
            os.write(RESULT, b'{"rejected":""}\n')
            os._exit(0)
        if job["forkable"] and job["files"][job["forkable"]] == site.warm[0]:
            os.close(STATUS)
            _run_warm(site.warm[1], job["forkable"], environment)
        os.execve(job["command"][0], job["command"], environment)
    except BaseException as error:
        os.write(STATUS, f"{type(error).__name__}: {error}".encode())
    os._exit(70)


def _limit(site: Site, job: dict[str, Any]) -> None:
    idle = site.idle_bytes if job["forkable"] else job["idle_mb"] * MIB
    memory, file = idle + job["memory_mb"] * MIB, job["file_mb"] * MIB
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: file,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_NPROC: site.counted + job["processes"],
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_MEMLOCK: 0,
    }
    if job["cpu_s"]:
        limits[resource.RLIMIT_CPU] = job["cpu_s"]
    for kind, value in limits.items():
        hard = resource.getrlimit(kind)[1]
        allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (allowed, allowed))


def _confine(site: Site, folder: str) -> None:
    spaces = "namespaces" in site.layers
    place = os.open(folder, os.O_PATH | os.O_DIRECTORY)
    if site.user is not None:
        os.setgroups([])
        os.setresgid(site.user, site.user, site.user)
        os.setresuid(site.user, site.user, site.user)
    if spaces:
        new_user(site.processes)
    kernel.drop_capabilities()
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    scoped = "landlock" in site.layers and landlock.version() >= landlock.SCOPED
    if "landlock" in site.layers:
        landlock.restrict(landlock.rules([*site.readable], [place, *site.writable]))
        if site.narrowed is not None:
            landlock.restrict(site.narrowed)
    if "seccomp" in site.layers:
        bounded = spaces or os.getuid() != 0
        seccomp.restrict(0 if spaces else os.getpid(), signals=not scoped, forks=bounded)


def new_user(processes: int) -> None:
    """A namespace of users in which this process is an ordinary user, with every capability until it drops them."""
    user, group = os.geteuid(), os.getegid()
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # else its own map is not its own to write
    kernel.unshare(kernel.NEWUSER)
    maps = {"setgroups": "deny", "uid_map": f"1000 {user} 1", "gid_map": f"1000 {group} 1"}
    for name, text in maps.items():
        descriptor = os.open(f"self/{name}", os.O_WRONLY, dir_fd=processes)
        os.write(descriptor, text.encode())
        os.close(descriptor)


def _compile(command: list[str], environment: dict[str, str]) -> int:
    child = os.fork()
    if child == 0:
        os.execve(command[0], command, environment)
    return os.waitpid(child, 0)[1]


def _run_warm(code: Any, name: str, environment: dict[str, str]) -> NoReturn:
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [name]
    for module in [m for m in sys.modules if m.split(".")[0] == "keeper"]:
        del sys.modules[module]
    gc.enable()
    exec(code, {"__name__": "__main__", "__builtins__": builtins})
    os._exit(0)
