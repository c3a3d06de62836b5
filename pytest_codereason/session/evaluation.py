"""The evaluation: makes the parts of a session in this process, and runs its questions by pytest's hooks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from pytest_codereason.engine.adaptive import CellJob, Chooser
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.engine import Engine
from pytest_codereason.engine.limits.allowance import Allowance
from pytest_codereason.engine.limits.time_limit import TimeLimit
from pytest_codereason.errors import PartError, UsageError
from pytest_codereason.fuzzing.hooks import Fuzzing
from pytest_codereason.fuzzing.search_progress import SearchProgress
from pytest_codereason.options import Options, read_options
from pytest_codereason.session.checking.batches import settle_batches
from pytest_codereason.session.checking.idle_options import check_gate_options, check_given_once
from pytest_codereason.session.checking.models import make_roster, settle_models
from pytest_codereason.session.collecting.hooks import CollectionHooks
from pytest_codereason.session.collecting.items import Question, assign_item
from pytest_codereason.session.collecting.misnamed import check_endings
from pytest_codereason.session.collecting.repeating import choose_repeated
from pytest_codereason.session.collecting.suites import Suites
from pytest_codereason.session.controller import Controller
from pytest_codereason.session.distributing import DistributionHooks, ProcessPlace
from pytest_codereason.session.forking import (
    ForkedInterviewer,
    Forks,
    count_processes,
    read_most_deaths,
    take_from_xdist,
)
from pytest_codereason.session.interviewer import Assignment, Interviewer, OwnInterviewer
from pytest_codereason.session.order import Command, Order
from pytest_codereason.session.refusing import refuse
from pytest_codereason.session.running.garbage import collect_seldom
from pytest_codereason.session.running.junit import add_gates, pass_miss
from pytest_codereason.session.running.runtest_protocol import MARKS, Protocol, attach, steps_aside
from pytest_codereason.session.running.stopping import stop_on_sigterm, stop_workers
from pytest_codereason.session.secrecy import Secrecy
from pytest_codereason.session.shared import SHARED, Shared


def start(config: pytest.Config, typed: Mapping[str, Sequence[str]]) -> None:
    """Registers the evaluation for this run. ``typed`` has the options of the command line with their values."""
    try:
        order = read_order(config, typed)
        hooks = make_hooks(config, order, ProcessPlace.find(config))
    except (UsageError, PartError) as error:
        raise refuse(error) from error
    config.pluginmanager.register(Secrecy(config), "codereason-secrecy")
    config.add_cleanup(collect_seldom())
    for name, plugin in hooks.items():
        config.pluginmanager.register(plugin, f"codereason-{name}")


def find(config: pytest.Config) -> Fuzzing | None:
    """The search of this run, if a model was given."""
    fuzzing: Fuzzing | None = config.pluginmanager.get_plugin("codereason-fuzzing")
    return fuzzing


def read_order(config: pytest.Config, typed: Mapping[str, Sequence[str]]) -> Order:
    """What the user has ordered.

    Raises:
        UsageError: an option or a model cannot be used.
    """
    check_given_once(typed)
    options = read_options(config)
    check_gate_options(typed, options)
    check_endings(config.args, config.invocation_params.dir)
    options = settle_models(options, config.rootpath)
    roster = make_roster(options, config.rootpath)
    settle_batches(options, roster.models.values(), processes=getattr(config.option, "numprocesses", None))
    return Order(Command.read(config, options, typed), options, roster)


def make_allowance(options: Options, place: ProcessPlace) -> Allowance:
    """What this process may use of what the session may use."""
    end = None if options.max_time_s is None else TimeLimit.start(options.max_time_s, left=place.left_s)
    return Allowance(
        concurrency=options.concurrency,
        max_cost=options.max_cost,
        end=end,
        session=place.session,
        processes=place.worker.count if place.worker else 1,
        process=place.worker.index if place.worker else 0,
    )


def make_hooks(config: pytest.Config, order: Order, place: ProcessPlace) -> dict[str, object]:
    """The parts of a session in this process: the objects whose hooks pytest calls, by name."""
    options, roster = order.options, order.roster
    allowance, executor = make_allowance(options, place), Executor(options.sandbox)

    def open_engine(process: int | None = None, processes: int = 1) -> Engine:
        part = allowance if process is None else replace(allowance, process=process, processes=processes)
        return Engine(
            roster.models,
            store=options.store,
            executor=executor,
            allowance=part,
            reuse_s=options.reuse_s,
            selection=order.command.selector,
            writers=roster.writers,
            batches=options.batch,
            tell=news.append,
        )

    news = deque[str]()
    suites = Suites(
        seed=options.seed,
        sampling=roster.sampling,
        writer=roster.writer,
        add_marker=partial(config.addinivalue_line, "markers"),
    )
    find_terminal = partial(config.pluginmanager.get_plugin, "terminalreporter")
    controller = None
    if place.worker is None:
        controller = Controller(order, suites, executor, session=place.session, find_terminal=find_terminal)
    else:
        stop_on_sigterm()
        # A worker's own summary is shown to nobody, and takes time that grows with the square of the misses.
        config.option.no_summary = True
    forks = None
    processes = count_processes(config, [*roster.models.values(), *roster.writers.values()])
    if processes or options.dry_run:
        take_from_xdist(config)
    if processes and controller is not None:
        forks = Forks(
            processes,
            open_engine,
            executor,
            find_folder=lambda: controller.folder,
            say=lambda text: _say(find_terminal(), text),
            most_deaths=read_most_deaths(config),
        )
    evaluation = Evaluation(config, order, place, executor, controller, open_engine, news, forks)
    interviewer = evaluation.interviewer
    config.stash[SHARED] = Shared(
        models=options.models, limit=options.limit, shard=options.shard, suites=suites, interviewer=interviewer
    )
    fuzzing = Fuzzing(
        options,
        models=roster.models,
        sampling=roster.sampling,
        allowance=allowance,
        find_engine=lambda: interviewer.engine,
        root=config.rootpath,
        folder=place.fuzz,
        progress=SearchProgress(config),
    )
    return {
        "collection": CollectionHooks(config, order, controller),
        "distribution": DistributionHooks(config, place.session, allowance.end, suites, controller),
        "evaluation": evaluation,
        "fuzzing": fuzzing,
    }


class Evaluation:
    """Runs the questions of a session in this process, and ends it.

    Args:
        controller: ``None`` in a worker.
        open_engine: called when the first question is due.
        news: what the engine tells the user, in order.
        forks: the processes that ask in the place of this one.
    """

    def __init__(
        self,
        config: pytest.Config,
        order: Order,
        place: ProcessPlace,
        executor: Executor,
        controller: Controller | None,
        open_engine: Callable[[], Engine],
        news: deque[str],
        forks: Forks | None = None,
    ) -> None:
        self._config = config
        self._options = order.options
        self._models = order.roster.models
        self._news = news
        self._name = place.session
        self._told = place.told
        self._executor = executor
        self._controller = controller
        # A run that ends at a miss pays for no model that would have come after it.
        stops_early = bool(config.getoption("maxfail", 0) or config.getoption("stepwise", default=False))
        # Nor does one that ends with its gates pay for many answers ahead, unless it asks several models side by side.
        decides = self._options.stop_when_decided and len(order.roster.models) == 1

        def look(ahead: int) -> None:
            if controller is not None:
                controller.recorder.wait(ahead)
            self._tell_news()

        self.interviewer: Interviewer = (
            OwnInterviewer(
                open_engine,
                self._list_items,
                self._find_chooser,
                worker=place.worker,
                side_by_side=not stops_early,
                look=look,
            )
            if forks is None
            else ForkedInterviewer(forks, self._list_items, self._find_chooser, paced=stops_early or decides, look=look)
        )
        self._items: Sequence[pytest.Item] = ()
        self._session: pytest.Session | None = None
        self._protocol: Protocol | None = None  #: the short way to run a question, where there is one

    def _list_items(self) -> list[Assignment]:
        repeated = choose_repeated(self._items, self._options)
        return [assign_item(item, repeats=item.nodeid in repeated) for item in self._items]

    def _find_chooser(self, cell: CellJob) -> Chooser:
        from pytest_codereason.session.running.choosing import make_chooser  # numpy, which other runs load at their end

        return make_chooser(cell, self._options, self._models)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Learns which items this process has, and in which order."""
        self._items = session.items
        self._protocol = None if steps_aside(self._config) else Protocol(self._config, self._told)

    # --- running ------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Counts instead of asking in a dry run."""
        self._session = session
        if not self._options.dry_run or self._config.option.collectonly:
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
        if self._controller is not None and self._options.junit_misses == "properties":
            pass_miss(self._config, report)
        if self._news:
            self._tell_news()
        if self._controller is not None and (reason := self._controller.take(report)):
            self._stop(reason)

    def _tell_news(self) -> None:
        """Tells the user what the engine has to tell."""
        while self._news and self._controller is not None:
            self._controller.say(self._news.popleft())

    def _stop(self, reason: str) -> None:
        """Ends the session after the current item, under xdist too."""
        distributed = self._config.pluginmanager.get_plugin("dsession")
        for session in filter(None, (self._session, distributed)):
            session.shouldstop = session.shouldstop or reason
        stop_workers(self._config, self._options.store, self._name)

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
            stop_workers(self._config, self._options.store, self._name)
        with self.interviewer.pause():
            return (yield)

    # --- the end ------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Stops asking, writes the reports and sets the exit code."""
        distributed = self._config.pluginmanager.get_plugin("dsession")
        asked_to_stop = bool(session.shouldstop or getattr(distributed, "shouldstop", False))
        try:
            try:
                self.interviewer.close()
                self._executor.close()
                self._tell_news()
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


def _say(terminal: pytest.TerminalReporter | None, text: str) -> None:
    if terminal is not None:
        terminal.ensure_newline()
        terminal.write_line(text, red=True)
