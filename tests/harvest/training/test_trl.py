"""Tasks without end go into trl's trainer as they are, and their difficulty moves while it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_codereason import tasks_for

from .tiny import needs_training, write_model


@pytest.mark.slow
@needs_training
def test_a_trainer_is_fed_and_paid_and_moves_the_difficulty(tmp_path: Path) -> None:
    from datasets import IterableDataset
    from trl import GRPOConfig, GRPOTrainer

    tasks = tasks_for("horizon-small", seed=7, difficulty=1)
    model = write_model(tmp_path / "tiny", [tasks[number]["question"] for number in range(5)])
    pay, steps = tasks.make_reward(), list[int]()

    def reward(prompts: Any, completions: Any, **columns: Any) -> list[float | None]:
        steps.extend(int(key.rpartition(":")[2][:-1]) for key in columns["key"])
        tasks.difficulty = 3
        return pay(prompts, completions, **columns)

    settings: dict[str, Any] = {"use_cpu": True, "report_to": [], "save_strategy": "no", "disable_tqdm": True}
    trainer = GRPOTrainer(
        model=str(model),
        train_dataset=IterableDataset.from_generator(lambda: iter(tasks)),
        reward_funcs=reward,
        args=GRPOConfig(
            output_dir=str(tmp_path / "out"),
            max_steps=4,
            per_device_train_batch_size=2,
            num_generations=2,
            max_completion_length=2,
            shuffle_dataset=False,
            **settings,
        ),
    )
    trainer.train()
    assert steps[:2] == [1, 1]
    assert steps[-2:] == [3, 3]
