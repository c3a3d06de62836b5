"""Which answers a later run takes from the store, and which questions it asks anew."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing

import pytest

from pytest_codereason.cli import main
from tests.servers import Quota, Server, solve
from tests.session.background import args, count_outcomes, count_rows
from tests.session.conftest import Project
from tests.session.data_sets import cruxeval


@pytest.fixture(autouse=True)
def _key(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")


@pytest.mark.slow
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


@pytest.mark.slow
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
@pytest.mark.slow
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


@pytest.mark.slow
def test_a_part_that_was_stopped_is_continued(project: Project) -> None:
    project.suite(count=10)
    quota = Quota(5)
    with Server(script=quota) as server:
        assert project.run(*args(server, "--eval-concurrency=1", "-k", "python")).ret == 1
        quota.refill()
        server.requests.clear()
        assert project.run(*args(server, "-k", "python")).ret == 0
        assert len(server.requests) == 5


@pytest.mark.slow
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


@pytest.mark.slow
def test_two_questions_of_one_run_that_are_the_same_are_asked_once_and_nothing_is_reused(project: Project) -> None:
    more = 'perturbation = ["vanilla", "conditions"]\n'  # SemTrace has no condition, so the program stays as it is
    project.suite(count=4, languages=("python",), more=more)
    with Server() as server:
        result = project.run(*args(server))
        assert len(server.requests) == 4
    assert count_outcomes(project)["correct"] == 8
    result.stdout.no_fnmatch_line("*REUSED*")
    shared = "4 answers are shared: their questions equal others of this run, which were asked once"
    printed = " ".join(result.stdout.str().split())
    assert f"{shared} cost of openai:scripted: unknown for 4 answers (besides, 4 shared): 636 prompt" in printed
    page, summary = ((project.path / f"reports/latest/{name}").read_text() for name in ("report.html", "summary.md"))
    assert "<b>Reused.</b>" not in page
    assert f"8 records, 0 reused from earlier runs<br>{shared}" in page
    assert f"\n{shared}.\n" in summary
    run = project.run_json()
    assert (run["shared"], run["reused"], run["reused_oldest_s"]) == (4, 0, None)


@pytest.mark.slow
def test_shared_answers_of_an_earlier_run_are_reused(project: Project) -> None:
    more = 'perturbation = ["vanilla", "conditions"]\n'
    project.suite(count=4, languages=("python",), more=more)
    with Server() as server:
        assert project.run(*args(server)).ret == 0
        result = project.run(*args(server, "--eval-reuse=1h"))
        assert len(server.requests) == 4
    result.stdout.fnmatch_lines(["REUSED  8 answers are reused from the store; the oldest is *"])
    assert (project.run_json()["shared"], project.run_json()["reused"]) == (0, 8)


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


SUM = {"id": "sum", "code": "def f(a, b):\n    return a + b", "input": "1, 2", "output": "3"}
HINTED = "[matrix]\nperturbation = ['vanilla', 'hint', 'rename+hint']\n"


@pytest.mark.slow
def test_a_model_that_draws_by_the_seed_is_asked_anew_for_another_seed(project: Project) -> None:
    """Questions of a data set have the same prompts at every seed. Their answers at a temperature above 0 differ."""
    (project.path / "mine").mkdir()
    (project.path / "mine/model.py").write_text(PINNED.replace("pinned = True", "pinned = draws_by_seed = True"))
    cruxeval(project, SUM)
    warm = "--model-arg=temperature=0.7"
    for more, reused in ([], 0), (["--eval-seed=2"], 1), ([warm], 0), ([warm, "--eval-seed=2"], 0), ([warm], 1):
        assert project.run_fresh("--model=mine.model:Pinned", *more).ret == 0
        assert project.run_json()["reused"] == reused, more


def test_a_dry_run_counts_what_the_seeds_of_suites_keep_apart(project: Project) -> None:
    project.pytester.syspathinsert()
    (project.path / "mine").mkdir()
    (project.path / "mine/model.py").write_text(PINNED.replace("pinned = True", "pinned = draws_by_seed = True"))
    cruxeval(project, SUM, more="seed = 2")
    (project.path / "crux.suite.toml").rename(project.path / "two.suite.toml")
    cruxeval(project, SUM)
    dry = ("--model=mine.model:Pinned", "--eval-dry-run")
    for more, equal in ((), True), (("--model-arg=temperature=0.7",), False):
        result = project.run(*dry, *more)
        result.stdout.re_match_lines(["in all", r"  requests +2$"])
        assert ("counted, but not asked: 1 request equal to another one" in result.stdout.str()) is equal


def hint_by(server: Server, *more: str) -> list[str]:
    return ["--model=baseline:truth", "--eval-writer=openai:writer", f"--eval-writer-url={server.url}", *more]


def age_texts(project: Project, days: float) -> None:
    with closing(sqlite3.connect(project.path / "store/answers.sqlite")) as db:
        db.execute("UPDATE texts SET created = created - ?", (days * 86_400,))
        db.commit()


@pytest.mark.slow
def test_a_writer_writes_anew_for_a_later_run_unless_the_user_allows_reuse(project: Project) -> None:
    cruxeval(project, SUM, more=HINTED)
    store = f"--eval-store={project.path / 'store'}"
    with Server(lambda messages, body: "[ANSWER]9[/ANSWER]", models=("writer",)) as server:
        for asked in 1, 2:
            result = project.run(*hint_by(server, store))
            assert len(server.requests) == asked, "another run: the name may stand for another model by now"
            result.stdout.no_fnmatch_line("*REUSED*")
        age_texts(project, 3)
        result = project.run(*hint_by(server, store, "--eval-reuse=7d"))
        assert len(server.requests) == 2
        result.stdout.fnmatch_lines(["REUSED  1 text by the writer is reused from the store; the oldest is 3 days old"])
        summary = json.loads((project.path / "reports/latest/summary.json").read_text())
        assert summary["texts_reused"] == project.run_json()["texts_reused"] == 1
        assert 3 * 86_400 <= summary["texts_reused_oldest_s"] <= 3 * 86_400 + 600
        page = (project.path / "reports/latest/report.html").read_text()
        assert "<b>Reused.</b> 1 text by the writer is reused from the store; the oldest is 3 days old" in page
        project.run(*hint_by(server, store, "--eval-reuse=0"))
        assert len(server.requests) == 3
        project.run(*hint_by(server, store, "--eval-reuse=1h"))
        assert len(server.requests) == 3


@pytest.mark.slow
def test_a_run_that_goes_on_shows_the_texts_that_it_has_shown(project: Project) -> None:
    more = {**SUM, "id": "more", "input": "2, 2", "output": "4"}
    cruxeval(project, SUM, more, more="[matrix]\nperturbation = ['hint']\n")
    quota = Quota(1)
    with Server(lambda messages, body: "[ANSWER]9[/ANSWER]", script=quota, models=("writer",)) as server:
        assert project.run(*hint_by(server, "--eval-concurrency=1")).ret == 1
        quota.refill()
        server.requests.clear()
        result = project.run(*hint_by(server, "--eval-concurrency=1"))
        assert result.ret == 0
        assert len(server.requests) == 1
        result.stdout.fnmatch_lines(["REUSED  1 text by the writer is reused from the store; the oldest is *"])


@pytest.mark.slow
def test_suites_and_models_of_one_run_share_their_texts(project: Project) -> None:
    cruxeval(project, SUM, more=HINTED)
    suite = (project.path / "crux.suite.toml").read_text()
    (project.path / "two.suite.toml").write_text(suite)
    with Server(lambda messages, body: "[ANSWER]9[/ANSWER]", models=("writer",)) as server:
        result = project.run(*hint_by(server, "--model=baseline:interpreter"))
        assert result.ret == 0
        assert len(server.requests) == 1
        result.stdout.no_fnmatch_line("*REUSED*")


@pytest.mark.slow
def test_prepare_takes_texts_of_any_age_and_says_so(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    cruxeval(project, SUM, more=HINTED)
    store = f"--eval-store={project.path / 'store'}"
    with Server(lambda messages, body: "[ANSWER]9[/ANSWER]", models=("writer",)) as server:
        project.run(*hint_by(server, store))
        age_texts(project, 35)
        asked = [str(project.path / "crux.suite.toml"), "--writer=openai:writer", f"--writer-url={server.url}", store]
        for more, requests, reused in ([], 1, True), (["--eval-reuse=7d"], 2, False), (["--eval-reuse=0"], 3, False):
            capsys.readouterr()
            assert main(["prepare", *asked, *more, "-o", str(project.path / f"hints{requests}.jsonl")]) == 0
            assert len(server.requests) == requests
            words = r"REUSED  1 text was written before and taken from the store; the oldest is 35 days old"
            assert bool(re.search(words, capsys.readouterr().out)) is reused
