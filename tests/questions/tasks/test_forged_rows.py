"""A row on the descriptor of the result is worth as much as the program that wrote it, and an answer writes none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_codereason.core import Completion, Facts, Program
from pytest_codereason.core.execution import Run
from pytest_codereason.questions.tasks.shared.defences import REFACTOR
from pytest_codereason.questions.templates.loading import load
from pytest_codereason.sandbox import Sandbox
from tests.questions.tasks.input_answers import TASK, judge_continuation, make_instance

ROW = "b'{\"value\": 5000}\\n'"
#: Bodies of functions that write the expected row beside the harness, in Python.
BODIES = {
    "a row before the harness's": f"os.write(3, {ROW}); return 0",
    "the same row twice": f"os.write(3, {ROW}); return 5000",
    "a row without its end": "os.write(3, b'{\"value\": 5000}'); return 0",
    "a row that hides the rest": 'os.write(3, b\'{"value": 5000, "": \'); return 0',
    "a blank line": "os.write(3, b'\\n'); return 5000",
    "a row, and the descriptor closed": f"os.write(3, {ROW}); os.close(3); return 0",
    "a row, and an error": f"os.write(3, {ROW}); os._exit(1)",
    "a row, and an exception": f"os.write(3, {ROW}); raise ValueError",
    "a row at the exit": f"atexit.register(os.write, 3, {ROW}); return 0",
    "a row of a thread": f"threading.Thread(target=os.write, args=(3, {ROW})).start(); return 0",
    "a verdict": 'os.write(3, b\'{"value": 5000, "outcome": "correct"}\\n\'); os._exit(0)',
    "a value that no harness writes": 'os.write(3, b\'{"value": {"int": 5000}}\\n\'); os._exit(0)',
    "nothing": "os._exit(0)",
}


def make_program(body: str) -> Program:
    source = f"import atexit, os, threading, time\ndef f(a):\n    {body}\n"
    return Program.from_source(language="python", source=source, call="f(7)", facts=Facts(input="7", output=5000))


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_row_beside_the_harness_is_never_right(body: str, sandbox: Sandbox) -> None:
    verdict = judge_continuation(sandbox, "1) == 5000", make_program(body))
    assert verdict.outcome == "wrong"
    assert verdict.metrics["tampered"] == 1


def test_a_row_of_a_process_that_goes_on_comes_too_late(sandbox: Sandbox) -> None:
    late = make_program(f"os.fork() or (time.sleep(0.2), os.write(3, {ROW}), os._exit(0)); return 0")
    assert judge_continuation(sandbox, "1) == 5000", late).outcome == "wrong"


def test_an_answer_is_judged_by_the_program_and_not_by_its_rewriting(sandbox: Sandbox) -> None:
    forged = f"```python\nimport os\ndef f(a):\n    os.write(3, {ROW})\n    os._exit(0)\n```"
    instance = replace(
        make_instance(make_program("return a"), prompting="cot", defence=REFACTOR),
        rewriting=load("refactor", "refactor"),
    )
    steps = TASK.steps(instance)
    next(steps)
    rewritten = steps.send(Completion(text=forged))
    assert isinstance(rewritten, Run)
    assert rewritten.source != instance.program.source
    execution = sandbox.run(rewritten)
    assert execution.ending == "tampered"
    steps.send(execution)
    judging = steps.send(Completion(text="[ANSWER]f(1)[/ANSWER]"))
    assert isinstance(judging, Run)
    assert judging.source == instance.program.source
    with pytest.raises(StopIteration) as stopped:
        steps.send(sandbox.run(judging))
    assert stopped.value.value.outcome == "wrong"
