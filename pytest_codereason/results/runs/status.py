"""How far a run is: what was asked of how much, with which outcomes, and why it is not complete."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import pandas as pd

from pytest_codereason.core.files.caps import parse_json, read_capped
from pytest_codereason.engine.storage.run_folder import PROGRESS
from pytest_codereason.errors import UsageError
from pytest_codereason.results.measures.summary import Counts, count_outcomes
from pytest_codereason.results.records.answer_counts import count_answers
from pytest_codereason.results.records.records import DamagedLines
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import RECORDS, RunInfo, explain_unreadable

#: ``open``: nothing says that the run has ended, so it goes on, or was killed. ``part``: complete, but a part of its
#: suites was selected, or all gates were decided early.
State = Literal["complete", "part", "incomplete", "open"]
_SUMMARY = "summary.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteProgress:
    """How far one model is with one suite. A question with several samples has several answers."""

    suite: str
    model: str
    selected: int  #: questions
    recorded: int  #: questions that have a record
    lacking: int  #: questions that have fewer records than the suite asks for
    unanswered: int  #: questions that have a record, but no answer because the infrastructure failed
    answers: Counts
    reasons: Mapping[str, int]  #: why questions are unanswered, the most frequent first


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStatus:
    """What a run folder holds."""

    folder: Path
    info: RunInfo  #: cost and reused answers are counted in the records
    progress: tuple[SuiteProgress, ...]
    damaged: DamagedLines
    #: the verdict of each, such as ``UNDECIDED``, and its sentence; ``None`` before they are judged
    gates: tuple[tuple[str, str], ...] | None
    written_s: float | None  #: how long ago the records were last written, in seconds; ``None`` if there are none
    ended_s: float | None  #: how long ago the run ended
    under_way: str = ""  #: how far a run was when it last said so itself

    @property
    def lost(self) -> int:
        """How many questions have no record although the run says that it is complete: lines are damaged or gone."""
        if not self.info.complete or self.info.stopped_early:
            return 0
        wanted = sum(suite.wanted for suite in self.info.suites.values())
        return max(0, wanted - sum(each.recorded for each in self.progress))

    @property
    def lacking(self) -> int:
        """How many questions have only some of their records although the run says that it is complete."""
        is_whole = self.info.complete and not self.info.stopped_early
        return sum(each.lacking for each in self.progress) if is_whole else 0

    @property
    def state(self) -> State:
        """Whether the run is over, and whole."""
        if self.info.finished is None:
            return "open"
        if self.info.stopped_early:
            return "part"
        if not self.info.complete:
            return "incomplete"
        return "part" if self.info.selection else "complete"


def read_status(folder: Path, now: datetime | None = None) -> RunStatus:
    """The status of a run folder, of a run that goes on too. Nothing is written.

    Raises:
        UsageError: the folder holds no run, or its records cannot be read.
    """
    now, path = now or datetime.now(UTC), folder / RECORDS
    try:
        data = RunData.read(folder)
        written_s = now.timestamp() - path.stat().st_mtime
    except OSError as error:
        raise explain_unreadable(error) from error
    info = data.run
    return RunStatus(
        folder=folder,
        info=info,
        progress=tuple(_measure_progress(data, suite, model) for suite in info.suites for model in info.models),
        damaged=data.damaged,
        gates=_read_gates(folder / _SUMMARY) if info.finished else None,
        written_s=max(0.0, written_s) if len(data.records) else None,
        under_way="" if info.finished else _read_progress(folder / PROGRESS),
        ended_s=max(0.0, (now - datetime.fromisoformat(info.finished)).total_seconds()) if info.finished else None,
    )


def _measure_progress(data: RunData, suite: str, model: str) -> SuiteProgress:
    rows = data.select_suite(suite)
    rows = rows[rows["model"] == model]
    again = data.select_repeats(suite, next(each for each in data.subjects if each.model == model))
    failed = pd.concat([part[part["outcome"] == "error"] for part in (rows, again) if len(part)] or [rows])
    reasons = failed["reason"].astype(str).value_counts()
    return SuiteProgress(
        suite=suite,
        model=model,
        selected=data.run.suites[suite].wanted // max(1, len(data.run.models)),
        recorded=_count_questions(rows),
        lacking=count_answers(data.run.suites[suite], rows).lacking,
        unanswered=_count_questions(failed),
        answers=count_outcomes(rows),
        reasons={str(reason): int(many) for reason, many in reasons.items()},
    )


def _count_questions(rows: pd.DataFrame) -> int:
    return int(rows["id"].nunique())


def _read_progress(path: Path) -> str:
    """What a run says of itself; empty if it has not said anything."""
    try:
        return str(parse_json(read_capped(path))["line"])
    except (UsageError, OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""


def _read_gates(path: Path) -> tuple[tuple[str, str], ...] | None:
    """The verdicts as the last report has them; ``None`` if there is no report."""
    try:
        gates = parse_json(read_capped(path))["gates"]
        return tuple((str(gate["verdict"]), str(gate["sentence"])) for gate in gates)
    except (UsageError, ValueError, KeyError, TypeError, RecursionError):
        return None
