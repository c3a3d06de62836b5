"""A process finds its place, and the controller learns from workers what is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.limits.time_limit import TimeLimit
from pytest_codereason.session.controller import Controller
from pytest_codereason.session.distributing import DistributionHooks, ProcessPlace, find_suite
from pytest_codereason.session.interviewer import Worker
from pytest_codereason.session.running.runtest_protocol import find_carried
from tests.session.conftest import PLUGINS, Project
from tests.session.ordered import make_order, read_all
from tests.session.running.reported import make_report


def configure(project: Project, *arguments: str) -> pytest.Config:
    return project.pytester.parseconfig(*(f"-p{name}" for name in PLUGINS), *arguments)


@pytest.fixture
def controller(project: Project) -> Iterator[Controller]:
    executor = Executor("off")
    yield Controller(make_order(project), read_all(), executor, session="s", find_terminal=lambda: None)
    executor.close()


def test_the_process_that_the_user_started_names_the_session(project: Project) -> None:
    config = configure(project)
    first, second = ProcessPlace.find(config), ProcessPlace.find(config)
    assert (first.worker, first.left_s, first.fuzz) == (None, None, "")
    assert first.session != second.session


@pytest.mark.parametrize(("dist", "shares"), [("load", True), ("each", False), ("no", False)])
def test_a_worker_is_told_its_place(project: Project, dist: str, shares: bool) -> None:
    config = configure(project)
    config.option.dist = dist
    hooks = DistributionHooks(config, "s", TimeLimit.start(60.0, left=None), read_all(), None)
    node = SimpleNamespace(workerinput={"workerid": "gw3", "workercount": 4, "codereason_fuzz": "f"})
    node.nodemanager = SimpleNamespace(specs=[SimpleNamespace(id=f"gw{n}") for n in range(4)])
    node.gateway = SimpleNamespace(id="gw3", spec=node.nodemanager.specs[3])
    hooks.pytest_configure_node(node)
    config.workerinput = node.workerinput  # type: ignore[attr-defined]
    place = ProcessPlace.find(config)
    assert place.worker == Worker(3, 4, shares)
    assert (place.session, place.fuzz) == ("s", "f")
    assert place.left_s is not None
    assert 50 < place.left_s <= 60
    if not shares:
        assert hooks.pytest_xdist_make_scheduler(config) is None, "xdist deals as it does otherwise"


def test_a_suite_is_found_where_it_was_named(project: Project) -> None:
    folder = project.path / "deep"
    folder.mkdir()
    (folder / "a.suite.toml").write_text("")
    config = configure(project, "deep")
    assert find_suite(config, "a.suite.toml::python/1") == folder / "a.suite.toml"
    assert find_suite(config, "deep/a.suite.toml") == folder / "a.suite.toml"
    assert find_suite(config, "gone.suite.toml::x") == project.path / "gone.suite.toml"
    assert find_suite(config, "test_a.py::test_one") is None


def test_the_work_of_an_item_is_what_its_suite_says(project: Project) -> None:
    project.suite(count=1)
    (project.path / "broken.suite.toml").write_text("task = 3\n")
    hooks = DistributionHooks(configure(project), "s", None, read_all(), None)
    ids = ["small.suite.toml::python/0000[prompting:direct]", "broken.suite.toml::x", "test_a.py::test_one"]
    assert [work.cost for work in hooks.measure(ids)] == [1, 1, 1]
    assert hooks.measure(ids)[0].family == "small.suite.toml::python/0000"


def test_the_first_collection_of_a_worker_prepares_the_run(project: Project, controller: Controller) -> None:
    project.suite(count=1)
    hooks = DistributionHooks(configure(project), "s", None, read_all(), controller)
    ids = [f"small.suite.toml::{name}/0000[prompting:direct]" for name in ("python", "php")]
    hooks.pytest_xdist_node_collection_finished(ids)
    assert controller.prepared
    assert controller.format_collected()[0] == "codereason: small 2 questions"
    (folder,) = (path for path in (project.path / "reports").iterdir() if not path.is_symlink())
    hooks.pytest_xdist_node_collection_finished(ids)
    assert [path for path in (project.path / "reports").iterdir() if not path.is_symlink()] == [Path(folder)]
    session = SimpleNamespace(testsfailed=0, exitstatus=0)
    controller.finish(session, 0, asked_to_stop=False)  # type: ignore[arg-type]
    assert session.exitstatus == pytest.ExitCode.TESTS_FAILED, "nothing was answered"


def test_a_question_whose_worker_died_twice_is_unanswered_and_a_test_is_left_to_xdist(
    project: Project, controller: Controller
) -> None:
    project.suite(count=1)
    config = configure(project, "small.suite.toml")
    nodeid = "small.suite.toml::python/0000[prompting:direct]"
    told = {}
    for name, hooks_of in ((nodeid, controller), ("test_a.py::test_one", controller), (nodeid, None)):
        report = make_report(name, "crashed")
        DistributionHooks(config, "s", None, read_all(), hooks_of).pytest_handlecrashitem(name, report)
        carried = find_carried(report)
        told[name, hooks_of is None] = carried and carried["outcome"]
    assert told == {(nodeid, False): "error", ("test_a.py::test_one", False): "crashed", (nodeid, True): "crashed"}
