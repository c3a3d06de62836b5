"""Small programs, each with the edges that a reader finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.language.tracing import Trace, Witnessed
from pytest_codereason.sandbox import Sandbox
from tests.examples import mostly_slow, take_every

#: The name of the programs' file.
FILES = {"python": "main.py", "javascript": "main.js", "java": "Main.java", "php": "main.php"}

#: The quick tests try one program in so many.
SHARE = 4

#: By name: a program, and the callees of each of its callers.
Calls = dict[str, tuple[str, dict[str, list[str]]]]


def read_calls(language: str, start: str = "main", prefix: str = "main.") -> Calls:
    """The programs of a language with their edges, by name.

    In the file a program begins with ``=== name``. A line ``>>> f -> g h`` says that ``f`` calls ``g`` and ``h``. There
    ``main`` stands for ``start``, where the program begins, and every name without a colon stands without ``prefix``.
    """

    def qualify(name: str) -> str:
        return start if name == "main" else name if ":" in name else f"{prefix}{name}"

    calls = {}
    text = Path(__file__).with_name("calls").joinpath(f"{language}.txt").read_text(encoding="utf-8")
    for part in text.removeprefix("=== ").split("\n=== "):
        name, *lines = part.splitlines()
        edges = {}
        for line in lines:
            if line.startswith(">>> "):
                caller, callees = line.removeprefix(">>> ").split(" -> ")
                edges[qualify(caller)] = sorted(map(qualify, callees.split()))
        calls[name] = "\n".join(line for line in lines if not line.startswith(">>> ")), edges
    return calls


def share(calls: Calls) -> list[Any]:
    """The names as parameters of a test. Most of them are slow, so that the quick tests try a share."""
    return mostly_slow(calls, SHARE)


def share_kinds(calls: Calls) -> list[Any]:
    """The names as :func:`share` has them, each with ``calls``, and some of them with ``lines`` as well."""
    lines = [pytest.param(name, "lines", marks=pytest.mark.slow) for name in [*calls][:: take_every(3)]]
    return mostly_slow([(name, "calls") for name in calls], SHARE) + lines


def run_program(
    language: str, sandbox: Sandbox, source: str, witnessed: Witnessed = "calls", call: str = ""
) -> Execution:
    """Runs a program of one file."""
    file = FILES[language]
    return sandbox.run(Run(language=language, files={file: source}, entry=file, call=call, witnessed=witnessed))


def trace_program(
    language: str, sandbox: Sandbox, source: str, witnessed: Witnessed = "calls", call: str = ""
) -> Trace:
    """The trace of a program that must have one."""
    execution = run_program(language, sandbox, source, witnessed, call)
    assert execution.trace is not None, f"{execution.words} {execution.message} {execution.stderr}"
    return execution.trace
