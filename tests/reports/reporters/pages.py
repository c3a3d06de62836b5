"""Run folders for the tests of reporters: an ordinary one and one full of traps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pytest_codereason.results.measures.summary import summarise
from pytest_codereason.results.report import Report
from pytest_codereason.results.verdicts.grammar import parse_gate
from pytest_codereason.results.verdicts.judging import Rules, judge_gates
from tests.results.synthetic import build_data, make_row, make_rows, make_run, write_run

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
EVIL += "\x1b[31mred\x1b[0m\u202eevil | `x` **b** [l](u)"
EVIL_TEXT = f"{EVIL}\ud800"  # no name has half of a surrogate pair


@dataclass
class Finished:
    """A run folder and all that a reporter is given."""

    folder: Path
    report: Report

    @property
    def parts(self) -> tuple[Report, Path]:
        """The arguments of ``Reporter.write``."""
        return self.report, self.folder


def finish(
    folder: Path, run: dict[str, Any], rows: Sequence[dict[str, Any]], gates: Sequence[str] = (), **rules: Any
) -> Finished:
    """The run of these records, summarised and judged."""
    data = build_data(run, write_run(folder, run, list(rows)))
    results = judge_gates([parse_gate(gate) for gate in gates], data, Rules(**rules))
    return Finished(folder, Report(folder=folder, data=data, summary=summarise(data), pictures=(), gates=results))


def ordinary(folder: Path) -> Finished:
    """Two models, three axes, 40 families; one gate holds for one model."""
    run, rows, report = _summarise_ordinary()
    write_run(folder, run, rows)
    return Finished(folder, replace(report, folder=folder))


@cache
def _summarise_ordinary() -> tuple[dict[str, Any], list[dict[str, Any]], Report]:
    """The run, its records and its report. The summary takes most of a second, and many tests show it."""
    run = make_run(families=40)
    rows = list(make_rows(run, families=40))
    with TemporaryDirectory() as folder:
        gates = ["semtrace.exact[digits=2] >= 0.5", "semtrace.partial > 1%"]
        return run, rows, finish(Path(folder), run, rows, gates).report


def hostile(folder: Path) -> Finished:
    """Every text that a model, a server or a user decides holds markup and control characters."""
    suites = {"semtrace": {"language": ["python"], "perturbation": ["none", EVIL, "v" * 300]}}
    run = make_run(
        suites=suites, models=[EVIL, "m" * 200], argv=[EVIL], selection=EVIL, sandbox=EVIL, reused_oldest_s=None
    )
    rows = []
    for model in run["models"]:
        for i, value in enumerate(suites["semtrace"]["perturbation"]):
            for j, outcome in enumerate(["correct", "wrong", "invalid", "error", "skipped"]):
                given = {
                    "metrics": {"exact": float(outcome == "correct"), "partial": 0.5},
                    "answer": f"[1, 2, {EVIL_TEXT}" + "9" * 5_000 if outcome == "wrong" else None,
                    "response": EVIL_TEXT + "x" * 5_000,
                }
                rows.append(
                    make_row(
                        id=f"python/{EVIL}{i}{j}",
                        family=f"{EVIL}{j}",
                        axes={"perturbation": value},
                        model=model,
                        outcome=outcome,
                        reason=EVIL_TEXT,
                        expected=f"[1, {EVIL_TEXT!r}]",
                        **({} if outcome == "skipped" else given),
                    )
                )
    return finish(folder, run, rows)
