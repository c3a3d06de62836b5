"""A warm compiler: one long job that compiles many programs, one after another."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import socket
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypedDict

from pytest_codereason.errors import MissingInterpreter, SandboxError

if TYPE_CHECKING:
    from pytest_codereason.core.execution import Harness

#: The longest that the compiler may take over one program, in seconds.
PATIENCE = 30.0
#: The longest answer that is read, in bytes.
LONGEST = 16 << 20


class Compiled(TypedDict, total=False):
    """A compiler's answer to a program: its compiled files in base64, or the compiler's complaint."""

    files: dict[str, str]
    rejected: str


class Compiler:
    """Compiles programs in a process of a keeper. A compiler that has ended or takes too long is started anew."""

    def __init__(self, begin: Callable[[tuple[int, ...]], socket.socket], harness: Harness) -> None:
        self._begin = begin
        self._harness = harness
        self._lock = threading.Lock()
        self._closed = False
        self._control: socket.socket | None = None
        self._write = self._read = -1

    def compile(self, files: Mapping[str, str]) -> Compiled:
        """``{"files": {name: base64}}``, or ``{"rejected": text}``.

        A program at which the compiler ends or takes too long, twice, is rejected too.

        Raises:
            MissingInterpreter: the compiler gives no valid answer, not even to an empty program.
            SandboxError: the compiler was closed, or takes too long over an empty program.
        """
        with self._lock:
            for _ in range(2):
                with contextlib.suppress(EOFError, TimeoutError):
                    return self._answer(files)
            try:
                self._answer(self._harness.trial)
            except EOFError:  # a Java runtime without a compiler has the right name and version, and ends at once
                raise MissingInterpreter(f"the compiler does not answer: install {self._harness.package}") from None
            except TimeoutError:
                raise SandboxError(
                    f"the compiler of {self._harness.package} takes more than {PATIENCE:g} s over an empty program. "
                    "The machine may be too busy: run the same command again when less is going on"
                ) from None
        return {"rejected": f"the compiler gives up on the program, or takes more than {PATIENCE:g} s"}

    def _answer(self, files: Mapping[str, str]) -> Compiled:
        """The compiler's answer to a program. After an error the next call starts another compiler.

        Raises:
            EOFError: the compiler ends, or its answer is not valid.
            TimeoutError: it takes too long.
        """
        if self._closed:
            raise SandboxError("the sandbox was closed while a program was compiled")
        if self._control is None:
            self._start()
        try:
            return self._ask(json.dumps({"files": dict(files)}).encode() + b"\n")
        except (EOFError, TimeoutError):
            self._stop()
            raise

    def close(self) -> None:
        """Ends the compiler, even while it compiles a program."""
        self._closed = True
        if (control := self._control) is not None:
            with contextlib.suppress(OSError):  # the compiler has ended meanwhile
                control.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._stop()

    def _start(self) -> None:
        its_input, self._write = os.pipe()
        self._read, its_result = os.pipe()
        silence = [os.open(os.devnull, os.O_WRONLY) for _ in range(2)]
        self._control = self._begin((its_input, *silence, its_result))
        os.set_blocking(self._write, False)

    def _stop(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None
            os.close(self._write)
            os.close(self._read)

    def _ask(self, line: bytes) -> Compiled:
        answer = bytearray()
        until = time.monotonic() + PATIENCE
        with selectors.DefaultSelector() as selector:
            selector.register(self._read, selectors.EVENT_READ)
            selector.register(self._write, selectors.EVENT_WRITE)
            while not answer.endswith(b"\n"):
                ready = selector.select(max(0.0, until - time.monotonic()))
                if not ready:
                    raise TimeoutError
                if len(answer) > LONGEST:
                    raise EOFError
                for key, _ in ready:
                    if key.fd == self._write:
                        try:
                            line = line[os.write(self._write, line[: 1 << 16]) :]
                        except OSError as error:
                            raise EOFError from error
                        if not line:
                            selector.unregister(self._write)
                    elif part := os.read(self._read, 1 << 16):
                        answer += part
                    else:
                        raise EOFError
        return _parse_answer(bytes(answer))


def _parse_answer(answer: bytes) -> Compiled:
    """The compiler's answer.

    Raises:
        EOFError: it is not valid.
    """
    try:
        match json.loads(answer):
            case {"files": dict(files)} if all(isinstance(t, str) for t in files.values()) and not any(
                "/" in name or name.startswith(".") for name in files
            ):
                return {"files": files}
            case {"rejected": str(text)}:
                return {"rejected": text}
    except (ValueError, RecursionError):
        pass
    raise EOFError
