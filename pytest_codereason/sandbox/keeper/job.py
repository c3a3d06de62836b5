"""One job: a process that isolates itself, layer by layer, and then becomes the program."""

from __future__ import annotations

import base64
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from . import kernel, landlock, seccomp, wire

#: Descriptors of a job: the program writes its result to one; the job reports to the other until the program starts.
RESULT, CONTROL = 3, 4
#: The file of the text before a result. No variable holds it, because a program in this process sees them all.
_SEAL = "seal"
MIB = 1 << 20
#: Space in a job's folder, on top of the limit for one file.
ROOM_MB = 16
#: The most files in a job's folder. Empty files count too, because they take memory that no other limit counts.
MOST_FILES = 20_000

#: How much of what a compiler prints is the message of a rejected program, in bytes.
MOST_COMPLAINED = 20_000

#: The most signals and timers that wait for all processes of the user. The kernel counts them for each user, so a job
#: without this limit could take those of other programs.
MOST_SIGNALS = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The settings that all jobs of a keeper share."""

    layers: frozenset[str]
    folder: str  #: without namespaces, each job gets a folder in this one
    proc: int  #: descriptor of /proc
    readable: tuple[int, ...]  #: descriptors of files and folders that jobs may read
    writable: tuple[int, ...]  #: descriptors of devices
    rules: int | None  #: the Landlock rules that all jobs share
    refused: bytes  #: the filter of system calls, if all jobs share one
    user: int | None  #: the user of the jobs, ``None`` for the keeper's own
    socket_bytes: int  #: what a socket of a job counts for
    idle_bytes: int  #: address space of the warm interpreter
    main: Callable[[dict[str, str]], None] | None  #: the entry of a harness that runs in a fork of the keeper


def begin(setup: Setup, control: int, streams: list[int], folder: str, user: int | None, counted: int = 0) -> NoReturn:
    """Reads a job from ``control`` and runs it in this process. Does not return.

    Args:
        setup: the settings of all jobs.
        control: the descriptor from which the job is read.
        streams: descriptors of standard input, output and error, and the one for the result.
        folder: the job's working folder. In namespaces it is a file system of its own.
        user: the job's user, ``None`` for the present one.
        counted: how many processes the kernel already counts against the job's limit.
    """
    try:
        for target, descriptor in enumerate((*streams, control)):
            os.dup2(descriptor, target, inheritable=target != CONTROL)
        job = wire.receive(CONTROL)
        os.setsid()
        _switch_user(user)
        if "namespaces" in setup.layers:
            # If a filter refuses semaphores and shared memory, the keeper's own IPC namespace stays empty.
            enter_user_namespace(setup.proc, kernel.NEWNS | (0 if setup.refused else kernel.NEWIPC))
            file_mb = max(job["file_mb"], job["compiling"]["file_mb"] if job["compile"] else 0)
            kernel.mount_memory(folder, f"size={file_mb + ROOM_MB}m,nr_inodes={MOST_FILES},mode=0700")
        os.chdir(folder)
        if not job["forkable"]:
            _write_files(job)
        _confine(setup, folder)
        kernel.close_from(CONTROL + 1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        environment = {**job["environment"], "HOME": folder, "TMPDIR": folder}
        if job["compile"]:
            _compile(setup, job, environment, counted)
        environment["CODEREASON_RESULT"] = str(RESULT)
        _set_limits(setup, job, counted)
        if setup.main:
            os.close(CONTROL)
            _run_warm(setup.main, job, environment)
        os.execve(job["command"][0], job["command"], environment)
    except BaseException as error:
        wire.send(CONTROL, {"trouble": f"{type(error).__name__}: {error}"})
    os._exit(70)


def _switch_user(user: int | None) -> None:
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)


def can_become(user: int) -> bool:
    """Whether a job can become this user. In a namespace of users that holds only root, nobody can."""
    child = os.fork()
    if child == 0:
        try:
            _switch_user(user)
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def enter_user_namespace(proc: int, others: int = 0) -> None:
    """Moves this process into a new namespace of users, as an ordinary user with every capability until it drops them.

    ``others`` are flags of more namespaces. They belong to the new namespace of users.
    """
    user, group = os.geteuid(), os.getegid()
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # else the process may not write its own maps
    kernel.unshare(kernel.NEWUSER | others)
    maps = {"setgroups": "deny", "uid_map": f"1000 {user} 1", "gid_map": f"1000 {group} 1"}
    for name, text in maps.items():
        descriptor = os.open(f"self/{name}", os.O_WRONLY, dir_fd=proc)
        os.write(descriptor, text.encode())
        os.close(descriptor)


def _write_files(job: dict[str, Any]) -> None:
    contents = {name: text.encode("utf-8", "surrogatepass") for name, text in job["files"].items()}
    contents |= {name: base64.b64decode(text) for name, text in job["binaries"].items()}
    for name, content in contents.items():
        if "/" in name:
            os.makedirs(os.path.dirname(name), exist_ok=True)
        if name != _SEAL or not job["compile"]:  # a compiler may lay any file of the folder into the program
            _write_file(name, content)


def _write_file(name: str, content: bytes) -> None:
    with open(name, "wb") as file:
        file.write(content)


def _confine(setup: Setup, folder: str) -> None:
    spaces = "namespaces" in setup.layers
    # With 1 no core dump is made. With 0 a kernel that pipes core dumps into a program would start that program.
    resource.setrlimit(resource.RLIMIT_CORE, (1, 1))
    kernel.prctl(kernel.PR_SET_THP_DISABLE, 1)
    kernel.drop_capabilities()
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    if setup.rules is not None:
        if not spaces:  # the folders of other jobs lie beside this one
            place = os.open(folder, os.O_PATH | os.O_DIRECTORY)
            landlock.restrict(landlock.make_rules([*setup.readable], [place, *setup.writable]))
        landlock.restrict(setup.rules)
    if "seccomp" in setup.layers:
        scoped = "landlock" in setup.layers and landlock.read_version() >= landlock.SCOPED
        forks = spaces or os.getuid() != 0  # the kernel does not count the processes of root
        seccomp.restrict(setup.refused or seccomp.build_filter(os.getpid(), signals=not scoped, forks=forks))


def _set_limits(setup: Setup, job: dict[str, Any], counted: int) -> None:
    idle = setup.idle_bytes if job["forkable"] else job["idle_mb"] * MIB
    limits = {
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_NICE: 0,
        resource.RLIMIT_RTPRIO: 0,
        resource.RLIMIT_SIGPENDING: MOST_SIGNALS,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_FSIZE: job["file_mb"] * MIB,
        resource.RLIMIT_NPROC: counted + job["processes"],
        resource.RLIMIT_AS: idle + job["memory_mb"] * MIB,
    }
    for kind, value in limits.items():
        _set_limit(kind, value, value)
    if job["cpu_s"]:
        # The signal at the soft limit says why the job ended. The first process of a namespace does not get it, and a
        # job may ignore it: these are killed a second later. Then only the processor time tells, of which the kernel
        # may report less than it had counted for the limit.
        _set_limit(resource.RLIMIT_CPU, job["cpu_s"], job["cpu_s"] + 1)


def _set_limit(kind: int, soft: int, hard: int) -> None:
    most = resource.getrlimit(kind)[1]
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.setrlimit(kind, (soft, hard))


def _compile(setup: Setup, job: dict[str, Any], environment: dict[str, str], counted: int) -> None:
    """Runs the compiler with limits and streams of its own. If it fails, its words are the result, and the job ends."""
    started, log = time.monotonic(), os.open("compile.log", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    os.unlink("compile.log")
    child = os.fork()
    if child == 0:
        read, write = os.pipe()
        for target, descriptor in enumerate((read, log, log)):
            os.dup2(descriptor, target)
        os.close(write)  # an empty input
        os.set_inheritable(RESULT, False)
        _set_limits(setup, {**job, **job["compiling"]}, counted)
        os.execve(job["compile"][0], job["compile"], environment)
    status = os.waitpid(child, 0)[1]
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    times = {"wall": time.monotonic() - started, "cpu": used.ru_utime + used.ru_stime}
    wire.send(CONTROL, {"compiled": times})
    if status:
        os.lseek(log, 0, os.SEEK_SET)
        complaint = os.read(log, MOST_COMPLAINED).decode("utf-8", "backslashreplace").strip()
        ending = f"the compiler ends with signal {status & 127}" if status & 127 else "the compiler says nothing"
        line = json.dumps({"rejected": complaint or ending})
        os.write(RESULT, f"{job['files'].get(_SEAL, '')}{line}\n".encode())
        os._exit(0)
    os.close(log)
    if _SEAL in job["files"]:
        _write_file(_SEAL, job["files"][_SEAL].encode())


def _run_warm(main: Callable[[dict[str, str]], None], job: dict[str, Any], environment: dict[str, str]) -> NoReturn:
    # Only variables that differ are set: every page of memory that is written here is copied in every fork.
    for name in [name for name in os.environ if name not in environment]:
        del os.environ[name]
    for name, text in environment.items():
        if os.environ.get(name) != text:
            os.environ[name] = text
    sys.argv = [job["forkable"]]
    main(job["files"])
    os._exit(0)
