"""The score of a reply as a reward, in the form that trl's trainers take."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_codereason.errors import Skip, UsageError
from pytest_codereason.harvest.training.grading import Grader

#: What a conversational data set gives for one reply: a list of messages.
Reply = str | Sequence[Mapping[str, object]]
RewardFunction = Callable[..., list[float | None]]


def make_reward(suite: Path | str, metric: str = "", *, seed: int | None = None) -> RewardFunction:
    """A reward function for ``trl.GRPOTrainer`` and its kin: 0 for a worthless reply, 1 for a right one.

    ::

        dataset = load_dataset("json", data_files="train.jsonl")  # has a column "id", as codereason sft writes it
        trainer = GRPOTrainer(model=..., reward_funcs=make_reward("call-graph.suite.toml"), train_dataset=...)

    The data set needs a column ``id`` with the ids of the suite's questions. A question that cannot be built gives
    ``None``, which trl leaves out. A reply is paid for one answer alone, in which no arithmetic is left.

    Args:
        suite: the suite file.
        metric: one that the suite's task gives each answer, such as ``f1``; by default the task's headline.
        seed: as ``--eval-seed``.

    Raises:
        UsageError: The suite cannot be read, or its task gives no such metric.
    """
    return reward_by(Grader(Path(suite), seed=seed), metric, "id", "as codereason sft writes it")


def reward_by(grader: Grader, metric: str, column: str, origin: str) -> RewardFunction:
    """The reward function of a grader, whose names of questions stand in a column of the data set.

    Args:
        origin: who writes that column, for people.

    Raises:
        UsageError: The task gives no such metric.
    """
    wanted = grader.choose_metric(metric)

    def reward(prompts: Sequence[Any], completions: Sequence[Reply], **columns: Any) -> list[float | None]:
        names = columns.get(column) or ()
        if len(names) != len(completions):
            raise UsageError(f"the data set needs a column {column!r} with the {column} of each question, {origin}")
        return [
            _reward(grader, name, read_reply(reply), wanted) for name, reply in zip(names, completions, strict=True)
        ]

    reward.__name__ = f"codereason_{wanted}"
    return reward


def _reward(grader: Grader, name: str, reply: str, metric: str) -> float | None:
    try:
        return grader.reward(name, reply, metric)
    except Skip:
        return None


def read_reply(reply: Reply) -> str:
    """The text of a reply: itself, or what the assistant says in a list of messages."""
    if isinstance(reply, str):
        return reply
    return "".join(str(message.get("content") or "") for message in reply if message.get("role") != "user")
