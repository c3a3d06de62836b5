"""How a question is run and reported, and when pytest's ordinary protocol is used instead."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from pytest_codereason.core import Record
from pytest_codereason.engine.tallies import sum_up
from pytest_codereason.session.running.runtest_protocol import find_carried, put_on_report
from tests.session.conftest import Project

CONFTEST = """
import pytest
SEEN = []

@pytest.hookimpl
def pytest_runtest_{hook}({argument}):
    pass

def pytest_sessionfinish(session):
    from pytest_codereason.session.running.runtest_protocol import Protocol, steps_aside
    protocol = Protocol(session.config)
    print("aside", steps_aside(session.config), "opens", protocol._opens, "closes", protocol._closes)
"""
PLAIN = CONFTEST.replace("pytest_runtest_{hook}({argument})", "none()").replace("@pytest.hookimpl\n", "")


@pytest.mark.parametrize(
    ("conftest", "args", "told"),
    [
        (PLAIN, (), "aside False opens False closes False"),
        (PLAIN, ("--setup-show",), "aside True opens False closes False"),
        (CONFTEST.format(hook="setup", argument="item"), (), "aside True opens False closes False"),
        (CONFTEST.format(hook="call", argument="item"), (), "aside True opens False closes False"),
        (CONFTEST.format(hook="makereport", argument="item, call"), (), "aside False opens True closes False"),
        (CONFTEST.format(hook="logreport", argument="report"), (), "aside False opens False closes True"),
        (PLAIN, ("--junitxml=j.xml",), "aside False opens False closes True"),
    ],
    ids=["plain", "option", "setup", "call", "makereport", "logreport", "junit"],
)
def test_hooks_that_look_at_items_get_what_they_look_at(
    project: Project, conftest: str, args: tuple[str, ...], told: str
) -> None:
    project.suite(count=1, languages=("python",))
    project.pytester.makeconftest(conftest)
    result = project.run("--model=baseline:truth", *args)
    assert result.ret == 0
    assert told in result.stdout.str()
    assert [row["outcome"] for row in project.records()] == ["correct"]


SAID = """
def pytest_runtest_logstart(nodeid, location): print("\\nstart", nodeid, location)
def pytest_runtest_logreport(report): print("\\nreport", report.when, report.nodeid)
def pytest_runtest_logfinish(nodeid, location): print("\\nfinish", nodeid, location)
"""


def test_a_question_is_told_from_its_start_to_its_end(project: Project) -> None:
    project.suite(count=1, languages=("python",))
    project.pytester.makeconftest(SAID)
    steps = ("start", "report call", "report teardown", "finish")
    name = "small.suite.toml::python/0000[[]prompting:direct]"
    project.run("--model=baseline:truth", "-s").stdout.fnmatch_lines([f"{step} {name}*" for step in steps])


def test_a_question_that_a_hook_skips_has_a_record(project: Project) -> None:
    project.suite(count=2, languages=("python",))
    project.pytester.makeconftest(
        "import pytest\ndef pytest_collection_modifyitems(items):\n"
        "    items[0].add_marker(pytest.mark.skip(reason='too hot'))\n"
    )
    result = project.run("--model=baseline:truth")
    result.assert_outcomes(passed=1, skipped=1)
    rows = {row["outcome"]: row["reason"] for row in project.records()}
    assert rows == {"skipped": "too hot", "correct": ""}


def test_a_report_carries_answers_as_values_or_as_bytes() -> None:
    about: dict[str, Any] = {"id": "python/0", "family": "0", "suite": "s", "task": "t", "language": "python"}
    answered = sum_up([Record(**about, axes={}, model="m", sample=0, outcome="correct")])
    for travels in (False, True):
        report = pytest.TestReport(
            nodeid="a", location=("a", 0, "a"), keywords={}, outcome="passed", longrepr=None, when="call"
        )
        assert find_carried(report) is None
        put_on_report(report, "correct", "", answered, travels=travels)
        carried = find_carried(report)
        assert carried is not None
        assert (carried["outcome"], carried["line"]) == ("correct", "")
        taken = carried["answered"]
        assert (pickle.loads(taken) if isinstance(taken, bytes) else taken) == answered
        assert isinstance(taken, bytes) is travels


def test_the_share_of_right_samples_is_a_property_of_a_report(project: Project) -> None:
    project.suite(count=1, languages=("python",), more="\n[sampling]\nsamples = 2\n")
    project.pytester.makeconftest("def pytest_runtest_logreport(report): print(report.when, report.user_properties)")
    result = project.run("--model=baseline:truth", "-s")
    assert "call [('outcome', 'correct'), ('right', 1.0)]" in result.stdout.str()


#: Writes what the process that the user started is told by workers, and who sums up.
TOLD = """
from collections import Counter
from xdist.dsession import DSession

COUNTS = Counter()

def count(name, what):
    told = getattr(DSession, name)
    def tell(self, *arguments, **named):
        COUNTS[what(*arguments, **named)] += 1
        return told(self, *arguments, **named)
    setattr(DSession, name, tell)

count("worker_logstart", lambda *a, **k: "start")
count("worker_logfinish", lambda *a, **k: "finish")
count("worker_testreport", lambda node, rep: rep.when)

def pytest_terminal_summary(config):
    with open("summed.txt", "a") as file:
        file.write(f"{[config.option.no_summary] if hasattr(config, 'workerinput') else sorted(COUNTS.items())}\\n")
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), [("call", 6)]),
        (("-v",), [("call", 6), ("finish", 6), ("start", 6)]),
        (("--junitxml=j.xml",), [("call", 6), ("teardown", 6)]),
    ],
    ids=["plain", "verbose", "junit"],
)
def test_a_worker_says_only_what_somebody_hears(
    project: Project, arguments: tuple[str, ...], told: list[tuple[str, int]]
) -> None:
    project.suite(count=6, languages=("python",))
    project.pytester.makeconftest(TOLD)
    assert project.run_fresh("--model=baseline:truth", "-n2", *arguments).ret == 0
    summed = (project.path / "summed.txt").read_text().splitlines()
    assert {*summed} == {"[True]", str(told)}, "pytest's own summary of a worker takes time and is shown to nobody"
    assert len(project.records()) == 6
