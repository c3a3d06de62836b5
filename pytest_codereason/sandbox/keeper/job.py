"""One job: the process that takes on every layer, and then becomes the program."""

from __future__ import annotations

import base64
import os
import resource
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from . import kernel, landlock, seccomp, wire

#: Descriptors in a job: where the result goes, and, until the program starts, where trouble is told.
RESULT, CONTROL = 3, 4
MIB = 1 << 20
#: Room in a job's folder besides what its files may take.
ROOM_MB = 16
#: Files there at most, empty ones too: they take memory that no other limit counts.
MOST_FILES = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What all jobs of a keeper share."""

    layers: frozenset[str]
    folder: str  #: where folders of jobs are made, without namespaces
    processes: int  #: descriptor of /proc
    readable: tuple[int, ...]  #: descriptors of what may be read
    writable: tuple[int, ...]  #: descriptors of devices
    rules: int | None  #: rules of Landlock that all jobs share
    refused: bytes  #: the filter of system calls where all jobs share one
    user: int | None  #: whom jobs run as, ``None`` to stay
    idle_bytes: int  #: address space of the warm interpreter
    main: Callable[[dict[str, str]], None]  #: entry of the harness that is run in a fork, where there is one


def begin(site: Site, control: int, streams: list[int], folder: str, user: int | None, counted: int = 0) -> NoReturn:
    """Reads the job from ``control`` and becomes it; does not return.

    ``streams`` are its standard input, output, error, and the descriptor for its result. It works in ``folder``, which
    in namespaces is one of its own, as ``user``, ``None`` to stay. ``counted`` processes count against its limit.
    """
    try:
        for target, descriptor in enumerate((*streams, control)):
            os.dup2(descriptor, target, inheritable=target != CONTROL)
        job = wire.receive(CONTROL)
        os.setsid()
        _become(user)
        if "namespaces" in site.layers:
            # Where a filter refuses semaphores and their like, the keeper's namespace of them stays empty.
            new_user(site.processes, kernel.NEWNS | (0 if site.refused else kernel.NEWIPC))
            kernel.mount_memory(folder, f"size={job['file_mb'] + ROOM_MB}m,nr_inodes={MOST_FILES},mode=0700")
        os.chdir(folder)
        if not job["forkable"]:
            _lay_out(job)
        _confine(site, folder)
        kernel.close_from(CONTROL + 1)
        _limit(site, job, counted)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        environment = {**job["environment"], "CODEREASON_RESULT": str(RESULT), "HOME": folder, "TMPDIR": folder}
        if job["compile"] and _compile(job["compile"], environment):
            os.write(RESULT, b'{"rejected":""}\n')
            os._exit(0)
        if job["forkable"]:
            os.close(CONTROL)
            _run_warm(site.main, job, environment)
        os.execve(job["command"][0], job["command"], environment)
    except BaseException as error:
        wire.send(CONTROL, {"trouble": f"{type(error).__name__}: {error}"})
    os._exit(70)


def _become(user: int | None) -> None:
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)


def new_user(processes: int, others: int = 0) -> None:
    """A namespace of users in which this process is an ordinary user, with every capability until it drops them.

    ``others`` are more namespaces, which then belong to it.
    """
    user, group = os.geteuid(), os.getegid()
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # else its own map is not its own to write
    kernel.unshare(kernel.NEWUSER | others)
    maps = {"setgroups": "deny", "uid_map": f"1000 {user} 1", "gid_map": f"1000 {group} 1"}
    for name, text in maps.items():
        descriptor = os.open(f"self/{name}", os.O_WRONLY, dir_fd=processes)
        os.write(descriptor, text.encode())
        os.close(descriptor)


def _lay_out(job: dict[str, Any]) -> None:
    contents = {name: text.encode("utf-8", "surrogatepass") for name, text in job["files"].items()}
    contents |= {name: base64.b64decode(text) for name, text in job["binaries"].items()}
    for name, content in contents.items():
        if "/" in name:
            os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "wb") as file:
            file.write(content)


def _confine(site: Site, folder: str) -> None:
    spaces = "namespaces" in site.layers
    # 1 is no dump for files and for pipes alike; 0 would start the program that a kernel pipes dumps into.
    resource.setrlimit(resource.RLIMIT_CORE, (1, 1))
    kernel.prctl(kernel.PR_SET_THP_DISABLE, 1)
    kernel.drop_capabilities()
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    if site.rules is not None:
        if not spaces:  # where the folders of others lie beside this one
            place = os.open(folder, os.O_PATH | os.O_DIRECTORY)
            landlock.restrict(landlock.rules([*site.readable], [place, *site.writable]))
        landlock.restrict(site.rules)
    if "seccomp" in site.layers:
        scoped = "landlock" in site.layers and landlock.version() >= landlock.SCOPED
        forks = spaces or os.getuid() != 0  # the kernel does not count the processes of root
        seccomp.restrict(site.refused or seccomp.program(os.getpid(), signals=not scoped, forks=forks))


def _limit(site: Site, job: dict[str, Any], counted: int) -> None:
    idle = site.idle_bytes if job["forkable"] else job["idle_mb"] * MIB
    limits = {
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_FSIZE: job["file_mb"] * MIB,
        resource.RLIMIT_NPROC: counted + job["processes"],
        resource.RLIMIT_AS: idle + job["memory_mb"] * MIB,
    }
    if job["cpu_s"]:
        limits[resource.RLIMIT_CPU] = job["cpu_s"]
    for kind, value in limits.items():
        hard = resource.getrlimit(kind)[1]
        allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (allowed, allowed))


def _compile(command: list[str], environment: dict[str, str]) -> int:
    child = os.fork()
    if child == 0:
        os.execve(command[0], command, environment)
    return os.waitpid(child, 0)[1]


def _run_warm(main: Callable[[dict[str, str]], None], job: dict[str, Any], environment: dict[str, str]) -> NoReturn:
    # One by one, and only what differs: what is touched here is copied in every fork.
    for name in [name for name in os.environ if name not in environment]:
        del os.environ[name]
    for name, text in environment.items():
        if os.environ.get(name) != text:
            os.environ[name] = text
    sys.argv = [job["forkable"]]
    main(job["files"])
    os._exit(0)
