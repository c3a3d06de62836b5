"""A suite of ten generated programs in two languages, as a file."""

from __future__ import annotations

from pathlib import Path

from pytest_codereason.questions.suites import reading
from pytest_codereason.questions.suites.suite import Suite

SUITE = """
task = "output-prediction"
languages = ["python", "php"]

[source]
name = "semtrace"
count = 10
seed = 3

[matrix]
digits = [2, 3]
"""


def load(folder: Path, more: str = "") -> Suite:
    """The suite, with more lines below it."""
    path = folder / "s.suite.toml"
    path.write_text(f"{SUITE}{more}\n")
    return reading.load(path)
