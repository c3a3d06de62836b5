"""The work that a question costs, as calls of functions of this package: they are exact where seconds are not."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import Server, solve

#: Calls of a question whose answer comes from an endpoint: built, asked, read, judged, recorded, shown in the report.
#: Lower it where the work becomes less.
CALLS = 809.0

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
import sys, threading, pytest
from pathlib import Path
import pytest_codereason
package, calls = str(Path(pytest_codereason.__file__).parent), 0

def count(frame, event, argument):
    global calls
    if event == "call" and frame.f_code.co_filename.startswith(package):
        calls += 1

threading.setprofile(count)
sys.setprofile(count)
code = pytest.main(sys.argv[1:])
sys.setprofile(None)
assert code == 0, code
print(f"calls: {calls}")
"""


def count_calls(folder: Path, url: str, questions: int) -> int:
    arguments = [
        *("suite.suite.toml", "--model=openai:scripted", f"--model-url={url}", f"--eval-limit={questions}"),
        *(f"--eval-report=run-{questions}", f"--eval-store=store-{questions}", "-q", "-p", "no:cacheprovider"),
    ]
    command = [sys.executable, "-c", COUNT, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return int(done.stdout.rpartition("calls: ")[2])


@pytest.mark.slow
def test_a_question_costs_no_more_calls_than_it_did(tmp_path: Path) -> None:
    (tmp_path / "suite.suite.toml").write_text(SUITE)
    with Server(solve(accuracy=0.5)) as server:
        few, many = (count_calls(tmp_path, server.url, questions) for questions in (40, 120))
    calls = (many - few) / 80
    print(json.dumps({"calls a question": calls}))
    assert calls <= 1.05 * CALLS
    assert calls >= 0.9 * CALLS, f"it became less: write {calls:.0f}"
