"""Finds an interpreter, and the files that it needs to read."""

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

#: The folders of the system's programs and libraries. No user keeps files of their own there.
SYSTEM = (
    *("/bin", "/lib", "/lib32", "/lib64", "/nix/store", "/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64"),
    *("/usr/libexec", "/usr/share", "/usr/local/bin", "/usr/local/lib", "/usr/local/lib64"),
    *("/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime"),
)
#: The Python that runs the keepers and Python programs: the one that runs pytest, outside its virtual environment.
PYTHON = os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)

#: How many seconds an interpreter may take to print its version, and how many bytes it may print on each stream.
PATIENCE, MOST_PRINTED = 20.0, 1 << 16
_VERSION = re.compile(rb"(?<![\d.])\d{1,9}(?:\.\d{1,9}){1,9}")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An installed interpreter, and the paths that it reads."""

    path: str
    readable: tuple[str, ...]

    @property
    def hidden(self) -> tuple[str, ...]:
        """Folders among the readable paths that no program may read: packages, this project, the user's home."""
        folders = [p for r in self.readable for p in (f"{r}/site-packages", f"{r}/dist-packages")]
        folders += [*glob.glob("/usr/lib/python3*/*-packages"), *glob.glob("/usr/local/lib/python3*/*-packages")]
        # Path.home fails for a user without an entry in the system's list of users.
        private = [os.path.realpath(p) for p in (".", Path(__file__).parents[2], os.path.expanduser("~"))]
        folders += [p for p in private if any(p.startswith(f"{r}/") for r in self.readable)]
        return tuple(dict.fromkeys(p for p in folders if os.path.isdir(p)))

    def is_open_to_all(self, *, reached: bool) -> bool:
        """Whether every user may run the interpreter. With ``reached`` the folders above it are not checked."""
        above = [] if reached else [str(p) for p in Path(self.path).parents]
        return all(os.stat(p).st_mode & 0o5 == 0o5 for p in (self.path, *above))


def find(harness: Harness) -> Interpreter:
    """The interpreter of a harness.

    Raises:
        MissingInterpreter: the interpreter is not installed, is too old, or prints no version.
    """
    probe = _probe(harness)
    if isinstance(probe, str):
        raise MissingInterpreter(f"{probe}: install {harness.package}")
    interpreter, version = probe
    if version < harness.minimum:
        have, want = (".".join(map(str, v)) for v in (version, harness.minimum))
        raise MissingInterpreter(
            f"{interpreter.path} is version {have}, which is too old: install {harness.package} {want} or later"
        )
    return Interpreter(interpreter.path, (*interpreter.readable, *harness.readable))


def find_version(harness: Harness) -> str:
    """The version of the interpreter of a harness, ``20.11.1``; empty if there is none. It is asked once."""
    probe = _probe(harness)
    return "" if isinstance(probe, str) else ".".join(map(str, probe[1]))


def _probe(harness: Harness) -> tuple[Interpreter, tuple[int, ...]] | str:
    if harness.own:
        return _find_own_python()
    return _probe_interpreter(harness.interpreter, harness.version, os.environ.get("PATH", ""))


@cache
def _find_own_python() -> tuple[Interpreter, tuple[int, ...]]:
    paths = sysconfig.get_paths()
    libraries = glob.glob(f"{sysconfig.get_config_var('LIBDIR')}/libpython*")
    own = dict.fromkeys([PYTHON, paths["stdlib"], paths["platstdlib"], *libraries])
    return Interpreter(PYTHON, (*own, *_list_system_paths())), sys.version_info[:3]


@cache
def _probe_interpreter(command: str, asked: tuple[str, ...], path: str) -> tuple[Interpreter, tuple[int, ...]] | str:
    """The interpreter and its version, or the reason why it cannot be used."""
    executable = shutil.which(command, path=path)
    if executable is None:
        return f"{command} is not installed"
    try:
        status, output = _capture_output([executable, *asked])
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{executable} does not start ({error})"
    version = _VERSION.search(output)
    if status or not version:
        return f"{executable} is no {command}: it prints no version"
    return _make_interpreter(executable), tuple(int(n) for n in version[0].split(b"."))


def _capture_output(command: list[str]) -> tuple[int, bytes]:
    """The exit status and the output of a command, its errors last. A command that prints too much is killed.

    Raises:
        OSError: the command cannot be started.
        subprocess.TimeoutExpired: the command does not end.
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
            parts[selector.register(stream, selectors.EVENT_READ).fd] = b""  # type: ignore[arg-type]  # both are pipes
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


def _make_interpreter(executable: str) -> Interpreter:
    real = Path(os.path.realpath(executable))
    prefix = real.parent.parent
    around = [str(prefix / name) for name in ("bin", "lib", "lib64", "libexec", "conf") if real.parent.name == "bin"]
    readable = dict.fromkeys([str(real), *(p for p in around if os.path.isdir(p)), *_list_system_paths()])
    return Interpreter(str(real), tuple(readable))


@cache
def _list_system_paths() -> tuple[str, ...]:
    return tuple(p for p in (*SYSTEM, *glob.glob("/etc/java*"), *glob.glob("/etc/php*")) if os.path.exists(p))
