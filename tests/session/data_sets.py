"""A small data set in a project."""

from __future__ import annotations

import json
from typing import Any

from tests.session.conftest import Project

CRUXEVAL = """
task = "{task}"
[source]
name = "cruxeval"
path = "."
{more}
"""


def cruxeval(project: Project, *rows: dict[str, Any], task: str = "output-prediction", more: str = "") -> None:
    (project.path / "cruxeval.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (project.path / "crux.suite.toml").write_text(CRUXEVAL.format(task=task, more=more))
