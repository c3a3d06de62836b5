"""The decorator ``bounded``, and the process behind it."""

from __future__ import annotations

import atexit
import inspect
import os
import pickle
import select
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import IO, Any, ParamSpec, TypeVar

from pytest_codereason.core.reading import reader_process
from pytest_codereason.errors import SandboxError, TakesTooLong

P = ParamSpec("P")
R = TypeVar("R")

#: Characters of a text that is read without a second process. No reader takes 50 ms for so few.
SMALL = 300
#: Seconds of processor time that the second process may take for one text. An honest text of 100,000 characters takes a
#: fifth of a second. Processor time does not depend on what else the machine does.
CPU_S = 1.0
#: How the messages of :class:`TakesTooLong` end. Another machine may well read such a text.
GIVEN_UP = (_TOO_LONG := " s to read", reader_process.TOO_MUCH, _FAILS := "cannot be read: the parser fails")
#: Seconds after which a second process that neither computes nor answers is ended.
_WALL_S = 120.0
#: What the second process needs of the environment. No key of a model is among them.
_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "PYTHONHOME", "CODEREASON_DATA")
_START = """
import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
from pytest_codereason.core.reading import reader_process
reader_process.serving = True
reader_process.serve()
"""


def bounded(text: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorates a function that reads a text from outside, its argument of the name ``text``.

    The function then raises :class:`TakesTooLong` for a text that takes too long or too much memory. What else it is
    given, such as the program that was shown, is known, and may be of any length.

    Define the function at the top level of its module, so that the second process can import it. An exception of this
    package is passed on from the second process. After any other exception the function runs again in this process and
    raises the exception here. If the arguments cannot be pickled, as with a language whose class is defined in a
    function, it runs in this process.
    """

    def decorate(read: Callable[P, R]) -> Callable[P, R]:
        place = [*inspect.signature(read).parameters].index(text)

        @wraps(read)
        def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
            outside = args[place] if place < len(args) else kwargs[text]
            assert isinstance(outside, str)
            if reader_process.serving or len(outside) <= SMALL:
                return read(*args, **kwargs)
            try:
                request = pickle.dumps((CPU_S, (wrapper, args, kwargs)))
            except (pickle.PicklingError, AttributeError, TypeError):
                return read(*args, **kwargs)
            ending, result = _reader.call(request)
            if ending == reader_process.RAISED:
                raise result
            return read(*args, **kwargs) if ending == reader_process.UNKNOWN else result

        return wrapper

    return decorate


def close_reader() -> None:
    """Ends the second process. The next long text starts another."""
    _reader.close()


class _Reader:
    """The second process. It starts when the first long text is read, and again after it was stopped."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def call(self, request: bytes) -> tuple[str, Any]:
        """How a call ended in the second process, and its result.

        Raises:
            TakesTooLong: it was stopped.
            SandboxError: there is no second process.
        """
        with self._lock:
            process = self._process or self._start()
            answer = self._exchange(process, request)
            if answer is not None:
                ending, result = pickle.loads(answer)
                return ending, result
            status = self._end(process)
        if status == reader_process.TOOK_TOO_LONG:
            raise TakesTooLong(f"takes more than {CPU_S:g}{_TOO_LONG}")
        raise TakesTooLong(_FAILS)

    def close(self) -> None:
        """Ends the second process."""
        with self._lock:
            if self._process is not None:
                self._end(self._process)

    def _start(self) -> subprocess.Popen[bytes]:
        environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
        try:
            process = self._process = subprocess.Popen(
                [sys.executable, "-c", _START], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
            )
        except OSError as error:
            raise SandboxError(f"the process that reads long texts does not start: {error}") from error
        if self._exchange(process, b"", pickle.dumps(sys.path)) != reader_process.READY:
            raise SandboxError(f"the process that reads long texts does not start: it ends with {self._end(process)}")
        return process

    def _exchange(self, process: subprocess.Popen[bytes], request: bytes, before: bytes = b"") -> bytes | None:
        """The answer to a request, ``None`` if the process ended."""
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(before)
            reader_process.send(process.stdin, request)
            # Without a timer of the kernel the process ends itself by the clock, and no pipe can be waited for.
            if reader_process.HAS_TIMER and not select.select([process.stdout], [], [], _WALL_S)[0]:
                return None
            return reader_process.receive(process.stdout)
        except OSError:
            return None

    def _end(self, process: subprocess.Popen[bytes]) -> int:
        """Ends the process, if it still runs. Gives its exit status."""
        self._process = None
        streams: list[IO[bytes] | None] = [process.stdin, process.stdout]
        for stream in streams:
            if stream is not None:
                _close(stream)
        try:
            return process.wait(1.0)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()


def _close(stream: IO[bytes]) -> None:
    with suppress(OSError):  # what was still to be sent has no reader
        stream.close()


_reader = _Reader()
atexit.register(close_reader)
