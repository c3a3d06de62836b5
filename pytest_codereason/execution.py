"""What is run and what came of it: the values that tasks, models, engine and sandbox exchange."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

#: ``returned``: a value came back. ``raised``: an exception. ``rejected``: the program does not compile.
#: ``limit``: it was stopped. ``tampered``: it ended, or interfered, without letting its result be read.
Ending = Literal["returned", "raised", "rejected", "limit", "tampered"]
Limit = Literal["", "time", "cpu", "memory", "output", "result", "file", "processes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a job may use. Memory is what it needs beyond its idle interpreter."""

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

    ``call`` is evaluated in the program's own scope and its value comes back as data; without a
    call the program is run as a script.
    """

    language: str
    source: str
    call: str = ""
    stdin: str = ""
    limits: Limits = Limits()


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
    peak_mb: float = 0.0  #: the most memory it held at once
    tier: str = ""  #: the isolation it ran in

    @property
    def returned(self) -> bool:
        """Whether there is a value."""
        return self.ending == "returned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Harness:
    """How a language runs a call: what the sandbox starts, and with which files.

    The interpreter is started in an empty folder that holds ``files``. It writes one line of JSON
    to the descriptor that the environment variable ``CODEREASON_RESULT`` names: ``{"value": ...}``, where the
    value is encoded as the language's ``decode`` reads it, or ``{"error": type, "message": text}``. It never sees
    what is expected.
    """

    interpreter: str  #: the command to look for: ``python3``, ``node``, ``php``, ``java``
    package: str  #: what to install where it is missing, for the error message
    arguments: tuple[str, ...]  #: after the interpreter
    files: Mapping[str, str]
    environment: Mapping[str, str] = field(default_factory=dict)
    compile: tuple[str, ...] = ()  #: a compiler's command line that is run first, ``javac ...``
