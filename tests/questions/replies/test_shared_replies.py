"""Replies of all kinds, of which a careful person said how they read."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.questions.replies.judged_replies import reads_as

PATH = Path(os.environ.get("CODEREASON_DATA", ""), "replies", "replies.jsonl")
#: The share of replies that must be read as that person reads them.
LEAST = 0.97


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    if not PATH.is_file():
        pytest.skip("CODEREASON_DATA names no folder with replies/replies.jsonl")
    return [json.loads(line) for line in PATH.read_text(encoding="utf-8").splitlines()]


def test_what_is_no_answer_never_counts(rows: list[dict[str, Any]]) -> None:
    assert [row for row in rows if row["reads"] == "no answer" and reads_as(row)] == []


def test_nearly_all_replies_are_read_as_a_person_reads_them(rows: list[dict[str, Any]]) -> None:
    clear = [row for row in rows if row["reads"] in ("right", "no answer")]
    other = [row for row in clear if reads_as(row) != (row["reads"] == "right")]
    assert len(other) <= (1 - LEAST) * len(clear), other
