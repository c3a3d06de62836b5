"""The controller checks a run, takes what its questions give, and ends it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from pytest_codereason.core import Record
from pytest_codereason.core.files.typed_json import decode
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.recording import make_unasked
from pytest_codereason.engine.tallies import Answered
from pytest_codereason.errors import PartError
from pytest_codereason.session.collecting.items import BrokenSuite
from pytest_codereason.session.controller import Controller
from pytest_codereason.session.running.runtest_protocol import find_carried
from tests.session.collected import collect
from tests.session.conftest import Project
from tests.session.ordered import list_items, make_order, read_all
from tests.session.running.reported import make_report


@pytest.fixture
def executor() -> Iterator[Executor]:
    opened = Executor("off")
    yield opened
    opened.close()


def make_controller(project: Project, executor: Executor, *arguments: str, **command: Any) -> Controller:
    order = make_order(project, *arguments, **command)
    return Controller(order, read_all(), executor, session="s", find_terminal=lambda: None)


def test_a_run_is_prepared_once_and_its_folder_opened(project: Project, executor: Executor) -> None:
    controller = make_controller(project, executor)
    assert not controller.prepared
    assert controller.format_collected() == []
    controller.prepare(list_items(project.suite(count=1)), searches=False)
    assert controller.prepared
    first, second, *_, sandbox = controller.format_collected()
    assert first == "codereason: small 2 questions"
    assert second.startswith("codereason: report in reports/")
    assert sandbox == "codereason: sandbox: none (no code is run)"
    assert controller.verdicts == ()


@pytest.mark.parametrize("arguments", [(), ("--eval-dry-run",)])
def test_nothing_is_opened_where_nothing_is_asked(
    project: Project, executor: Executor, arguments: tuple[str, ...]
) -> None:
    collecting = make_controller(project, executor, *arguments, collects_only=not arguments)
    collecting.prepare(list_items(project.suite(count=1)), searches=False)
    assert not (project.path / "reports").exists()
    assert bool(collecting.format_collected()) is bool(arguments)
    none = make_controller(project, executor, *arguments)
    none.prepare([], searches=False)
    assert (none.prepared, none.format_collected(), none.recorder.outcomes) == (True, [], {})
    none.recorder.take(make_report("small.suite.toml::python/0000", "correct"))


@pytest.mark.parametrize(
    ("arguments", "typed", "mistake"),
    [
        (["--eval-gate=small.exact >= 5%"], [], "--eval-gate: no question of any suite is selected"),
        (["--eval-gate=large.exact >= 5%"], [], "large"),
        (["--eval-seed=3"], ["--eval-seed"], "--eval-seed has no effect"),
    ],
)
def test_a_mistake_is_pytests_own_error(
    project: Project, executor: Executor, arguments: list[str], typed: list[str], mistake: str
) -> None:
    controller = make_controller(project, executor, *arguments, typed={flag: ["3"] for flag in typed})
    items = [] if "no question" in mistake else list_items(write_graphs(project) if typed else project.suite(count=1))
    with pytest.raises(pytest.UsageError, match=re.escape(mistake)):
        controller.prepare(items, searches=False)
    assert controller.prepared, "it is not checked again"


def write_graphs(project: Project) -> Path:
    """A suite in which nothing is drawn."""
    path = project.path / "own.suite.toml"
    path.write_text('task = "output-prediction"\n[source]\nname = "jsonl"\npath = "own.jsonl"\n')
    (project.path / "own.jsonl").write_text(
        '{"language": "python", "id": "a", "code": "def f(n):\\n    return n\\n", "call": "f(1)", "output": "1"}\n'
    )
    return path


def test_a_question_whose_worker_died_twice_is_an_error(project: Project, executor: Executor) -> None:
    controller, path = make_controller(project, executor), project.suite(count=1)
    report = make_report("small.suite.toml::python/0000[prompting:direct]", "correct")
    controller.record_crash(report.nodeid, path, report)
    carried = find_carried(report)
    assert carried is not None
    record = decode(Record, cast("Answered", carried["answered"]).lines)
    assert (record.outcome, record.model, record.id) == ("error", "teller", "python/0000[prompting:direct]")
    assert record.reason == "the worker that asked the question died, twice"
    assert report.when == "call"


def test_what_came_of_a_run_is_printed_at_its_end(project: Project) -> None:
    project.suite(count=1)
    project.run("--model=baseline:truth").stdout.fnmatch_lines(
        ["*= codereason =*", "small (output-prediction)", "report: *"]
    )
    project.run("--model=baseline:truth", "--eval-dry-run").stdout.fnmatch_lines(["nothing was asked (--eval-dry-run)"])


def test_a_report_says_whether_to_stop(project: Project, executor: Executor) -> None:
    gate = ("--eval-gate=small.exact >= 10%", "--eval-stop-when-decided", "--eval-claim=suite")
    controller, path = make_controller(project, executor, *gate), project.suite(count=20, languages=("python",))
    report = make_report("small.suite.toml::python/0000[prompting:direct]", "correct")
    assert controller.take(report) == ""
    items = list_items(path)
    controller.prepare(items, searches=False)
    controller.watch(items)
    stops = []
    for file, nodeid in items:
        suite = read_all().read(file)
        (spec,) = (spec for spec in suite.specs() if nodeid.endswith(spec.id))
        record = make_unasked(suite, spec, "teller", 0, "", outcome="correct")
        stops.append(controller.take(make_report(nodeid, "correct", replace(record, metrics={"exact": 1.0}))))
    assert stops[0] == ""
    assert stops[-1] == "every gate is decided"


def test_a_dry_run_names_a_suite_whose_part_has_raised(project: Project, executor: Executor) -> None:
    project.suite(count=1)
    controller = make_controller(project, executor, "--eval-dry-run")
    items = collect(project, "--codereason-model=baseline:truth")
    broken = BrokenSuite.from_parent(
        items[0].session, name="broken", error=PartError("the source mine:Rows", ValueError("oh"))
    )
    with pytest.raises(pytest.UsageError, match="the source mine:Rows"):
        controller.count_dry([*items, broken])
