"""What is witnessed while a program runs: which function calls which, and which lines run."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal, NamedTuple

from pytest_codereason.core.facts import Edges
from pytest_codereason.core.language.moments import Moments, read_moments
from pytest_codereason.core.programs import EMPTY

#: What is witnessed: nothing; the calls; the calls and the lines; each moment of the run, with what its probes see;
#: which functions are entered, as the runtime itself counts them. The last is a second witness, which shares nothing
#: with the witness of calls.
Witnessed = Literal["", "calls", "lines", "moments", "entered"]


class Body(NamedTuple):
    """A place that calls come from: a function with its own code, or the code of a file outside of functions."""

    name: str  #: qualified, as edges write it: ``main.Stack.push``
    file: str  #: of the program's files
    line: int  #: the first line, from 1
    callable: bool = True  #: False for the code of a file, which no call enters


class Trace(NamedTuple):
    """What was witnessed in one run.

    An edge says that while the body of the caller ran, the body of the callee was entered. Both have a body in the
    program's files: calls into libraries are no edges. Where a library stands between the two, as ``functools`` does
    between a program and its callback, the edge begins at the program's function that passed control to the library.
    """

    edges: Edges  #: callers and their callees in alphabetical order; a function that calls nothing is left out
    #: for each file, how often each line ran; empty unless lines were asked for
    lines: Mapping[str, Mapping[int, int]] = EMPTY
    #: the functions that were entered, if they alone were asked for and the runtime can tell
    entered: frozenset[str] | None = None
    moments: Moments | None = None  #: the lines in their order, if they were asked for

    def contradicts(self, second: Trace) -> list[tuple[str, str]]:
        """The edges, as caller and callee, into functions that a second witness did not see entered."""
        if second.entered is None:
            return []
        return [(a, b) for a, callees in self.edges.items() for b in callees if b not in second.entered]


def check_trace(payload: Any, bodies: Collection[Body]) -> Trace:
    """The trace that a harness wrote: ``{"edges": [[caller, callee], ...], "lines": {file: [[line, times], ...]}}``.

    A second witness writes ``{"edges": [], "entered": [callee, ...]}``. Of moments there is ``"moments"``, as
    :func:`~pytest_codereason.core.language.moments.read_moments` takes it.

    A program runs in the process that writes its trace and may write anything there. So a trace may name the program's
    own bodies and files only.

    Raises:
        ValueError: No harness writes this of a program with these bodies.
    """
    callers = {body.name for body in bodies}
    callees = {body.name for body in bodies if body.callable}
    edges: dict[str, set[str]] = {}
    for caller, callee in payload["edges"]:
        if caller not in callers or callee not in callees:
            raise ValueError(f"the program has no call from {caller!r} to {callee!r}")
        edges.setdefault(caller, set()).add(callee)
    files = {body.file for body in bodies}
    lines: dict[str, dict[int, int]] = {}
    for file, counts in payload.get("lines", {}).items():
        if file not in files or not all(type(n) is int and n > 0 for pair in counts for n in pair):
            raise ValueError(f"no lines of {file!r}")
        lines[file] = dict(sorted((line, times) for line, times in counts))
    entered = frozenset(payload["entered"]) if "entered" in payload else None
    if entered and not entered <= callees:
        raise ValueError(f"the program has no function {min(entered - callees)!r}")
    ordered = list(dict.fromkeys(body.file for body in bodies))
    moments = read_moments(payload["moments"], ordered) if "moments" in payload else None
    return Trace({caller: sorted(edges[caller]) for caller in sorted(edges)}, lines, entered, moments)
