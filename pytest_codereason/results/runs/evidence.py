"""What speaks for a stored run, and what speaks against it.

A gate stops a release by a run that somebody has stored. So a run is looked at before it decides: the seal, the counts,
and whether each verdict follows from its reply. Nobody can tell from a run folder that a reply came from its model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import pandas as pd

from pytest_codereason.core import AxisValue
from pytest_codereason.core.text.wording import plural
from pytest_codereason.engine.storage.seals import find_breaks
from pytest_codereason.engine.storage.signing import Verifier
from pytest_codereason.errors import UsageError
from pytest_codereason.results.records.axes import axis_column
from pytest_codereason.results.runs.rejudging import SECONDS, Rejudge
from pytest_codereason.results.runs.run_data import RunData, count_skipped
from pytest_codereason.results.runs.run_info import RECORDS, RUN, RunInfo, read_content

#: ``broken``: a damaged disk explains it too. ``contradictions``: only somebody who changed the run does. ``unread``:
#: another machine could tell.
Kind = Literal["broken", "contradictions", "unread", "notes"]


@dataclass(frozen=True, slots=True)
class RunEvidence:
    """What was found out about stored runs: sentences that begin with the run that they are about."""

    broken: tuple[str, ...] = ()  #: in what a run is not as it was when it ended
    contradictions: tuple[str, ...] = ()  #: in what a run contradicts itself, or the replies that it has
    unread: tuple[str, ...] = ()  #: whose verdicts were not given again, because their task is not here
    notes: tuple[str, ...] = ()  #: what nobody can tell, and why

    def require(self, *, accept_broken: bool = False, accept_unread: bool = False) -> None:
        """Lets runs pass that nothing speaks against, and whose verdicts were given again or are accepted unread.

        Raises:
            UsageError: something does; says what, and how to go on.
        """
        broken = () if accept_broken else self.broken
        unread = () if accept_unread else self.unread
        if broken or self.contradictions:
            advice = "To get an unchanged run, give its command a new --eval-report: stored answers cost nothing."
            if not self.contradictions:
                advice += " To take what is left of this one, add --accept-broken."
        elif unread:
            advice = (
                "Install what the run was made with, or --verify who has signed it. To take the verdicts as they are "
                "recorded, add --accept-unread."
            )
        else:
            return
        raise UsageError("\n".join([*self.contradictions, *broken, *unread, advice]))


def examine(data: RunData, verifier: Verifier | None = None) -> RunEvidence:
    """What speaks for and against the runs of ``data``.

    Args:
        verifier: knows the key that must have signed each run; ``None`` if any seal will do.

    Raises:
        OSError: a file of a run cannot be read.
    """
    found: dict[Kind, list[str]] = {kind: [] for kind in get_args(Kind)}
    for name, info in data.runs.items():
        for kind, text in _examine_run(data, name, info, verifier):
            found[kind].append(f"{name}: {text}")
    return RunEvidence(**{kind: tuple(texts) for kind, texts in found.items()})


def list_changes(folder: Path) -> list[str]:
    """What was changed in a run folder after the run ended, a clause each. A run that goes on, and a log, have none.

    Raises:
        UsageError: ``run.json`` cannot be read.
        OSError: the records cannot be read.
    """
    if not (folder / RUN).is_file():
        return []
    content = read_content(folder)
    if not isinstance(content, dict) or not content.get("finished"):
        return []
    return [f"{folder}: {text}" for text in find_breaks(folder, content, folder / RECORDS)[1]]


def _examine_run(data: RunData, name: str, info: RunInfo, verifier: Verifier | None) -> Iterator[tuple[Kind, str]]:
    source = data.sources.get(name)
    if info.tool or not isinstance(source, Path):
        if verifier is not None:
            yield "contradictions", "nothing signs the log of another tool"
        return
    content = read_content(source.parent)
    yield from _examine_seal(source, content, info, verifier)
    yield from (("contradictions", text) for run, text in data.damaged.contradictions if run == name)
    if info.complete and not info.stopped_early:
        records = data.records[data.records["run"] == name]
        damaged = data.damaged.by_run.get(name, 0)
        yield from (("broken", text) for text in _list_miscounts(info, content, records, damaged))
    rejudge = Rejudge(info)
    rejudged = rejudge.judge(source, SECONDS / len(data.runs))
    yield from (("contradictions", text) for text in rejudged.contradictions)
    if rejudge.unread:
        suites = ", ".join(rejudge.unread)
        text = f"the task that judged {suites} is not here in the version of the run, so nobody has read its replies"
        yield "notes" if verifier else "unread", text
    if rejudge.others:
        yield "notes", f"nobody has read the replies to {', '.join(rejudge.others)} again: verdicts are as recorded"
    if rejudged.seen < rejudged.records:
        yield (
            "notes",
            f"the verdicts of {rejudged.seen:,} of {rejudged.records:,} records were given again, a random draw",
        )


def _examine_seal(
    records: Path, content: Mapping[str, object], info: RunInfo, verifier: Verifier | None
) -> Iterator[tuple[Kind, str]]:
    seal, breaks = find_breaks(records.parent, content, records)
    yield from (("broken", text) for text in breaks)
    if verifier is not None:
        if fault := verifier.find_fault(seal):
            yield "contradictions", fault
    elif seal is None and not breaks:
        ended = "" if info.finished else ", because it has not ended"
        yield "notes", f"nothing seals this run{ended}: nobody can tell whether it was changed"


def _list_miscounts(info: RunInfo, content: Mapping[str, object], records: pd.DataFrame, damaged: int) -> Iterator[str]:
    """Where a complete run has other questions than it says. Damaged lines explain as many that are lacking."""
    models = len(info.models)
    lost = 0
    for name, suite in info.suites.items():
        rows = records[records["suite"] == name]
        recorded = len(rows[["model", "id"]].drop_duplicates())
        if suite.cells and sum(many for many, _ in suite.cells) != suite.instances:
            yield f"{name} has {suite.instances:,} questions, but its conditions have another number"
        if not info.selection and suite.whole and suite.selected != suite.whole:
            yield f"{suite.selected:,} questions of {name} were selected, but all are {suite.whole:,}"
        if recorded > suite.wanted:
            yield f"{name} has records of {recorded:,} questions, but {suite.wanted:,} were asked"
        lost += max(0, suite.wanted - recorded)
        if not info.selection and not damaged and not suite.chosen_axis:
            for many, where in suite.cells:
                found = _count_questions(rows, where)
                if found != many * models:
                    yield f"{name} has {found:,} of {many * models:,} questions at {_describe(where)}"
    if lost > damaged:
        yield f"{plural(lost, 'question')} {'has' if lost == 1 else 'have'} no record, though the run is complete"
    skipped = content.get("skipped")
    if skipped is not None and not damaged and skipped != count_skipped(records):
        yield f"{RUN} counts other skipped questions than {RECORDS} has"


def _count_questions(rows: pd.DataFrame, where: Mapping[str, AxisValue]) -> int:
    for axis, value in where.items():
        column = axis_column(axis)
        if column in rows:
            rows = rows[rows[column].astype(object) == value]
    return len(rows[["model", "id"]].drop_duplicates())


def _describe(where: Mapping[str, AxisValue]) -> str:
    return ", ".join(f"{axis}={value}" for axis, value in where.items())
