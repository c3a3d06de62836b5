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
from typing import TYPE_CHECKING, Any

from pytest_codereason.errors import MissingInterpreter, SandboxError

if TYPE_CHECKING:
    from pytest_codereason.core.execution import Harness

#: The longest that the compiler may take over one program, in seconds.
PATIENCE = 30.0
#: The longest answer that is read, in bytes.
LONGEST = 16 << 20


class Compiler:
    """Compiles programs in a process of a keeper. A compiler that has ended or takes too long is started anew."""

    def __init__(self, begin: Callable[[tuple[int, ...]], socket.socket], harness: Harness) -> None:
        self._begin = begin
        self._harness = harness
        self._lock = threading.Lock()
        self._closed = False
        self._control: socket.socket | None = None
        self._write = self._read = -1

    def compile(self, files: Mapping[str, str]) -> dict[str, Any]:
        """``{"files": {name: base64}}``, or ``{"rejected": text}``.

        A program at which the compiler ends or takes too long, twice, is rejected too.

        Raises:
            MissingInterpreter: the compiler gives no valid answer, not even to an empty program.
            SandboxError: the compiler was closed.
        """
        with self._lock:
            if answer := self._answer(files) or self._answer(files):
                return answer
            if self._answer(self._harness.trial):
                return {"rejected": f"the compiler gives up on the program, or takes more than {PATIENCE:g} s"}
        # A Java runtime without a compiler has the right name and version, and ends at once.
        raise MissingInterpreter(f"the compiler does not answer: install {self._harness.package}")

    def _answer(self, files: Mapping[str, str]) -> dict[str, Any] | None:
        """The compiler's answer to a program. ``None`` if the compiler fails; the next call starts another compiler."""
        if self._closed:
            raise SandboxError("the sandbox was closed while a program was compiled")
        if self._control is None:
            self._start()
        answer = self._ask(json.dumps({"files": dict(files)}).encode() + b"\n")
        if answer is None:
            self._stop()
        return answer

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

    def _ask(self, line: bytes) -> dict[str, Any] | None:
        answer = bytearray()
        until = time.monotonic() + PATIENCE
        with selectors.DefaultSelector() as selector:
            selector.register(self._read, selectors.EVENT_READ)
            selector.register(self._write, selectors.EVENT_WRITE)
            while not answer.endswith(b"\n"):
                ready = selector.select(max(0.0, until - time.monotonic()))
                if not ready or len(answer) > LONGEST:
                    return None
                for key, _ in ready:
                    if key.fd == self._write:
                        try:
                            line = line[os.write(self._write, line[: 1 << 16]) :]
                        except OSError:
                            return None
                        if not line:
                            selector.unregister(self._write)
                    elif part := os.read(self._read, 1 << 16):
                        answer += part
                    else:
                        return None
        return _parse_answer(bytes(answer))


def _parse_answer(answer: bytes) -> dict[str, Any] | None:
    """The compiler's answer, ``None`` if it is not valid."""
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
    return None
