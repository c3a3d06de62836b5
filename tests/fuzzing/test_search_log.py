"""What searches were answered is kept, a line for each record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_codereason.engine.storage.run_folder import SEARCHES
from pytest_codereason.fuzzing.search_log import SearchLog
from tests.session.running.reported import make_record


def test_each_record_is_a_line_with_the_name_of_its_test(tmp_path: Path) -> None:
    log, other = SearchLog(tmp_path / "deep" / "run"), SearchLog(tmp_path / "deep" / "run")
    log.write("test_a.py::test_none")
    assert (log.written, log.folder.exists()) == ("", False)
    log.add([make_record(), make_record("wrong")])
    log.write("test_a.py::test_one")
    log.write("test_a.py::test_none")
    other.add([make_record()])
    other.write("test_a.py::test_two")
    rows = [json.loads(line) for line in (log.folder / SEARCHES).read_text().splitlines()]
    assert [row["test"].rpartition("_")[2] for row in rows] == ["one", "one", "two"]
    assert [row["outcome"] for row in rows] == ["correct", "wrong", "correct"]
    assert log.written.endswith(f"run/{SEARCHES}")


def test_a_folder_that_cannot_be_made_is_an_error_and_records_are_written_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    log = SearchLog(tmp_path / "file" / "run")
    log.add([make_record()])
    with pytest.raises(OSError, match="file"):
        log.write("test")
    log.write("test")
