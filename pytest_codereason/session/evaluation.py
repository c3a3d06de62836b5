"""One evaluation: the hooks that tie pytest to the desk that asks and the head that reports."""

from __future__ import annotations

import gc
import uuid
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.engine.executing import Executor
from pytest_codereason.engine.lengths import kinds
from pytest_codereason.engine.writing import written_by
from pytest_codereason.errors import UsageError
from pytest_codereason.fuzzing.hooks import Fuzzing
from pytest_codereason.session.desk import Desk
from pytest_codereason.session.head import Head
from pytest_codereason.session.protocol import MARKS, Protocol, attach, steps_aside
from pytest_codereason.session.settings import Settings
from pytest_codereason.suites import reading as suite_files
from pytest_codereason.suites import suite as suites
from pytest_codereason.suites.suite import Suite

EVALUATION: pytest.StashKey[Evaluation] = pytest.StashKey()


def start(config: pytest.Config) -> None:
    """Registers the evaluation for this run."""
    try:
        evaluation = Evaluation(config)
    except UsageError as error:
        raise pytest.UsageError(str(error)) from error
    config.add_cleanup(gc.unfreeze)  # what collection and the desk have frozen
    config.stash[EVALUATION] = evaluation
    config.pluginmanager.register(evaluation, "codereason-evaluation")
    config.pluginmanager.register(evaluation.fuzzing, "codereason-fuzzing")


def of(config: pytest.Config) -> Evaluation | None:
    """The evaluation of this run, if a model was given."""
    return config.stash.get(EVALUATION, None)


class Evaluation:
    """The state of a run in this process, and its hooks."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.settings = Settings.of(config)
        self.models = self.settings.build_models()
        self.writer = self.settings.build_writer()
        worker: dict[str, Any] | None = getattr(config, "workerinput", None)
        self.id: str = worker["codereason_session"] if worker else uuid.uuid4().hex
        self.executor = Executor(self.settings.sandbox)
        self.desk = Desk(config, self.settings, self.models, self.writer, self.id, self.executor)
        self.head = None if worker else Head(config, self)
        self.fuzzing = Fuzzing(self)
        self._suites: dict[Path, Suite] = {}
        self._protocol: Protocol | None = None  #: the short way to run a question, where there is one
        if self.settings.dry_run:
            _without_workers(config)

    def suite(self, path: Path) -> Suite:
        """The suite of a file, read once.

        Raises:
            UsageError: it cannot be read.
        """
        if path not in self._suites:
            suite = suite_files.load(path, seed=self.settings.seed, sampling=self.settings.sampling)
            if self.writer is not None:
                suite = written_by(self.writer, suite)
            drawn = [axis for stage in suite.stages for axis in stage.axes]  # perhaps not in the matrix
            for axis in dict.fromkeys(("language", *suite.matrix, *drawn)):
                self.config.addinivalue_line("markers", f"{axis}: an axis of a codereason suite")
            self._suites[path] = suite
        return self._suites[path]

    # --- collection ---------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None, None, None]:
        """Checks everything that can be checked before the first request, once nobody deselects any more."""
        yield
        from pytest_codereason.session.collection import Placeholder, Question

        self._protocol = None if steps_aside(self.config) else Protocol(self.config)
        if self.head is not None:
            asked = (item for item in items if isinstance(item, (Question, Placeholder)))
            self.head.prepare(kinds((item.path, item.name) for item in asked))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """The same for the controller, which learns the ids from its first worker."""
        if self.head is not None and not self.head.prepared:
            files = kinds((nodeid.partition("::")[0], nodeid.rpartition("::")[2]) for nodeid in ids)
            self.head.prepare({path: n for name, n in files.items() if (path := suite_path(self.config, name))})

    def pytest_report_header(self) -> str:
        """Says which models will be asked."""
        return self.head.header() if self.head else ""

    def pytest_report_collectionfinish(self) -> list[str]:
        """Says how much will be asked and where the report goes."""
        return self.head.collected() if self.head else []

    # --- xdist --------------------------------------------------------------------------------

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tells a worker its place among the workers."""
        from pytest_codereason.engine.scheduling import worker_index

        node.workerinput["codereason_session"] = self.id
        node.workerinput["codereason_index"] = worker_index(node)
        node.workerinput["codereason_shared"] = self._shares

    @pytest.hookimpl(optionalhook=True, tryfirst=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config) -> Any:
        """Deals whole families under ``--dist=load``, and leaves other ways of dealing alone."""
        if not self._shares:
            return None
        from xdist.workermanage import parse_tx_spec_config

        from pytest_codereason.engine.scheduling import ShareScheduling

        return ShareScheduling(config, len(parse_tx_spec_config(config)))

    @property
    def _shares(self) -> bool:
        return bool(self.config.getoption("dist", default="no") == "load")

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str, report: pytest.TestReport) -> None:
        """Counts a question whose worker died twice as unanswered."""
        path = suite_path(self.config, crashitem)
        if self.head is not None and path is not None:
            self.head.crashed(crashitem, path, report)

    # --- running ------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Counts instead of asking in a dry run."""
        if not self.settings.dry_run or self.config.option.collectonly:
            if self.head is not None:
                self.head.begin()
            return None
        assert self.head is not None, "a dry run has no workers"
        self.head.dry_run(session.items)
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        """Serves a question the short way, unless somebody else has a say in how it runs."""
        from pytest_codereason.session.collection import Question

        if self._protocol is None or not isinstance(item, Question):
            return None
        if any(mark.name in MARKS for node in item.listchain() for mark in node.own_markers):
            return None
        self._protocol.run(item, nextitem)
        return True

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Lets a report carry its records."""
        from pytest_codereason.session.collection import Question

        report = yield
        if isinstance(item, Question):
            attach(item, report)
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Takes the records off a report before anybody keeps it."""
        if self.head is not None:
            self.head.take(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, Any] | None:
        """Gives a miss its letter and its line."""
        return self.head.status(report) if self.head else None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_keyboard_interrupt(self) -> Generator[None, None, None]:
        """Lets pytest read the source of its traceback alone: Python 3.11 cannot parse in two threads at once."""
        with self.desk.paused():
            return (yield)

    # --- the end ------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Stops asking, writes the reports and sets the exit code."""
        try:
            try:
                self.desk.close()
                self.executor.close()
            finally:
                if self.head is not None:
                    self.head.finish(session, exitstatus)
        except KeyboardInterrupt:  # once more: at once. What is in the store is kept, and the same command goes on
            session.exitstatus = pytest.ExitCode.INTERRUPTED

    def pytest_terminal_summary(self) -> None:
        """Prints the summary."""
        if self.head is not None:
            self.head.summarise()


def suite_path(config: pytest.Config, nodeid: str) -> Path | None:
    """The suite file of a node id, ``None`` where it belongs to an ordinary test.

    Ids of files outside the root folder are relative to what was named on the command line.
    """
    name = nodeid.partition("::")[0]
    if not name.endswith(suites.SUFFIX):
        return None
    here = config.invocation_params.dir
    named = [here / arg.partition("::")[0] for arg in config.args]
    places = [*(p / name for p in named), *(p.parent / name for p in named), config.rootpath / name]
    return next((p for p in places if p.is_file()), config.rootpath / name)


def _without_workers(config: pytest.Config) -> None:
    """A dry run needs no workers, even where ``-n`` stands in the ini file."""
    if hasattr(config.option, "numprocesses"):
        config.option.numprocesses, config.option.dist, config.option.tx = None, "no", []
