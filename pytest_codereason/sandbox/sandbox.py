"""The sandbox: one keeper for each interpreter, started when first needed, shared by threads."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import TYPE_CHECKING, Any

from pytest_codereason.core.execution import Limits, Run
from pytest_codereason.core.facts import MAIN
from pytest_codereason.errors import MissingInterpreter, SandboxError, blame
from pytest_codereason.registry import language
from pytest_codereason.sandbox import interpreters, outcome
from pytest_codereason.sandbox.compilers import Compiler
from pytest_codereason.sandbox.keepers import ENVIRONMENT, Ended, Keeper, Lost

if TYPE_CHECKING:
    from pytest_codereason.core.execution import Execution, Harness
    from pytest_codereason.sandbox.interpreters import Interpreter

#: Threads that an interpreter other than a fork of Python starts for itself.
IDLE_THREADS = 32

#: For what must work, on however busy a machine.
PATIENT = Limits(wall_s=60)

#: What a warm compiler may use; it serves until it is closed.
COMPILER_LIMITS = Limits(cpu_s=0, memory_mb=1024)


class Sandbox:
    """Runs programs. Safe to share between threads; a process forked from this one starts keepers of its own."""

    def __init__(self, layers: tuple[str, ...], tier: str) -> None:
        self.layers = layers
        self.tier = tier  #: what the self-test found to hold; stands in the header and in every record
        self._proven: set[str] = set()  #: languages whose interpreter was seen to work
        self._lock = threading.Lock()
        self._keepers: dict[tuple[int, Interpreter, str], Keeper] = {}
        self._compilers: dict[tuple[int, Interpreter], Compiler] = {}

    def run(self, run: Run) -> Execution:
        """Runs one program and waits for its end.

        Raises:
            SandboxError: it could not be run at all.
            MissingInterpreter: its interpreter is missing, too old, or answers nonsense.
        """
        if run.language not in self._proven:
            self._prove(run.language)
        return self._run(run)

    def _prove(self, name: str) -> None:
        """Runs an empty program: what comes of others says nothing about them where that does not work.

        Raises:
            MissingInterpreter: it does not.
        """
        came = self._run(Run.from_source(language=name, source="", limits=PATIENT))
        if came.ending in ("limit", "tampered"):
            harness = language(name).runner.harness({MAIN: ""}, MAIN, "")
            found = interpreters.find(harness).path
            said = " ".join(f"{came.stdout} {came.stderr}".split())[:200]
            why = f"{came.message or came.words}{said and f', having printed {said!r}'}"
            raise MissingInterpreter(f"{found} does not run an empty program ({why}): install {harness.package}")
        self._proven.add(name)

    def _run(self, run: Run) -> Execution:
        spoken = language(run.language)
        with blame(spoken):
            harness = spoken.runner.harness(run.files, run.entry, run.call)
        binaries: dict[str, str] = {}
        if harness.compiler:
            compiled = self._compiler(harness.compiler).compile(harness.files)
            if "files" not in compiled:
                return outcome.rejected(compiled, self.tier)
            binaries = compiled["files"]
        ended = self.execute(harness, binaries, run.stdin, run.limits)
        return outcome.judge(ended, run.limits, spoken.values.decode, self.tier, harness.exhausted)

    def run_all(self, runs: Iterable[Run], workers: int | None = None) -> Iterator[Execution]:
        """Runs programs side by side, by default as many as there are processors; what came of them, in order."""
        count = workers or len(os.sched_getaffinity(0))
        with ThreadPoolExecutor(count) as pool:
            ahead: deque[Future[Execution]] = deque()
            for run in runs:
                ahead.append(pool.submit(self.run, run))
                if len(ahead) > 2 * count:
                    yield ahead.popleft().result()
            while ahead:
                yield ahead.popleft().result()

    def execute(self, harness: Harness, binaries: dict[str, str], stdin: str, limits: Limits) -> Ended:
        """Runs a harness; once more where the keeper was lost under it.

        Raises:
            SandboxError: it could not be run at all.
        """
        interpreter = interpreters.find(harness)
        job = described(harness, interpreter, limits, binaries)
        keeper = self._keeper(harness, interpreter)
        try:
            return keeper.run(job, stdin, limits)
        except Lost:
            if keeper.closed:
                raise
            keeper.close()
        return self._keeper(harness, interpreter).run(job, stdin, limits)

    def _keeper(self, harness: Harness, interpreter: Interpreter) -> Keeper:
        warm = harness.files[harness.forkable] if harness.forkable else ""
        key = (os.getpid(), interpreter, warm)
        with self._lock:
            if key not in self._keepers or self._keepers[key].closed:
                self._keepers[key] = Keeper(interpreter, self.layers, warm)
            return self._keepers[key]

    def _compiler(self, harness: Harness) -> Compiler:
        interpreter = interpreters.find(harness)
        job = described(harness, interpreter, COMPILER_LIMITS, {})
        key = (os.getpid(), interpreter)
        with self._lock:
            if key not in self._compilers:
                self._compilers[key] = Compiler(
                    lambda streams: self._keeper(harness, interpreter).begin(job, streams), harness
                )
            return self._compilers[key]

    def close(self) -> None:
        """Ends every process that it started."""
        with self._lock:
            started: list[tuple[tuple[Any, ...], Compiler | Keeper]] = [
                *self._compilers.items(),
                *self._keepers.items(),
            ]
            self._compilers.clear()
            self._keepers.clear()
        for (pid, *_), one in started:  # in use, maybe, by somebody who wants the lock
            if pid == os.getpid():
                one.close()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def described(harness: Harness, interpreter: Interpreter, limits: Limits, binaries: dict[str, str]) -> dict[str, Any]:
    """A job as the keeper reads it.

    Raises:
        SandboxError: a file would lie outside the job's folder.
    """
    if outside := [name for name in harness.files if name.startswith("/") or ".." in name.split("/")]:
        raise SandboxError(f"a program cannot have a file at {outside[0]!r}: its path leaves the program's folder")
    arguments = [a.replace("{memory_mb}", str(limits.memory_mb)) for a in harness.arguments]
    return {
        "files": {name: text for name, text in harness.files.items() if name != harness.forkable},
        "binaries": binaries,
        "environment": {**ENVIRONMENT, **harness.environment},
        "command": [interpreter.path, *arguments],
        "compile": list(harness.compile),
        "forkable": harness.forkable,
        "idle_mb": harness.idle_mb,
        "memory_mb": limits.memory_mb,
        "file_mb": limits.file_mb,
        "cpu_s": limits.cpu_s,
        "processes": limits.processes + (0 if harness.forkable else IDLE_THREADS),
    }
