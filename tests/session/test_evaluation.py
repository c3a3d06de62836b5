"""The evaluation makes the parts of a session in each process, and runs questions by pytest's hooks."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pytest_codereason.session.distributing import ProcessPlace
from pytest_codereason.session.evaluation import find, make_allowance, make_hooks, read_order
from pytest_codereason.session.interviewer import Worker
from pytest_codereason.session.shared import SHARED
from tests.session.collected import read_typed
from tests.session.conftest import PLUGINS, Project

MODELS = ("baseline:chance", "baseline:truth")
ASKED = "--codereason-model=baseline:truth"


def configure(project: Project, *arguments: str) -> pytest.Config:
    return project.pytester.parseconfig(*(f"-p{name}" for name in PLUGINS), *arguments)


def test_what_the_end_of_a_session_needs_is_not_imported_at_its_start() -> None:
    code = "import sys, pytest_codereason.session.evaluation; print(sorted({*sys.modules} & {*sys.argv}))"
    heavy = ["aiohttp", "matplotlib", "msgspec", "numpy", "openai", "pandas", "tree_sitter"]
    done = subprocess.run([sys.executable, "-c", code, *heavy], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_worker_has_its_share_of_what_the_session_may_use(project: Project) -> None:
    options = read_typed(project, ASKED, "--eval-concurrency=5", "--eval-max-time=60s", "--eval-max-cost=2")
    whole = make_allowance(options, ProcessPlace("s"))
    part = make_allowance(options, ProcessPlace("s", Worker(1, 2, knows_share=True), left_s=10.0))
    assert (whole.processes, part.processes, part.process) == (1, 2, 1)
    assert (whole.max_cost, whole.session, whole.concurrency) == (2, "s", 5)
    assert whole.end is not None
    assert part.end is not None
    assert 50 < whole.end.left() <= 60
    assert part.end.left() <= 10
    assert make_allowance(read_typed(project, ASKED), ProcessPlace("s")).end is None


def test_an_order_is_refused_with_the_mistake_of_the_user(project: Project) -> None:
    config = configure(project, ASKED)
    order = read_order(config, {})
    assert list(order.roster.models) == ["baseline:truth"]
    with pytest.raises(Exception, match="--eval-limit is given twice, as 3 and as 4"):
        read_order(config, {"--eval-limit": ["3", "4"]})
    with pytest.raises(Exception, match="--eval-allow-partial has no effect"):
        read_order(config, {"--eval-allow-partial": []})


def test_only_the_process_that_the_user_started_has_a_controller(project: Project) -> None:
    config = configure(project, ASKED)
    order = read_order(config, {})
    hooks = make_hooks(config, order, ProcessPlace("s"))
    assert list(hooks) == ["collection", "distribution", "evaluation", "fuzzing"]
    assert find(config) is None, "nothing is registered yet"
    config.pluginmanager.register(hooks["fuzzing"], "codereason-fuzzing")
    assert find(config) is hooks["fuzzing"]
    shared = config.stash[SHARED]
    assert (shared.models, shared.limit, shared.shard) == (("baseline:truth",), None, None)
    header = hooks["collection"].pytest_report_header()  # type: ignore[attr-defined]
    assert header.startswith("codereason: baseline:truth")
    worker = make_hooks(config, order, ProcessPlace("s", Worker(0, 2, knows_share=True)))
    assert worker["collection"].pytest_report_header() == ""  # type: ignore[attr-defined]


def test_a_session_without_a_model_has_no_search(project: Project) -> None:
    assert find(configure(project)) is None


@pytest.mark.slow
def test_a_dry_run_needs_no_workers(project: Project) -> None:
    config = project.pytester.parseconfigure(*(f"-p{name}" for name in PLUGINS), ASKED, "--eval-dry-run", "-n2")
    assert (config.option.numprocesses, config.option.dist, config.option.tx) == (None, "no", [])
    assert find(config) is not None


def test_each_model_of_a_run_is_asked_and_a_miss_fails_its_item(project: Project) -> None:
    project.suite(count=2, languages=("python",))
    result = project.run("--model=baseline:chance", "--model=baseline:truth", "-q")
    assert result.ret == 0, "misses alone are no failure"
    outcomes = {model: [row["outcome"] for row in project.records() if row["model"] == model] for model in MODELS}
    assert outcomes["baseline:truth"] == ["correct"] * 2
    assert "correct" not in outcomes["baseline:chance"]


def test_a_run_that_ends_at_a_miss_pays_for_no_later_model(project: Project) -> None:
    project.suite(count=2, languages=("python",))
    project.run("--model=baseline:chance", "--model=baseline:truth", "-x", "-q")
    assert {row["model"] for row in project.records()} == {"baseline:chance"}


def test_questions_are_run_by_a_protocol_of_their_own(project: Project) -> None:
    project.suite(count=1, languages=("python",))
    project.pytester.makepyfile("def test_own(): pass")
    project.pytester.makeconftest("def pytest_runtest_protocol(item): print('ordinary', item.name)")
    for more, names in ((), {"test_own"}), (("--setup-show",), {"test_own", "python/0000[prompting:direct]"}):
        lines = project.run("--model=baseline:truth", "-s", *more).outlines
        assert {line.partition("ordinary ")[2] for line in lines if "ordinary " in line} == names


def test_a_run_ends_at_the_question_that_decides_its_gates(project: Project) -> None:
    project.suite(count=60, languages=("python",))
    gate = ("--eval-gate=small.exact >= 10%", "--eval-stop-when-decided", "--eval-claim=suite")
    result = project.run("--model=baseline:truth", "-q", *gate)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*every gate is decided*"])
    assert len(project.records()) < 60


def test_a_dry_run_counts_and_a_collection_only_lists(project: Project) -> None:
    project.suite(count=1, languages=("python",))
    dry = ("--model=baseline:truth", "--eval-dry-run")
    counted, listed = project.run(*dry), project.run(*dry, "--collect-only")
    counted.stdout.fnmatch_lines(["nothing was asked (--eval-dry-run)"])
    listed.stdout.no_fnmatch_line("nothing was asked*")
    listed.stdout.fnmatch_lines(["*<Question python/0000*"])
    assert (counted.ret, listed.ret) == (0, 0)
    assert not (project.path / "reports").exists()


def test_ordinary_tests_run_beside_questions(project: Project) -> None:
    project.suite(count=1, languages=("python",))
    (project.path / "test_mine.py").write_text("def test_it(): pass\n")
    result = project.run("--model=baseline:truth", "-q")
    result.assert_outcomes(passed=2)
    assert len(project.records()) == 1
