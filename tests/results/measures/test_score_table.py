"""The scores of runs as a table agree with the summary."""

from __future__ import annotations

import pytest

from pytest_codereason.results.measures.score_table import COLUMNS, build_scores
from pytest_codereason.results.measures.summary import summarise
from tests.results.synthetic import build_data, make_rows, make_run


def test_every_score_of_a_summary_is_a_row() -> None:
    run = make_run(models=["m"], suites={"semtrace": {"language": ["python"], "digits": [2, 4]}})
    data = build_data(run, list(make_rows(run, families=6)))
    table, summary = build_scores({"one": data, "two": data}), summarise(data)
    assert list(table.columns) == list(COLUMNS)
    assert set(table["run"]) == {"one", "two"}
    one = table[table["run"] == "one"].drop(columns="run").reset_index(drop=True)
    assert one.equals(table[table["run"] == "two"].drop(columns="run").reset_index(drop=True))
    scores = {
        (row.suite, row.model, row.condition, row.axis, row.axis_value, row.metric): row for row in one.itertuples()
    }
    assert len(scores) == len(one)
    for label, model in summary.suites["semtrace"].models.items():
        for headline in model.headlines:
            where = ", ".join(f"{axis}={value}" for axis, value in headline.where.items())
            row = scores["semtrace", label, where, "", "", "exact"]
            exact = headline.metrics["exact"]
            assert (row.value, row.low, row.high) == pytest.approx((exact.value, exact.low, exact.high))
            assert (row.n, row.programs) == (exact.n, exact.families)
        assert {row.axis for row in one.itertuples() if row.model == label} == {"", *(s.axis for s in model.sweeps)}
    assert {"2", "4"} <= {row.axis_value for row in one.itertuples() if row.axis == "digits"}


def test_no_run_is_a_table_without_rows() -> None:
    table = build_scores({})
    assert table.empty
    assert {name: str(kind) for name, kind in table.dtypes.items()}["n"] == "int64"
    assert list(table.columns) == list(COLUMNS)
