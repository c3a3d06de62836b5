"""Dictionaries whose values may be anything are few, and each file that has one says why it must."""

from __future__ import annotations

from pathlib import Path

import pytest_codereason

ROOT = Path(pytest_codereason.__file__).parent
#: Why a file has ``dict[str, Any]``. JSON that is only written is ``dict[str, object]``; JSON that is read becomes a
#: frozen value (``core/files/typed_json.py``).
REASONS = {
    "changes/stages/_compositions.py": "fields of a dose, read from text",
    "core/answers.py": "the fields of whatever value",
    "core/text/planting.py": "JSON of the rule that writes faults",
    "engine/recording.py": "what all records of a sample have in common",
    "harvest/licences/manifests.py": "manifests of anybody's packages",
    "harvest/repositories/github.py": "replies of GitHub",
    "harvest/training/environment.py": "arguments of a set of tasks, as verifiers keeps them",
    "harvest/training/tasks.py": "tasks as trainers take them",
    "languages/python/harness.py": "the globals of a program",
    "models/local/engine.py": "replies of llama.cpp",
    "models/local/serving.py": "settings, in a process that imports nothing of the package",
    "models/replay/generations.py": "rows that any tool may have written",
    "options.py": "arguments for argparse",
    "programs/generation/evaluation.py": "the globals of a program",
    "programs/sources/_settings.py": "settings of a suite file; each is checked",
    "questions/suites/tables.py": "tables of a suite file; each key is checked where it is read, with its line",
    "reports/charts/charts.py": "arguments for matplotlib",
    "reports/exchange/_files.py": "logs of other tools",
    "results/runs/shards.py": "run.json as it stands, whatever version wrote it: a merge keeps every key",
    "sandbox/keeper/job.py": "a job, in a process that imports nothing of the package",
    "sandbox/keeper/main.py": "a job, in a process that imports nothing of the package",
    "sandbox/keeper/watch.py": "a report, in a process that imports nothing of the package",
    "session/checking/checked_run.py": "run.json while the run goes on",
    "session/distributing.py": "what xdist gives a worker",
}


def count_lines(words: str) -> dict[str, int]:
    """How many lines of each module have these words."""
    texts = {path.relative_to(ROOT).as_posix(): path.read_text() for path in ROOT.rglob("*.py")}
    counts = {name: sum(words in line for line in text.splitlines()) for name, text in texts.items()}
    return {name: many for name, many in counts.items() if many}


def test_a_dictionary_of_anything_has_a_reason() -> None:
    counts = count_lines("dict[str, Any]")
    assert counts.keys() == REASONS.keys()
    assert sum(counts.values()) < 40


def test_mappings_of_anything_do_not_grow() -> None:
    assert sum(count_lines("Mapping[str, Any]").values()) < 100
