"""The scores of runs as one table: every metric in every condition, a row each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from pytest_codereason.core import AxisValue
from pytest_codereason.results.measures.summary import Summary, summarise
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.values import Estimate

COLUMNS: Mapping[str, str] = {
    "run": "str",
    "suite": "str",
    "model": "str",
    "condition": "str",  # in which condition: perturbation=vanilla, prompting=cot
    "axis": "str",  # along which axis; empty for a headline
    "axis_value": "str",
    "metric": "str",
    "value": "float64",
    "low": "float64",
    "high": "float64",
    "n": "int64",
    "programs": "int64",
}


def build_scores(runs: Mapping[str, RunData]) -> pd.DataFrame:
    """A row for each run, suite, model, condition and metric: headlines first, then the values of each axis.

    ``value`` is a mean with its 95 % interval ``low`` to ``high``, over ``n`` answers about so many ``programs``. It is
    NaN where no answer counts.
    """
    rows = [{"run": run, **row} for run, data in runs.items() for row in _list_rows(summarise(data))]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(dict(COLUMNS))


def _list_rows(summary: Summary) -> Iterator[dict[str, object]]:
    for name, suite in summary.suites.items():
        for label, model in suite.models.items():
            for headline in model.headlines:
                place = {"suite": name, "model": label, "condition": _write(headline.where), "axis": ""}
                yield from _list_metrics({**place, "axis_value": ""}, headline.metrics)
            for sweep in model.sweeps:
                place = {"suite": name, "model": label, "condition": _write(sweep.where), "axis": sweep.axis}
                for entry in sweep.entries:
                    yield from _list_metrics({**place, "axis_value": str(entry.value)}, entry.metrics)


def _list_metrics(place: Mapping[str, str], metrics: Mapping[str, Estimate]) -> Iterator[dict[str, object]]:
    for name, estimate in metrics.items():
        numbers = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
        yield {**place, "metric": name, **numbers, "n": estimate.n, "programs": estimate.families}


def _write(where: Mapping[str, AxisValue]) -> str:
    return ", ".join(f"{axis}={value}" for axis, value in where.items())
