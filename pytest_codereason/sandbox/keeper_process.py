"""Starts keepers, hands them jobs, and follows each job to its end."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NotRequired, TypedDict

from pytest_codereason.errors import SandboxError
from pytest_codereason.sandbox.interpreters import PYTHON
from pytest_codereason.sandbox.keeper import wire

if TYPE_CHECKING:
    from pytest_codereason.core.execution import Limit, Limits
    from pytest_codereason.sandbox.interpreters import Interpreter

#: The environment variables of a job. Its folder and the variables of its language are added.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"}
#: The user ``nobody``. If pytest runs as root, jobs run as this user.
NOBODY = 65534
#: How many seconds a keeper may take to start, and to kill a job.
PATIENCE = 30.0
_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); from keeper.main import start; "
    "del sys.path[0]; start(int(sys.argv[2]))"
)


class KeeperDied(SandboxError):
    """The keeper died while it ran a job."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobEnd:
    """How a job ended, with its output as raw bytes."""

    stdout: bytes
    stderr: bytes
    result: bytes
    limit: Limit  #: the limit at which this process or the keeper stopped the job
    status: int  #: as ``os.wait`` gives it
    cpu_s: float
    wall_s: float
    peak_mb: float
    left: bool  #: whether a process still has the job's streams open
    compile_s: float = 0.0  #: seconds that a compiler took before; no part of the other times
    compiling: bool = False  #: whether the compiler had not ended


def _find_open_folder() -> str | None:
    """A folder for temporary files that every user can reach, ``None`` if there is none."""
    for folder in (Path(tempfile.gettempdir()), Path("/tmp"), Path("/var/tmp")):
        if folder.is_dir() and all(p.stat().st_mode & 0o1 for p in (folder, *folder.parents)):
            return str(folder)
    return None


class Keeper:
    """The process that forks jobs of one interpreter, with one set of layers.

    Raises:
        SandboxError: the keeper does not start, or the machine does not offer a layer.
    """

    def __init__(self, interpreter: Interpreter, layers: tuple[str, ...], warm: str = "") -> None:
        nobody = os.geteuid() == 0 and interpreter.is_open_to_all(reached="namespaces" in layers)
        open_to = _find_open_folder() if nobody and "namespaces" not in layers else None
        self.folder = tempfile.TemporaryDirectory(prefix="codereason-", dir=open_to)
        os.chmod(self.folder.name, 0o711)
        mine, its = socket.socketpair()
        self.channel = mine
        self.closed = False
        self.died = False  #: whether it ended before anybody closed it
        self._closing = threading.Lock()
        command = [PYTHON, "-s", "-S", "-P", "-B", "-X", "utf8", "-c", _START, str(Path(__file__).parent)]
        with its:
            self.process = subprocess.Popen(
                [*command, str(its.fileno())],
                pass_fds=[its.fileno()],
                env={**ENVIRONMENT, "PYTHONHASHSEED": "0"},
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        settings = {
            "layers": layers,
            "readable": interpreter.readable,
            "hidden": interpreter.hidden,
            "folder": self.folder.name,
            "user": NOBODY if nobody else None,
            "warm": warm,
        }
        try:
            mine.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", int(PATIENCE), 0))
            wire.send(mine.fileno(), settings)
            answer = wire.receive(mine.fileno())
        except (EOFError, OSError) as error:
            answer = {"trouble": f"it ended while starting ({type(error).__name__})"}
        if "trouble" in answer:
            self.close()
            raise SandboxError(f"the sandbox does not start: {answer['trouble']}")
        if "namespaces" in layers:  # the keeper has entered the root that it built on the folder
            self.folder.cleanup()

    @property
    def ended(self) -> bool:
        """Whether it runs no further job."""
        return self.closed or self.process.poll() is not None

    def _bury(self) -> None:
        """Closes a keeper that has died, so that the sandbox starts another one."""
        if not self.closed:  # else the sandbox closed it, or a thread that ran another job has come here before
            self.died = True
        self.close()

    def close(self) -> None:
        """Ends the keeper and all its jobs."""
        with self._closing:
            if self.closed:
                return
            self.closed = True
        with contextlib.suppress(OSError):
            self.channel.shutdown(socket.SHUT_RDWR)  # works even if a forked process has the channel open
        self.channel.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        with contextlib.suppress(OSError, RecursionError):
            self.folder.cleanup()

    def run(self, job: dict[str, object], stdin: str, limits: Limits, compiling: Limits | None = None) -> JobEnd:
        """Runs one job and waits for its end. ``compiling`` has the limits of its compiler, if it has one.

        Raises:
            KeeperDied: the keeper died before the job ended.
            SandboxError: the job could not be started.
        """
        with contextlib.ExitStack() as stack:
            read, write = zip(*(os.pipe() for _ in range(3)), strict=True)
            for descriptor in read:
                stack.callback(os.close, descriptor)
            memory_mb = max(limits.memory_mb, compiling.memory_mb) if compiling else limits.memory_mb
            control = stack.enter_context(self.begin(job, (_open_stdin(stdin), *write), memory_mb))
            try:
                return _Follower(control, read, limits, compiling).end()
            except KeeperDied:
                self._bury()
                raise

    def begin(self, job: dict[str, object], streams: tuple[int, ...], memory_mb: int = 0) -> socket.socket:
        """Hands a job to the keeper and closes ``streams`` in this process.

        If ``memory_mb`` is given, the keeper kills the job once its processes hold more than that together.

        The keeper reports the job's end through the returned socket. Closing the socket kills the job.
        """
        mine, its = socket.socketpair()
        try:
            socket.send_fds(self.channel, [wire.MEMORY.pack(memory_mb)], [its.fileno(), *streams])
            wire.send(mine.fileno(), job)
        except OSError as error:
            mine.close()
            self._bury()
            raise KeeperDied(f"the sandbox ended ({error})") from None
        finally:
            its.close()
            for descriptor in streams:
                os.close(descriptor)
        return mine


def _open_stdin(text: str) -> int:
    """A descriptor from which a job reads ``text``."""
    if not text:
        return os.open(os.devnull, os.O_RDONLY)
    descriptor = os.memfd_create("stdin", 0)
    with open(descriptor, "wb", closefd=False) as file:
        file.write(text.encode("utf-8", "surrogatepass"))
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


class _Compiled(TypedDict):
    """How long a compiler took."""

    cpu: float
    wall: float


class _Report(TypedDict):
    """What the keeper says of a job that has ended; of one that could not begin, its trouble alone."""

    limit: Limit
    status: int
    cpu: float
    wall: float
    peak: float
    trouble: NotRequired[str]


class _Follower:
    """Reads a job's streams until the job ends. Has the job killed at a limit."""

    def __init__(self, control: socket.socket, read: tuple[int, ...], limits: Limits, compiling: Limits | None) -> None:
        self.control = control
        self.limit: Limit = ""
        self.wall_s = limits.wall_s
        self.compiling = compiling is not None
        self.compiled: _Compiled = {"cpu": 0.0, "wall": 0.0}
        self.deadline = time.monotonic() + (compiling or limits).wall_s
        out, err, result = read
        self.caps: dict[int, tuple[int, Limit]] = {
            out: (limits.output_bytes, "output"),
            err: (limits.output_bytes, "output"),
            result: (limits.result_bytes, "result"),
        }
        self.open = set(read)
        self.parts = {descriptor: bytearray() for descriptor in read}

    def end(self) -> JobEnd:
        poll = select.poll()
        for descriptor in (self.control.fileno(), *self.caps):
            poll.register(descriptor, select.POLLIN)
        report = self._read_until_report(poll)
        if "trouble" in report:
            raise SandboxError(f"the sandbox could not start a job: {report['trouble']}")
        poll.unregister(self.control)
        while ready := poll.poll(0):  # output that the job wrote just before its end
            for descriptor, _ in ready:
                self._read(poll, descriptor)
        out, err, result = (bytes(part) for part in self.parts.values())
        return JobEnd(
            stdout=out,
            stderr=err,
            result=result,
            limit=self.limit or report["limit"],
            status=report["status"],
            cpu_s=max(0.0, report["cpu"] - self.compiled["cpu"]),
            wall_s=max(0.0, report["wall"] - self.compiled["wall"]),
            peak_mb=report["peak"],
            left=bool(self.open),
            compile_s=report["wall"] if self.compiling else self.compiled["wall"],
            compiling=self.compiling,
        )

    def _read_until_report(self, poll: select.poll) -> _Report:
        while True:
            for descriptor, _ in poll.poll(max(0.0, self.deadline - time.monotonic()) * 1000):
                if descriptor == self.control.fileno():
                    try:
                        message = wire.receive(descriptor)
                    except (EOFError, OSError):
                        raise KeeperDied("the sandbox ended while a job was running") from None
                    if "compiled" not in message:
                        report: _Report = message
                        return report
                    self._begin_program(message["compiled"])
                    continue
                self._read(poll, descriptor)
            if time.monotonic() >= self.deadline:
                if self.limit:
                    raise KeeperDied("the sandbox could not kill a job")
                self._kill("time")

    def _begin_program(self, compiled: _Compiled) -> None:
        """Gives the program its time, once the compiler has ended."""
        self.compiled, self.compiling = compiled, False
        if not self.limit:
            self.deadline = time.monotonic() + self.wall_s

    def _kill(self, limit: Limit) -> None:
        if not self.limit:
            self.limit = limit
            self.deadline = time.monotonic() + PATIENCE
            with contextlib.suppress(OSError):
                self.control.shutdown(socket.SHUT_WR)

    def _read(self, poll: select.poll, descriptor: int) -> None:
        part = os.read(descriptor, 1 << 16)
        cap, limit = self.caps[descriptor]
        content = self.parts[descriptor]
        content += part
        if not part or len(content) > cap:
            poll.unregister(descriptor)
            self.open.discard(descriptor)
        if len(content) > cap:
            del content[cap:]
            self._kill(limit)


def name_signal(number: int) -> str:
    """``SIGSEGV`` for 11."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
