"""A record is found again by its key, in a file or in memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_codereason.results.records.record_index import RecordIndex
from tests.results.synthetic import make_row


@pytest.mark.parametrize("in_memory", [False, True])
def test_the_later_of_two_records_counts(tmp_path: Path, in_memory: bool) -> None:
    rows = [make_row(response="ä first"), make_row(sample=1), make_row(response="second")]
    path = tmp_path / "records.jsonl"
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join(["{torn", '{"id": ["list"]}', "", *lines]) + "\n")
    key = ("run", "semtrace", "m", "python/0000[digits:2]", 0)
    with RecordIndex({"run": rows if in_memory else path}) as index:
        found = index.read(key)
        assert found is not None
        assert found.response == "second"
        assert index.read((*key[:4], 2)) is None
