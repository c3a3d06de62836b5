"""Runs programs in the sandbox, in threads of their own. The first program opens the sandbox."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.facts import MAIN
from pytest_codereason.errors import MissingCapability, PartError, SandboxError, UsageError
from pytest_codereason.registry import language

if TYPE_CHECKING:
    from pytest_codereason.sandbox import Mode
    from pytest_codereason.sandbox.sandbox import Sandbox


#: How many executions are remembered. Questions about one program at many positions follow each other.
MOST_REMEMBERED = 1000


class Executor:
    """This process's sandbox. The first program opens it."""

    def __init__(self, mode: Mode) -> None:
        self._mode: Mode = mode
        self._opening = threading.Lock()
        self._sandbox: Sandbox | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._known: dict[Run, asyncio.Future[Execution]] = {}
        self._closed = False
        self._ran: set[str] = set()  #: the languages of which a program was run

    @property
    def tier(self) -> str:
        """The isolation in which programs run. Opens the sandbox.

        Raises:
            SandboxError: the sandbox does not start, or does not offer the required isolation.
        """
        return self._open().tier

    async def run(self, run: Run) -> Execution:
        """Runs a program, and remembers the result if the program ended by itself. Call it from one event loop only.

        Raises:
            SandboxError: the program could not be run, and is not to blame. An optional run is ``tampered`` then.
        """
        if self._pool is None:
            self._pool = ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="codereason-run")
        if run not in self._known:
            while len(self._known) >= MOST_REMEMBERED:
                del self._known[next(iter(self._known))]
            self._known[run] = asyncio.get_running_loop().run_in_executor(self._pool, self.execute, run)
            self._known[run].add_done_callback(lambda ended: self._forget(run, ended))
        # A caller may be cancelled. The others still need the result.
        try:
            return await asyncio.shield(self._known[run])
        except SandboxError as error:
            if not run.optional or self._closed:
                raise
            return Execution(ending="tampered", message=str(error))

    @property
    def idle(self) -> bool:
        """Whether no program runs for :meth:`run`."""
        return all(execution.done() for execution in self._known.values())

    def _forget(self, run: Run, ended: asyncio.Future[Execution]) -> None:
        """Forgets an execution that may end differently next time."""
        lasting = not ended.cancelled() and not ended.exception() and _lasts(ended.result())
        if not lasting and self._known.get(run) is ended:
            del self._known[run]

    def execute(self, run: Run) -> Execution:
        """Runs a program and waits for its end. Call it outside the event loop."""
        if self._closed:
            raise SandboxError("the run is ending")
        try:
            execution = self._open().run(run)
        except MissingCapability as error:
            raise SandboxError(str(error)) from error
        except OSError as error:
            raise SandboxError(f"the sandbox fails: {type(error).__name__}: {error}") from error
        self._ran.add(run.language)
        return execution

    def find_missing(self, languages: Iterable[str]) -> Iterator[str]:
        """A message for each of these languages whose programs cannot be run. It says what to install."""
        for name in languages:
            try:
                self.execute(Run.from_source(language=name, source=""))
            except (PartError, SandboxError) as error:
                yield f"{language(name).title}: {error}"

    def list_versions(self) -> dict[str, str]:
        """The versions of the interpreters that this process has started for programs: ``{"node": "20.11.1"}``.

        The Python that runs pytest is not among them. No interpreter is asked a second time.
        """
        from pytest_codereason.sandbox.interpreters import find_version

        harnesses = [language(name).runner.harness({MAIN: ""}, MAIN, "") for name in sorted(self._ran)]
        return {each.interpreter: find_version(each) for each in harnesses if not each.own}

    def _open(self) -> Sandbox:
        from pytest_codereason.sandbox import open_sandbox

        with self._opening:
            if self._sandbox is None:
                try:
                    self._sandbox = open_sandbox(self._mode)
                except UsageError as error:
                    raise SandboxError(str(error)) from error
                except OSError as error:
                    raise SandboxError(f"the sandbox does not start: {error}") from error
        return self._sandbox

    def rest(self) -> None:
        """Ends the processes of the sandbox. The next program starts others."""
        if self._sandbox is not None:
            self._sandbox.close()

    def close(self) -> None:
        """Ends all running programs and starts no others. Waiting callers get an error at once."""
        self._closed = True
        if self._sandbox is not None:
            self._sandbox.close()
        if self._pool is not None:
            self._pool.shutdown(wait=False)


def _lasts(execution: Execution) -> bool:
    """Whether the program would end like that again. A clock depends on what else runs, processor time hardly does."""
    return execution.limit == "cpu" or execution.ending not in ("limit", "tampered")
