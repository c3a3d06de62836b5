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
        """The note on ``error``; its traceback begins where code from outside the package does.

        A disk that is full or a folder that cannot be written needs no traceback.
        """
        shown = traceback.TracebackException.from_exception(error)
        outside = [i for i, frame in enumerate(shown.stack) if not frame.filename.startswith(_PACKAGE)]
        shown.stack = traceback.StackSummary.from_list(shown.stack[outside[0] if outside else 0 :])
        needs_none = isinstance(error, OSError) and not outside
        return cls(
            part=part,
            error=f"{type(error).__name__}: {error}".rstrip(": "),
            traceback="" if needs_none else "".join(shown.format()).rstrip(),
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
