"""Checks a run before it starts, and writes its reports and judges its gates when it has ended.

The controller lives in the process that the user started: the only process of a plain run, or xdist's controller.
"""

from __future__ import annotations

import itertools
import shlex
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Model
from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.core.secrets import hide, hide_inside
from pytest_codereason.core.text import wording
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.engine import check_models
from pytest_codereason.engine.limits import prompt_lengths as lengths
from pytest_codereason.engine.limits.prompt_lengths import count_kinds
from pytest_codereason.engine.limits.run_size import RunSize
from pytest_codereason.engine.sharing.selection import try_questions
from pytest_codereason.engine.storage import open_runs as runs
from pytest_codereason.engine.storage.run_folder import RunFolder, new_folder
from pytest_codereason.engine.storage.signing import Signer
from pytest_codereason.engine.storage.store import Store, read_sent, read_spent
from pytest_codereason.engine.unasked import make_unasked
from pytest_codereason.errors import PartError, StoreError, UsageError, explain
from pytest_codereason.options import Options
from pytest_codereason.questions.suites.enumeration import Questions
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.reports import conclusion
from pytest_codereason.reports.reporters import github
from pytest_codereason.results.verdicts.gates import Gate
from pytest_codereason.results.verdicts.verdict import GateVerdict
from pytest_codereason.sandbox.tiers import warn_of_tier
from pytest_codereason.session.checking.checks import (
    Selection,
    check_prices,
    check_sandbox,
    check_store,
    count_stored,
    list_open_costs,
    list_uncounted,
    read_suites,
)
from pytest_codereason.session.checking.idle_options import Effects
from pytest_codereason.session.checking.sizing import Sizing
from pytest_codereason.session.collecting.items import BrokenSuite
from pytest_codereason.session.collecting.suites import Suites
from pytest_codereason.session.description import Command, compute_age, describe_run, format_header, identify_questions
from pytest_codereason.session.running.early_stop import EarlyStop, check_stop
from pytest_codereason.session.running.gating import read_baseline_info, read_rules
from pytest_codereason.session.running.progress import Progress
from pytest_codereason.session.running.recorder import Recorder, mark_crashed
from pytest_codereason.session.running.stopping import stop_on_sigterm


class Controller:
    """Prepares and judges one run.

    Args:
        session: the name under which its processes add up their costs.
        sampling: the user's settings of sampling for all models.
        find_terminal: pytest's terminal reporter, once there is one.
    """

    def __init__(
        self,
        command: Command,
        options: Options,
        *,
        session: str,
        models: Mapping[str, Model],
        sampling: Mapping[str, object],
        writers: Mapping[str, Model],
        suites: Suites,
        executor: Executor,
        find_terminal: Callable[[], pytest.TerminalReporter | None],
    ) -> None:
        self._command = command
        self._session = session
        self._options = options
        self._models = models
        self._sampling = sampling
        self._writers = writers
        self._reader = suites
        self._executor = executor
        self._find_terminal = find_terminal
        self.prepared = False
        self._ready = False  # nothing was wrong: questions will be asked, or counted
        self._selection = Selection({}, {})
        self._folder: RunFolder | None = None
        self.recorder = Recorder({}, None, None)
        self._began = time.monotonic()
        self._result: conclusion.Result | None = None
        self._dry_run: list[str] = []  # what a dry run has counted
        self._unasked: list[str] = []  # suites, languages and models of which nothing was asked
        self._trouble = ""  # why there is no result
        self._gates: Sequence[Gate] = ()
        self._sizing: Sizing | None = None
        self._sizes: dict[str, RunSize] = {}  # by model
        self._signer: Signer | None = None
        self._notes: list[str] = []  # what a user should know before the first question
        self._sigterm: signal.Handlers | None = None
        self._run: dict[str, Any] = {}

    # --- before -------------------------------------------------------------------------------

    def format_header(self) -> str:
        """The line above the collection."""
        return format_header(self._options, self._models, self._writers)

    def prepare(self, items: Sequence[tuple[Path, str]], check_seed: Callable[[Iterable[Suite]], None]) -> None:
        """Checks everything before the first request, so that a mistake costs nothing.

        Args:
            items: the questions that will be asked, each a suite file and the id of an item.
            check_seed: refuses a seed that changes nothing in the suites.

        Raises:
            pytest.UsageError: a suite, a gate, a model, the store or the run folder cannot be used.
        """
        questions = count_kinds((path, nodeid.rpartition("::")[2]) for path, nodeid in items)
        self.prepared = True
        try:
            if not questions:
                self._refuse_idle_gates()
                return
            self._selection = read_suites(
                self._reader, questions, questions if self._options.strict else self._command.files
            )
            if not self._selection.suites:  # a part of each has raised, as its one item says
                return
            self._run = hide_inside(
                describe_run(
                    self._command,
                    self._options,
                    self._models,
                    self._writers,
                    self._selection.suites,
                    self._selection.counts,
                    self._selection.left_out,
                    identify_questions(nodeid for _, nodeid in items),
                )
            )
            if self._command.collects_only:
                return
            check_seed(self._selection.suites.values())
            self._sizing = Sizing(self._selection.suites, self._models, items, repeat=self._options.repeat)
            self._check(self._sizing)
        except (UsageError, PartError) as error:
            raise pytest.UsageError(hide(explain(error))) from error
        self._ready = True

    def _check(self, sizing: Sizing) -> None:
        options, suites, kinds = self._options, self._selection.suites, self._selection.kinds
        models = list(self._models.values())
        self._gates = conclusion.parse_gates(options.gates, self._run, read_baseline_info(options))
        check_stop(options, self._gates)
        conclusion.check_parts(options.figures, options.reporters)
        self._signer = Signer(options.sign) if options.sign else None
        writers = self._writers.values()
        effects = Effects(self._command, options, suites, self._models, writers, self._sampling)
        self._notes += effects.check(self._gates)
        self._try_questions()
        if not options.dry_run:
            self._check_models(effects.busy_writers)
            check_store(options.store)
            self._run["sandbox"], missing = check_sandbox(self._executor, suites.values(), models, options.sandbox)
            self._run["versions"] |= self._executor.list_versions()
            self._notes += missing
            self._sizes = sizing.estimate_each()
            self._notes += list_open_costs(self._sizes, options)
            self._run["estimate"] = {label: size.describe() for label, size in self._sizes.items()}
            self._open_folder()
            self._sigterm = stop_on_sigterm()
        self._notes += lengths.list_warnings(((suite, kinds[name]) for name, suite in suites.items()), models)

    def watch(self, items: Iterable[tuple[Path, str]]) -> None:
        """Watches the gates over these questions, each a suite file and the id of an item, if the user wants it."""
        if self._ready and self._options.stop_when_decided and not self._options.dry_run:
            suites = {suite.path: suite for suite in self._selection.suites.values()}
            questions = ((suites[path], nodeid) for path, nodeid in items)
            self.recorder.early = EarlyStop(self._gates, self._run, questions, self._options)
            self._notes += self.recorder.early.list_notes()

    def _try_questions(self) -> None:
        tried = [try_questions(suite) for suite in self._selection.suites.values()]
        errors = {str(error): error.trace for _, raised in tried for error in raised}
        notes = [f"{line}; questions that need it become errors\n{trace}" for line, trace in errors.items()]
        if notes and not sum(made for made, _ in tried):
            line, trace = next(iter(errors.items()))
            raise UsageError(f"{line}\n{trace}")
        self._notes += notes

    def _refuse_idle_gates(self) -> None:
        if self._options.gates and not self._command.collects_only:
            raise UsageError("--eval-gate: no question of any suite is selected, so there is nothing to judge")

    def _check_models(self, writers: Sequence[Model]) -> None:
        self._notes += list_uncounted(writers)
        if self._options.max_cost is not None:
            check_prices(self._models, writers)
        broken = check_models(list(dict.fromkeys([*self._models.values(), *writers])))
        self._notes += map(explain, broken)

    def _open_folder(self) -> None:
        suites = self._selection.suites
        path = self._options.report or new_folder(self._command.root / "reports", list(suites))
        self._folder = RunFolder(path, self._run)
        progress = Progress(self._find_terminal(), self._selection.counts.total())
        self.recorder = Recorder({name: suite.plan for name, suite in suites.items()}, self._folder, progress)

    def format_collected(self) -> list[str]:
        """The lines below the collection."""
        options = self._options
        if not self._ready:
            return []
        counts = ", ".join(f"{name} {many:,}" for name, many in self._selection.counts.items())
        noun = "question" if self._selection.counts.total() == 1 else "questions"
        lines = [f"codereason: {counts} {noun}" + (" (a part)" if self._run["selection"] else "")]
        if self._folder is not None:
            lines.append(f"codereason: report in {shorten_path(self._folder.path)}")
            if stored := count_stored(options.store, options.reuse_s, self._list_pairs(), self._command.selector):
                lines.append(f"codereason: resuming: {stored:,} answers are already stored")
            for suite in self._selection.suites.values():
                lines += [f"codereason: {suite.name}: {note}" for note in suite.list_notes()]
            lines += [f"codereason: {label}: {size.summary}" for label, size in self._sizes.items()]
            tier = self._run["sandbox"]
            remark = "no code is run" if tier == "none" else warn_of_tier(tier)
            lines.append(f"codereason: sandbox: {tier}" + (f" ({remark})" if remark else ""))
        lines += [f"codereason: left out: {text}" for text in wording.group_reasons(self._selection.left_out)]
        return lines + [f"codereason: {note}" for note in self._notes]

    def _list_pairs(self) -> Iterator[tuple[Suite, Model]]:
        return itertools.product(self._selection.suites.values(), self._models.values())

    # --- during -------------------------------------------------------------------------------

    def take(self, report: pytest.TestReport) -> str:
        """Takes the records off a report. Gives the reason to stop if there is one, else an empty text."""
        self.recorder.take(report)
        if (error := self.recorder.unwritten) is not None and self._folder is not None:
            return self._folder.explain(error)
        return "every gate is decided" if self.recorder.is_decided else ""

    def record_crash(self, nodeid: str, path: Path, report: pytest.TestReport) -> None:
        """Records a question whose worker died twice. It is an error, never a miss."""
        suite, reason = self._reader.read(path), "the worker that asked the question died, twice"
        within = nodeid.split("::")[1:]
        spec = Questions(suite).find(within[-1])
        label = within[0] if len(within) > 1 else next(iter(self._models))
        samples = range(suite.samples_for(spec))
        mark_crashed(report, (make_unasked(suite, spec, label, sample, reason) for sample in samples), reason)

    def count_dry(self, items: Sequence[pytest.Item]) -> None:
        """Counts what would be asked."""
        from pytest_codereason.session.checking.dry_run import format_dry_run

        if broken := next((item for item in items if isinstance(item, BrokenSuite)), None):
            raise pytest.UsageError(hide(explain(broken.error)))  # else nobody would hear of it
        sizes = {label: self._sizing.estimate(label) for label in self._models} if self._sizing else {}
        self._dry_run = format_dry_run(items, sizes, self._models)

    # --- after --------------------------------------------------------------------------------

    def finish(self, session: pytest.Session, exitstatus: int, *, asked_to_stop: bool) -> None:
        """Writes the reports, judges the gates and sets the exit code.

        ``asked_to_stop`` says whether ``-x``, or a model that cannot be asked any more, has ended the run.
        """
        if self._folder is None:
            return
        try:
            self._conclude(self._folder, session, exitstatus, asked_to_stop=asked_to_stop)
        finally:
            self._folder.release()

    def _conclude(self, folder: RunFolder, session: pytest.Session, exitstatus: int, *, asked_to_stop: bool) -> None:
        if self._sigterm is not None:
            signal.signal(signal.SIGTERM, self._sigterm)
        outcomes, recorder, total = self.recorder.outcomes, self.recorder, self._selection.counts.total()
        self._unasked = self._list_unasked()
        complete = outcomes.total() == total and not outcomes["error"]
        early = not complete and self.recorder.is_decided
        if early and recorder.early is not None and self._sizing is not None:
            sent = read_sent(self._options.store, self._session)
            stop = recorder.early.describe(outcomes.total(), total, sent=sent, requests=self._sizing.count_requests())
            self._run["stopped_early"] = asdict(stop)
        self._run |= {
            "complete": complete,
            "finished": datetime.now(UTC).isoformat(timespec="seconds"),
            "wall_s": round(time.monotonic() - self._began, 3),
            "reused_oldest_s": compute_age(recorder.oldest),
            "texts_reused_oldest_s": compute_age(recorder.oldest_text),
        }
        try:
            folder.close()
            if self.recorder.unwritten is not None:
                raise self.recorder.unwritten
            if all(model.price is not None for model in (*self._models.values(), *self._writers.values())):
                self._run["spent"] = read_spent(self._options.store, self._session)
            rules = read_rules(self._options, self._gates)
            self._result = conclusion.conclude(
                folder.path,
                self._run,
                self._gates,
                rules,
                figures=self._options.figures,
                reporters=self._options.reporters,
            )
            folder.seal(self._signer.sign if self._signer else None)
        except OSError as error:
            self._trouble = folder.explain(error)
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
            return
        if complete or early:
            with suppress(StoreError), closing(Store(self._options.store)) as store:  # the run is whole without
                for suite, model in self._list_pairs():
                    runs.close_run(store, suite.plan, model, self._command.selector)
                    if writer := self._writers.get(model.label):
                        runs.close_text_run(store, suite.plan, model, writer, self._command.selector)
        session.exitstatus = self._choose_exit_code(exitstatus, session.testsfailed, asked_to_stop=asked_to_stop)

    @property
    def verdicts(self) -> Sequence[GateVerdict]:
        """The verdicts on the gates, once the run has ended."""
        return self._result.report.gates if self._result is not None else ()

    def _list_unasked(self) -> list[str]:
        """Each suite, language and model of which every question was skipped."""
        asked = {
            (suite, language, model)
            for suite, kinds in self._selection.kinds.items()
            for language, _ in kinds
            for model in self._models
        }
        left = sorted(asked - self.recorder.asked)
        return [f"{suite} in {language} of {model}" for suite, language, model in left]

    def _choose_exit_code(self, exitstatus: int, failed: int, *, asked_to_stop: bool) -> int:
        """0 if the run is complete and every gate passed. Misses alone are no failure.

        What is known to be bad comes first: 1 for a gate that fails, then 10 for gates that nobody can judge, then 1
        for a run that is incomplete elsewhere.
        """
        codes = pytest.ExitCode
        interrupted = exitstatus == codes.INTERRUPTED and not asked_to_stop
        if interrupted or exitstatus in (codes.INTERNAL_ERROR, codes.USAGE_ERROR):
            return exitstatus
        assert self._result is not None
        others_failed = failed > self.recorder.failures
        missed = self._options.strict and (self.recorder.outcomes["miss"] > 0 or bool(self._unasked))
        if others_failed or missed:
            return codes.TESTS_FAILED
        if code := self._result.exit_code:
            return code
        if "stopped_early" in self._run:
            return codes.OK
        stopped = exitstatus not in (codes.OK, codes.TESTS_FAILED)
        return codes.TESTS_FAILED if stopped or not self._run["complete"] else codes.OK

    def summarise(self) -> None:
        """Prints the summary through pytest's terminal."""
        terminal = self._find_terminal()
        if terminal is None:
            return
        lines: list[tuple[str, dict[str, bool]]] = [(line, {}) for line in self._dry_run]
        if self._result is not None:
            lines = self._result.lines(terminal._tw.fullwidth, brief=terminal.verbosity < 0)
            lines += [(line, {}) for line in github.report_step(self._result.report)]
        elif self._trouble:
            lines = [(self._trouble, {"red": True})]
        if not lines:
            return
        terminal.ensure_newline()
        terminal.section("codereason", sep="=")
        for line, markup in lines:
            terminal.write_line(line, **markup)
        for line, markup in self.recorder.list_tracebacks():
            terminal.write_line(line, **markup)
        if self._unasked and self._run["complete"]:
            terminal.write_line(f"nothing was asked: {'; '.join(self._unasked)}", yellow=True, bold=True)
        if self._folder is not None:
            terminal.write_line(f"report: {shorten_path(self._folder.path / 'report.html')}")
            if "stopped_early" in self._run:
                terminal.write_line("to ask the rest too, run again without --eval-stop-when-decided")
            elif not self._run["complete"]:
                again = shlex.join(["pytest", *self._command.arguments])
                without = " without --eval-reuse" if self._options.reuse_s == 0 else ""
                terminal.write_line(f"incomplete; to continue, run again{without}: {again}", yellow=True)
