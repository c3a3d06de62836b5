"""This side of a keeper: starts it, hands it jobs, follows each job to its end."""

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
from typing import TYPE_CHECKING, Any

from pytest_codereason.errors import SandboxError
from pytest_codereason.sandbox.interpreters import PYTHON
from pytest_codereason.sandbox.keeper import wire

if TYPE_CHECKING:
    from pytest_codereason.core.execution import Limit, Limits
    from pytest_codereason.sandbox.interpreters import Interpreter

#: All that a job sees of the environment, besides its folder and what its language adds.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"}
#: Nobody: whom jobs run as where pytest runs as root.
NOBODY = 65534
#: Seconds that a keeper has to start, and to end a job that is to be killed.
PATIENCE = 30.0
_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); from keeper.main import start; "
    "del sys.path[0]; start(int(sys.argv[2]))"
)


class Lost(SandboxError):
    """The keeper died under a job."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a job ended, before anybody reads what it says."""

    stdout: bytes
    stderr: bytes
    result: bytes
    limit: Limit  #: where this side stopped it
    status: int  #: as ``os.wait`` has it
    cpu_s: float
    wall_s: float
    peak_mb: float
    left: bool  #: whether something still holds its streams


def _open_folder() -> str | None:
    """A folder for temporary files that every user reaches; ``None`` where there is none but the usual one."""
    for folder in (Path(tempfile.gettempdir()), Path("/tmp"), Path("/var/tmp")):
        if folder.is_dir() and all(p.stat().st_mode & 0o1 for p in (folder, *folder.parents)):
            return str(folder)
    return None


class Keeper:
    """The process that forks jobs of one interpreter, in one set of layers.

    Raises:
        SandboxError: it does not start, or a layer cannot be had.
    """

    def __init__(self, interpreter: Interpreter, layers: tuple[str, ...], warm: str = "") -> None:
        nobody = os.geteuid() == 0 and interpreter.open_to_all(reached="namespaces" in layers)
        open_to = _open_folder() if nobody and "namespaces" not in layers else None
        self.folder = tempfile.TemporaryDirectory(prefix="codereason-", dir=open_to)
        os.chmod(self.folder.name, 0o711)
        mine, its = socket.socketpair()
        self.channel = mine
        self.closed = False
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
        if "namespaces" in layers:  # it has entered the root it built there, and this process may be killed
            self.folder.cleanup()

    def close(self) -> None:
        """Ends it, and with it all its jobs."""
        with self._closing:
            if self.closed:
                return
            self.closed = True
        with contextlib.suppress(OSError):
            self.channel.shutdown(socket.SHUT_RDWR)  # also where a forked process holds it open
        self.channel.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        with contextlib.suppress(OSError, RecursionError):
            self.folder.cleanup()

    def run(self, job: dict[str, Any], stdin: str, limits: Limits) -> Ended:
        """Runs one job and waits for its end.

        Raises:
            Lost: the keeper died meanwhile.
            SandboxError: the job could not be started.
        """
        with contextlib.ExitStack() as stack:
            read, write = zip(*(os.pipe() for _ in range(3)), strict=True)
            for descriptor in read:
                stack.callback(os.close, descriptor)
            control = stack.enter_context(self.begin(job, (_filled(stdin), *write)))
            return _Follower(control, read, limits).end()

    def begin(self, job: dict[str, Any], streams: tuple[int, ...]) -> socket.socket:
        """Hands a job over; closes ``streams`` here. What comes back tells of its end, and closing it kills the job."""
        mine, its = socket.socketpair()
        try:
            socket.send_fds(self.channel, [b"j"], [its.fileno(), *streams])
            wire.send(mine.fileno(), job)
        except OSError as error:
            mine.close()
            raise Lost(f"the sandbox ended ({error})") from None
        finally:
            its.close()
            for descriptor in streams:
                os.close(descriptor)
        return mine


def _filled(text: str) -> int:
    """A descriptor from which ``text`` is read."""
    if not text:
        return os.open(os.devnull, os.O_RDONLY)
    descriptor = os.memfd_create("stdin", 0)
    with open(descriptor, "wb", closefd=False) as file:
        file.write(text.encode("utf-8", "surrogatepass"))
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


class _Follower:
    """Reads a job's streams until it has ended, and has it killed where it takes too much."""

    def __init__(self, control: socket.socket, read: tuple[int, ...], limits: Limits) -> None:
        self.control = control
        self.limit: Limit = ""
        self.deadline = time.monotonic() + limits.wall_s
        out, err, result = read
        self.caps: dict[int, tuple[int, Limit]] = {
            out: (limits.output_bytes, "output"),
            err: (limits.output_bytes, "output"),
            result: (limits.result_bytes, "result"),
        }
        self.open = set(read)
        self.parts = {descriptor: bytearray() for descriptor in read}

    def end(self) -> Ended:
        poll = select.poll()
        for descriptor in (self.control.fileno(), *self.caps):
            poll.register(descriptor, select.POLLIN)
        report = self._until_report(poll)
        if "trouble" in report:
            raise SandboxError(f"the sandbox could not start a job: {report['trouble']}")
        poll.unregister(self.control)
        while ready := poll.poll(0):  # what it wrote last
            for descriptor, _ in ready:
                self._read(poll, descriptor)
        out, err, result = (bytes(part) for part in self.parts.values())
        return Ended(
            stdout=out,
            stderr=err,
            result=result,
            limit=self.limit,
            status=report["status"],
            cpu_s=report["cpu"],
            wall_s=report["wall"],
            peak_mb=report["peak"],
            left=bool(self.open),
        )

    def _until_report(self, poll: select.poll) -> dict[str, Any]:
        while True:
            for descriptor, _ in poll.poll(max(0.0, self.deadline - time.monotonic()) * 1000):
                if descriptor == self.control.fileno():
                    try:
                        return wire.receive(descriptor)
                    except (EOFError, OSError):
                        raise Lost("the sandbox ended under a job") from None
                self._read(poll, descriptor)
            if time.monotonic() >= self.deadline:
                if self.limit:
                    raise Lost("the sandbox does not end a job that is to be killed")
                self._kill("time")

    def _kill(self, limit: Limit) -> None:
        if not self.limit:
            self.limit = limit
            self.deadline = time.monotonic() + PATIENCE
            with contextlib.suppress(OSError):
                self.control.shutdown(socket.SHUT_WR)

    def _read(self, poll: select.poll, descriptor: int) -> None:
        part = os.read(descriptor, 1 << 16)
        cap, limit = self.caps[descriptor]
        held = self.parts[descriptor]
        held += part
        if not part or len(held) > cap:
            poll.unregister(descriptor)
            self.open.discard(descriptor)
        if len(held) > cap:
            del held[cap:]
            self._kill(limit)


def signal_name(number: int) -> str:
    """``SIGSEGV`` for 11."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
