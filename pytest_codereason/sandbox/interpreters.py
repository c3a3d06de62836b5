"""Finding an interpreter, and what it needs to read."""

from __future__ import annotations

import glob
import os
import re
import selectors
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_codereason.errors import MissingInterpreter

if TYPE_CHECKING:
    from pytest_codereason.core.execution import Harness

#: Where programs and libraries of the system lie; nothing here is anybody's own.
SYSTEM = (
    *("/bin", "/lib", "/lib32", "/lib64", "/nix/store", "/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64"),
    *("/usr/libexec", "/usr/share", "/usr/local/bin", "/usr/local/lib", "/usr/local/lib64"),
    *("/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime"),
)
#: The Python that runs programs of Python, and the keepers: the one that runs pytest, outside its virtual environment.
PYTHON = os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)

#: Seconds that an interpreter has to print its version, and bytes that it may print on each stream.
PATIENCE, MOST_PRINTED = 20.0, 1 << 16
_VERSION = re.compile(rb"(?<![\d.])\d{1,9}(?:\.\d{1,9}){1,9}")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter that was found, and the paths that it reads."""

    path: str
    readable: tuple[str, ...]

    @property
    def hidden(self) -> tuple[str, ...]:
        """What lies among the readable paths and is not for a program: packages, this project, the user's home."""
        found = [p for r in self.readable for p in (f"{r}/site-packages", f"{r}/dist-packages")]
        found += [*glob.glob("/usr/lib/python3*/*-packages"), *glob.glob("/usr/local/lib/python3*/*-packages")]
        # Not Path.home, which fails for a user whom the machine does not know.
        own = [os.path.realpath(p) for p in (".", Path(__file__).parents[2], os.path.expanduser("~"))]
        found += [p for p in own if any(p.startswith(f"{r}/") for r in self.readable)]
        return tuple(dict.fromkeys(p for p in found if os.path.isdir(p)))

    def open_to_all(self, *, reached: bool) -> bool:
        """Whether another user could run it; ``reached`` says that the folders above it do not count."""
        above = [] if reached else [str(p) for p in Path(self.path).parents]
        return all(os.stat(p).st_mode & 0o5 == 0o5 for p in (self.path, *above))


def find(harness: Harness) -> Interpreter:
    """The interpreter of a harness.

    Raises:
        MissingInterpreter: it is not installed, too old, or prints no version.
    """
    found = _python() if harness.own else _checked(harness.interpreter, os.environ.get("PATH", ""))
    if isinstance(found, str):
        raise MissingInterpreter(f"{found}: install {harness.package}")
    interpreter, version = found
    if version < harness.minimum:
        have, want = (".".join(map(str, v)) for v in (version, harness.minimum))
        raise MissingInterpreter(
            f"{interpreter.path} is version {have}, which is too old: install {harness.package} {want} or later"
        )
    return Interpreter(interpreter.path, (*interpreter.readable, *harness.readable))


@cache
def _python() -> tuple[Interpreter, tuple[int, ...]]:
    paths = sysconfig.get_paths()
    libraries = glob.glob(f"{sysconfig.get_config_var('LIBDIR')}/libpython*")
    own = dict.fromkeys([PYTHON, paths["stdlib"], paths["platstdlib"], *libraries])
    return Interpreter(PYTHON, (*own, *_system())), sys.version_info[:3]


@cache
def _checked(command: str, path: str) -> tuple[Interpreter, tuple[int, ...]] | str:
    """The interpreter and its version, or what is wrong with it."""
    found = shutil.which(command, path=path)
    if found is None:
        return f"{command} is not installed"
    try:
        status, printed = _printed([found, "--version"])
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{found} does not start ({error})"
    version = _VERSION.search(printed)
    if status or not version:
        return f"{found} is no {command}: it prints no version"
    return _located(found), tuple(int(n) for n in version[0].split(b"."))


def _printed(command: list[str]) -> tuple[int, bytes]:
    """The status of a command and what it printed, its errors last; it is killed where it prints without end.

    Raises:
        OSError: it cannot be started.
        subprocess.TimeoutExpired: it does not end.
    """
    until, pipe = time.monotonic() + PATIENCE, subprocess.PIPE
    with (
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, start_new_session=True
        ) as process,
        selectors.DefaultSelector() as selector,
    ):
        parts: dict[int, bytes] = {}
        for stream in (process.stdout, process.stderr):
            parts[selector.register(stream, selectors.EVENT_READ).fd] = b""  # type: ignore[arg-type]
        try:
            while selector.get_map() and max(map(len, parts.values())) < MOST_PRINTED:
                ready = selector.select(max(0.0, until - time.monotonic()))
                if not ready:
                    raise subprocess.TimeoutExpired(command, PATIENCE)
                for key, _ in ready:
                    if part := os.read(key.fd, MOST_PRINTED):
                        parts[key.fd] += part
                    else:
                        selector.unregister(key.fileobj)
            if not selector.get_map():
                process.wait(max(0.0, until - time.monotonic()))
        finally:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, b"".join(parts.values())


def _located(found: str) -> Interpreter:
    real = Path(os.path.realpath(found))
    prefix = real.parent.parent
    around = [str(prefix / name) for name in ("bin", "lib", "lib64", "libexec", "conf") if real.parent.name == "bin"]
    readable = dict.fromkeys([str(real), *(p for p in around if os.path.isdir(p)), *_system()])
    return Interpreter(str(real), tuple(readable))


@cache
def _system() -> tuple[str, ...]:
    return tuple(p for p in (*SYSTEM, *glob.glob("/etc/java*"), *glob.glob("/etc/php*")) if os.path.exists(p))
