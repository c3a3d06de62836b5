"""Ties the search to pytest: gives the fixture its value, runs its tests and reports their results."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Model, Record
from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.engine.engine import Engine, check_models
from pytest_codereason.engine.jobs import Job
from pytest_codereason.engine.limits.allowance import Allowance
from pytest_codereason.errors import BudgetSpent, ModelError, TimeSpent, UsageError
from pytest_codereason.fuzzing import replay, report
from pytest_codereason.fuzzing.counterexample import Counterexample
from pytest_codereason.fuzzing.examiner import Examiner, LostAnswer
from pytest_codereason.fuzzing.probes import Probe, Probes
from pytest_codereason.fuzzing.search_log import SearchLog
from pytest_codereason.fuzzing.search_progress import SearchProgress
from pytest_codereason.fuzzing.signals import ExampleEnd, LimitReached, Mistake, NoAnswer
from pytest_codereason.options import Options

#: The name of the fixture.
FIXTURE = "codereason"
#: The property of a test's report that holds its line of the summary.
PROPERTY = "fuzzing"
TROUBLE = "no answer: "
MISTAKE = "the test cannot ask this: "
INCONCLUSIVE = "inconclusive: "


class Fuzzing:
    """The fuzzing of one session in one process, with its hooks. Registered if the session has a model."""

    def __init__(
        self,
        options: Options,
        *,
        models: Mapping[str, Model],
        sampling: Mapping[str, object],
        allowance: Allowance,
        find_engine: Callable[[], Engine],
        root: Path,
        folder: str,
        progress: SearchProgress,
    ) -> None:
        self._options = options
        self._models = models
        self._allowance = allowance
        self._find_engine = find_engine
        self._root = root
        self._progress = progress
        self._test = ""  #: the name of the test that runs
        self._probes = Probes(sampling)
        self._examiners: dict[str, Examiner] = {}
        self._lacks_answers = False
        self._interrupted = False
        name = folder or f"{datetime.now():%Y-%m-%d-%H%M%S}-fuzz"
        self._log = SearchLog(options.report or root / "reports" / name)

    def examine(self, label: str = "") -> Examiner:
        """The examiner of a model, by default the first. The first call checks the model."""
        label = label or self._options.models[0]
        if label not in self._examiners:
            model = self._models[label]
            try:
                self._check(model)
            except UsageError as error:
                raise pytest.fail.Exception(f"{label} cannot be asked: {error}", pytrace=False) from None
            window = self._allowance.count_requests(model)
            self._examiners[label] = Examiner(label, partial(self._put, label), window=window)
        return self._examiners[label]

    def _check(self, model: Model) -> None:
        if self._options.max_cost is not None and model.price is None:
            raise UsageError("--eval-max-cost needs its price: --model-arg price_in=USD and --model-arg price_out=USD")
        check_models([model])

    def _put(self, label: str, asked: Sequence[tuple[Probe, int]]) -> Sequence[Record]:
        engine = self._find_engine()
        records = engine.answers([Job(label, *self._probes.add(probe), (number,)) for probe, number in asked])
        self._log.add(records)
        self._progress.say(self._test, self._examiners[label], self._options.fuzz_requests)
        stop = engine.find_stop(label)
        if isinstance(stop, BudgetSpent):
            raise LimitReached(f"--eval-max-cost {self._options.max_cost:g}")
        if isinstance(stop, TimeSpent):
            raise LimitReached("--eval-max-time")
        for record in records:
            if record.outcome == "error":
                raise ModelError(record.reason)
        return records

    # --- pytest's hooks -----------------------------------------------------------------------

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Runs each test once for each model, if there are several."""
        if FIXTURE in metafunc.fixturenames and len(self._options.models) > 1:
            metafunc.parametrize(FIXTURE, self._options.models, indirect=True, scope="session")

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Sends the name of the run's folder to a worker."""
        node.workerinput["codereason_fuzz"] = self._log.folder.name

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        """Runs a test that asks a model."""
        examiner = pyfuncitem.funcargs.get(FIXTURE)
        body = getattr(getattr(pyfuncitem.obj, "hypothesis", None), "inner_test", pyfuncitem.obj)
        if not isinstance(examiner, Examiner) or inspect.iscoroutinefunction(body):  # other plugins run coroutines
            return None
        try:
            error = self._run_test(pyfuncitem, examiner)
        finally:
            try:
                self._log.write(pyfuncitem.nodeid)
            except OSError as trouble:
                pyfuncitem.warn(pytest.PytestWarning(f"the records cannot be written: {trouble}"))
        if error is not None:
            raise error
        return True

    def _run_test(self, item: pytest.Function, examiner: Examiner) -> BaseException | None:
        """Runs a test. Returns the error that pytest must raise, ``None`` if the test passed."""
        examiner.begin_test()
        self._test = item.name
        try:
            if getattr(item.obj, "is_hypothesis_test", False):
                return self._search(item, examiner)
            return self._replay(item, examiner)
        except Mistake as mistake:
            return pytest.fail.Exception(f"{MISTAKE}{mistake}", pytrace=False)
        except ExampleEnd as cut:
            return pytest.skip.Exception(str(cut))
        except LimitReached as spent:
            return pytest.skip.Exception(f"no more questions are asked: {spent}")
        except NoAnswer as trouble:
            self._lacks_answers = True
            return pytest.fail.Exception(f"{TROUBLE}{trouble}", pytrace=False)
        finally:
            self._progress.clear()

    def _replay(self, item: pytest.Function, examiner: Examiner) -> BaseException | None:
        """Runs a test that asks about given programs, such as a counterexample that was kept."""
        failure: BaseException | None = None
        try:
            item.obj(**{name: item.funcargs[name] for name in item._fixtureinfo.argnames})
        except LostAnswer as lost:
            example = Counterexample.of(examiner.trail, {}, lost)
            failure = pytest.fail.Exception(report.format_answers(example, examiner.model), pytrace=False)
        because = report.explain_inconclusive(examiner.tally)
        if line := report.format_replay(examiner.tally, because):
            item.user_properties.append((PROPERTY, f"{item.nodeid}: {line}"))
        return self._end_inconclusive(because) if because else failure

    def _search(self, item: pytest.Function, examiner: Examiner) -> BaseException | None:
        from pytest_codereason.fuzzing.search import Search, SearchLimits

        test = item.obj.hypothesis.inner_test
        chosen = item.obj._hypothesis_internal_use_settings
        strategies = item.obj.hypothesis._given_kwargs
        fixed = {name: item.funcargs[name] for name in inspect.signature(item.obj).parameters}
        itself = (item.obj.__self__,) if inspect.ismethod(item.obj) else ()
        limits = SearchLimits(
            seed=self._options.seed or 0,
            examples=chosen.max_examples,
            requests=self._options.fuzz_requests,
            shrink=self._options.fuzz_shrink,
        )

        def body(**drawn: Any) -> object:
            __tracebackhide__ = True
            return test(*itself, **fixed, **drawn)

        explicit = getattr(item.obj, "hypothesis_explicit_examples", ())
        result = Search(examiner, body, strategies, explicit, limits).run()
        smallest = result.smallest
        line = report.format_summary(examiner.tally, result)
        if smallest is None:
            item.user_properties.append((PROPERTY, f"{item.nodeid}: {line}"))
            because = report.explain_inconclusive(examiner.tally)
            return self._end_inconclusive(because) if because else None
        if not smallest.wrong:
            return smallest.error
        origin = f"{examiner.model} · {report.describe_question(smallest)} · seed {limits.seed}"
        where = shorten_path(replay.write_test(self._examples_folder, smallest, item.originalname, origin))
        item.user_properties.append((PROPERTY, f"{item.nodeid}: {line}; pytest {where} --model={examiner.model}"))
        failure = report.format_failure(smallest, result, examiner.model, limits.seed)
        return pytest.fail.Exception(f"{failure}\nagain: pytest {where} --model={examiner.model}", pytrace=False)

    def _end_inconclusive(self, because: str) -> BaseException:
        """The outcome of a test that could not find anything: neither passed nor failed, unless misses fail."""
        if self._options.strict:
            return pytest.fail.Exception(f"{INCONCLUSIVE}{because}", pytrace=False)
        return pytest.skip.Exception(f"{INCONCLUSIVE}{because}")

    @property
    def _examples_folder(self) -> Path:
        """The folder of written counterexamples. It is the same in every run, unless the user names a folder."""
        return self._options.report or self._root / "reports" / "found"

    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """A question without an answer is an error, not a failure. A search that could find nothing has not passed."""
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
        if report.when == "call" and report.skipped and reason.removeprefix("Skipped: ").startswith(INCONCLUSIVE):
            return "inconclusive", "?", "INCONCLUSIVE"
        if report.when == "call" and report.failed and str(report.longrepr).startswith((TROUBLE, MISTAKE)):
            return "error", "E", "ERROR"
        return None

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Lets the next run ask anew, if this run got all its answers."""
        self._interrupted = exitstatus == pytest.ExitCode.INTERRUPTED
        if self._probes.plans and not self._lacks_answers and not self._interrupted:
            for label in self._examiners:
                self._find_engine().end_runs(label, self._probes.plans)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Prints one line for each search, and how a search that was interrupted goes on."""
        reports = (report for group in terminalreporter.stats.values() for report in group)
        lines = [
            value
            for report in reports
            if getattr(report, "when", "") == "call"
            for name, value in report.user_properties
            if name == PROPERTY
        ]
        if self._interrupted and self._probes.plans:
            lines.append("interrupted: the answers so far are kept; the same command goes on and pays for none twice")
        if lines:
            terminalreporter.section(PROPERTY)
            for line in [*lines, *([f"answers: {self._log.written}"] if self._log.written else [])]:
                terminalreporter.write_line(str(line))
