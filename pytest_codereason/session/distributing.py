"""The processes of a session: which of them this is, and the hooks by which xdist's controller deals its questions."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.engine.limits.time_limit import TimeLimit
from pytest_codereason.engine.sharing.sharding import Work, find_shared
from pytest_codereason.errors import CodereasonError
from pytest_codereason.questions.suites.suite import is_question
from pytest_codereason.session.collecting.suites import Suites
from pytest_codereason.session.controller import Controller
from pytest_codereason.session.interviewer import Worker
from pytest_codereason.session.running.runtest_protocol import list_heard


@dataclass(frozen=True)
class ProcessPlace:
    """This process among those of its session."""

    session: str  #: the name of the session
    worker: Worker | None = None  #: ``None`` in the process that the user started
    left_s: float | None = None  #: how much of ``--eval-max-time`` was left when a worker began
    fuzz: str = ""  #: the name of the folder for what a search finds, which workers share
    told: frozenset[str] | None = None  #: of a worker, as :class:`Protocol` takes it

    @classmethod
    def find(cls, config: pytest.Config) -> ProcessPlace:
        """The place of this process, which a worker is told by :class:`DistributionHooks`."""
        given: dict[str, Any] | None = getattr(config, "workerinput", None)
        if given is None:
            return cls(uuid.uuid4().hex)
        worker = Worker(given["codereason_index"], given["workercount"], given["codereason_shared"])
        return cls(
            given["codereason_session"],
            worker,
            given["codereason_left_s"],
            given["codereason_fuzz"],
            frozenset(given["codereason_told"]),
        )


class DistributionHooks:
    """Tells workers their places, deals whole families to them, and learns from them what is asked.

    Args:
        controller: ``None`` in a worker.
    """

    def __init__(
        self, config: pytest.Config, session: str, end: TimeLimit | None, suites: Suites, controller: Controller | None
    ) -> None:
        self._config = config
        self._session = session
        self._end = end
        self._suites = suites
        self._controller = controller

    @property
    def _shares(self) -> bool:
        return bool(self._config.getoption("dist", default="no") == "load")

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tells a worker its place among the workers."""
        from pytest_codereason.engine.sharing.scheduling import find_worker_index

        node.workerinput["codereason_session"] = self._session
        node.workerinput["codereason_index"] = find_worker_index(node)
        node.workerinput["codereason_shared"] = self._shares
        node.workerinput["codereason_left_s"] = self._end and self._end.left()
        node.workerinput["codereason_told"] = sorted(list_heard(self._config))

    @pytest.hookimpl(optionalhook=True, tryfirst=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config) -> Any:
        """Deals whole families under ``--dist=load``, and leaves other ways of dealing alone."""
        if not self._shares:
            return None
        from xdist.workermanage import parse_tx_spec_config

        from pytest_codereason.engine.sharing.scheduling import ShareScheduling

        return ShareScheduling(config, len(parse_tx_spec_config(config)), self.measure)

    def measure(self, nodeids: Sequence[str]) -> list[Work]:
        """The work of each item. The controller has the ids only; workers get the same numbers from their items."""
        costs: dict[str, tuple[str, dict[str, int]]] = {}
        work = []
        for nodeid in nodeids:
            file = nodeid.partition("::")[0]
            if file not in costs:
                costs[file] = self._list_costs(file)
            over, known = costs[file]
            work.append(Work(find_shared(nodeid, over), known.get(nodeid.rpartition("::")[2], 1)))
        return work

    def _list_costs(self, file: str) -> tuple[str, dict[str, int]]:
        """The axis that a suite file chooses, empty if it asks everything, and the cost of each question by its id."""
        path = find_suite(self._config, file)
        if path is None:
            return "", {}
        try:
            suite = self._suites.read(path)
        except CodereasonError:  # its one item says so
            return "", {}
        return suite.chosen_axis, {spec.id: suite.cost_of(spec) for spec in suite.specs()}

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Checks the run in the controller, which learns the ids from its first worker."""
        if self._controller is not None and not self._controller.prepared:
            files = dict.fromkeys(nodeid.partition("::")[0] for nodeid in ids)
            paths = {name: find_suite(self._config, name) for name in files}
            places = [(path, nodeid) for nodeid in ids if (path := paths[nodeid.partition("::")[0]]) is not None]
            self._controller.prepare(places, searches=not all(map(is_question, ids)))
            self._controller.watch(places)

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str, report: pytest.TestReport) -> None:
        """Counts a question whose worker died twice as unanswered."""
        path = find_suite(self._config, crashitem)
        if self._controller is not None and path is not None:
            self._controller.record_crash(crashitem, path, report)


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
