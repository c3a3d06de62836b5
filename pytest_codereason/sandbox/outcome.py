"""Turns the end of a job into an :class:`~pytest_codereason.core.execution.Execution`."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable
from typing import Any, Required, TypedDict, get_args

from pytest_codereason.core.execution import Ending, Execution, Limit, Limits
from pytest_codereason.core.language.tracing import Trace
from pytest_codereason.sandbox.keeper_process import JobEnd, name_signal

#: The signals that the kernel sends to a job at a limit.
_LIMITS: dict[int, Limit] = {signal.SIGXCPU: "cpu", signal.SIGXFSZ: "file"}
#: The signals that end a program after a crash, such as a stack overflow.
_FAULTS = {signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT}
#: What the C library prints, in every language, as it ends a process that has no memory left for one more thread.
_NO_ROOM = "cannot allocate memory for thread-local data"
#: A killed job counts as stopped at a limit if it had used this share of it: measurements differ on a busy machine.
NEARLY = 0.75


class _Verdict(TypedDict, total=False):
    """The fields of an :class:`Execution` that say how the program ended."""

    ending: Required[Ending]
    value: object
    error: str
    message: str
    limit: Limit
    trace: Trace | None


class _Measurements(TypedDict):
    """The other fields."""

    stdout: str
    stderr: str
    wall_s: float
    cpu_s: float
    compile_s: float
    peak_mb: float
    tier: str


def judge_job(
    ended: JobEnd,
    limits: Limits,
    decode: Callable[[Any], Any],
    tier: str,
    exhausted: str = "",
    read_trace: Callable[[Any], Trace | None] | None = None,
    seal: str = "",
) -> Execution:
    """The execution of a program. The job's own report is trusted for the returned value only, which is data.

    ``exhausted`` is the harness's pattern for messages that say that memory has run out. ``read_trace`` checks the
    trace of a program that was run under one. A result must begin with ``seal``, which the program does not know.
    """
    measurements: _Measurements = {
        "stdout": ended.stdout.decode("utf-8", "backslashreplace"),
        "stderr": ended.stderr.decode("utf-8", "backslashreplace"),
        "wall_s": ended.wall_s,
        "cpu_s": ended.cpu_s,
        "compile_s": ended.compile_s,
        "peak_mb": ended.peak_mb,
        "tier": tier,
    }
    verdict = (
        _find_limit(ended, limits)
        or _explain_failure(ended)
        or _read_result(ended.result, seal.encode(), decode, read_trace)
    )
    printed = f"{measurements['stdout']}\n{measurements['stderr']}"  # Java warns of threads on its standard output
    if ended.status and re.search(f"{exhausted}|{_NO_ROOM}" if exhausted else _NO_ROOM, printed):
        verdict = {"ending": "limit", "limit": "memory"}
    if ended.compiling and ended.limit:
        verdict = {"ending": "rejected", "message": f"the compiler is stopped at its limit on {ended.limit}"}
    return Execution(**verdict, **measurements)


def _find_limit(ended: JobEnd, limits: Limits) -> _Verdict | None:
    limit = ended.limit
    if not limit and os.WIFSIGNALED(ended.status):
        number = os.WTERMSIG(ended.status)
        limit = _LIMITS.get(number, "")
        if number == signal.SIGKILL and 0 < limits.cpu_s * NEARLY <= ended.cpu_s:
            limit = "cpu"
        elif number == signal.SIGKILL and ended.peak_mb >= NEARLY * limits.memory_mb:
            limit = "memory"
    return {"ending": "limit", "limit": limit} if limit else None


def _explain_failure(ended: JobEnd) -> _Verdict | None:
    """The verdict on a job that ended with an error status or by a signal, ``None`` for any other job."""
    if ended.status == 0:
        return None
    if os.WIFSIGNALED(ended.status):
        name = name_signal(os.WTERMSIG(ended.status))
        if os.WTERMSIG(ended.status) in _FAULTS and not ended.result:
            return {"ending": "raised", "error": name, "message": "the process crashed"}
        return _report_tampering(f"the process was ended by {name}")
    return _report_tampering(f"the process ended with status {os.WEXITSTATUS(ended.status)}")


def _read_result(
    result: bytes, seal: bytes, decode: Callable[[Any], Any], read_trace: Callable[[Any], Trace | None] | None
) -> _Verdict:
    """The verdict in the line on the result's descriptor."""
    if not result:
        return _report_tampering("the process ended before the program did")
    if result.count(b"\n") != 1 or not result.endswith(b"\n"):
        return _report_tampering("the result is not one line")
    if not result.startswith(seal):
        return _report_tampering("the program wrote a result itself")
    try:
        line = json.loads(result.removeprefix(seal), parse_constant=_refuse)
        trace = read_trace(line.pop("trace", None)) if read_trace else None
        match line:
            case {"value": payload, **rest} if not rest:
                return {"ending": "returned", "value": decode(payload), "trace": trace}
            case {"error": str(error), "message": str(message), **rest} if not rest:
                return {"ending": "raised", "error": error, "message": message, "trace": trace}
            case {"error": str(error), "message": str(message), "limit": limit, **rest} if (
                not rest and limit and limit in get_args(Limit)
            ):
                return {"ending": "limit", "error": error, "message": message, "limit": limit}
            case {"rejected": str(message), **rest} if not rest:
                return {"ending": "rejected", "message": message}
            case {"tampered": str(message), **rest} if not rest:
                return _report_tampering(message)
    except Exception:  # a program may write anything, so the decoder may raise anything
        pass
    return _report_tampering("the line is not a result")


def _refuse(word: str) -> Any:
    raise ValueError(word)


def _report_tampering(message: str) -> _Verdict:
    return {"ending": "tampered", "message": message}


def report_rejection(complaint: str, tier: str) -> Execution:
    """The execution of a program that was rejected before it was run."""
    return Execution(ending="rejected", message=complaint, tier=tier)
