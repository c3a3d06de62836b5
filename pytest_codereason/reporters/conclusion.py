"""From a finished run folder to numbers, verdicts and reports; the same for a live run and an old one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_codereason.core import SCORED
from pytest_codereason.engine.folder import RECORDS, RUN, write_run
from pytest_codereason.errors import UsageError
from pytest_codereason.results import gates as gating


@dataclass(frozen=True)
class Result:
    """What a run comes to."""

    run: Mapping[str, Any]
    summary: Mapping[str, Any]
    gates: Sequence[gating.GateResult]

    @property
    def passed(self) -> bool:
        """Whether every gate passed."""
        return all(gate.passed for gate in self.gates)

    def lines(self, width: int) -> list[tuple[str, dict[str, bool]]]:
        """The summary for a terminal: each line with pytest's markup."""
        from pytest_codereason.reporters import terminal

        return terminal.lines(self.summary, self.run, self.gates, width)


def parse_gates(texts: Sequence[str], run: Mapping[str, Any]) -> list[gating.Gate]:
    """The gates of ``--eval-gate``, checked against what will be measured.

    Raises:
        UsageError: a gate cannot be read, or names what is not measured.
    """
    found = [gating.parse(text) for text in texts]
    for gate in found:
        gate.check(run)
    return found


def conclude(folder: Path, run: dict[str, Any], gates: Sequence[gating.Gate], *, allow_partial: bool) -> Result:
    """Summarises ``records.jsonl``, judges the gates and writes ``run.json`` and every report.

    ``run`` is completed with what only the records know: cost, reused answers, who wrote hints.
    """
    from pytest_codereason.figures import drawn
    from pytest_codereason.reporters import write_all
    from pytest_codereason.results import frame as frames
    from pytest_codereason.results.hints import written
    from pytest_codereason.results.summary import summarise

    frame = frames.load(folder / RECORDS)
    run["hints"] = written(frame)
    run["reused"] = int(frame["reused"].sum())
    costs = frame["cost"]
    asked = costs[(frame["reused"] == 0) & frame["outcome"].isin(SCORED)]
    run["cost"] = None if asked.isna().any() else float(asked.sum())
    summary = {**summarise(frame, run), "figures": drawn(frame, run)}
    results = gating.judge(gates, frame, run, allow_partial=allow_partial)
    write_run(folder, run)
    write_all(folder, summary, frame, run, results)
    return Result(run, summary, results)


def read_run(folder: Path) -> dict[str, Any]:
    """The ``run.json`` of a folder.

    Raises:
        UsageError: it is no run folder, or of a format this version does not know.
    """
    try:
        run: dict[str, Any] = json.loads((folder / RUN).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{folder} is no run folder: {RUN} cannot be read ({error})") from error
    if run.get("format") != 1:
        raise UsageError(f"{folder / RUN}: format {run.get('format')!r} is not known to this version")
    return run
