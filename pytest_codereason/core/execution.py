"""Runs and their results: the values that tasks, models, engine and sandbox exchange."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from pytest_codereason.core.facts import MAIN
from pytest_codereason.core.language.moments import LineProbe
from pytest_codereason.core.language.tracing import Trace, Witnessed
from pytest_codereason.core.programs import EMPTY, Program

#: ``returned``: a value came back. ``raised``: an exception. ``rejected``: the program does not compile.
#: ``limit``: it was stopped. ``tampered``: it ended, or interfered, without letting its result be read.
Ending = Literal["returned", "raised", "rejected", "limit", "tampered"]
Limit = Literal["", "time", "cpu", "memory", "output", "result", "file", "processes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of a job. Memory is counted beyond the idle interpreter."""

    wall_s: float = 10.0
    cpu_s: int = 10
    memory_mb: int = 512
    output_bytes: int = 1 << 20  #: of standard output and of standard error, each
    result_bytes: int = 1 << 20
    file_mb: int = 16
    processes: int = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A step of a task, and a job of the sandbox: run a program and give back its :class:`Execution`.

    ``call`` is evaluated in the scope of the entry and its value comes back as data; without a call the entry is run
    as a script, whose output is what it prints.
    """

    language: str
    files: Mapping[str, str]  #: the text of each file, by its relative path
    entry: str  #: the file that is run
    call: str = ""
    stdin: str = ""
    limits: Limits = Limits()
    #: an execution is remembered; another number runs the program once more, if possible with sets in another order
    attempt: int = 0
    witnessed: Witnessed = ""  #: what the execution's trace holds
    probes: tuple[LineProbe, ...] = ()  #: where variables are looked at, while ``"moments"`` are witnessed
    #: whether a task can do without the execution: if the sandbox fails, the task is given one that is ``tampered``
    optional: bool = False

    @classmethod
    def from_source(
        cls, *, language: str, source: str, call: str = "", stdin: str = "", limits: Limits = Limits()
    ) -> Run:
        """A run of a program of one file."""
        return cls(language=language, files={MAIN: source}, entry=MAIN, call=call, stdin=stdin, limits=limits)

    @classmethod
    def from_program(cls, program: Program, *, call: str | None = None, limits: Limits = Limits()) -> Run:
        """A run of a program, by its own call unless another is given."""
        return cls(
            language=program.language,
            files=program.files,
            entry=program.entry,
            call=program.call if call is None else call,
            limits=limits,
        )

    @property
    def source(self) -> str:
        """The text of the entry."""
        return self.files[self.entry]

    def __hash__(self) -> int:
        return hash(
            (self.language, self.entry, self.source, self.call, self.stdin, self.limits, self.witnessed, self.probes)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """How a run ended. ``value`` is Python data as the language's ``read`` would give it."""

    ending: Ending
    value: Any = None
    error: str = ""  #: the exception's type: ``ZeroDivisionError``
    message: str = ""  #: its message, the compiler's complaint, or what was noticed
    limit: Limit = ""
    stdout: str = ""
    stderr: str = ""
    wall_s: float = 0.0
    cpu_s: float = 0.0
    compile_s: float = 0.0  #: how long it was compiled, where each program is; no part of ``wall_s``
    peak_mb: float = 0.0  #: the most memory it held at once
    tier: str = ""  #: the isolation it ran in
    trace: Trace | None = None  #: the calls that were witnessed, where the run asked for them and the program ended

    @property
    def raised_at(self) -> tuple[str, int] | None:
        """The file and line from which its exception came, where moments were witnessed and show it."""
        witnessed = self.ending == "raised" and self.trace is not None and self.trace.moments
        return witnessed.raised_at if witnessed else None

    @property
    def returned(self) -> bool:
        """Whether there is a value."""
        return self.ending == "returned"

    def ends_as(self, other: Execution, equal: Callable[[Any, Any], bool], *, prints: bool = True) -> bool:
        """Whether both end alike: the same value, or the same type of error, and the same text printed.

        ``equal`` compares two values. Without ``prints``, what is printed does not count.
        """
        if (self.ending, self.error) != (other.ending, other.error) or (prints and self.stdout != other.stdout):
            return False
        return not self.returned or equal(self.value, other.value)

    def read_output(self, program: Program) -> Any:
        """What the program gave: the value of its call, or all that a script printed."""
        return self.value if program.call else self.stdout

    @property
    def words(self) -> str:
        """How it ended, in plain words: ``raises NameError: name 'y' is not defined``."""
        match self.ending:
            case "returned":
                return "returns a value"
            case "raised":
                return f"raises {self.error}: {self.message}" if self.message else f"raises {self.error}"
            case "rejected":
                return f"does not compile: {self.message}"
            case "limit":
                return f"is stopped at the limit on {self.limit or 'its resources'}"
            case "tampered":
                return f"ends without a result: {self.message}"


class SeveralCalls(NamedTuple):
    """How a language evaluates several calls in one run, each of which may end with an error of its own.

    The run gives a list with one of these for each call: ``["value", VALUE]``, ``["error", TYPE]`` or
    ``["error", TYPE, MESSAGE]``.
    """

    source: str  #: a function that stands behind the entry
    #: the call of that function, ``codereason_all({calls})``; ``{function}`` is the one that is called each time
    whole: str
    each: str  #: one of its arguments: ``lambda: {}``
    #: errors that say how deep or large a program may grow, and nothing of what it does: by their type a pattern that
    #: stands in their message
    exhausted: Mapping[str, str] = EMPTY

    def is_exhausted(self, error: str, message: str) -> bool:
        """Whether an error says no more than that a program grew too deep or too large."""
        return error in self.exhausted and re.search(self.exhausted[error], message) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Harness:
    """How a language runs a call: what the sandbox starts, and with which files.

    The interpreter is started in an empty folder that holds ``files``, which is also ``TMPDIR`` and ``HOME``. It
    writes one line of JSON to the descriptor that the environment variable ``CODEREASON_RESULT`` names, and ends
    with status 0. It never sees what is expected. The line is one of:

    - ``{"value": ...}``, encoded as the language's ``decode`` reads it;
    - ``{"error": type, "message": text}``: an exception that nobody caught; with ``"limit": word`` beside it
      where the exception says that one of the limits was hit;
    - ``{"rejected": text}``: the program or the call does not compile;
    - ``{"tampered": text}``: it ended itself, or changed what the harness rests on.

    Of a traced program the value, or the error, has ``"trace"`` beside it, as the language's ``tracer`` reads it.

    A harness that is ``sealed`` writes a text before the line that the program cannot know: that of the file ``seal``,
    which the harness reads and removes before the program runs. So a line that the program writes is no result.

    No line, a second one, anything else, or another exit status is tampering. Death by a signal of its own (a stack
    overflow) is an exception named after the signal.
    """

    interpreter: str  #: the command to look for: ``python3``, ``node``, ``php``, ``java``
    package: str  #: what to install where it is missing, for the error message
    arguments: tuple[str, ...]  #: after the interpreter; ``{memory_mb}`` in one stands for the job's limit
    files: Mapping[str, str]
    environment: Mapping[str, str] = field(default_factory=dict)
    version: tuple[str, ...] = ("--version",)  #: the arguments with which the interpreter prints its version
    minimum: tuple[int, ...] = ()  #: the lowest version that will do
    idle_mb: int = 64  #: the address space that the idle interpreter reserves, MiB
    readable: tuple[str, ...] = ()  #: absolute paths besides the interpreter's that it reads: a jar
    exhausted: str = ""  #: a pattern of what it prints on its standard error as it dies for want of memory
    #: A compiler's command line that is run first in the same folder, with limits, streams and time of its own. What it
    #: prints is the message of a rejected program; any status but 0 rejects. ``{interpreter}`` stands for the path of
    #: the interpreter, which is the compiler then.
    compile: tuple[str, ...] = ()
    compile_limits: Limits = Limits(wall_s=60.0, cpu_s=60, memory_mb=1024, file_mb=64)
    #: What is run in place of the interpreter, before ``arguments``: ``("./program",)`` that the compiler has written.
    program: tuple[str, ...] = ()
    #: A warm compiler, in place of ``compile``: started once a session in all layers, without limits of time. For
    #: each program it reads a line of JSON from its standard input, ``{"files": {name: text}}``, and writes one to the
    #: result descriptor: ``{"files": {name: base64}}``, laid beside the job's files, or ``{"rejected": text}``.
    compiler: Harness | None = None
    #: Of a warm compiler: files that every working compiler accepts. A compiler that fails on them does not work.
    trial: Mapping[str, str] = field(default_factory=dict)
    #: The one of ``files`` that a warm interpreter may load once. A job is then a fork that calls its ``main(files)``,
    #: and no files lie in the folder.
    forkable: str = ""
    sealed: bool = False  #: whether the line begins with the text of the file ``seal``
    own: bool = False  #: whether the interpreter is the one that runs pytest, and not the command that PATH finds
