"""Logs of Inspect, read and written by inspect_ai itself."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.reports.exchange.inspect_ai import InspectLog
from pytest_codereason.results.runs.stored_runs import open_run, read_stored
from tests.reports.exchange.words import INSPECT, read_log


@pytest.mark.slow  # inspect_ai takes seconds to be imported
def test_a_log_is_a_run_of_its_model() -> None:
    pytest.importorskip("inspect_ai")
    data = read_stored(INSPECT)
    assert data.run.tool == "Inspect 0.3.285"
    assert list(data.run.models) == ["openai/scripted"]
    assert [metric.name for metric in data.run.suites["mine_inspect"].measured] == ["pattern", "truncated"]
    assert data.records["outcome"].value_counts().to_dict() == {"correct": 7, "wrong": 1}
    assert data.records["usage.completion"].notna().all()


@pytest.mark.slow  # inspect_ai takes seconds to be imported
def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai")
    log = read_log()
    (path,) = InspectLog().write(log, tmp_path)
    assert InspectLog().recognise(path)
    stats = import_module("inspect_ai.log").read_eval_log(str(path), header_only=True).stats
    assert (stats.started_at, stats.completed_at) == (log.info.started, log.info.finished)
    again = InspectLog().read(path)
    rows = {row["id"]: row for row in again.rows}  # Inspect sorts them
    assert len(rows) == len(log.rows)
    for ours, theirs in ((row, rows[row["id"]]) for row in log.rows):
        for name in ("suite", "id", "family", "language", "axes", "outcome", "metrics", "expected", "answer"):
            assert theirs[name] == ours[name]


def test_another_version_is_refused_by_name_and_version(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(INSPECT.read_text().replace('"version": 2', '"version": 9', 1))
    with pytest.raises(UsageError, match=r"log\.json: this log of Inspect has version 9; versions 1 and 2 can be read"):
        open_run(path)


def test_without_the_library_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    with pytest.raises(UsageError, match=r"not installed .*: pip install 'pytest-codereason\[inspect\]'"):
        open_run(INSPECT)


def test_a_damaged_archive_is_named(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    path.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(UsageError, match=r"log\.eval: this log of Inspect is damaged"):
        open_run(path)


@pytest.mark.slow  # inspect_ai takes seconds to be imported
def test_a_log_without_samples_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai")
    path = tmp_path / "log.json"
    path.write_text(json.dumps({**json.loads(INSPECT.read_text()), "samples": [], "status": "error"}))
    with pytest.raises(UsageError, match=r"holds no samples \(its status is error\)"):
        open_run(path)


@pytest.mark.slow  # inspect_ai takes seconds to be imported
def test_a_reply_with_an_error_is_no_answer(tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai")
    content = json.loads(INSPECT.read_text())
    first, second, *_ = content["samples"]
    first["output"]["error"] = "the provider died"
    second["output"]["error"] = "flagged"
    second["output"]["choices"][0]["stop_reason"] = "content_filter"
    second["scores"]["pattern"]["value"] = "I"
    path = tmp_path / "log.json"
    path.write_text(json.dumps(content))
    rows = InspectLog().read(path).rows
    assert [(row["outcome"], row["reason"]) for row in rows[:2]] == [("error", "the provider died"), ("refused", "")]
    assert not rows[0]["metrics"]
