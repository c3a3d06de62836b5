"""The scripted server that the other tests lean on."""

from __future__ import annotations

import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.servers import solve, trace

LINES = ((2, "+ 5"), (0, "- 12"), (1, "- 1"))
PROGRAMS = {
    "python": "def f(x):\n    arr = [0, 0, 0]\n"
    + "".join(f"    arr[{i}] = x {y}\n" for i, y in LINES)
    + "    return arr\n",
    "javascript": "function f(x) {\n    const arr = [0, 0, 0];\n"
    + "".join(f"    arr[{i}] = x {y};\n" for i, y in LINES)
    + "    return arr;\n}\n",
    "php": "function f($x) {\n    $arr = [0, 0, 0];\n"
    + "".join(f"    $arr[{i}] = $x {y};\n" for i, y in LINES)
    + "    return $arr;\n}\n",
}
SHOT = "f(10) gives [9].\ndef f(x):\n    arr = [0]\n    arr[0] = x - 1\n    return arr\n"


@pytest.mark.parametrize("language", PROGRAMS)
@pytest.mark.parametrize("prompt", ["{shot}{code}What is f(81)?", "{shot}What is f(81)?\n{code}"])
def test_it_solves_the_last_program_and_call(language: str, prompt: str) -> None:
    assert trace(prompt.format(shot=SHOT, code=PROGRAMS[language])) == [69, 80, 86]


def test_accuracy_is_a_share_of_prompts_and_stays_the_same() -> None:
    prompts = [f"Question {i}: f(81)?\n{PROGRAMS['python']}" for i in range(400)]
    answer = solve(accuracy=0.75, wrap="<{}>")
    replies = [answer([{"role": "user", "content": prompt}], {}) for prompt in prompts]
    assert set(replies) == {"<[69, 80, 86]>", "<[70, 80, 86]>"}
    assert 0.68 < replies.count("<[69, 80, 86]>") / 400 < 0.82
    assert replies == [answer([{"role": "user", "content": prompt}], {}) for prompt in prompts]


def test_a_begun_reply_is_continued() -> None:
    messages = [{"role": "user", "content": f"{PROGRAMS['php']} f(81)"}, {"role": "assistant", "content": "f(81) == "}]
    assert solve(wrap="<{}>")(messages, {}) == "[69, 80, 86]"


def test_it_runs_as_a_command() -> None:
    command = [sys.executable, "-m", "tests.servers", "--model", "mine"]
    root = Path(__file__).parent.parent
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as process:
        assert process.stdout is not None
        try:
            url = process.stdout.readline().strip()
            with urllib.request.urlopen(f"{url}/models", timeout=10) as reply:
                assert b'"mine"' in reply.read()
        finally:
            process.kill()
