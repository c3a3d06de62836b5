"""pytest's own options, other plugins, and projects that only happen to have this one installed."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

from pytest_codereason.engine.sharing.sharding import Work
from pytest_codereason.programs.contexts.corpora import freeze
from pytest_codereason.programs.contexts.pool import Distractor, Pool
from pytest_codereason.session.collecting.items import assign_item
from pytest_codereason.session.distributing import DistributionHooks
from tests.session.conftest import Project


@pytest.mark.slow
def test_keyword_and_marker_expressions(project: Project) -> None:
    project.suite(count=2, prompting=("direct", "cot"))
    model = "--model=baseline:truth"
    project.run(model, "-k", "php and cot").assert_outcomes(passed=2, deselected=6)
    project.run(model, "-m", 'language(name="python")').assert_outcomes(passed=4, deselected=4)
    project.suite(count=2, more="digits = [2, 3]\n")
    project.run(model, "-k", "digits3 and python").assert_outcomes(passed=2, deselected=6)
    project.run(model, "-m", "digits(n=3)", "--strict-markers").assert_outcomes(passed=4, deselected=4)


def test_one_question_by_its_id(project: Project) -> None:
    project.suite()
    project.run("--model=baseline:truth", "small.suite.toml::php/0002[prompting:direct]").assert_outcomes(passed=1)
    project.run("--model=baseline:truth", "small.suite.toml::php/0002").assert_outcomes(passed=1)


def test_stopping_at_the_first_miss(project: Project) -> None:
    project.suite()
    result = project.run("--model=baseline:chance", "-x")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*1 missed*"])
    assert len(project.records()) == 1
    result.stdout.fnmatch_lines(["*incomplete*"])


def test_durations_and_junit(project: Project) -> None:
    project.suite(count=1)
    result = project.run("--model=baseline:chance", "--durations=3", "-vv", "--junitxml=out.xml")
    result.stdout.fnmatch_lines(["*slowest 3 durations*", "*s call*small.suite.toml::*"])
    suite = next(ET.parse(project.path / "out.xml").iter("testsuite"))
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "2", "0")
    failure = next(suite.iter("failure"))
    assert "expected [" in (failure.get("message") or "") + (failure.text or "")
    assert {p.get("name") for p in suite.iter("property")} >= {"outcome", "right"}


@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["alone", "workers"])
@pytest.mark.slow
def test_misses_are_properties_of_cases_that_pass(workers: tuple[str, ...], project: Project) -> None:
    project.suite(count=1)
    options = ("--eval-junit-misses=properties", "--junitxml=out.xml", "--eval-gate=small.exact >= 0.9", *workers)
    assert project.run("--model=baseline:chance", *options).ret != 0
    suite = next(ET.parse(project.path / "out.xml").iter("testsuite"))
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "0")
    failed = [case.get("classname") for case in suite.iter("testcase") if case.find("failure") is not None]
    assert failed == ["codereason.gates"]
    misses = [p.get("value") or "" for p in suite.iter("property") if p.get("name") == "miss"]
    assert len(misses) == 2
    assert all("expected [" in miss for miss in misses)


def test_a_junit_option_that_is_none_is_refused(project: Project) -> None:
    project.suite(count=1)
    result = project.run("--model=baseline:truth", "--eval-junit-misses=propertys")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--eval-junit-misses*propertys*properties*"])


def test_a_conftest_that_looks_at_reports_gets_to_see_them(project: Project) -> None:
    (project.path / "conftest.py").write_text(
        "from pathlib import Path\n"
        "def note(line):\n"
        "    with Path('seen.txt').open('a') as file: file.write(line + '\\n')\n"
        "def pytest_runtest_makereport(call): note('made ' + call.when)\n"
        "def pytest_runtest_logreport(report): note('told ' + report.when)\n"
    )
    project.suite(count=1, languages=("python",))
    project.run("--model=baseline:truth").assert_outcomes(passed=1)
    lines = (project.path / "seen.txt").read_text().split("\n")
    assert lines == ["made setup", "made call", "told call", "made teardown", "told teardown", ""]


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "workers"])
@pytest.mark.slow
def test_beside_ordinary_tests_with_fixtures(project: Project, workers: tuple[str, ...]) -> None:
    for name in ("a_test", "z_test"):
        (project.path / f"test_{name}.py").write_text(
            "import pytest\n"
            "log = []\n"
            "@pytest.fixture(scope='module')\n"
            "def resource():\n"
            "    log.append('up')\n"
            "    yield log\n"
            "    assert log == ['up', 1, 2], log\n"
            "def test_one(resource): resource.append(1)\n"
            "def test_two(resource): resource.append(2)\n"
        )
    project.suite("m_suite")
    dist = ("--dist=loadfile",) if workers else ()
    result = project.run(
        "--model=baseline:truth", "test_a_test.py", "m_suite.suite.toml", "test_z_test.py", *workers, *dist
    )
    result.assert_outcomes(passed=12)
    assert result.ret == 0


@pytest.mark.parametrize(
    "args",
    [
        ("-ptimeout", "--timeout=60"),
        ("-prerunfailures", "--reruns=2"),
        pytest.param(("--cov=.",), marks=pytest.mark.slow),
        ("-pmetadata", "-phtml", "--html=out.html", "--self-contained-html"),
        pytest.param(("-n", "2", "--dist=worksteal"), marks=pytest.mark.slow),
        pytest.param(("-n", "2", "--dist=each"), marks=pytest.mark.slow),
        pytest.param(("-p", "no:terminal"), marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
def test_beside_other_plugins(project: Project, args: tuple[str, ...]) -> None:
    project.suite(count=2)
    needs_process = args[0] in ("--cov=.", "-n", "-p")
    measured(project, (project.run_fresh if needs_process else project.run)("--model=baseline:truth", *args))


@pytest.mark.parametrize("arg", ["--setup-show", "-q", "-vv", "--tb=long", "--color=yes", "-rA", "--co"])
def test_with_options_of_pytest(project: Project, arg: str) -> None:
    project.suite(count=2)
    result = project.run("--model=baseline:truth", arg)
    if arg == "--co":
        assert result.ret == 0
    else:
        measured(project, result)


def measured(project: Project, result: pytest.RunResult) -> None:
    assert result.ret == 0, result.stdout.str() + result.stderr.str()
    assert "INTERNALERROR" not in result.stdout.str()
    assert {row["outcome"] for row in project.records()} == {"correct"}
    assert len({row["id"] for row in project.records()}) == 4


def test_reruns_do_not_double_the_records(project: Project) -> None:
    project.suite(count=2)
    result = project.run("--model=baseline:chance", "-prerunfailures", "--reruns=1")
    assert result.ret == 0
    assert len(project.records()) == 4


@pytest.mark.slow
def test_without_the_plugin_a_suite_is_no_test(project: Project) -> None:
    project.suite()
    assert project.run_fresh("-p", "no:codereason").ret == 5


CONFTEST = """
def pytest_addoption(parser):
    parser.addoption("--model", default="theirs")
    parser.addoption("--model-url")
"""
THEIR_TEST = "def test_it(request): assert request.config.getoption('--model') == '{}'"


def test_a_conftest_at_the_root_keeps_its_option(project: Project) -> None:
    project.pytester.makeconftest(CONFTEST)
    project.pytester.makepyfile(test_theirs=THEIR_TEST.format("mine"))
    result = project.run("--model=mine")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*codereason:*")


@pytest.mark.parametrize("args", [(), ("deep/down",)])
def test_a_deep_conftest_keeps_its_option(project: Project, args: tuple[str, ...]) -> None:
    deep = project.path / "deep/down"
    deep.mkdir(parents=True)
    (deep / "conftest.py").write_text(CONFTEST)
    (deep / "test_theirs.py").write_text(THEIR_TEST.format("theirs"))
    project.run(*args).assert_outcomes(passed=1)


def test_a_deep_conftest_and_our_model_in_one_run(project: Project) -> None:
    deep = project.path / "deep/down"
    deep.mkdir(parents=True)
    (deep / "conftest.py").write_text(CONFTEST)
    (deep / "test_theirs.py").write_text(THEIR_TEST.format("theirs"))
    project.suite(count=1)
    project.run("--model", "baseline:truth").assert_outcomes(passed=3)


def test_a_project_without_a_suite_notices_nothing(project: Project) -> None:
    project.pytester.makepyfile(test_it="def test_it(): pass")
    result = project.run("-v")
    assert not any(line.startswith("codereason") for line in result.outlines)
    assert not (project.path / "reports").exists()


def test_the_plugin_module_imports_nothing_heavy() -> None:
    script = (
        "import sys, pytest; before = set(sys.modules); import pytest_codereason.plugin;"
        "print(sorted({m.partition('.')[0] for m in set(sys.modules) - before}))"
    )
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "['pytest_codereason']"


def test_controller_and_workers_measure_the_same_work(project: Project) -> None:
    freeze(Pool("tiny", "python", [Distractor("g", "def g(a):\n    b = a\n    return b")]), project.path / "tiny")
    axes = "tokens = [0, 16000, 128000]\ndigits = [2, 3]\n[context]\npool = 'tiny'\n"
    project.suite("long", count=3, languages=("python",), more=axes)
    project.suite("short", count=3)
    project.pytester.makepyfile(test_it="def test_it(): pass")
    works: list[tuple[list[Work], list[Work]]] = []

    class Look:
        def pytest_collection_finish(self, session: pytest.Session) -> None:
            running = session.config.pluginmanager.get_plugin("codereason-distribution")
            assert isinstance(running, DistributionHooks)
            ids = [item.nodeid for item in session.items]
            works.append(([assign_item(item).work for item in session.items], running.measure(ids)))

    models = ("--model=baseline:truth", "--model=baseline:chance")
    assert project.pytester.inline_run(*models, "--collect-only", plugins=[Look()]).ret == 0
    ((by_items, by_ids),) = works
    assert by_items == by_ids
    assert {cost for _, cost in by_items} == {1, 161, 1281}
