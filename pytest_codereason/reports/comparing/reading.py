"""Reads the runs that are compared: run folders, and logs of other tools."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pytest_codereason.reports.comparing.aligning import align_logs
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import explain_unreadable
from pytest_codereason.results.runs.stored_runs import open_run


def read_runs(folders: Sequence[Path]) -> RunData:
    """The data of stored runs in this order, each named after its path. A path may be there twice.

    Questions of foreign logs get the names that our run has for them (see ``aligning.py``).

    Raises:
        UsageError: a path holds no run, or its records cannot be read.
    """
    names: dict[str, Path] = {}
    for folder in folders:
        name, number = str(folder), 2
        while name in names:
            name, number = f"{folder} ({number})", number + 1
        names[name] = folder
    runs = {name: open_run(folder) for name, folder in names.items()}
    try:
        return RunData.build(align_logs(runs))
    except OSError as error:
        raise explain_unreadable(error) from error
