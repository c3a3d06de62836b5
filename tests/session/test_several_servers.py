"""Runs that ask several servers of one model: one process, forked, interrupted, with a server that dies."""

from __future__ import annotations

import json
import signal
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pytest_codereason.core import Record
from pytest_codereason.core.files.typed_json import decode
from tests.servers import Server, solve
from tests.session.background import Waiter, background
from tests.session.conftest import Project, usage_error
from tests.session.volatile import drop_volatile

SUITE = "small.suite.toml"


@pytest.fixture(autouse=True)
def _key(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)  # these tests may run in a worker themselves


def args(*servers: Server) -> list[str]:
    return [SUITE, "--model=openai:scripted", *(f"--model-url={server.url}" for server in servers)]


def dying_after(many: int) -> Server:
    """A server that goes away while it makes an answer."""
    left = iter(range(many))
    solved = solve()

    def answer(messages: Sequence[Mapping[str, Any]], body: dict[str, Any]) -> str:
        if next(left, None) is None:
            threading.Thread(target=server.stop).start()
        return solved(messages, body)

    server = Server(answer, latency_s=0.01)
    return server


def count_endpoints(project: Project, folder: str = "reports/latest") -> Counter[str]:
    return Counter(step["endpoint"] for row in project.records(folder) for step in row["steps"])


def test_records_and_reports_say_which_server_answered(project: Project) -> None:
    project.suite(count=20)
    with Server() as one, Server() as two:
        result = project.run(*args(one, two))
        assert result.ret == 0, result.stdout.str()
        counts = count_endpoints(project)
        assert counts == {one.url: len(one.requests), two.url: len(two.requests)}
        assert min(counts.values()) > 5
        folder = project.path / "reports/latest"
        assert project.run_json()["models"]["openai:scripted"]["identity"]["endpoint"] == sorted([one.url, two.url])
        loads = json.loads((folder / "summary.json").read_text())["servers"]["openai:scripted"]
        assert {url: (load["replies"], load["failures"]) for url, load in loads.items()} == {
            url: (many, 0) for url, many in counts.items()
        }
        line = f"erver {one.url} of openai:scripted: {counts[one.url]} replies, "
        result.stdout.fnmatch_lines([f"*{line}*s each"])
        assert line in (folder / "summary.md").read_text().replace("http&#8203;", "http")
        assert line in (folder / "report.html").read_text()


def test_records_of_one_server_are_as_ever(project: Project) -> None:
    project.suite(count=1)
    with Server() as one:
        assert project.run(*args(one)).ret == 0
        assert "servers" not in json.loads((project.path / "reports/latest/summary.json").read_text())
        assert not {"endpoint", "failed_at"} & project.records()[0]["steps"][0].keys()
        assert decode(Record, json.dumps(project.records()[0]).encode()).steps[0].endpoint is None


def test_a_table_names_several_servers(project: Project) -> None:
    project.suite(count=4)
    with Server() as one, Server() as two:
        (project.path / "pyproject.toml").write_text(
            f'[tool.codereason.models.mine]\nspec = "openai:scripted"\nurl = ["{one.url}", "{two.url}"]\n'
            'endpoint_name = "cluster-a"\n'
        )
        assert project.run(SUITE, "--model=mine", f"--rootdir={project.path}").ret == 0
        assert len(one.requests) + len(two.requests) == 8
        assert project.run_json()["models"]["mine"]["identity"]["endpoint"] == "cluster-a"


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("-n2",)], ids=["alone", "forked"])
def test_a_server_that_dies_in_the_middle_costs_no_answer(project: Project, more: Sequence[str]) -> None:
    project.suite(count=60)
    with Server() as first:
        assert project.run(*args(first), "--eval-report=clean", "--eval-store=clean-store").ret == 0
    with dying_after(20) as dying, Server(latency_s=0.01) as good:
        result = project.run_fresh(*args(dying, good), "--eval-concurrency=16", "--eval-report=two", *more)
        assert result.ret == 0, result.stdout.str()
        assert f"{dying.url} is not asked until it answers again" in result.stdout.str() + result.stderr.str()
        counts = count_endpoints(project, "two")
        assert len(good.requests) == counts[good.url] > 60
        assert 20 <= counts[dying.url] < 60
        failed = Counter(url for row in project.records("two") for step in row["steps"] for url in step["failed_at"])
        assert set(failed) == {dying.url}
        loads = json.loads((project.path / "two/summary.json").read_text())["servers"]["openai:scripted"]
        assert loads[dying.url]["failures"] == failed[dying.url]
    assert drop_volatile(project.records("two")) == drop_volatile(project.records("clean"))


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("-n2",)], ids=["alone", "forked"])
def test_a_run_that_was_killed_goes_on_and_pays_for_nothing_twice(project: Project, more: Sequence[str]) -> None:
    project.suite(count=60)
    with Server(latency_s=0.1) as one, Server(latency_s=0.1) as two:
        process = background(project, *args(one, two), "--eval-concurrency=4", "--eval-report=r", *more)
        Waiter().until(lambda: len(one.requests) + len(two.requests) > 40)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        one.latency_s = two.latency_s = 0.0
        assert project.run_fresh(*args(two, one), "--eval-report=r", *more).ret == 0
        prompts = Counter(json.dumps(seen.messages) for server in (one, two) for seen in server.requests)
        assert len(prompts) == 120
        assert prompts.total() <= 120 + 4  # those in flight
        assert count_endpoints(project, "r").keys() == {one.url, two.url}
        assert count_endpoints(project, "r").total() == 120


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"models": ["qwen"]}, "has no model 'scripted'; it has qwen"),
        ({"max_model_len": 99_999}, "serves another model than "),
        ({"key": "sk-other"}, "refuses the key"),
    ],
    ids=["another model", "another context", "another key"],
)
def test_servers_that_differ_are_refused_before_the_first_question(
    project: Project, other: Mapping[str, Any], message: str
) -> None:
    project.suite(count=2)
    with Server() as one, Server(**other) as two:
        assert f"{two.url} {message}" in usage_error(project, *args(one, two))
        assert not [*one.requests, *two.requests]


def test_a_model_that_is_asked_at_one_address_takes_no_second(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.suite(count=1)
    monkeypatch.syspath_prepend(project.path)
    project.pytester.makepyfile(
        mine_here="from pytest_codereason.models.baseline import BaselineModel\n"
        "class Mine(BaselineModel):\n    takes_url = True\n"
    )
    line = usage_error(project, SUITE, "--model=mine_here:Mine", "--model-url=http://a/v1,http://b/v1")
    assert "mine_here:Mine is asked at one address: name one url" in line
