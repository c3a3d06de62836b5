"""Runs are opened by their path, whoever wrote them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.results.runs.stored_runs import open_run, read_stored
from tests.results.synthetic import make_row, make_run, write_run


def test_a_run_folder_is_read(tmp_path: Path) -> None:
    write_run(tmp_path / "run", make_run(models=["m"]), [make_row()])
    info, source = open_run(tmp_path / "run")
    assert list(info.models) == ["m"]
    assert source == tmp_path / "run/records.jsonl"
    data = read_stored(tmp_path / "run")
    assert list(data.runs) == [str(tmp_path / "run")]
    assert len(data.records) == 1


def test_what_is_no_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no such folder"):
        open_run(tmp_path / "none")
    with pytest.raises(
        UsageError, match=r"is not a run folder: it has no run\.json\. It is no log of another tool either"
    ):
        open_run(tmp_path)
    write_run(tmp_path / "run", make_run(models=["m"]), [])
    (tmp_path / "run/records.jsonl").unlink()
    with pytest.raises(UsageError, match=r"has no records\.jsonl"):
        open_run(tmp_path / "run")


@pytest.mark.parametrize("content", [{"results": {}}, {"eval": {}, "version": 2}, {"config": {}, "results": {"a": 3}}])
def test_a_damaged_log_of_another_tool_is_an_error_of_the_user(tmp_path: Path, content: object) -> None:
    (tmp_path / "log.json").write_text(json.dumps(content))
    with pytest.raises(UsageError):
        open_run(tmp_path / "log.json")
