"""``-n`` with suite files: forked processes ask, and everything that users meet is as in one process."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.session.forking import count_wanted
from tests.engine.tellers import ADAPTIVE
from tests.servers import Quota, Server, rate_limited, solve
from tests.session.background import Waiter, args, await_forks, background, count_rows, list_forks
from tests.session.conftest import PLUGINS, Project
from tests.session.volatile import drop_volatile

FORKED = ("small.suite.toml", "-n2")


@pytest.fixture(autouse=True)
def _key(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)  # these tests may run in a worker themselves


# --- which runs fork ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "forks"),
    [
        (("small.suite.toml", "-n3"), 3),
        (("small.suite.toml::python/0000[prompting:direct]", "-n2"), 2),
        (("small.suite.toml", "-n3", "--maxprocesses=2"), 2),
        (("small.suite.toml",), 0),
        (("small.suite.toml", "-n0"), 0),
        (("-n2",), 0),
        (("small.suite.toml", "test_mine.py", "-n2"), 0),
        (("small.suite.toml", "-n2", "--dist=each"), 0),
        (("small.suite.toml", "--tx=2*popen", "--dist=load"), 0),
        (("small.suite.toml", "-n2", "--collect-only"), 0),
        (("small.suite.toml", "-n2", "--setup-show"), 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_run_of_questions_alone_forks(project: Project, arguments: Sequence[str], forks: int) -> None:
    project.suite(count=1)
    (project.path / "test_mine.py").write_text("def test_it(): pass\n")
    from xdist.plugin import pytest_cmdline_main

    config = project.pytester.parseconfig(*(f"-p{name}" for name in PLUGINS), *arguments)
    pytest_cmdline_main(config)
    assert count_wanted(config, []) == forks


def test_a_model_that_computes_on_this_machine_is_left_to_xdist(project: Project) -> None:
    from xdist.plugin import pytest_cmdline_main

    from pytest_codereason.models.vllm import VLLMModel

    project.suite(count=1)
    config = project.pytester.parseconfig(*(f"-p{name}" for name in PLUGINS), *FORKED)
    pytest_cmdline_main(config)
    assert count_wanted(config, [VLLMModel("x/y", {})]) == 0


# --- the same as one process --------------------------------------------------------------------------------

MORE = {
    "plain": (),
    "third miss": ("--maxfail=3",),
    "all that is shown": ("-v", "-rA", "--junitxml=out.xml"),
    "part, and some twice": ("--eval-limit=20", "-k", "python", "--eval-repeat=5"),
    "decided": ("--eval-gate=small.exact >= 10%", "--eval-stop-when-decided", "--eval-claim=suite"),
    "two models": ("--model=baseline:chance", "-x"),
}


def run(project: Project, server: Server, folder: str, *more: str) -> tuple[pytest.RunResult, list[Any]]:
    """A run, which has a process of its own only if it forks, and its records."""
    command = args(server, f"--eval-report={folder}", f"--eval-store={folder}-store", *more)
    result = run_forking(project, *command) if FORKED[-1] in more else project.run(*command)
    return result, [drop_volatile(row) for row in project.records(folder)]


def run_forking(project: Project, *arguments: str) -> pytest.RunResult:
    """Runs pytest in a process of its own with the plugins that a run in this one has, as pytest shows their names."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        return project.run_fresh(*(f"-p{name}" for name in PLUGINS), *arguments)


def list_shown(result: pytest.RunResult) -> list[str]:
    """What a terminal has shown, without times and names of folders."""
    lines = [
        re.sub(
            r" --basetemp=\S+| -n2|\(\d+ of at most|\d+(\.\d+)?s( \([\d:]+\))?|\b(one|two)\b|/[-\w/.]+",
            "",
            line.strip("= "),
        )
        for line in result.outlines
    ]
    return [line for line in lines if not re.search(r"answers/s| · |^hypothesis profile ", line)]


@pytest.mark.slow
@pytest.mark.parametrize("more", MORE.values(), ids=MORE.keys())
def test_records_exit_code_and_words_are_those_of_one_process(project: Project, more: Sequence[str]) -> None:
    project.suite(count=30)
    with Server(solve(accuracy=0.7)) as server:
        alone, records = run(project, server, "one", "small.suite.toml", *more)
        xml = project.path / "out.xml"
        first = read_cases(xml) if xml.exists() else None
        forked, others = run(project, server, "two", *FORKED, *more)
    assert others == records
    assert forked.ret == alone.ret
    assert list_shown(forked) == list_shown(alone)
    assert first == (read_cases(xml) if xml.exists() else None)
    one, two = (project.run_json(folder) for folder in ("one", "two"))
    assert {key for key in one if one[key] != two[key]} <= VARYING
    assert (project.path / "two/seal.json").exists()


#: What differs in the description of two runs of one thing.
VARYING = {"started", "finished", "wall_s", "argv", "store", "reused_oldest_s", "stopped_early"}


def read_cases(xml: Path) -> list[str]:
    """The cases of a JUnit file without times."""
    text = re.sub(r'(time|timestamp|hostname)="[^"]*"', "", xml.read_text())
    return text.replace(">", ">\n").splitlines()


@pytest.mark.slow
def test_cells_of_adaptive_suites_are_asked_as_in_one_process(project: Project) -> None:
    (project.path / "small.suite.toml").write_text(ADAPTIVE)
    _, records = run_baseline(project, "one", "small.suite.toml")
    forked, others = run_baseline(project, "two", *FORKED)
    assert others == records
    assert 0 < len(records) < 64
    assert project.run_json("two")["suites"] == project.run_json("one")["suites"]
    forked.stdout.fnmatch_lines(["*the rest was not needed*"])


def run_baseline(project: Project, folder: str, *more: str) -> tuple[pytest.RunResult, list[Any]]:
    command = ("--model=baseline:truth", f"--eval-report={folder}", *more)
    result = run_forking(project, *command) if FORKED[-1] in more else project.run(*command)
    return result, [drop_volatile(row) for row in project.records(folder)]


@pytest.mark.slow
def test_missed_questions_are_asked_again_by_their_ids(project: Project) -> None:
    project.suite(count=20)
    with Server(solve(accuracy=0.7)) as server:
        _, records = run(project, server, "one", *FORKED, "-p", "cacheprovider")
        _, others = run(project, server, "two", *FORKED, "--lf")
    assert [row["id"] for row in others] == [row["id"] for row in records if row["outcome"] != "correct"]


@pytest.mark.slow
def test_an_item_that_a_conftest_runs_again_is_asked_again(project: Project) -> None:
    project.suite(count=4)
    project.pytester.makeconftest(
        "import pytest\ndef pytest_collection_modifyitems(items):\n"
        "    for item in items: item.add_marker(getattr(pytest.mark, 'flaky')(reruns=1))\n"
    )
    pytest.importorskip("pytest_rerunfailures")
    with Server(solve(accuracy=0.0)) as server:
        result, records = run(project, server, "one", *FORKED, "-prerunfailures")
    assert result.ret == 0
    assert {row["outcome"] for row in records} == {"wrong"}
    assert len(records) == 8


# --- ends ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_model_without_quota_ends_the_run_and_the_same_command_goes_on(project: Project) -> None:
    project.suite(count=30)
    quota = Quota(20)
    with Server(script=quota) as server:
        first, _ = run(project, server, "one", *FORKED)
        assert first.ret == 1
        first.stdout.fnmatch_lines(["*quota*", "*incomplete; to continue*"])
        quota.refill()
        before = len(server.requests)
        second, records = run(project, server, "one", *FORKED)
    assert second.ret == 0
    assert len(records) == 60
    assert len(server.requests) - before <= 40 + 4


@pytest.mark.slow
def test_the_limit_of_cost_holds_for_the_sum_of_all_processes(project: Project) -> None:
    project.suite(count=100)
    price = ("--model-arg=price_in=1000", "--model-arg=price_out=1000", "--model-arg=max_tokens=100")
    with Server(latency_s=0.01) as server:
        result, _ = run(project, server, "one", *FORKED, *price, "--eval-max-cost=3", "--eval-concurrency=4")
        assert len(server.requests) < 200
    assert result.ret == 1
    with sqlite3.connect(project.path / "one-store/answers.sqlite") as db:
        ((spent, processes),) = db.execute("SELECT sum(spent), count(*) FROM ledgers").fetchall()
    assert 0 < spent <= 3
    assert processes == 2


@pytest.mark.slow
def test_every_process_waits_as_long_as_one_was_told_to_and_a_time_limit_ends_all(project: Project) -> None:
    project.suite(count=60)
    with Server(latency_s=0.05, script=[None] * 10 + [rate_limited("30")]) as server:
        result, _ = run(project, server, "one", *FORKED, "--eval-max-time=8s", "--eval-concurrency=4")
        assert len(server.requests) <= 11 + 4
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*--eval-max-time: the 8 seconds of this run are over*"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "whom"),
    [(signal.SIGINT, "the group"), (signal.SIGTERM, "the parent")],
    ids=["Ctrl-C to the group", "SIGTERM to the parent"],
)
def test_a_signal_stops_all_and_answers_in_flight_land(project: Project, how: signal.Signals, whom: str) -> None:
    project.suite(count=20)
    with Server(solve(accuracy=0.7), latency_s=1.0) as server:
        command = args(server, "--eval-concurrency=4", "--eval-report=out")
        process = background(project, *command, *FORKED)
        Waiter().until(lambda: count_rows("answers") >= 4 and len(server.requests) >= 8)
        (os.kill if whom == "the parent" else os.killpg)(process.pid, how)
        output = process.communicate(timeout=60)[0].decode()
        assert process.returncode == 2, output
        assert "to continue, run again: pytest" in output
        assert count_rows("answers") == len(server.requests), "answers in flight land"
        server.latency_s = 0.0  # the rest need not take its time
        assert project.run(*command).ret == 0
        assert len(server.requests) == 40, "no answer is asked for again"


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_a_second_signal_ends_all_at_once(project: Project, how: signal.Signals) -> None:
    project.suite(count=5)
    with Server(latency_s=60) as server:
        process = background(project, *args(server, *FORKED, "--eval-concurrency=4", "--eval-report=out"))
        Waiter().until(lambda: len(server.requests) >= 4)
        forks, began = list_forks(process.pid), time.monotonic()
        while process.poll() is None and time.monotonic() - began < 30:
            os.kill(process.pid, how)
            time.sleep(0.5)
        process.communicate(timeout=30)
        assert time.monotonic() - began < 9, "and not after the ten seconds that answers have"
        assert process.returncode != 0
        Waiter().until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in forks))


# --- deaths -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_questions_of_a_dead_process_go_to_another_one(project: Project) -> None:
    project.suite(count=60)
    with Server(solve(accuracy=0.7), latency_s=0.2) as server:
        _, records = run(project, server, "one", "small.suite.toml", "--eval-concurrency=32")
        asked = len(server.requests)
        process = background(project, *args(server, *FORKED, "--eval-concurrency=4", "--eval-report=two"))
        Waiter().until(lambda: len(server.requests) >= asked + 20)
        os.kill(await_forks(process.pid)[0], signal.SIGKILL)
        output = process.communicate(timeout=120)[0].decode()
        assert process.returncode == 0, output
        assert len(server.requests) <= 2 * asked + 2, "only what was in flight is asked again"
    assert [drop_volatile(row) for row in project.records("two")] == records
    assert re.search(r"worker [01] has died \(SIGKILL\): \d+ questions go to another one", output)


DEADLY = """
import os, signal
from pytest_codereason.core import Completion, Model

class Deadly(Model):
    identity, pinned, stored, concurrency = {}, True, False, 2

    @classmethod
    def create(cls, name, *, url, args):
        return cls()

    async def answer(self, request):
        if "0007" in request.instance.id:
            os.kill(os.getpid(), signal.SIGKILL)
        return Completion(text=request.ask.truth)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("more", "most"), [((), 10), (("--max-worker-restart=0",), 40)])
def test_a_question_that_kills_two_processes_is_unanswered(project: Project, more: Sequence[str], most: int) -> None:
    """What was under way beside it may die twice with it. With no second process all that is left is unanswered."""
    project.suite(count=20)
    (project.path / "deadly.py").write_text(DEADLY)
    result = project.run_fresh("--model=deadly:Deadly", *FORKED, "--eval-report=out", "--eval-concurrency=2", *more)
    assert result.ret == 1
    unanswered = {row["id"]: row["reason"] for row in project.records("out") if row["outcome"] == "error"}
    assert len(project.records("out")) == 40
    assert {"python/0007[prompting:direct]", "php/0007[prompting:direct]"} <= unanswered.keys()
    assert set(unanswered.values()) == {"the worker that asked the question died, twice"}
    assert len(unanswered) <= most
    result.stdout.fnmatch_lines(["*worker 1 has died (SIGKILL)*"])


@pytest.mark.slow
def test_a_run_whose_first_process_was_killed_goes_on(project: Project) -> None:
    project.suite(count=60)
    with Server(solve(accuracy=0.7), latency_s=0.2) as server:
        _, records = run(project, server, "one", "small.suite.toml", "--eval-concurrency=32")
        asked = len(server.requests)
        command = args(server, *FORKED, "--eval-concurrency=4", "--eval-report=two")
        process = background(project, *command)
        Waiter().until(lambda: len(server.requests) >= asked + 20)
        forks = await_forks(process.pid)
        process.kill()
        process.communicate()
        result = project.run_fresh(*command)
        assert result.ret == 0
        assert len(server.requests) == 2 * asked, "what was in flight has landed"
        Waiter().until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in forks))
    assert [drop_volatile(row) for row in project.records("two")] == records


# --- what a fork must not share -----------------------------------------------------------------------------

WATCHED = """
import os, threading

def pytest_configure(config):
    fork = os.fork
    def watched():
        links = [f"/proc/self/fd/{fd}" for fd in os.listdir("/proc/self/fd")]
        stores = ["sqlite" in os.readlink(link) for link in links if os.path.lexists(link)]
        with open(f"/proc/self/task/{os.getpid()}/children") as file:
            children = file.read().split()
        with open("forks.txt", "a") as file:
            print(threading.active_count(), sum(stores), len(children), file=file)
        return fork()
    os.fork = watched
"""


@pytest.mark.slow
def test_no_thread_no_store_and_no_process_is_there_at_a_fork(project: Project) -> None:
    # Questions with comments run programs in the sandbox, before the run and in each fork.
    project.suite(count=6, languages=("python",), more='perturbation = ["none", "comments"]\n')
    project.pytester.makeconftest(WATCHED)
    with Server(solve()) as server:
        result, records = run(project, server, "one", *FORKED)
    assert result.ret == 0, result.stdout.str()
    assert len(records) == 12
    seen = [tuple(map(int, line.split())) for line in (project.path / "forks.txt").read_text().splitlines()]
    assert seen == [(1, 0, 0), (1, 0, 1)], "threads, open stores, and processes: the second fork has a sibling"


@pytest.mark.slow
def test_a_warning_in_a_process_is_shown_as_in_one(project: Project) -> None:
    hot = DEADLY.replace("Deadly", "Warner").replace("os.kill(os.getpid(), signal.SIGKILL)", "warnings.warn('hot')")
    (project.path / "warner.py").write_text(hot.replace("import os", "import warnings, os"))
    project.suite(count=8)
    result = project.run_fresh("--model=warner:Warner", *FORKED, "--eval-report=out")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*UserWarning: hot*"])


@pytest.mark.slow
def test_a_store_that_cannot_be_opened_fails_every_question(project: Project) -> None:
    project.suite(count=2)
    (project.path / "conftest.py").write_text(
        "def pytest_runtest_logstart(): pass\n"
        "def pytest_collection_finish(session):\n"
        "    import pytest_codereason.engine.engine as engine\n"
        "    def fail(*args, **kwargs): raise engine.StoreError('the store is gone')\n"
        "    engine.Store = fail\n"
    )
    result = project.run_fresh("--model=baseline:truth", *FORKED, "--eval-report=out")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*the store is gone*"])
