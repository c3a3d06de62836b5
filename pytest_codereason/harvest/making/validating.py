"""Runs a program once as it is and three times under trace, and refuses all but programs with one stable call graph.

A trace is held against the text, and for a share of the programs against a second witness.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.core.facts import Edges
from pytest_codereason.core.language.tracing import Trace
from pytest_codereason.core.refusals import Refusal
from pytest_codereason.languages.call_graphs.checking import list_unexplained
from pytest_codereason.languages.call_graphs.resolving import resolve_calls
from pytest_codereason.registry import language as find_language

LIMITS = Limits(wall_s=20.0, cpu_s=5, output_bytes=1 << 16, result_bytes=1 << 18)
#: Of the second witness: Java's machine prints every method that it has entered, those of the library too.
SEEN_LIMITS = replace(LIMITS, output_bytes=1 << 23)
#: One program of so many is also seen by a second witness: those whose digest says so.
SHARE = 4
#: How often a program runs under trace.
TRACES = 3
#: Edges between two different functions.
LEAST_EDGES = 2


class Witnessed(NamedTuple):
    """What a program does each time."""

    output: str
    edges: Edges


def validate(
    language: str, files: Mapping[str, str], entry: str, execute: Callable[[Run], Execution]
) -> Witnessed | Refusal:
    """What a program prints and which of its functions call which, or why it cannot be used.

    Args:
        language: The name of the language.
        files: The files of the program.
        entry: The file that is run.
        execute: Runs a program in the sandbox.

    Raises:
        SandboxError: The program could not be run, and is not to blame.
    """
    plain = execute(Run(language=language, files=files, entry=entry, limits=LIMITS))
    if not plain.returned:
        return refuse_ending(plain)
    edges: Edges = {}
    for number in range(TRACES):
        job = Run(language=language, files=files, entry=entry, limits=LIMITS, witnessed="calls", attempt=number)
        traced = execute(job)
        if not traced.returned or traced.trace is None:
            return Refusal("is not the same under trace", f"the program {traced.words}")
        if traced.stdout != plain.stdout:
            return Refusal("differs from run to run", _describe_difference(plain.stdout, traced.stdout))
        if number and traced.trace.edges != edges:
            return Refusal("differs from run to run", "in its calls")
        edges = traced.trace.edges
    refusal = refuse_edges(edges) or _refuse_unexplained(language, files, entry, edges)
    if refusal is None and is_drawn(files):
        refusal = _ask_second(Run(language=language, files=files, entry=entry, limits=SEEN_LIMITS), edges, execute)
    return refusal or Witnessed(plain.stdout, edges)


def is_drawn(files: Mapping[str, str]) -> bool:
    """Whether a program is one of those that a second witness sees."""
    whole = json.dumps(sorted(files.items())).encode()
    return hashlib.sha256(whole).digest()[0] % SHARE == 0


def _ask_second(run: Run, edges: Edges, execute: Callable[[Run], Execution]) -> Refusal | None:
    """Why a program is refused whose functions are not entered in the eyes of the runtime itself."""
    seen = execute(replace(run, witnessed="entered"))
    if not seen.returned:
        return Refusal("is not the same under trace", f"the program {seen.words}")
    wrong = Trace(edges).contradicts(seen.trace) if seen.trace is not None else []
    return Refusal("is not what a second witness saw", shorten(f"{wrong[0][1]} was never entered")) if wrong else None


def _refuse_unexplained(language: str, files: Mapping[str, str], entry: str, edges: Edges) -> Refusal | None:
    """Why a program is refused that calls what its text does not call."""
    spoken = find_language(language)
    if not spoken.has("calls"):
        return None
    wrong = list_unexplained(resolve_calls(spoken.calls.read(files, entry)), edges)
    return Refusal("has a call that its text does not explain", shorten(" -> ".join(wrong[0]))) if wrong else None


def refuse_ending(execution: Execution) -> Refusal:
    """Why a program that does not end as it should is refused."""
    match execution.ending:
        case "rejected":
            return Refusal("does not compile", shorten(execution.message))
        case "raised":
            return Refusal("raises an error", shorten(f"{execution.error}: {execution.message}"))
        case "limit":
            return Refusal("is stopped at a limit", execution.limit)
        case _:
            return Refusal("ends without a result", shorten(execution.message))


def refuse_edges(edges: Edges) -> Refusal | None:
    """Why a call graph is refused, ``None`` if it is worth a question."""
    count = sum(caller != callee for caller, callees in edges.items() for callee in callees)
    if count < LEAST_EDGES:
        return Refusal("has too few calls", f"{count} between two functions, fewer than {LEAST_EDGES}")
    names = {*edges, *(callee for callees in edges.values() for callee in callees)}
    strange = sorted(name for name in names if not name or not name.isprintable())
    return Refusal("has a name that is no plain text", ascii(strange[0])) if strange else None


def shorten(message: str) -> str:
    """A message in one line of at most 200 characters."""
    line = " ".join(message.split())
    return line if len(line) <= 200 else f"{line[:197]}..."


def _describe_difference(first: str, second: str) -> str:
    """Where two outputs part. What they hold would make each harvest of the same code another."""
    pairs = zip(first.splitlines(), second.splitlines(), strict=False)
    line = next((number for number, (before, after) in enumerate(pairs, 1) if before != after), 0)
    return f"in line {line} of what it prints" if line else "in how much it prints"
