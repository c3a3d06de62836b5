"""A run from its first question to its verdicts: takes its records, writes its folder and judges its gates."""

from __future__ import annotations

import itertools
import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pytest_codereason.core import Model
from pytest_codereason.engine.storage.open_runs import OpenRuns
from pytest_codereason.engine.storage.run_folder import RunFolder, new_folder
from pytest_codereason.engine.storage.store import Store, read_sent, read_spent
from pytest_codereason.errors import StoreError
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.reports import conclusion
from pytest_codereason.results.verdicts.verdict import GateVerdict
from pytest_codereason.session.checking.checked_run import CheckedRun
from pytest_codereason.session.description import compute_age
from pytest_codereason.session.order import Order
from pytest_codereason.session.running.early_stop import EarlyStop
from pytest_codereason.session.running.gating import read_rules
from pytest_codereason.session.running.progress import Progress
from pytest_codereason.session.running.progress_file import ProgressFile
from pytest_codereason.session.running.recorder import Recorder
from pytest_codereason.session.running.stopping import stop_on_sigterm


@dataclass(frozen=True)
class Ended:
    """What came of a run."""

    result: conclusion.Result | None  #: ``None`` if its reports could not be written
    trouble: str  #: why there is no result
    unasked: Sequence[str]  #: suites, languages and models of which nothing was asked
    exit_code: int

    @property
    def verdicts(self) -> Sequence[GateVerdict]:
        """The verdicts on the gates."""
        return self.result.report.gates if self.result is not None else ()


class LiveRun:
    """A run whose questions are asked. Opens its folder.

    Args:
        session: the name under which its processes add up their costs.
        began: when the session began, by the monotonic clock.
    """

    def __init__(
        self, order: Order, checked: CheckedRun, session: str, began: float, terminal: pytest.TerminalReporter | None
    ) -> None:
        self._order, self._checked, self._session, self._began = order, checked, session, began
        suites, counts = checked.selection.suites, checked.selection.counts
        path = order.options.report or new_folder(order.command.root / "reports", list(suites))
        self.folder = RunFolder(path, checked.description)
        plans = {name: suite.plan for name, suite in suites.items()}
        self._progress = Progress(terminal, counts.total(), ProgressFile(path))
        self.recorder = Recorder(plans, self.folder, self._progress)
        self._sigterm = stop_on_sigterm()

    def watch(self, items: Iterable[tuple[Path, str]]) -> list[str]:
        """Watches the gates over these questions, each a suite file and the id of an item. Gives notes for the user."""
        suites = {suite.path: suite for suite in self._checked.selection.suites.values()}
        questions = ((suites[path], nodeid) for path, nodeid in items)
        early = EarlyStop(self._checked.gates, self._checked.description, questions, self._order.options)
        self.recorder.early = early
        return early.list_notes()

    def find_stop(self) -> str:
        """The reason to stop if there is one, else an empty text."""
        if (error := self.recorder.unwritten) is not None:
            return self.folder.explain(error)
        return "every gate is decided" if self.recorder.is_decided else ""

    def end(self, exitstatus: int, *, failed: int, asked_to_stop: bool) -> Ended:
        """Writes the reports and judges the gates.

        Args:
            exitstatus: what pytest would exit with.
            failed: how many items pytest counts as failed.
            asked_to_stop: whether ``-x``, or a model that cannot be asked any more, has ended the run.
        """
        if self._sigterm is not None:
            signal.signal(signal.SIGTERM, self._sigterm)
        try:
            self._complete()
            ended = self._conclude(exitstatus, failed=failed, asked_to_stop=asked_to_stop)
            self._progress.end()
            return ended
        finally:
            self.folder.release()

    def _complete(self) -> None:
        """Completes what ``run.json`` says, as far as the records do not tell."""
        recorder, run = self.recorder, self._checked.description
        done, wanted = recorder.outcomes.total(), self._checked.selection.counts.total()
        run["complete"] = done == wanted and not recorder.outcomes["error"]
        if not run["complete"] and recorder.early is not None and recorder.is_decided:
            sent, most = read_sent(self._order.options.store, self._session), self._checked.sizing.count_requests()
            run["stopped_early"] = asdict(recorder.early.describe(done, wanted, sent=sent, requests=most))
        for name, unneeded in recorder.unneeded.items():
            run["suites"][name]["adaptive"]["unneeded"] = unneeded
        run |= {
            "finished": datetime.now(UTC).isoformat(timespec="seconds"),
            "wall_s": round(time.monotonic() - self._began, 3),
            "reused_oldest_s": compute_age(recorder.oldest),
            "texts_reused_oldest_s": compute_age(recorder.oldest_text),
        }

    def _conclude(self, exitstatus: int, *, failed: int, asked_to_stop: bool) -> Ended:
        unasked = self._list_unasked()
        try:
            result = self._write_reports()
        except OSError as error:
            return Ended(None, self.folder.explain(error), unasked, pytest.ExitCode.TESTS_FAILED)
        run = self._checked.description
        if run["complete"] or "stopped_early" in run:
            self._close_runs()
        missed = self._order.options.strict and (self.recorder.outcomes["miss"] > 0 or bool(unasked))
        interrupted = exitstatus == pytest.ExitCode.INTERRUPTED and not asked_to_stop
        others_failed = failed > self.recorder.failures
        code = self._choose_exit_code(result, exitstatus, interrupted=interrupted, failed=missed or others_failed)
        return Ended(result, "", unasked, code)

    def _list_unasked(self) -> list[str]:
        """Each suite, language and model of which every question was skipped."""
        asked = {
            (suite, language, model)
            for suite, kinds in self._checked.selection.kinds.items()
            for language, _ in kinds
            for model in self._order.roster.models
        }
        left = sorted(asked - self.recorder.asked)
        return [f"{suite} in {language} of {model}" for suite, language, model in left]

    def _write_reports(self) -> conclusion.Result:
        """The result, with every report written and the folder sealed.

        Raises:
            OSError: the disk is full, or the records could not be written.
        """
        options, roster, run = self._order.options, self._order.roster, self._checked.description
        self.folder.close()
        if self.recorder.unwritten is not None:
            raise self.recorder.unwritten
        if all(model.price is not None for model in (*roster.models.values(), *roster.writers.values())):
            run["spent"] = read_spent(options.store, self._session)
        gates = self._checked.gates
        rules = read_rules(options, gates)
        result = conclusion.conclude(
            self.folder.path, run, gates, rules, figures=options.figures, reporters=options.reporters
        )
        signer = self._checked.signer
        self.folder.seal(signer.sign if signer else None)
        return result

    def _close_runs(self) -> None:
        """Ends the runs in the store: the next session asks anew."""
        roster = self._order.roster
        with suppress(StoreError), closing(Store(self._order.options.store)) as store:  # the run is whole without
            for suite, model in self.list_pairs():
                runs = OpenRuns(store, model, self._order.command.selector)
                runs.close(suite.plan)
                if writer := roster.writers.get(model.label):
                    runs.close_for_texts(suite.plan, writer)

    def list_pairs(self) -> Iterator[tuple[Suite, Model]]:
        """Each suite with each model that is asked."""
        return itertools.product(self._checked.selection.suites.values(), self._order.roster.models.values())

    def _choose_exit_code(self, result: conclusion.Result, exitstatus: int, *, interrupted: bool, failed: bool) -> int:
        """0 if the run is complete and every gate passed. Misses alone are no failure.

        What is known to be bad comes first: 1 for a gate that fails, then 10 for gates that nobody can judge, then 1
        for a run that is incomplete elsewhere.
        """
        codes, run = pytest.ExitCode, self._checked.description
        if interrupted or exitstatus in (codes.INTERNAL_ERROR, codes.USAGE_ERROR):
            return exitstatus
        if failed:
            return codes.TESTS_FAILED
        if code := result.exit_code:
            return code
        if "stopped_early" in run:
            return codes.OK
        stopped = exitstatus not in (codes.OK, codes.TESTS_FAILED)
        return codes.TESTS_FAILED if stopped or not run["complete"] else codes.OK
