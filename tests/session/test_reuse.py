"""Which answers a later run takes from the store, and which questions it asks anew."""

from __future__ import annotations

import pytest

from tests.servers import Quota, Server, solve
from tests.session.background import args, count_outcomes, count_rows
from tests.session.conftest import Project


@pytest.fixture(autouse=True)
def _key(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")


def test_a_run_is_resumed_and_finished_runs_are_asked_anew(project: Project) -> None:
    project.suite(count=10)
    with Server(solve(accuracy=0.5)) as server:
        assert project.run(*args(server)).ret == 0
        first = count_outcomes(project)
        assert min(first["correct"], first["wrong"]) > 0
        assert len(server.requests) == 20
        project.run(*args(server))
        assert len(server.requests) == 40, "an endpoint's alias may be another model by now"
        result = project.run(*args(server, "--eval-reuse=1h"))
        assert len(server.requests) == 40
        assert count_outcomes(project) == first
        assert project.run_json()["reused"] == 20
        result.stdout.fnmatch_lines(["REUSED*"])


def test_a_part_does_not_end_the_run_it_is_a_part_of(project: Project) -> None:
    project.suite(count=10)
    quota = Quota(12)
    with Server(script=quota) as server:
        assert project.run(*args(server, "--eval-concurrency=1")).ret == 1
        assert count_rows("answers") == 12
        quota.refill()
        server.requests.clear()
        assert project.run(*args(server, "-k", "python and 0000")).ret == 0
        assert len(server.requests) == 1
        assert project.run(*args(server)).ret == 0
        assert len(server.requests) == 1 + 8


PARTS = [("-k", "python"), ("-m", "language(name='php')"), ("--eval-limit=7",), ("--eval-shard=1/2",)]


PARTS += [("small.suite.toml::python/0003",), ("--deselect", "small.suite.toml::python/0003")]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part[0])
def test_a_part_that_ended_without_errors_is_asked_anew(project: Project, part: tuple[str, ...]) -> None:
    project.suite(count=5)
    with Server() as server:
        assert project.run(*args(server, *part)).ret == 0
        asked = len(server.requests)
        assert 0 < asked < 10
        result = project.run(*args(server, *part))
        assert len(server.requests) == 2 * asked
        result.stdout.no_fnmatch_line("*REUSED*")
        result = project.run(*args(server, *part, "--eval-reuse=1h"))
        assert len(server.requests) == 2 * asked
        result.stdout.fnmatch_lines([f"REUSED  {asked} answer* reused from the store*"])


def test_a_part_that_was_stopped_is_continued(project: Project) -> None:
    project.suite(count=10)
    quota = Quota(5)
    with Server(script=quota) as server:
        assert project.run(*args(server, "--eval-concurrency=1", "-k", "python")).ret == 1
        quota.refill()
        server.requests.clear()
        assert project.run(*args(server, "-k", "python")).ret == 0
        assert len(server.requests) == 5


def test_no_reuse_asks_every_question_and_keeps_its_answers_for_later(project: Project) -> None:
    project.suite(count=4)
    quota = Quota(3)
    with Server(script=quota) as server:
        result = project.run(*args(server, "--eval-concurrency=1", "--eval-reuse=0"))
        result.stdout.fnmatch_lines(["incomplete; to continue, run again without --eval-reuse: *"])
        project.run(*args(server, "--eval-concurrency=1"))
        quota.refill()
        server.requests.clear()
        assert project.run(*args(server, "--eval-reuse=0")).ret == 0
        assert len(server.requests) == 8, "an interrupted run is not continued"
        assert project.run(*args(server, "--eval-reuse=0")).ret == 0
        assert len(server.requests) == 16
        assert project.run(*args(server, "--eval-reuse=1h")).ret == 0
        assert len(server.requests) == 16


def test_two_questions_of_one_run_that_are_the_same_are_asked_once_and_nothing_is_reused(project: Project) -> None:
    more = 'perturbation = ["vanilla", "conditions"]\n'  # SemTrace has no condition, so the program stays as it is
    project.suite(count=4, languages=("python",), more=more)
    with Server() as server:
        result = project.run(*args(server))
        assert len(server.requests) == 4
    assert count_outcomes(project)["correct"] == 8
    result.stdout.no_fnmatch_line("*REUSED*")
    assert "<b>Reused.</b>" not in (project.path / "reports/latest/report.html").read_text()


PINNED = """
from pytest_codereason.core import Completion, Model

class Pinned(Model):
    pinned = True

    @classmethod
    def create(cls, name, *, url, args):
        return cls()

    @property
    def identity(self):
        return {"name": "pinned"}

    async def answer(self, request):
        return Completion(text="[1]")
"""


@pytest.mark.slow
def test_no_reuse_asks_a_pinned_model_too(project: Project) -> None:
    (project.path / "mine").mkdir()
    (project.path / "mine/model.py").write_text(PINNED)
    project.suite(count=2)
    for more, reused in ([], 0), ([], 4), (["--eval-reuse=0"], 0):
        assert project.run_fresh("--model=mine.model:Pinned", *more).ret == 0
        assert project.run_json()["reused"] == reused
