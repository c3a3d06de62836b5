"""Runs by batches and one by one, for the tests that compare them."""

from __future__ import annotations

from typing import Any

from tests.batch_servers import BatchServer
from tests.session.background import args
from tests.session.conftest import Project

BATCH = "--eval-batch"
#: A reply of 200 tokens costs 20 cents by the list, and ten in a batch.
PRICED = ("--model-arg=price_in=0", "--model-arg=price_out=1000")
#: The forms of batches that differ in more than names.
FORMS = ("openai", "anthropic", "gemini", "openrouter")
ADAPTIVE = """
task = "output-prediction"
languages = ["python", "php"]
[source]
name = "ladder"
count = 12
[adaptive]
over = "level"
top = 8
budget = 24
batch = 4
"""
#: What two runs may differ in though they ask the same and get the same answers.
_TIMES = ("latency_s", "reused", "cost", "steps")


def read(project: Project, folder: str = "reports/latest") -> list[dict[str, Any]]:
    rows = [{key: row[key] for key in row if key not in _TIMES} for row in project.records(folder)]
    return sorted(rows, key=lambda row: str(row["id"]))


def ask_one_by_one(project: Project, *more: str, form: str = "openai") -> list[dict[str, Any]]:
    """The records of a run without batches."""
    with BatchServer(form=form) as server:
        project.run(*args(server, *more, "--eval-store=other", "--eval-report=direct"))
    return read(project, "direct")
