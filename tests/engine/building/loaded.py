"""Suites of one program, loaded from a folder."""

from __future__ import annotations

import json
from pathlib import Path

from pytest_codereason.core import Language
from pytest_codereason.languages.python.values import PythonValues
from pytest_codereason.questions.suites import reading as suite_files
from pytest_codereason.questions.suites.suite import Suite

SUITE = """
task = "output-prediction"
[source]
name = "jsonl"
path = "mine.jsonl"
"""
ROW = {"language": "python", "id": "p", "function": "f", "input": "2", "code": "def f(n):\n    return n + 1\n"}


class Mute(Language):
    """Has values, and nothing that runs its programs."""

    name, fence, title, suffixes = "mute", "mute", "Mute", (".mute",)
    values = PythonValues()


def load(folder: Path, row: dict[str, str], more: str = "") -> Suite:
    (folder / "mine.jsonl").write_text(json.dumps(row))
    (folder / "s.suite.toml").write_text(SUITE + more)
    return suite_files.load(folder / "s.suite.toml")
