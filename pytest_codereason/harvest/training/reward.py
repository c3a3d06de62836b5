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
    ``None``, which trl leaves out.

    Args:
        suite: the suite file.
        metric: one that the suite's task gives each answer, such as ``f1``; by default the task's headline.
        seed: as ``--eval-seed``.

    Raises:
        UsageError: The suite cannot be read.
    """
    grader = Grader(Path(suite), seed=seed)
    wanted = metric or grader.headline

    def reward(
        prompts: Sequence[Any], completions: Sequence[Reply], id: Sequence[str] = (), **columns: object
    ) -> list[float | None]:
        if len(id) != len(completions):
            raise UsageError(
                "the data set needs a column 'id' with the id of each question, as codereason sft writes it"
            )
        return [_grade(grader, name, read_reply(reply), wanted) for name, reply in zip(id, completions, strict=True)]

    reward.__name__ = f"codereason_{wanted}"
    return reward


def _grade(grader: Grader, name: str, reply: str, metric: str) -> float | None:
    try:
        verdict = grader.grade(name, reply)
    except Skip:
        return None
    return float(verdict.metrics.get(metric, verdict.outcome == "correct"))


def read_reply(reply: Reply) -> str:
    """The text of a reply: itself, or what the assistant says in a list of messages."""
    if isinstance(reply, str):
        return reply
    return "".join(str(message.get("content") or "") for message in reply if message.get("role") != "user")
