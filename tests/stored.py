"""Small runs as pytest writes them, which tests copy and change."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from pytest_codereason.engine.storage.seals import SEAL, Chain, write_seal

SUITE = """
task = "output-prediction"
languages = ["python"]

[source]
name = "semtrace"
count = 3
digits = 2
seed = 7

[matrix]
prompting = ["direct", "cot"]
"""
MODELS = ("--model=baseline:truth", "--model=baseline:chance")
GATE = "small.exact[model=baseline:truth] >= 10%"


def prepare(folder: Path) -> list[str]:
    """Writes a small suite into ``folder``, and gives what asks it and keeps all that it writes there."""
    (suite := folder / "small.suite.toml").write_text(SUITE)
    return [str(suite), f"--eval-report={folder / 'run'}", f"--eval-store={folder / 'store'}"]


def ask(folder: Path, *arguments: str) -> Path:
    """Asks a small suite in ``folder`` by a process of its own, and gives the run folder."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *prepare(folder), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (folder / "run/run.json").exists(), done.stdout + done.stderr
    return folder / "run"


@cache
def find_small() -> Path:
    """A complete run of three programs, twelve records, with a gate that passes. Nobody may change it."""
    folder = Path(mkdtemp(prefix="codereason-stored-"))
    return ask(folder, *MODELS, f"--eval-gate={GATE}", "--eval-claim=suite")


def copy_small(folder: Path) -> Path:
    """A copy of the small run that may be changed."""
    shutil.rmtree(folder, ignore_errors=True)
    return Path(shutil.copytree(find_small(), folder, ignore=shutil.ignore_patterns("report*", "summary*")))


def read_rows(run: Path) -> list[dict[str, Any]]:
    """The records of a run."""
    return [json.loads(line) for line in (run / "records.jsonl").read_text().splitlines()]


def change_rows(run: Path, change: Callable[[list[dict[str, Any]]], Sequence[dict[str, Any]] | None]) -> None:
    """Changes the records of a run, as somebody would who does not know of the seal."""
    rows = read_rows(run)
    changed = change(rows)
    lines = (json.dumps(row, separators=(",", ":")) + "\n" for row in (rows if changed is None else changed))
    (run / "records.jsonl").write_text("".join(lines))


def change_run(run: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Changes ``run.json``."""
    content = json.loads((run / "run.json").read_text())
    change(content)
    (run / "run.json").write_text(json.dumps(content))


def seal_again(run: Path) -> None:
    """What somebody does who has changed a run and knows of the seal, but has no key."""
    with (run / "records.jsonl").open("rb") as lines:
        write_seal(run, Chain(lines).seal(json.loads((run / "run.json").read_text())))


def unseal(run: Path) -> None:
    """What makes a run look like one of an earlier version."""
    (run / SEAL).unlink()
