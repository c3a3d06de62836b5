"""Tasks without end as data sets of ``reasoning_gym``, beside its own.

::

    import reasoning_gym
    from pytest_codereason.harvest.training.gym import register_tasks

    register_tasks("horizon")
    data = reasoning_gym.create_dataset("codereason_horizon", size=10, seed=42, difficulty=8)
    data.score_answer(answer=data[0]["answer"], entry=data[0])  # 1.0
"""

from __future__ import annotations

from dataclasses import dataclass

from pytest_codereason.harvest.training.tasks import Difficulty, Entry, tasks_for


def register_tasks(suite: str, name: str = "") -> str:
    """Registers the tasks of a suite with ``reasoning_gym``, which must be installed.

    Args:
        suite: as :func:`~pytest_codereason.tasks_for` takes it.
        name: of the data set; by default ``codereason_`` and the suite's name, with ``_`` for ``-``.

    Returns:
        The name of the data set.

    Raises:
        UsageError: there is no such suite, or its programs are not generated.
    """
    from reasoning_gym.dataset import ProceduralDataset
    from reasoning_gym.factory import register_dataset

    name = name or f"codereason_{tasks_for(suite).name.replace('-', '_')}"

    @dataclass
    class TasksConfig:
        seed: int | None = None
        size: int = 500
        difficulty: Difficulty = None
        split: str = "train"

    class TasksDataset(ProceduralDataset):  # type: ignore[misc]  # it need not be installed where types are checked
        def __init__(self, config: TasksConfig) -> None:
            super().__init__(config=config, seed=config.seed, size=config.size)
            self.tasks = tasks_for(suite, config.size, seed=self.seed, difficulty=config.difficulty, split=config.split)

        def __getitem__(self, idx: int) -> Entry:
            item = self.tasks[idx]
            return {**item, "metadata": {**item["metadata"], "source_dataset": name}}

        def score_answer(self, answer: str | None, entry: Entry) -> float:
            return self.tasks.score_answer(answer, entry)

    register_dataset(name, TasksDataset, TasksConfig)
    return name
