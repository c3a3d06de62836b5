"""Small runs in a few words, for the tests of comparisons: ``ccw`` is a model that is right, right and wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_codereason.reports.comparing.comparison import RunComparison, compare_runs
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import parse_run
from tests.results.synthetic import make_row, make_run

OUTCOMES = {"c": "correct", "w": "wrong", "i": "invalid", "t": "truncated", "e": "error", "s": "skipped"}
ONE: Mapping[str, list[Any]] = {"language": ["python"]}
EXACT = {
    "name": "exact",
    "of": ["correct", "wrong", "invalid", "truncated", "refused", "too-long"],
    "binary": True,
    "higher_is_better": True,
}

Run = tuple[dict[str, Any], list[dict[str, Any]]]


def make_small_run(
    models: Mapping[str, str],
    *,
    suite: str = "semtrace",
    axes: Mapping[str, list[Any]] = ONE,
    at: Sequence[Mapping[str, Any]] = ({},),
    plan: str = "p",
    programs: Sequence[str] = (),
    **changes: Any,
) -> Run:
    """A run and its records. ``models`` gives each model a letter for each program, the same at each point ``at``."""
    run = make_run(suites={suite: dict(axes)}, models=list(models), **changes)
    rows = [
        make_row(
            suite=suite,
            id=f"python/{number}[{','.join(f'{axis}:{value}' for axis, value in where.items())}]",
            family=str(number),
            axes=dict(where),
            model=model,
            outcome=OUTCOMES[letter],
            metrics={} if letter in "es" else {"exact": float(letter == "c")},
            answer={"c": "[1, 2]", "w": "[0]"}.get(letter),
            program_sha=programs[number] if programs else "",
        )
        for where in at
        for model, letters in models.items()
        for number, letter in enumerate(letters)
        if letter != "-"
    ]
    asked = len({(row["model"], row["id"]) for row in rows})
    run["suites"][suite] |= {"plan": plan, "metrics": [EXACT], "selected": asked, "instances": asked // len(models)}
    return run, rows


def compare_small(*runs: Run, **options: Any) -> RunComparison:
    """The comparison of runs that are named ``one``, ``two`` and so on."""
    names = ("one", "two", "three")
    data = RunData.build({name: (parse_run(run), rows) for name, (run, rows) in zip(names, runs, strict=False)})
    return compare_runs(data, **options)
