"""The hooks that tie pytest to the interviewer, which asks, and to the controller, which reports."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core.secrets import hide
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.engine import Engine
from pytest_codereason.engine.limits.allowance import Allowance
from pytest_codereason.engine.limits.time_limit import TimeLimit
from pytest_codereason.engine.sharing.sharding import Work, find_family
from pytest_codereason.errors import CodereasonError, PartError, UsageError, explain
from pytest_codereason.fuzzing.hooks import FIXTURE, Fuzzing
from pytest_codereason.fuzzing.search_progress import SearchProgress
from pytest_codereason.options import read_options
from pytest_codereason.questions.suites.suite import Suite, explain_ending, is_question
from pytest_codereason.session.checking import idle_options
from pytest_codereason.session.checking.models import make_roster
from pytest_codereason.session.collecting.items import Placeholder, Question, assign_item
from pytest_codereason.session.collecting.misnamed import check_endings, is_in_folder, looks_like_suite
from pytest_codereason.session.collecting.ordering import drop_repeated, order_programs
from pytest_codereason.session.collecting.repeating import choose_repeated
from pytest_codereason.session.collecting.selectors import check_markers, explain_keyword
from pytest_codereason.session.collecting.suites import Suites
from pytest_codereason.session.controller import Controller
from pytest_codereason.session.description import Command
from pytest_codereason.session.interviewer import Assignment, Interviewer, Worker
from pytest_codereason.session.running.garbage import collect_seldom
from pytest_codereason.session.running.junit import add_gates, pass_miss
from pytest_codereason.session.running.runtest_protocol import MARKS, Protocol, attach, steps_aside
from pytest_codereason.session.running.stopping import stop_on_sigterm, stop_workers
from pytest_codereason.session.secrecy import Secrecy
from pytest_codereason.session.shared import SHARED, Shared

#: The attribute of a report that holds what a worker says of a mistake of the user.
_MISTAKE = "codereason_mistake"
EVALUATION: pytest.StashKey[Evaluation] = pytest.StashKey()


def start(config: pytest.Config, typed: Mapping[str, Sequence[str]]) -> None:
    """Registers the evaluation for this run. ``typed`` has the options of the command line with their values."""
    try:
        evaluation = Evaluation(config, typed)
    except (UsageError, PartError) as error:
        raise pytest.UsageError(hide(explain(error))) from error
    config.pluginmanager.register(Secrecy(config), "codereason-secrecy")
    config.add_cleanup(collect_seldom())
    config.stash[EVALUATION] = evaluation
    config.pluginmanager.register(evaluation, "codereason-evaluation")
    config.pluginmanager.register(evaluation.fuzzing, "codereason-fuzzing")


def find(config: pytest.Config) -> Evaluation | None:
    """The evaluation of this run, if a model was given."""
    return config.stash.get(EVALUATION, None)


class Evaluation:
    """Makes the parts of a run in this process, and hands pytest's calls to them."""

    def __init__(self, config: pytest.Config, typed: Mapping[str, Sequence[str]]) -> None:
        self._config = config
        idle_options.check_given_once(typed)
        self._typed = typed
        self.options = options = read_options(config)
        idle_options.check_gate_options(typed, options)
        check_endings(config.args, config.invocation_params.dir)
        roster = make_roster(options, config.rootpath)
        models = roster.models
        self._models = list(models.values())
        given: dict[str, Any] | None = getattr(config, "workerinput", None)
        worker = given and Worker(given["codereason_index"], given["workercount"], given["codereason_shared"])
        self._id: str = given["codereason_session"] if given else uuid.uuid4().hex
        self._end = None
        if options.max_time_s is not None:
            self._end = TimeLimit.start(options.max_time_s, left=given["codereason_left_s"] if given else None)
        allowance = Allowance(
            concurrency=options.concurrency,
            max_cost=options.max_cost,
            end=self._end,
            session=self._id,
            processes=worker.count if worker else 1,
            process=worker.index if worker else 0,
        )
        self._executor = Executor(options.sandbox)
        command = Command.read(config, options, typed)

        def open_engine() -> Engine:
            return Engine(
                models,
                store=options.store,
                executor=self._executor,
                allowance=allowance,
                reuse_s=options.reuse_s,
                selection=command.selector,
                writers=roster.writers,
            )

        def add_marker(line: str) -> None:
            config.addinivalue_line("markers", line)

        self._suites = Suites(seed=options.seed, sampling=roster.sampling, writer=roster.writer, add_marker=add_marker)
        # A run that ends at a miss pays for no model that would have come after it.
        stops_early = config.getoption("maxfail", 0) or config.getoption("stepwise", default=False)
        self._interviewer = Interviewer(
            open_engine, self._list_items, worker=worker or None, side_by_side=not stops_early
        )
        config.stash[SHARED] = Shared(
            models=options.models,
            limit=options.limit,
            shard=options.shard,
            suites=self._suites,
            interviewer=self._interviewer,
        )
        self._controller: Controller | None = None
        if given:
            stop_on_sigterm()
        else:
            self._controller = Controller(
                command,
                options,
                session=self._id,
                models=models,
                sampling=roster.sampling,
                writers=roster.writers,
                suites=self._suites,
                executor=self._executor,
                find_terminal=lambda: config.pluginmanager.get_plugin("terminalreporter"),
            )
        self.fuzzing = Fuzzing(
            options,
            models=models,
            sampling=roster.sampling,
            allowance=allowance,
            find_engine=lambda: self._interviewer.engine,
            root=config.rootpath,
            folder=given["codereason_fuzz"] if given else "",
            progress=SearchProgress(config),
        )
        self._items: Sequence[pytest.Item] = ()
        self._misnamed: list[Path] = []  # files that look like suites
        self._empty = ""  # why -k has selected nothing
        self._session: pytest.Session | None = None
        self._protocol: Protocol | None = None  #: the short way to run a question, where there is one
        if options.dry_run:
            _drop_workers(config)

    def _list_items(self) -> list[Assignment]:
        repeated = choose_repeated(self._items, self.options)
        return [assign_item(item, repeats=item.nodeid in repeated) for item in self._items]

    # --- collection ---------------------------------------------------------------------------

    def pytest_collect_file(self, file_path: Path) -> None:
        """Remembers files that look like suites and are not collected, in the folders that the user names."""
        if is_in_folder(file_path, self._config) and looks_like_suite(file_path):
            self._misnamed.append(file_path)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> Generator[None, None, None]:
        """Checks the run once all plugins have deselected what they deselect."""
        collected, option = list(items), self._config.option
        searches = any(FIXTURE in getattr(item, "fixturenames", ()) for item in collected)
        try:
            if option.markexpr:
                check_markers(option.markexpr, collected, self._config.getini("markers"))
            if collected and not session.testsfailed:  # else a file with fuzz tests may be broken
                idle_options.check_search_options(self._typed, searches=searches)
        except UsageError as error:
            self._refuse(hide(str(error)))
        yield
        if repeated := drop_repeated(items):
            self._config.hook.pytest_deselected(items=repeated)
        if option.keyword and not any(isinstance(item, Question) for item in items):
            self._empty = explain_keyword(option.keyword, collected)
        if self.options.stop_when_decided:
            order_programs(items, self.options.seed or 0)
        self._protocol = None if steps_aside(self._config) else Protocol(self._config)
        if self._controller is not None:
            questions = (item for item in items if isinstance(item, (Question, Placeholder)))
            places = [(item.path, str(item.nodeid)) for item in questions]
            self._controller.prepare(places, self._make_seed_check(searches=searches))
            self._controller.watch((item.path, str(item.nodeid)) for item in items if isinstance(item, Question))

    def _make_seed_check(self, *, searches: bool) -> Callable[[Iterable[Suite]], None]:
        return partial(idle_options.check_seed, self._typed, self.options, self._models, searches=searches)

    def _refuse(self, mistake: str) -> None:
        """Ends the run for a mistake of the user. A worker tells the controller, by a report of its collection.

        Raises:
            pytest.UsageError: in the controller.
        """
        if self._controller is not None:
            raise pytest.UsageError(mistake)
        report = pytest.CollectReport("", "failed", mistake, [])
        setattr(report, _MISTAKE, mistake)
        self._config.hook.pytest_collectreport(report=report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Ends the run for the mistake that a worker reports."""
        if self._controller is not None and hasattr(report, _MISTAKE):
            raise pytest.UsageError(getattr(report, _MISTAKE))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Learns which items this process has, and in which order."""
        self._items = session.items

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Checks the run in the controller, which learns the ids from its first worker."""
        if self._controller is not None and not self._controller.prepared:
            files = dict.fromkeys(nodeid.partition("::")[0] for nodeid in ids)
            paths = {name: find_suite(self._config, name) for name in files}
            places = [(path, nodeid) for nodeid in ids if (path := paths[nodeid.partition("::")[0]]) is not None]
            self._controller.prepare(places, self._make_seed_check(searches=not all(map(is_question, ids))))
            self._controller.watch(places)

    def pytest_report_header(self) -> str:
        """Says which models will be asked."""
        return self._controller.format_header() if self._controller else ""

    def pytest_report_collectionfinish(self) -> list[str]:
        """Says how many questions will be asked and where the report goes."""
        notes = [f"codereason: not asked: {explain_ending(path)}" for path in self._misnamed]
        notes += [f"codereason: {self._empty}"] if self._empty else []
        return [*self._controller.format_collected(), *notes] if self._controller else []

    # --- xdist --------------------------------------------------------------------------------

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tells a worker its place among the workers."""
        from pytest_codereason.engine.sharing.scheduling import find_worker_index

        node.workerinput["codereason_session"] = self._id
        node.workerinput["codereason_index"] = find_worker_index(node)
        node.workerinput["codereason_shared"] = self._shares
        node.workerinput["codereason_left_s"] = self._end and self._end.left()

    @pytest.hookimpl(optionalhook=True, tryfirst=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config) -> Any:
        """Deals whole families under ``--dist=load``, and leaves other ways of dealing alone."""
        if not self._shares:
            return None
        from xdist.workermanage import parse_tx_spec_config

        from pytest_codereason.engine.sharing.scheduling import ShareScheduling

        return ShareScheduling(config, len(parse_tx_spec_config(config)), self.measure)

    @property
    def _shares(self) -> bool:
        return bool(self._config.getoption("dist", default="no") == "load")

    def measure(self, nodeids: Sequence[str]) -> list[Work]:
        """The work of each item. The controller has the ids only; workers get the same numbers from their items."""
        costs: dict[str, dict[str, int]] = {}
        work = []
        for nodeid in nodeids:
            file = nodeid.partition("::")[0]
            if file not in costs:
                costs[file] = self._list_costs(file)
            work.append(Work(find_family(nodeid), costs[file].get(nodeid.rpartition("::")[2], 1)))
        return work

    def _list_costs(self, file: str) -> dict[str, int]:
        """The cost of each question of a suite file, by its id."""
        path = find_suite(self._config, file)
        if path is None:
            return {}
        try:
            suite = self._suites.read(path)
        except CodereasonError:  # its one item says so
            return {}
        return {spec.id: suite.cost_of(spec) for spec in suite.specs()}

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str, report: pytest.TestReport) -> None:
        """Counts a question whose worker died twice as unanswered."""
        path = find_suite(self._config, crashitem)
        if self._controller is not None and path is not None:
            self._controller.record_crash(crashitem, path, report)

    # --- running ------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Counts instead of asking in a dry run."""
        self._session = session
        if not self.options.dry_run or self._config.option.collectonly:
            if self._controller is not None:
                self._controller.recorder.begin()
            return None
        assert self._controller is not None, "a dry run has no workers"
        self._controller.count_dry(session.items)
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        """Runs a question by the fast protocol, unless another plugin decides how items run."""
        if self._protocol is None or not isinstance(item, Question):
            return None
        if any(mark.name in MARKS for node in item.listchain() for mark in node.own_markers):
            return None
        self._protocol.run(item, nextitem)
        return True

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Lets a report carry its records."""
        report = yield
        if isinstance(item, Question):
            attach(item, report)
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Takes the records off a report before anybody keeps it."""
        if self._controller is not None and self.options.junit_misses == "properties":
            pass_miss(self._config, report)
        if self._controller is not None and (reason := self._controller.take(report)):
            self._stop(reason)

    def _stop(self, reason: str) -> None:
        """Ends the session after the current item, under xdist too."""
        distributed = self._config.pluginmanager.get_plugin("dsession")
        for session in filter(None, (self._session, distributed)):
            session.shouldstop = session.shouldstop or reason
        stop_workers(self._config, self.options.store, self._id)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, Any] | None:
        """Gives a miss its letter and its line."""
        return self._controller.recorder.classify(report) if self._controller else None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_keyboard_interrupt(self) -> Generator[None, None, None]:
        """Stops the workers, and the event loop while pytest makes a traceback.

        Python 3.11 cannot parse in two threads at once.
        """
        if self._controller is not None:
            stop_workers(self._config, self.options.store, self._id)
        with self._interviewer.pause():
            return (yield)

    # --- the end ------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Stops asking, writes the reports and sets the exit code."""
        distributed = self._config.pluginmanager.get_plugin("dsession")
        asked_to_stop = bool(session.shouldstop or getattr(distributed, "shouldstop", False))
        try:
            try:
                self._interviewer.close()
                self._executor.close()
            finally:
                if self._controller is not None:
                    self._controller.finish(session, exitstatus, asked_to_stop=asked_to_stop)
                    add_gates(self._config, self._controller.verdicts)
        except KeyboardInterrupt:  # once more: at once. What is in the store is kept, and the same command goes on
            session.exitstatus = pytest.ExitCode.INTERRUPTED

    def pytest_terminal_summary(self) -> None:
        """Prints the summary."""
        if self._controller is not None:
            self._controller.summarise()


def find_suite(config: pytest.Config, nodeid: str) -> Path | None:
    """The suite file of a node id, ``None`` if it belongs to an ordinary test.

    Ids of files outside the root folder are relative to what was named on the command line.
    """
    if not is_question(nodeid):
        return None
    name = nodeid.partition("::")[0]
    here = config.invocation_params.dir
    named = [here / arg.partition("::")[0] for arg in config.args]
    places = [*(p / name for p in named), *(p.parent / name for p in named), config.rootpath / name]
    return next((p for p in places if p.is_file()), config.rootpath / name)


def _drop_workers(config: pytest.Config) -> None:
    """A dry run needs no workers, even where ``-n`` stands in the ini file."""
    if hasattr(config.option, "numprocesses"):
        config.option.numprocesses, config.option.dist, config.option.tx = None, "no", []
