"""The sandbox: runs programs in one keeper for each interpreter."""

from __future__ import annotations

import os
import secrets
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from types import TracebackType
from typing import Any

from pytest_codereason.core import Language
from pytest_codereason.core.execution import Execution, Harness, Limits, Run
from pytest_codereason.core.facts import MAIN
from pytest_codereason.core.language.tracing import Trace
from pytest_codereason.errors import DoesNotParse, MissingInterpreter, SandboxError, blame
from pytest_codereason.registry import language
from pytest_codereason.sandbox import interpreters, outcome
from pytest_codereason.sandbox.compilers import Compiler
from pytest_codereason.sandbox.interpreters import Interpreter
from pytest_codereason.sandbox.keeper_process import ENVIRONMENT, JobEnd, Keeper, KeeperDied

#: How many threads an interpreter may start for itself. A fork of the warm Python starts none.
IDLE_THREADS = 32

#: The limits for an empty program, which must run on a busy machine too.
PATIENT = Limits(wall_s=60)

#: The limits for a warm compiler. It has no limit of processor time, because it runs until it is closed.
COMPILER_LIMITS = Limits(cpu_s=0, memory_mb=1024)


class Sandbox:
    """Runs programs. Threads may share one sandbox. A process forked from this one starts keepers of its own."""

    def __init__(self, layers: tuple[str, ...], tier: str) -> None:
        self.layers = layers
        self.tier = tier  #: the layers that passed the self-test; the header and every record name them
        self._trials: dict[str, Future[None]] = {}  #: by language: whether its interpreter runs an empty program
        self._lock = threading.Lock()
        self._keepers: dict[tuple[int, Interpreter, str], Keeper] = {}
        self._compilers: dict[tuple[int, Interpreter], Compiler] = {}

    def run(self, run: Run) -> Execution:
        """Runs one program and waits for its end.

        Raises:
            SandboxError: the program could not be run.
            MissingInterpreter: its interpreter is missing, too old, or does not run an empty program.
        """
        self._try_once(run.language)
        return self._run(run)

    def _try_once(self, name: str) -> None:
        """Tries the interpreter of a language, once. A broken interpreter is not tried again: it may hang.

        Raises:
            MissingInterpreter: an empty program does not run.
            SandboxError: nothing runs.
        """
        with self._lock:
            first = name not in self._trials
            trial = self._trials.setdefault(name, Future())
        if first:
            try:
                self._run_empty_program(name)
                trial.set_result(None)
            except BaseException as error:
                if not isinstance(error, MissingInterpreter):  # the sandbox fails, or was closed
                    with self._lock:
                        del self._trials[name]
                trial.set_exception(error)
        trial.result()

    def _run_empty_program(self, name: str) -> None:
        """Runs an empty program, to tell a broken interpreter from a broken program.

        Raises:
            MissingInterpreter: the empty program does not run.
        """
        execution = self._run(Run.from_source(language=name, source="", limits=PATIENT))
        if execution.ending not in ("limit", "tampered"):
            return
        harness = language(name).runner.harness({MAIN: ""}, MAIN, "")
        path = interpreters.find(harness).path
        if execution.limit == "time":
            raise MissingInterpreter(
                f"{path} hangs: it does not end an empty program within {PATIENT.wall_s:g} seconds. No program of "
                f"{language(name).title} is run. If the machine is too busy, run the same command again later, "
                f"else mend {harness.package}"
            )
        output = " ".join(f"{execution.stdout} {execution.stderr}".split())[:200]
        why = f"{execution.message or execution.words}{output and f', having printed {output!r}'}"
        raise MissingInterpreter(f"{path} does not run an empty program ({why}): install {harness.package}")

    def _run(self, run: Run) -> Execution:
        spoken = language(run.language)
        try:
            with blame(spoken):
                harness = _write_harness(spoken, run)
        except DoesNotParse as error:
            return outcome.report_rejection(str(error), self.tier)
        binaries: dict[str, str] = {}
        if harness.compiler:
            compiled = self._find_compiler(harness.compiler).compile(harness.files)
            if "files" not in compiled:
                return outcome.report_rejection(compiled["rejected"], self.tier)
            binaries = compiled["files"]
        seal = secrets.token_hex() if harness.sealed else ""
        if seal:
            harness = replace(harness, files={**harness.files, "seal": seal})
        ended = self.execute(harness, binaries, run.stdin, run.limits)

        def read_trace(payload: Any) -> Trace | None:
            payload = payload or spoken.tracer.read_printed(ended.stderr.decode("utf-8", "replace"))
            if not payload:
                return None
            trace = spoken.tracer.read(payload, run.files, run.entry)
            if trace.moments:
                trace.moments.check_probes(run.probes)
            return trace

        return outcome.judge_job(
            ended,
            run.limits,
            spoken.values.decode,
            self.tier,
            harness.exhausted,
            read_trace if run.witnessed else None,
            seal,
        )

    def run_all(self, runs: Iterable[Run], workers: int | None = None) -> Iterator[Execution]:
        """The executions of programs, in order. By default as many run at once as there are processors."""
        count = workers or len(os.sched_getaffinity(0))
        with ThreadPoolExecutor(count) as pool:
            ahead: deque[Future[Execution]] = deque()
            for run in runs:
                ahead.append(pool.submit(self.run, run))
                if len(ahead) > 2 * count:
                    yield ahead.popleft().result()
            while ahead:
                yield ahead.popleft().result()

    def execute(self, harness: Harness, binaries: dict[str, str], stdin: str, limits: Limits) -> JobEnd:
        """Runs a harness. If its keeper dies, another keeper runs the harness once more.

        One keeper runs many jobs, so this holds for each job that was under way.

        Raises:
            SandboxError: the harness could not be run.
        """
        interpreter = interpreters.find(harness)
        job = describe_job(harness, interpreter, limits, binaries)
        keeper = self._find_keeper(harness, interpreter)
        compiling = harness.compile_limits if harness.compile else None
        try:
            return keeper.run(job, stdin, limits, compiling)
        except KeeperDied:
            if not keeper.died:  # the sandbox was closed
                raise
        return self._find_keeper(harness, interpreter).run(job, stdin, limits, compiling)

    def _find_keeper(self, harness: Harness, interpreter: Interpreter) -> Keeper:
        warm = harness.files[harness.forkable] if harness.forkable else ""
        key = (os.getpid(), interpreter, warm)
        with self._lock:
            if key not in self._keepers or self._keepers[key].ended:
                self._keepers[key] = Keeper(interpreter, self.layers, warm)
            return self._keepers[key]

    def _find_compiler(self, harness: Harness) -> Compiler:
        interpreter = interpreters.find(harness)
        job = describe_job(harness, interpreter, COMPILER_LIMITS, {})
        key = (os.getpid(), interpreter)
        with self._lock:
            if key not in self._compilers:
                self._compilers[key] = Compiler(
                    lambda streams: self._find_keeper(harness, interpreter).begin(job, streams), harness
                )
            return self._compilers[key]

    def close(self) -> None:
        """Ends every process that this sandbox started."""
        with self._lock:
            started: list[tuple[tuple[Any, ...], Compiler | Keeper]] = [
                *self._compilers.items(),
                *self._keepers.items(),
            ]
            self._compilers.clear()
            self._keepers.clear()
        for (pid, *_), process in started:  # closed without the lock: a thread that uses it may wait for the lock
            if pid == os.getpid():
                process.close()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _write_harness(spoken: Language, run: Run) -> Harness:
    """How a program is run, under trace where that is asked for."""
    if run.witnessed == "moments":
        harness = spoken.tracer.harness_for_moments(run.files, run.entry, run.call, run.probes)
    elif run.witnessed:
        harness = spoken.tracer.harness(run.files, run.entry, run.call, run.witnessed)
    else:
        harness = spoken.runner.harness(run.files, run.entry, run.call)
    return spoken.runner.vary(harness, run.attempt) if run.attempt else harness


def describe_job(
    harness: Harness, interpreter: Interpreter, limits: Limits, binaries: dict[str, str]
) -> dict[str, object]:
    """A job as the keeper reads it.

    Raises:
        SandboxError: the path of a file leaves the job's folder.
    """
    if outside := [name for name in harness.files if name.startswith("/") or ".." in name.split("/")]:
        raise SandboxError(f"a program cannot have a file at {outside[0]!r}: its path leaves the program's folder")
    arguments = [a.replace("{memory_mb}", str(limits.memory_mb)) for a in harness.arguments]
    compiling = harness.compile_limits
    return {
        "files": {name: text for name, text in harness.files.items() if name != harness.forkable},
        "binaries": binaries,
        "environment": {**ENVIRONMENT, **harness.environment},
        "command": [*(harness.program or (interpreter.path,)), *arguments],
        "compile": [word.replace("{interpreter}", interpreter.path) for word in harness.compile],
        "compiling": {
            "memory_mb": compiling.memory_mb,
            "file_mb": compiling.file_mb,
            "cpu_s": compiling.cpu_s,
            "processes": compiling.processes + IDLE_THREADS,
        },
        "forkable": harness.forkable,
        "idle_mb": harness.idle_mb,
        "memory_mb": limits.memory_mb,
        "file_mb": limits.file_mb,
        "cpu_s": limits.cpu_s,
        "processes": limits.processes + (0 if harness.forkable else IDLE_THREADS),
    }
