"""The audit sees what is paid, and finds no answer that is paid and wrong."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason import tasks_for
from pytest_codereason.errors import UsageError
from pytest_codereason.harvest.training.auditing import CHEATS, audit
from pytest_codereason.harvest.training.tasks import Tasks


class Generous(Tasks):
    """Pays whatever speaks of the right answer."""

    def score_answer(self, answer: str | None, entry: Any) -> float:
        return float(entry["answer"] in (answer or ""))


def make_generous() -> Tasks:
    tasks = tasks_for("horizon", seed=1, difficulty=[2, 4])
    tasks.__class__ = Generous
    return tasks


def test_a_reward_that_can_be_cheated_is_found_out() -> None:
    result = audit(make_generous(), 20 * len(CHEATS))
    assert result.paid_and_wrong == len(result.examples) > 20
    assert result.tallies["several answers"].wrong > 10
    assert result.tallies["honest"] == (20, 20, 0)
    assert result.tallies["nothing"].paid == 0
    name, key, text = result.examples[0]
    assert name in CHEATS
    assert key.startswith("horizon@")
    assert text


def test_only_values_of_calls_are_audited(tmp_path: Any) -> None:
    suite = tmp_path / "mine.suite.toml"
    suite.write_text('task = "input-prediction"\nlanguages = ["python"]\n[source]\nname = "ladder"\n')
    with pytest.raises(UsageError, match="no value of a call"):
        audit(tasks_for(suite), 10)


def test_the_same_seed_tries_the_same() -> None:
    tasks = tasks_for("ladder", seed=1, difficulty=3)
    assert audit(tasks, 60, seed=2) == audit(tasks, 60, seed=2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "difficulty"),
    [("horizon", [1, 2, 4, 8, 16, 32]), ("horizon-small", [1, 2, 4, 8]), ("ladder", None), ("semtrace", None)],
)
def test_nothing_is_paid_and_wrong(name: str, difficulty: list[int] | None) -> None:
    result = audit(tasks_for(name, difficulty=difficulty), 5_000)
    assert result.examples == []
    assert result.tallies["honest"].paid == result.tallies["honest"].tries > 250
