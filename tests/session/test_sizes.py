"""What a session says before it asks: a run and a dry run give the same numbers, and they hold."""

from __future__ import annotations

import re

import pytest

from tests.servers import Server, solve
from tests.session.background import args
from tests.session.conftest import Project
from tests.session.data_sets import cruxeval
from tests.session.writers import SUMS, saying, writer

PRICES = ("--model-arg=price_in=1", "--model-arg=price_out=10")


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")


@pytest.mark.slow
def test_a_run_and_a_dry_run_say_the_same_numbers(project: Project) -> None:
    """The axis that alternates has an even period, and the other ways of prompting take 20 times the tokens."""
    path = project.suite(count=4, prompting=("direct", "cot"))
    path.write_text(f"{path.read_text()}digits = [2, 3, 4]\nshots = [0, 1, 2]\n[sampling.cot]\nmax_tokens = 4000\n")
    project.suite("other", count=2, languages=("javascript",))
    with Server(solve()) as server:
        dry = project.run(*args(server, *PRICES), "--eval-dry-run").stdout.str()
        run = project.run(*args(server, *PRICES)).stdout.str()
        assert len(server.requests) == 4 * 2 * 3 * 3 * 2 + 2
    said = re.search(r": (\S+) requests, about (\S+) prompt tokens, at most (\S+) reply tokens, cost (.*)", run)
    assert said
    in_all = dry[dry.index("in all") :]
    assert re.findall(r"^  (?:requests|prompt tokens|reply tokens) +(\S+)", in_all, re.M) == list(said.groups()[:3])
    assert f"cost            {said[4]}" in in_all
    assert (said[1], said[3]) == ("146", f"{72 * 200 + 72 * 4000 + 400:,}")


def test_a_run_says_that_a_writers_texts_are_not_counted(project: Project) -> None:
    cruxeval(project, *SUMS, more="[matrix]\nperturbation = ['vanilla', 'hint']\n")
    with Server(saying(lambda prompt: "[ANSWER]99[/ANSWER]")) as server:
        result = project.run(*writer(server))
    result.stdout.fnmatch_lines(["codereason: no number here counts the requests of the writer, and what they cost"])


def test_a_selection_of_one_model_is_no_half_of_two(project: Project) -> None:
    project.suite(count=4)
    with Server(models=("scripted", "b")) as server:
        result = project.run(*args(server, "--model=openai:b", "-k", "scripted and php"))
    result.stdout.fnmatch_lines(["codereason: openai:scripted: 4 requests, *"])
    assert "openai:b: " not in result.stdout.str()


FREE = """
from pytest_codereason.core import Completion, Model

class Free(Model):
    price = (0.0, 0.0)
    pinned = True
    identity = {"name": "free"}

    @classmethod
    def create(cls, name, *, url, args):
        return cls()

    async def answer(self, request):
        return Completion(text="[1]")
"""


@pytest.mark.slow
def test_a_run_of_a_model_that_costs_nothing_says_its_size_without_a_cost(project: Project) -> None:
    (project.path / "mine").mkdir()
    (project.path / "mine/model.py").write_text(FREE)
    project.suite(count=3)
    said = project.run_fresh("--model=mine.model:Free", "--model=baseline:chance").stdout.str()
    lines = [line for line in said.splitlines() if " requests, about " in line]
    assert [re.sub(r"about \S+", "about N", line) for line in lines] == [
        "codereason: mine.model:Free: 6 requests, about N prompt tokens, at most 1,200 reply tokens"
    ]
    assert project.run_json()["estimate"]["mine.model:Free"]["requests"] == 6


@pytest.mark.slow
def test_a_model_that_costs_nothing_passes_no_limit_of_cost(project: Project) -> None:
    (project.path / "mine").mkdir()
    (project.path / "mine/model.py").write_text(FREE)
    project.suite(count=2)
    with Server() as server:
        unlimited = ("--model-arg=max_tokens=0", "--model=mine.model:Free", "--eval-max-cost=5")
        said = project.run_fresh(*args(server, *PRICES, *unlimited)).stdout.str()
    assert "openai:scripted gives 4 replies without a limit" in " ".join(said.split())
    assert "mine.model:Free gives" not in said
