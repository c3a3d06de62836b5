"""The abstract type of a log format: how another tool writes what a model answered."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from pytest_codereason.results.runs.run_info import RunInfo


@dataclass(frozen=True, slots=True)
class Log:
    """What a log holds: the description of a run, and its records as rows of ``records.jsonl``."""

    info: RunInfo
    rows: Sequence[Mapping[str, Any]]


class LogFormat(ABC):
    """Reads the logs of another tool as a run, and writes a run as logs of that tool."""

    title: ClassVar[str]  #: what messages call such a log: ``samples of lm-eval``

    @abstractmethod
    def recognise(self, path: Path) -> bool:
        """Whether the file or folder is such a log, of whatever version. Reads no more than its beginning."""

    @abstractmethod
    def read(self, path: Path) -> Log:
        """The run that the log describes.

        Raises:
            UsageError: the log is damaged, or of a version that is not known; names the file and the version.
        """

    @abstractmethod
    def write(self, log: Log, folder: Path) -> Sequence[Path]:
        """Writes a run as files in ``folder``, which exists; gives their paths.

        Raises:
            UsageError: the format cannot hold this run, or the library of the format is not installed.
        """
