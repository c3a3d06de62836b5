"""The second process: calls the functions that it is sent, and is stopped by the kernel at its limits.

A parser written in C cannot be interrupted from within the process. The kernel ends the process after its share of
processor time (``SIGPROF``), in whatever it is. Windows has no such signal: a thread that needs no interpreter ends the
process there, after some time by the clock.
"""

from __future__ import annotations

import faulthandler
import os
import pickle
import signal
import struct
import sys
from contextlib import suppress
from typing import IO, Any

from pytest_codereason.errors import CodereasonError, TakesTooLong

READY = b"ready"
#: How a call ended.
RETURNED, RAISED, UNKNOWN = "returned", "raised", "unknown"
#: What is said of a text that fills the memory of this process.
TOO_MUCH = "takes too much memory to read"
#: Bytes of address space: an honest text of 1,000,000 characters needs a tenth.
MEMORY = 4 * 2**30

_LENGTH = struct.Struct("!Q")

#: Whether the kernel counts processor time and sends a signal.
HAS_TIMER = hasattr(signal, "setitimer")
#: Seconds by the clock in place of one second of processor time.
_CLOCK = 5.0
#: The status of a process that has taken too long.
TOOK_TOO_LONG = -signal.SIGPROF if HAS_TIMER else 1
_NOWHERE = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # as long as the process runs

#: Whether this process is the second one, where functions are called directly. The command that starts it sets this.
serving = False


def serve() -> None:
    """Answers requests until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the first process decides
    if HAS_TIMER:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
    _limit_memory()
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # what a reader prints is no answer
    receive(requests)
    send(answers, READY)
    while (request := receive(requests)) is not None:
        send(answers, _answer(request))


def _answer(request: bytes) -> bytes:
    try:
        cpu_s, (function, args, kwargs) = pickle.loads(request)
        _start_timer(cpu_s)
        return pickle.dumps((RETURNED, function(*args, **kwargs)))
    except MemoryError:
        return pickle.dumps((RAISED, TakesTooLong(TOO_MUCH)))
    except Exception as error:
        return _pickle_error(error)
    finally:
        _stop_timer()


def _limit_memory() -> None:
    """Limits the address space of this process, where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard), hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _start_timer(cpu_s: float) -> None:
    """Ends this process unless the timer is stopped in time."""
    if HAS_TIMER:
        signal.setitimer(signal.ITIMER_PROF, cpu_s)
    else:
        faulthandler.dump_traceback_later(_CLOCK * cpu_s, exit=True, file=_NOWHERE)


def _stop_timer() -> None:
    if HAS_TIMER:
        signal.setitimer(signal.ITIMER_PROF, 0)
    else:
        faulthandler.cancel_dump_traceback_later()


def _pickle_error(error: Exception) -> bytes:
    if isinstance(error, CodereasonError):
        with suppress(Exception):
            answer = pickle.dumps((RAISED, error))
            pickle.loads(answer)
            return answer
    return pickle.dumps((UNKNOWN, None))


def send(stream: IO[bytes], message: bytes) -> None:
    """Writes one message."""
    stream.write(_LENGTH.pack(len(message)) + message)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes | None:
    """Reads one message; ``None`` at the end of the stream."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    message: Any = stream.read(length)
    return message if len(message) == length else None
