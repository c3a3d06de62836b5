"""The abstract type of a reporter."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_codereason.results.report import Report


class Reporter(ABC):
    """Writes one file about a finished run."""

    @abstractmethod
    def write(self, report: Report, folder: Path) -> Path:
        """The path of the file that it wrote into ``folder``.

        ``folder`` may be another folder than ``report.folder``, which holds ``records.jsonl``.
        """
