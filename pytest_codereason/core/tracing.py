"""What is witnessed while a program runs: which function calls which, and which lines run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from pytest_codereason.core.facts import Edges
from pytest_codereason.core.programs import EMPTY

#: What is witnessed: nothing; the calls; the calls and the lines.
Witnessed = Literal["", "calls", "lines"]


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
