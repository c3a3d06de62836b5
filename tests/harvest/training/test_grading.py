"""A reply gets the verdict that it gets in a run, and its score is the reward."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.harvest.training.grading import Grader
from pytest_codereason.harvest.training.reward import make_reward, read_reply

SUITE = """\
task = "call-graph"
languages = ["python"]
[source]
name = "corpus"
count = 3
[sampling]
max_tokens = 800
"""


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("suite") / "calls.suite.toml"
    path.write_text(SUITE, encoding="utf-8")
    return path


@pytest.fixture
def grader(suite: Path) -> Iterator[Grader]:
    with Grader(suite) as opened:
        yield opened


def test_the_right_reply_is_right_and_half_of_it_is_half_right(grader: Grader) -> None:
    name = next(grader.list_ids())
    truth = grader.ask(name).truth
    assert grader.grade(name, truth).outcome == "correct"
    assert grader.grade(name, f"<think>\nLine 1 runs it.\n</think>\n{truth}").metrics["f1"] == 1
    lines = truth.splitlines()
    half = "\n".join(line if i % 2 else f"{i + 1}." for i, line in enumerate(lines))
    assert 0 < grader.grade(name, half).metrics["f1"] < 1
    assert grader.grade(name, "I do not know").outcome == "invalid"


def test_an_unknown_question_is_named(grader: Grader) -> None:
    with pytest.raises(UsageError, match="no question 'python/nothing'"):
        grader.grade("python/nothing", "1.")


def test_replies_are_graded_from_within_an_event_loop(grader: Grader) -> None:
    name = next(grader.list_ids())

    async def grade() -> str:
        return grader.grade(name, grader.ask(name).truth).outcome

    assert asyncio.run(grade()) == "correct"


def test_a_reward_takes_what_a_trainer_of_trl_hands_over(suite: Path) -> None:
    reward = make_reward(suite)
    with Grader(suite) as grader:
        names = [*grader.list_ids()][:2]
        truths = [grader.ask(name).truth for name in names]
    prompts = [[{"role": "user", "content": "..."}]] * 2
    completions = [[{"role": "assistant", "content": truths[0]}], [{"role": "assistant", "content": "none"}]]
    rewards = reward(prompts, completions, id=names, completion_ids=[[1], [2]], trainer_state=None, log_metric=None)
    assert rewards == [1.0, 0.0]
    assert reward.__name__ == "codereason_f1"


def test_a_data_set_without_ids_is_said(suite: Path) -> None:
    with pytest.raises(UsageError, match="column 'id'"):
        make_reward(suite)(["a"], ["b"])


def test_a_plain_reply_is_its_text() -> None:
    assert read_reply("1. f") == "1. f"
    assert read_reply([{"role": "user", "content": "x"}, {"role": "assistant", "content": "1. f"}]) == "1. f"
