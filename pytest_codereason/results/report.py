"""All that is reported of a finished run, and notes on the parts that failed to report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_codereason.errors import CodereasonError, PartError, describe_error, format_traceback

if TYPE_CHECKING:
    from pytest_codereason.results.measures.summary import Summary
    from pytest_codereason.results.pictures import Picture
    from pytest_codereason.results.runs.account import Account
    from pytest_codereason.results.runs.run_data import RunData
    from pytest_codereason.results.runs.servers import ServerLoad
    from pytest_codereason.results.verdicts.verdict import GateVerdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A part that raised an exception: the run goes on without what the part would have shown."""

    part: str  #: ``figure mypackage.figures:Spread``
    error: str  #: ``ZeroDivisionError: division by zero``
    traceback: str

    @classmethod
    def of(cls, part: str, error: Exception) -> Note:
        """The note on ``error``. A disk that is full or a folder that cannot be written needs no traceback."""
        if isinstance(error, PartError):
            return cls(part=part, error=str(error), traceback=error.trace)
        text = "" if isinstance(error, (CodereasonError, OSError)) else format_traceback(error)
        return cls(part=part, error=describe_error(error), traceback=text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The numbers, pictures and verdicts of a run, which reporters put into words."""

    folder: Path  #: holds ``records.jsonl``
    data: RunData
    summary: Summary
    accounts: Mapping[str, Account] = field(default_factory=dict)  #: what was paid for, by model
    servers: Mapping[str, Mapping[str, ServerLoad]] = field(default_factory=dict)  #: by model and address
    pictures: Sequence[Picture]
    gates: Sequence[GateVerdict]
    notes: Sequence[Note] = ()
    remarks: Sequence[str] = ()  #: on published figures that stand nowhere
    written: Sequence[str] = ()  #: which truths rest on texts of models, and who was asked about its own

    @property
    def passed(self) -> bool:
        """Whether every gate passed; without gates, whether no figure and no reporter failed."""
        return all(gate.passed for gate in self.gates) if self.gates else not self.notes
