"""Suites of one program, loaded from a folder."""

from __future__ import annotations

import json
from pathlib import Path

from pytest_codereason.questions.suites import reading as suite_files
from pytest_codereason.questions.suites.suite import Suite

SUITE = """
task = "output-prediction"
languages = ["python"]
[source]
name = "jsonl"
path = "mine.jsonl"
"""
ROW = {"language": "python", "id": "p", "function": "f", "input": "2", "code": "def f(n):\n    return n + 1\n"}


def load(folder: Path, row: dict[str, str], more: str = "") -> Suite:
    (folder / "mine.jsonl").write_text(json.dumps(row))
    (folder / "s.suite.toml").write_text(SUITE + more)
    return suite_files.load(folder / "s.suite.toml")
