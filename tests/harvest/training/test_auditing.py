"""The audit sees what is paid, and finds no answer that is paid and wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_codereason import tasks_for
from pytest_codereason.errors import UsageError
from pytest_codereason.harvest.training.auditing import CHEATS, audit
from pytest_codereason.harvest.training.tasks import Tasks
from tests.examples import take_every

#: Replies for each task whose programs are run, and for each other.
TRIES = 2_800 // take_every(20)
MANY = 20_000 // take_every(20)


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
    with pytest.raises(UsageError, match="something else than output"):
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
    result = audit(tasks_for(name, difficulty=difficulty), MANY)
    assert result.examples == []
    assert result.tallies["honest"].paid == result.tallies["honest"].tries > MANY // 20


LADDERS = {
    "moment": 'level = [7]\nabout = ["value", "visits", "next", "writer"]',
    "equivalence": 'level = [5, 6, 7]\npair = ["equal", "different"]',
    "meaning": 'level = [5, 6]\nmeaning = ["none", "swapped(rules=1)", "symbols(rules=2)"]',
    "twins": 'level = [5, 8]\ntwin = ["published", "fresh-input", "fresh-program", "fresh-raise"]',
}


def write_ladder(folder: Path, task: str) -> Path:
    suite = folder / f"{task}.suite.toml"
    source = f'task = "{task}"\nlanguages = ["python"]\n[source]\nname = "ladder"\n[matrix]\n{LADDERS[task]}\n'
    suite.write_text(source)
    return suite


@pytest.mark.slow
@pytest.mark.parametrize("task", LADDERS)
def test_no_answer_about_a_program_that_is_run_is_paid_and_wrong(task: str, tmp_path: Path) -> None:
    result = audit(tasks_for(write_ladder(tmp_path, task)), TRIES)
    assert result.examples == []
    assert result.tallies["honest"] == (TRIES // len(CHEATS), TRIES // len(CHEATS), 0)
    assert sum(result.skipped.values()) > 0


@pytest.mark.slow
def test_programs_without_a_question_are_stepped_over_and_counted(tmp_path: Path) -> None:
    result = audit(tasks_for(write_ladder(tmp_path, "moment")), 2 * len(CHEATS))
    assert result.examples == []
    assert result.tallies["honest"] == (2, 2, 0)
    assert "the run has no moment of the kind visits" in result.skipped
