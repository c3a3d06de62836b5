"""The side of the plugin that knows the whole run: checks before it, writes during it, judges after it.

It lives in the process the user started: the only one of a plain run, the controller under xdist.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import math
import shlex
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_codereason.core import Model
from pytest_codereason.engine import lengths, runs
from pytest_codereason.engine.asking import unasked
from pytest_codereason.engine.folder import RunFolder, new_folder, rows
from pytest_codereason.engine.lengths import Kind
from pytest_codereason.engine.selection import first_questions
from pytest_codereason.engine.store import Store
from pytest_codereason.errors import SandboxError, StoreError, UsageError
from pytest_codereason.files.locations import shown
from pytest_codereason.reporters import conclusion
from pytest_codereason.session.checks import check_models, check_prices
from pytest_codereason.session.description import concurrency, describe
from pytest_codereason.session.progress import Progress
from pytest_codereason.session.protocol import carried_by
from pytest_codereason.suites.suite import Suite

if TYPE_CHECKING:
    from pytest_codereason.session.evaluation import Evaluation

STATUS = {
    "correct": ("passed", ".", "PASSED"),
    "miss": ("missed", "m", "MISS"),
    "error": ("unanswered", "E", "ERROR"),
    "skipped": ("skipped", "s", "SKIPPED"),
}


class Head:
    """Prepares, records and judges one run."""

    def __init__(self, config: pytest.Config, evaluation: Evaluation) -> None:
        self._config = config
        self._evaluation = evaluation
        self._settings = evaluation.settings
        self._models = evaluation.models
        self.prepared = False
        self._ready = False  # nothing was wrong: questions will be asked, or counted
        self._suites: dict[str, Suite] = {}
        self._selected: Counter[str] = Counter()
        self._kinds: dict[str, Counter[Kind]] = {}  # of them
        self._seen: Counter[str] = Counter()  # questions by outcome
        self._done: set[str] = set()  # their node ids
        self._failures = 0  # reports of questions that pytest counts as failed
        self._folder: RunFolder | None = None
        self._progress: Progress | None = None
        self._began = time.time()
        self._oldest = math.inf  # when the oldest answer taken from the store was given
        self._result: conclusion.Result | None = None
        self._planned: list[str] = []
        self._trouble = ""  # why there is no result
        self._notes: list[str] = []  # what a user should know before the first question
        self._sigterm: signal.Handlers | None = None
        self.run: dict[str, Any] = {}

    # --- before -------------------------------------------------------------------------------

    def header(self) -> str:
        """The line above the collection."""
        settings = self._settings
        sent = "nothing is sent" if settings.dry_run else f"{concurrency(settings, self._models)} in flight"
        writer = f" · writer: {settings.writer}" if settings.writer else ""
        return f"codereason: {', '.join(self._models)} · {sent}{writer}"

    def prepare(self, questions: Mapping[Path, Counter[Kind]]) -> None:
        """Everything that can be said to be wrong is said here, before the first request.

        Args:
            questions: how many of each kind will be asked of each suite file.

        Raises:
            pytest.UsageError: a suite, a gate, a model, the store or the run folder cannot be.
        """
        self.prepared = True
        try:
            if not questions:
                self._refuse_idle_gates()
                return
            self._load(questions)
            if self._config.option.collectonly:
                return
            self._gates = conclusion.parse_gates(self._settings.gates, self.run)
            for suite in self._suites.values():
                first_questions(suite)
            if not self._settings.dry_run:
                self._check_models()
                self._check_store()
                self._check_sandbox()
                self._open_folder()
                self._sigterm = _stop_on_sigterm()
            asked = ((suite, self._kinds[name]) for name, suite in self._suites.items())
            self._notes += lengths.warnings(asked, list(self._models.values()))
        except UsageError as error:
            raise pytest.UsageError(str(error)) from error
        self._ready = True

    def _refuse_idle_gates(self) -> None:
        if self._settings.gates and not self._config.option.collectonly:
            raise UsageError("--eval-gate: no question of any suite is selected, so there is nothing to judge")

    def _load(self, questions: Mapping[Path, Counter[Kind]]) -> None:
        mistakes = []
        for path, counts in questions.items():
            try:
                suite = self._evaluation.suite(path)
            except UsageError as error:
                mistakes.append(str(error))
                continue
            if suite.name in self._suites:
                other = shown(self._suites[suite.name].path)
                mistakes.append(f"{shown(path)}: another suite is also named {suite.name} ({other})")
            self._suites[suite.name] = suite
            self._selected[suite.name] = counts.total()
            self._kinds[suite.name] = counts
        if mistakes:
            raise UsageError("\n       ".join(mistakes))
        self.run = describe(self._config, self._evaluation, self._suites, self._selected)

    def _check_models(self) -> None:
        writer = self._evaluation.writer
        if writer is not None and not any(suite.writer for suite in self._suites.values()):
            self._notes.append(f"the writer {writer.label} has nothing to write: no suite asks it for hints")
            writer = None
        if self._settings.max_cost is not None:
            check_prices(self._models, writer)
        asyncio.run(check_models([*self._models.values(), *([writer] if writer else [])]))

    def _check_store(self) -> None:
        try:
            Store(self._settings.store).close()
        except StoreError as error:
            raise UsageError(str(error)) from error

    def _check_sandbox(self) -> None:
        """Opens the sandbox where something will be run, and looks for the interpreters."""
        asked = any(model.executes for model in self._models.values())
        executing = [suite for suite in self._suites.values() if asked or suite.executes]
        if not executing:
            return
        executor = self._evaluation.executor
        try:
            self.run["sandbox"] = executor.tier
        except SandboxError as error:
            raise UsageError(f"--eval-sandbox {self._settings.sandbox}: {error}") from error
        languages = dict.fromkeys(name for suite in executing for name in suite.languages)
        self._notes += [f"{missing}; questions that need it run are errors" for missing in executor.missing(languages)]

    def _open_folder(self) -> None:
        path = self._settings.report or new_folder(self._config.rootpath / "reports", list(self._suites))
        self._folder = RunFolder(path, self.run)
        self._progress = Progress(
            self._config.pluginmanager.get_plugin("terminalreporter"), sum(self._selected.values())
        )

    def collected(self) -> list[str]:
        """The lines below the collection."""
        if not self._ready:
            return []
        asked = ", ".join(f"{name} {self._selected[name]:,}" for name in self._suites)
        lines = [f"codereason: {asked} questions" + (" (a part)" if self.run["selection"] else "")]
        if self._folder is not None:
            lines.append(f"codereason: report in {shown(self._folder.path)}, {self._stored()}")
            for suite in self._suites.values():
                notes = [note for language in suite.languages for note in suite.source.notes(language)]
                lines += [f"codereason: {suite.name}: {note}" for note in notes]
            tier = self.run["sandbox"]
            lines.append(f"codereason: sandbox: {tier}" + (" (no code is run)" if tier == "none" else ""))
        return lines + [f"codereason: {note}" for note in self._notes]

    def _stored(self) -> str:
        with closing(Store(self._settings.store, reuse_s=self._settings.reuse_s)) as store:
            known = sum(runs.known(store, suite.plan, model) for suite, model in self._pairs())
        return f"{known:,} of its answers kept"

    def _pairs(self) -> Iterator[tuple[Suite, Model]]:
        return itertools.product(self._suites.values(), self._models.values())

    # --- during -------------------------------------------------------------------------------

    def begin(self) -> None:
        """The first question is about to be asked."""
        if self._progress is not None:
            self._progress.begin()

    def take(self, report: pytest.TestReport) -> None:
        """Takes the records off a report, writes them, and leaves a few words on it."""
        carried = carried_by(report)
        if carried is None:
            return
        taken = carried.pop("records", None)
        if taken is None or report.outcome == "rerun":  # type: ignore[comparison-overlap]  # of pytest-rerunfailures
            return
        if report.failed and not hasattr(report, "wasxfail"):
            self._failures += 1
        if report.nodeid in self._done:  # --dist=each lets every worker run all
            return
        self._done.add(report.nodeid)
        if isinstance(taken, str):
            taken = json.loads(taken)
        self._seen[carried["outcome"]] += 1
        for row in taken:
            if row["suite"] not in self._suites or row["plan"] != self._suites[row["suite"]].plan:
                raise pytest.UsageError(f"a worker asked another suite {row['suite']} than this process has read")
            if row["reused"]:
                self._oldest = min(self._oldest, *(step["answered_at"] for step in row["steps"]))
            if self._folder is not None:
                self._write(row)
        if self._progress is not None:
            self._progress.add(taken)

    def _write(self, row: dict[str, Any]) -> None:
        assert self._folder is not None
        try:
            self._folder.add(row)
        except UsageError as error:
            raise pytest.UsageError(str(error)) from error

    def status(self, report: pytest.TestReport) -> tuple[str, str, Any] | None:
        """The category, letter and word of a question's report."""
        carried = carried_by(report)
        if carried is None or report.outcome == "rerun" or hasattr(report, "wasxfail"):  # type: ignore[comparison-overlap]
            return None
        category, letter, word = STATUS[carried["outcome"]]
        if self._progress is not None and self._progress.live:
            return category, "", ""
        if carried["outcome"] in ("miss", "error"):
            color = "yellow" if carried["outcome"] == "miss" else "red"
            return category, letter, (f"{word} {carried['line']}", {color: True})
        return category, letter, word

    def crashed(self, nodeid: str, path: Path, report: pytest.TestReport) -> None:
        """A question whose worker died twice: an error, never a miss."""
        suite, reason = self._evaluation.suite(path), "the worker that asked it died, twice"
        within = nodeid.split("::")[1:]
        spec = next(spec for spec in suite.specs() if spec.id == within[-1])
        label = within[0] if len(within) > 1 else next(iter(self._models))
        records = [unasked(suite, spec, label, sample, reason) for sample in range(suite.samples_for(spec))]
        report.codereason = {"outcome": "error", "line": reason, "records": rows(records)}  # type: ignore[attr-defined]
        report.when = "call"

    def dry_run(self, items: Sequence[pytest.Item]) -> None:
        """Counts what would be asked."""
        from pytest_codereason.session.dry_run import plan_lines

        self._planned = plan_lines(items, self._models)

    # --- after --------------------------------------------------------------------------------

    def finish(self, session: pytest.Session, exitstatus: int) -> None:
        """Closes the books: reports, verdicts, exit code."""
        if self._folder is None:
            return
        if self._sigterm is not None:
            signal.signal(signal.SIGTERM, self._sigterm)
        complete = self._seen.total() == sum(self._selected.values()) and not self._seen["error"]
        self.run |= {
            "complete": complete,
            "finished": datetime.now(UTC).isoformat(timespec="seconds"),
            "wall_s": round(time.time() - self._began, 3),
            "reused_oldest_s": round(time.time() - self._oldest) if self._oldest < math.inf else None,
        }
        try:
            self._folder.close()
            self._result = conclusion.conclude(
                self._folder.path, self.run, self._gates, allow_partial=self._settings.allow_partial
            )
        except OSError as error:
            self._trouble = str(self._folder.unwritable(error))
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
            return
        if complete and self.run["selection"] is None:
            with closing(Store(self._settings.store)) as store:
                for suite, model in self._pairs():
                    runs.close(store, suite.plan, model)
        session.exitstatus = self._exit_code(session, exitstatus, self._result.passed)

    def _exit_code(self, session: pytest.Session, exitstatus: int, passed: bool) -> int:
        """0: measured, and every gate passed. Misses alone are no failure."""
        distributed = self._config.pluginmanager.get_plugin("dsession")
        asked_to_stop = session.shouldstop or getattr(distributed, "shouldstop", False)
        interrupted = exitstatus == pytest.ExitCode.INTERRUPTED and not asked_to_stop
        if interrupted or exitstatus in (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR):
            return exitstatus
        others = session.testsfailed - self._failures
        stopped = exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        missed = self._settings.strict and self._seen["miss"] > 0
        failed = others > 0 or stopped or missed or not self.run["complete"] or not passed
        return pytest.ExitCode.TESTS_FAILED if failed else pytest.ExitCode.OK

    def summarise(self) -> None:
        """Prints the summary through pytest's terminal."""
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if terminal is None:
            return
        lines: list[tuple[str, dict[str, bool]]] = [(line, {}) for line in self._planned]
        if self._result is not None:
            lines = self._result.lines(terminal._tw.fullwidth)
        elif self._trouble:
            lines = [(self._trouble, {"red": True})]
        if not lines:
            return
        terminal.ensure_newline()
        terminal.section("codereason", sep="=")
        for line, markup in lines:
            terminal.write_line(line, **markup)
        if self._folder is not None:
            terminal.write_line(f"report: {shown(self._folder.path / 'report.html')}")
            if not self.run["complete"]:
                command = shlex.join(["pytest", *map(str, self._config.invocation_params.args)])
                terminal.write_line(f"incomplete; the same command goes on where it stopped: {command}", yellow=True)


def _stop_on_sigterm() -> signal.Handlers | None:
    """Lets a polite kill end a run as Ctrl-C does, a second one at once; gives the handler it replaced."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        return None

    def stop(number: int, frame: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        raise KeyboardInterrupt("SIGTERM")

    signal.signal(signal.SIGTERM, stop)
    return signal.SIG_DFL
