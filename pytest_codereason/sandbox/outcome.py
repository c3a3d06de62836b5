"""From how a job ended, and the line it wrote, to an :class:`~pytest_codereason.core.execution.Execution`."""

from __future__ import annotations

import json
import os
import re
import signal
from typing import TYPE_CHECKING, Any, get_args

from pytest_codereason.core.execution import Execution, Limit
from pytest_codereason.sandbox.keepers import signal_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_codereason.core.execution import Limits
    from pytest_codereason.sandbox.keepers import Ended

#: Signals by which the kernel stops a job at a limit.
_LIMITS: dict[int, Limit] = {signal.SIGXCPU: "cpu", signal.SIGXFSZ: "file"}
#: Signals that a program brings upon itself by a fault, such as a stack overflow.
_FAULTS = {signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT}
#: What a job that was killed must have used of a limit for that to be the reason: a busy machine counts differently.
NEARLY = 0.75


def judge(ended: Ended, limits: Limits, decode: Callable[[Any], Any], tier: str, exhausted: str = "") -> Execution:
    """What came of a run. Nothing that the job says is believed but what it returned, which is only data.

    ``exhausted`` is the pattern of a harness.
    """
    seen: dict[str, Any] = {
        "stdout": ended.stdout.decode("utf-8", "backslashreplace"),
        "stderr": ended.stderr.decode("utf-8", "backslashreplace"),
        "wall_s": ended.wall_s,
        "cpu_s": ended.cpu_s,
        "peak_mb": ended.peak_mb,
        "tier": tier,
    }
    said = _limited(ended, limits) or _ended(ended) or _read(ended.result, decode)
    if ended.status and exhausted and re.search(exhausted, seen["stderr"]):
        said = {"ending": "limit", "limit": "memory"}
    if said.get("ending") == "rejected" and not said["message"]:  # a compiler's complaint
        said["message"] = f"{seen['stdout']}{seen['stderr']}".strip()
    return Execution(**said, **seen)


def _limited(ended: Ended, limits: Limits) -> dict[str, Any] | None:
    limit = ended.limit
    if not limit and os.WIFSIGNALED(ended.status):
        number = os.WTERMSIG(ended.status)
        limit = _LIMITS.get(number, "")
        if number == signal.SIGKILL and 0 < limits.cpu_s * NEARLY <= ended.cpu_s:
            limit = "cpu"
        elif number == signal.SIGKILL and ended.peak_mb >= NEARLY * limits.memory_mb:
            limit = "memory"
    return {"ending": "limit", "limit": limit} if limit else None


def _ended(ended: Ended) -> dict[str, Any] | None:
    """What a job that did not end well is said to have done."""
    if ended.status == 0:
        return None
    if os.WIFSIGNALED(ended.status):
        name = signal_name(os.WTERMSIG(ended.status))
        if os.WTERMSIG(ended.status) in _FAULTS and not ended.result:
            return {"ending": "raised", "error": name, "message": "the process crashed"}
        return _tampered(f"the process was ended by {name}")
    return _tampered(f"the process ended with status {os.WEXITSTATUS(ended.status)}")


def _read(result: bytes, decode: Callable[[Any], Any]) -> dict[str, Any]:  # noqa: PLR0911
    """What the line on the result's descriptor says."""
    if not result:
        return _tampered("the process ended before the program did")
    if result.count(b"\n") != 1 or not result.endswith(b"\n"):
        return _tampered("something else than one line came as result")
    try:
        match json.loads(result, parse_constant=_refuse):
            case {"value": payload, **rest} if not rest:
                return {"ending": "returned", "value": decode(payload)}
            case {"error": str(error), "message": str(message), **rest} if not rest:
                return {"ending": "raised", "error": error, "message": message}
            case {"error": str(error), "message": str(message), "limit": limit, **rest} if (
                not rest and limit and limit in get_args(Limit)
            ):
                return {"ending": "limit", "error": error, "message": message, "limit": limit}
            case {"rejected": str(message), **rest} if not rest:
                return {"ending": "rejected", "message": message}
            case {"tampered": str(message), **rest} if not rest:
                return _tampered(message)
    except Exception:  # a program may write anything, and so make a decoder stumble in any way
        pass
    return _tampered("something else than a result came as result")


def _refuse(word: str) -> Any:
    raise ValueError(word)


def _tampered(message: str) -> dict[str, Any]:
    return {"ending": "tampered", "message": message}


def rejected(answer: dict[str, Any], tier: str) -> Execution:
    """What came of a program that a warm compiler rejected."""
    return Execution(ending="rejected", message=answer["rejected"], tier=tier)
