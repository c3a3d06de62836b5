"""All that is reported of a finished run, and notes on the parts that failed to report."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_codereason.results.gates import GateResult
    from pytest_codereason.results.pictures import Picture
    from pytest_codereason.results.run_data import RunData
    from pytest_codereason.results.summary import Summary

_PACKAGE = str(Path(__file__).resolve().parent.parent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A part that raised an exception: the run goes on without what the part would have shown."""

    part: str  #: ``figure mypackage.figures:Spread``
    error: str  #: ``ZeroDivisionError: division by zero``
    traceback: str

    @classmethod
    def of(cls, part: str, error: Exception) -> Note:
        """The note on ``error``; the traceback begins where the part's own code does, if it is from outside."""
        summary = traceback.TracebackException.from_exception(error)
        own = next((i for i, frame in enumerate(summary.stack) if not frame.filename.startswith(_PACKAGE)), 0)
        summary.stack = traceback.StackSummary.from_list(summary.stack[own:])
        return cls(
            part=part,
            error=f"{type(error).__name__}: {error}".rstrip(": "),
            traceback="".join(summary.format()).rstrip(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The numbers, pictures and verdicts of a run, which reporters put into words."""

    folder: Path  #: holds ``records.jsonl``
    data: RunData
    summary: Summary
    pictures: Sequence[Picture]
    gates: Sequence[GateResult]
    notes: Sequence[Note] = ()

    @property
    def passed(self) -> bool:
        """Whether every gate passed; without gates, whether every figure and reporter did its part."""
        return all(gate.passed for gate in self.gates) if self.gates else not self.notes
