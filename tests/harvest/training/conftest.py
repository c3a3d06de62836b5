"""Three programs of one call graph, their conversations, and a tiny model that can read them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_codereason.cli import main

from .tiny import write_model

SUITE = """\
task = "call-graph"
languages = ["python"]
[source]
name = "corpus"
path = "set"
[sampling]
max_tokens = 24
"""

PROGRAM = "def first(n):\n    return last(n) + 1\n\n\ndef last(n):\n    return n * 2\n\n\nprint(first({0}))\n"
EDGES = {"main": ["main.first"], "main.first": ["main.last"]}


@pytest.fixture(scope="package")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``calls.suite.toml``, ``train.jsonl`` as ``codereason sft`` writes it, and the model ``tiny``."""
    folder = tmp_path_factory.mktemp("lesson")
    for number in range(3):
        program = folder / "set" / "python" / f"doubling-{number}"
        program.mkdir(parents=True)
        (program / "main.py").write_text(PROGRAM.format(number), encoding="utf-8")
        (program / "callgraph.json").write_text(json.dumps(EDGES), encoding="utf-8")
    suite, data = folder / "calls.suite.toml", folder / "train.jsonl"
    suite.write_text(SUITE, encoding="utf-8")
    assert main(["sft", str(suite), "--writer", "none", "-o", str(data)]) == 0
    rows = [json.loads(line) for line in data.read_text(encoding="utf-8").splitlines()]
    write_model(folder / "tiny", [message["content"] for row in rows for message in row["messages"]])
    return folder
