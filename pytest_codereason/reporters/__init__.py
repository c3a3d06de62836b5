"""From numbers to what a person reads: one file each.

A module here that holds a class derived from :class:`Reporter` writes its file into every run folder.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from pytest_codereason.results.gates import GateResult


class Reporter(ABC):
    """Writes one file about a finished run."""

    @abstractmethod
    def write(
        self,
        folder: Path,
        summary: Mapping[str, Any],
        frame: pd.DataFrame,
        run: Mapping[str, Any],
        gates: Sequence[GateResult],
    ) -> Path:
        """The path of the file written into ``folder``, which holds ``records.jsonl``.

        ``summary`` comes from :func:`~pytest_codereason.results.summary.summarise` and rests on ``frame``;
        ``run`` is the content of ``run.json``.
        """


def reporters() -> Iterator[Reporter]:
    """One object of every reporter in this folder, by file name."""
    for module_info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{module_info.name}")
        for found in vars(module).values():
            if inspect.isclass(found) and issubclass(found, Reporter) and found.__module__ == module.__name__:
                yield found()


def write_all(
    folder: Path,
    summary: Mapping[str, Any],
    frame: pd.DataFrame,
    run: Mapping[str, Any],
    gates: Sequence[GateResult],
) -> list[Path]:
    """The files that all reporters wrote into ``folder``."""
    return [reporter.write(folder, summary, frame, run, gates) for reporter in reporters()]
