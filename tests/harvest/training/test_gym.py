"""Tasks without end as data sets of reasoning-gym, where it is installed."""

from __future__ import annotations

import pytest

from pytest_codereason import tasks_for
from pytest_codereason.harvest.training.gym import register_tasks

reasoning_gym = pytest.importorskip("reasoning_gym")


def test_reasoning_gym_creates_and_scores_them_as_its_own() -> None:
    assert register_tasks("horizon") == "codereason_horizon"
    data = reasoning_gym.create_dataset("codereason_horizon", size=3, seed=42, difficulty=4)
    items = list(data)
    assert len(items) == len(data) == 3
    assert [item["question"] for item in items] == [
        item["question"] for item in tasks_for("horizon", 3, seed=42, difficulty=4)
    ]
    for item in items:
        assert {"question", "answer", "metadata"} <= item.keys()
        assert item["metadata"]["source_dataset"] == "codereason_horizon"
        assert data.score_answer(answer=item["answer"], entry=item) == 1
        assert data.score_answer(answer="6 * 7", entry=item) == 0


def test_they_are_mixed_with_other_data_sets() -> None:
    from reasoning_gym.composite import CompositeConfig, CompositeDataset, DatasetSpec

    name = register_tasks("ladder", "mine")
    specs = [DatasetSpec(name=name, weight=1, config={"difficulty": 2}), DatasetSpec("leg_counting", 1, {})]
    mixed = CompositeDataset(CompositeConfig(size=12, seed=1, datasets=specs))
    items = list(mixed)
    assert {item["metadata"]["source_dataset"] for item in items} == {"mine", "leg_counting"}
    assert [mixed.score_answer(item["answer"], item) for item in items] == [1] * 12
