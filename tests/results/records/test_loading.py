"""``pytest_codereason.load``: documented columns of documented types."""

from __future__ import annotations

from pathlib import Path

import pytest

import pytest_codereason
from pytest_codereason.errors import UsageError
from pytest_codereason.results.records.loading import COLUMNS
from tests.reports.exchange.words import LM_EVAL, OURS, read_log
from tests.results.synthetic import make_rows, make_run, write_run


def test_every_column_is_documented_with_its_type(tmp_path: Path) -> None:
    run = make_run()
    rows = [{**row, "trace": {"collapsed": 0.0}, "forms": {"a": {"safe": 1}}} for row in make_rows(run, families=3)]
    write_run(tmp_path, run, rows)
    frame = pytest_codereason.load(tmp_path, texts=True)
    for name, dtype in frame.dtypes.items():
        (column,) = [column for column in COLUMNS if column.covers(str(name))]
        assert str(dtype) == column.dtype, name
    always = {column.name for column in COLUMNS if not column.name.endswith("*")}
    assert always <= set(frame.columns)


def test_there_is_a_row_for_each_answer_with_its_texts() -> None:
    frame = pytest_codereason.load(OURS, texts=True).set_index("id")
    assert len(frame) == 8
    for row in read_log().rows:
        assert frame.loc[row["id"], "response"] == row["response"]
        assert frame.loc[row["id"], "metrics.exact"] == row["metrics"]["exact"]


def test_the_run_comes_with_the_table() -> None:
    frame = pytest_codereason.load(str(OURS), LM_EVAL)
    assert frame.attrs["runs"][str(OURS)]["suites"].keys() == {"mine"}
    assert frame.attrs["runs"][str(LM_EVAL)] == {}
    assert list(frame["run"].cat.categories) == sorted([str(OURS), str(LM_EVAL)])


def test_a_question_that_was_asked_again_is_there_once(tmp_path: Path) -> None:
    log = read_log()
    write_run(tmp_path, {}, [*map(dict, log.rows), *({**row, "repeat": 1, "response": "no"} for row in log.rows)])
    (tmp_path / "run.json").write_bytes((OURS / "run.json").read_bytes())
    frame = pytest_codereason.load(tmp_path, texts=True)
    assert len(frame) == 8
    assert "no" not in set(frame["response"])


def test_what_is_no_run_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no such folder"):
        pytest_codereason.load(tmp_path / "none")
