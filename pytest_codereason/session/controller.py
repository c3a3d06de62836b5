"""Checks a run before it starts, and writes its reports and judges its gates when it has ended.

The controller lives in the process that the user started: the only process of a plain run, or xdist's controller.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

from pytest_codereason.core.secrets import hide_inside
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.limits.prompt_lengths import count_kinds
from pytest_codereason.engine.recording import make_unasked
from pytest_codereason.engine.storage.run_folder import RunFolder
from pytest_codereason.errors import PartError, UsageError
from pytest_codereason.questions.suites.enumeration import Questions
from pytest_codereason.results.verdicts.verdict import GateVerdict
from pytest_codereason.session.checking.checked_run import CheckedRun, check_run
from pytest_codereason.session.checking.checks import read_suites
from pytest_codereason.session.checking.idle_options import check_seed
from pytest_codereason.session.checking.trying import Trial
from pytest_codereason.session.collecting.items import BrokenSuite
from pytest_codereason.session.collecting.suites import Suites
from pytest_codereason.session.description import describe_run, format_header, identify_questions
from pytest_codereason.session.live_run import Ended, LiveRun
from pytest_codereason.session.order import Order
from pytest_codereason.session.refusing import refuse
from pytest_codereason.session.running.recorder import Recorder, mark_crashed


class Controller:
    """Prepares and judges one run.

    Args:
        session: the name under which its processes add up their costs.
        find_terminal: pytest's terminal reporter, once there is one.
    """

    def __init__(
        self,
        order: Order,
        suites: Suites,
        executor: Executor,
        *,
        session: str,
        find_terminal: Callable[[], pytest.TerminalReporter | None],
    ) -> None:
        self._order = order
        self._suites = suites
        self._executor = executor
        self._session = session
        self._find_terminal = find_terminal
        self._began = time.monotonic()
        self._trial = Trial()
        self.prepared = False
        self._checked: CheckedRun | None = None  # nothing was wrong: questions will be asked, or counted
        self._live: LiveRun | None = None
        self._dry_run: list[str] = []  # what a dry run has counted
        self._ended: Ended | None = None

    # --- before -------------------------------------------------------------------------------

    def format_header(self) -> str:
        """The line above the collection."""
        return format_header(self._order)

    def try_models(self) -> None:
        """Tries the models at addresses, so that nobody waits for a collection to hear that a server is down.

        Raises:
            pytest.UsageError: a model cannot be asked.
        """
        try:
            self._trial.try_addresses(self._order)
        except UsageError as error:
            raise refuse(error) from error

    def prepare(self, items: Sequence[tuple[Path, str]], *, searches: bool) -> None:
        """Checks everything before the first request, so that a mistake costs nothing.

        Args:
            items: the questions that will be asked, each a suite file and the id of an item.
            searches: whether the session has tests that search for counterexamples.

        Raises:
            pytest.UsageError: a suite, a gate, a model, the store or the run folder cannot be used.
        """
        self.prepared = True
        try:
            self._checked = self._check(items, searches=searches)
            if self._checked is not None and not self._order.options.dry_run:
                self._live = LiveRun(self._order, self._checked, self._session, self._began, self._find_terminal())
        except (UsageError, PartError) as error:
            raise refuse(error) from error

    def _check(self, items: Sequence[tuple[Path, str]], *, searches: bool) -> CheckedRun | None:
        """The run; ``None`` if nothing will be asked or counted."""
        command, options = self._order.command, self._order.options
        questions = count_kinds((path, nodeid.rpartition("::")[2]) for path, nodeid in items)
        if not questions:
            if options.gates and not command.collects_only:
                raise UsageError("--eval-gate: no question of any suite is selected, so there is nothing to judge")
            return None
        selection = read_suites(self._suites, questions, questions if options.strict else command.files)
        if not selection.suites:  # a part of each has raised, as its one item says
            return None
        digest = identify_questions(nodeid for _, nodeid in items)
        description = hide_inside(describe_run(self._order, selection, digest))
        if command.collects_only:
            return None
        models = self._order.roster.models.values()
        check_seed(command.typed, options, models, selection.suites.values(), searches=searches)
        return check_run(self._order, selection, description, self._executor, items, self._trial)

    def watch(self, items: Iterable[tuple[Path, str]]) -> None:
        """Watches the gates over these questions, each a suite file and the id of an item, if the user wants it."""
        if self._live is not None and self._checked is not None and self._order.options.stop_when_decided:
            self._checked.notes.extend(self._live.watch(items))

    def format_collected(self) -> list[str]:
        """The lines below the collection."""
        from pytest_codereason.session.summary import format_collected

        return [] if self._checked is None else format_collected(self._order, self._checked, self._live)

    # --- during -------------------------------------------------------------------------------

    @property
    def folder(self) -> RunFolder:
        """The folder of the run that is under way."""
        assert self._live is not None
        return self._live.folder

    @property
    def recorder(self) -> Recorder:
        """Takes the records of the run; one that keeps nothing while none is asked."""
        return Recorder({}, None, None) if self._live is None else self._live.recorder

    def say(self, text: str) -> None:
        """Writes a line while questions are asked."""
        if (terminal := self._find_terminal()) is not None:
            terminal.ensure_newline()
            terminal.write_line(text)

    def take(self, report: pytest.TestReport) -> str:
        """Takes the records off a report. Gives the reason to stop if there is one, else an empty text."""
        self.recorder.take(report)
        return "" if self._live is None else self._live.find_stop()

    def record_crash(self, nodeid: str, path: Path, report: pytest.TestReport) -> None:
        """Records a question whose worker died twice. It is an error, never a miss."""
        suite, reason = self._suites.read(path), "the worker that asked the question died, twice"
        within = nodeid.split("::")[1:]
        spec = Questions(suite).find(within[-1])
        label = within[0] if len(within) > 1 else next(iter(self._order.roster.models))
        samples = range(suite.samples_for(spec))
        mark_crashed(report, [make_unasked(suite, spec, label, sample, reason) for sample in samples], reason)

    def count_dry(self, items: Sequence[pytest.Item]) -> None:
        """Counts what would be asked."""
        from pytest_codereason.session.checking.dry_run import format_dry_run

        if broken := next((item for item in items if isinstance(item, BrokenSuite)), None):
            raise refuse(broken.error)  # else nobody would hear of it
        models = self._order.roster.models
        sizes = {label: self._checked.sizing.estimate(label) for label in models} if self._checked else {}
        self._dry_run = format_dry_run(items, sizes, models, batches=self._order.options.batch)

    # --- after --------------------------------------------------------------------------------

    def finish(self, session: pytest.Session, exitstatus: int, *, asked_to_stop: bool) -> None:
        """Writes the reports, judges the gates and sets the exit code.

        ``asked_to_stop`` says whether ``-x``, or a model that cannot be asked any more, has ended the run.
        """
        if self._live is not None:
            self._ended = self._live.end(exitstatus, failed=session.testsfailed, asked_to_stop=asked_to_stop)
            session.exitstatus = self._ended.exit_code

    @property
    def verdicts(self) -> Sequence[GateVerdict]:
        """The verdicts on the gates, once the run has ended."""
        return self._ended.verdicts if self._ended is not None else ()

    def summarise(self) -> None:
        """Prints the summary through pytest's terminal."""
        from pytest_codereason.session.summary import write_dry_run, write_summary

        terminal = self._find_terminal()
        if terminal is None:
            return
        if self._live is None or self._checked is None or self._ended is None:
            write_dry_run(terminal, self._dry_run)
        else:
            write_summary(terminal, self._order, self._checked.description, self._live, self._ended)
