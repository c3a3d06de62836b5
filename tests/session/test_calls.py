"""The work that a question costs, as calls of functions of this package: they are exact where seconds are not."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import Server, solve

#: Calls of a question whose answer comes from an endpoint: built, asked, read, judged, recorded, shown in the report.
#: Lower it where the work becomes less.
CALLS = 824.0

SUITE = """
task = "output-prediction"
languages = ["python"]
[source]
name = "semtrace"
count = 120
seed = 1
[sampling]
temperature = 0.0
max_tokens = 50
"""
COUNT = """
import os, sys, threading, pytest
from pathlib import Path
import pytest_codereason
from pytest_codereason.engine import engine, window
engine.WATCH_S = window.LOOK_S = 60.0  # what is looked at by the clock is no work of a question
package, calls = str(Path(pytest_codereason.__file__).parent), 0

def count(frame, event, argument):
    global calls
    if event == "call" and frame.f_code.co_filename.startswith(package):
        calls += 1

def tell():
    sys.setprofile(None)
    print(f"calls: {calls}", file=sys.__stdout__, flush=True)

def forget():  # what the process that forked this one has called
    global calls
    calls = 0

def leave(code, leave=os._exit):  # the end of a fork
    tell()
    leave(code)

os.register_at_fork(after_in_child=forget)
os._exit = leave
threading.setprofile(count)
sys.setprofile(count)
code = pytest.main(sys.argv[1:])
tell()
sys.exit(code)
"""


def count_calls(folder: Path, url: str, questions: int, *more: str) -> int:
    """The calls in all processes of a run."""
    name = f"{questions}{''.join(more)}"
    arguments = [
        *("suite.suite.toml", "--model=openai:scripted", f"--model-url={url}", f"--eval-limit={questions}", *more),
        *(f"--eval-report=run-{name}", f"--eval-store=store-{name}", "-q", "-p", "no:cacheprovider"),
    ]
    command = [sys.executable, "-c", COUNT, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    counts = re.findall(r"^calls: (\d+)$", done.stdout, re.MULTILINE)
    assert len(counts) == (3 if more else 1), done.stdout
    return sum(map(int, counts))


def count_calls_of_a_question(folder: Path, *more: str) -> float:
    (folder / "suite.suite.toml").write_text(SUITE)
    with Server(solve(accuracy=0.5)) as server:
        few, many = (count_calls(folder, server.url, questions, *more) for questions in (40, 120))
    calls = (many - few) / 80
    print(json.dumps({"calls a question": calls}))
    return calls


@pytest.mark.slow
def test_a_question_costs_no_more_calls_than_it_did(tmp_path: Path) -> None:
    calls = count_calls_of_a_question(tmp_path)
    assert calls <= 1.03 * CALLS
    assert calls >= 0.9 * CALLS, f"it became less: write {calls:.0f}"


@pytest.mark.slow
def test_in_forked_processes_a_question_costs_no_more_calls(tmp_path: Path) -> None:
    calls = count_calls_of_a_question(tmp_path, "-n2")
    assert calls <= 1.05 * CALLS
