"""pytest-codereason: does a language model understand code? Asked, and measured, with pytest."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os

    import pandas as pd

    from pytest_codereason.harvest.training.tasks import score_answer as score_answer
    from pytest_codereason.harvest.training.tasks import tasks_for as tasks_for

__version__ = "0.1.0"


def load(*runs: str | os.PathLike[str], texts: bool = False) -> pd.DataFrame:
    """The answers of run folders, or of logs of other tools, as a table with one row for each answer.

    Example: ``load("reports/latest").groupby("model", observed=True)["metrics.exact"].mean()``.

    Args:
        runs: paths of run folders or logs.
        texts: whether to add the columns ``expected``, ``answer`` and ``response``, which may take much memory.

    Returns:
        The table; ``docs/reference.md`` lists its columns. ``attrs["runs"]`` holds the content of ``run.json`` of each
        run, by its path.

    Raises:
        UsageError: a path holds no run, or it cannot be read.
    """
    from pytest_codereason.results.records.loading import load_frame

    return load_frame(*runs, texts=texts)


def __getattr__(name: str) -> object:
    """``tasks_for`` and ``score_answer``. They are imported when somebody wants them: pytest imports this module."""
    if name in ("tasks_for", "score_answer"):
        from pytest_codereason.harvest.training import tasks

        return getattr(tasks, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
