"""Replies to a question about inputs, and the verdicts on them."""

from __future__ import annotations

from typing import Any

from pytest_codereason.core import Ask, Completion, Facts, Instance, Program, Verdict
from pytest_codereason.core.execution import Run
from pytest_codereason.programs.sources._examples import EXAMPLES, program
from pytest_codereason.questions.tasks.input_prediction import InputPrediction
from pytest_codereason.questions.templates.loading import load
from pytest_codereason.sandbox import Sandbox

TASK = InputPrediction()
SUM = Program.from_source(
    language="python",
    source="def f(a, b=1):\n    return a + b\n",
    call="f(1, 2)",
    facts=Facts(input="1, 2", output=3),
)
PREFIX = "```python\nassert f("


def make_instance(subject: Program = SUM, shots: int = 0, **axes: Any) -> Instance:
    return Instance(
        id="x",
        family="x",
        suite="suite",
        program=subject,
        axes={"prompting": "direct", "shots": shots, "query": "both", **axes},
        matrix={},
        shots=tuple(program(example, subject.language) for example in EXAMPLES[:shots]),
        template=load("input-prediction", str(axes.get("prompting", "direct"))),
    )


def ask(instance: Instance) -> Ask:
    step = next(TASK.steps(instance))
    assert isinstance(step, Ask)
    return step


def judge(sandbox: Sandbox | None, instance: Instance, completion: Completion) -> tuple[Verdict, list[Run]]:
    """The verdict on a reply, and all that was run for it."""
    steps, runs = TASK.steps(instance), list[Run]()
    next(steps)
    try:
        step = steps.send(completion)
        while True:
            assert isinstance(step, Run)
            assert sandbox is not None, "nothing should have to be run"
            runs.append(step)
            step = steps.send(sandbox.run(step))
    except StopIteration as stop:
        verdict = stop.value
        assert isinstance(verdict, Verdict)
        return verdict, runs


def judge_continuation(sandbox: Sandbox | None, text: str, subject: Program = SUM) -> Verdict:
    return judge(sandbox, make_instance(subject), Completion(text=text, prefilled=True))[0]


def judge_text(sandbox: Sandbox | None, text: str) -> Verdict:
    return judge(sandbox, make_instance(prompting="cot"), Completion(text=text))[0]
