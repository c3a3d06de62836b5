"""Every prompt, completed as it asks: the right value is read as right, in every language, template and wrapping."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Ask, Completion, Facts, Instance, Program, Task, Verdict
from pytest_codereason.questions.tasks.input_prediction import InputPrediction
from pytest_codereason.questions.tasks.output_prediction import OutputPrediction
from pytest_codereason.questions.templates.loading import find_forms, load_for_task
from pytest_codereason.registry import language
from tests.examples import mostly_slow

LANGUAGES = ("python", "javascript", "php", "java")
#: A program of each language, and the name by which it is called.
SOURCES: Mapping[str, tuple[str, str]] = {
    "python": ("def f(n):\n    return g(n)\n", "f"),
    "javascript": ("function f(n) {\n  return g(n);\n}\n", "f"),
    "php": ("<?php\nfunction f($n) {\n    return g($n);\n}\n", "f"),
    "java": ("class Main {\n    static Object f(Object n) {\n        return g(n);\n    }\n}\n", "Main.f"),
}
#: Values that have a literal in every language.
VALUES: tuple[Any, ...] = (
    42,
    -7,
    1.5,
    True,
    None,
    "",
    "ab",
    "a == b, f(3) or 'c' # [ANSWER]",
    'say "hi"\n\\ and `so`',
    "１，“x”",
    [],
    [1, 2, 3],
    [[1], [], [2, 3]],
    ["a", "it's"],
    {"a": 1, "b c": [1, 2]},
    [{"k": "v"}],
)
#: What models put around a completed assertion.
WRAPPINGS = {
    "plain": "{asserted}",
    "fenced": "```{fence}\n{asserted}\n```",
    "fenced without a language": "```\n{asserted}\n```",
    "asked tags": "[ANSWER]\n{asserted}\n[/ANSWER]",
    "tags of the prompt": "[ASSERTION]\n{asserted}\n[/ASSERTION]",
    "a block in tags": "[ANSWER]\n```{fence}\n{asserted}\n```\n[/ANSWER]",
    "thoughts and tags": "[THOUGHT]\nFirst 1, then 2.\n[/THOUGHT]\n[ANSWER]\n{asserted}\n[/ANSWER]",
    "prose around": "The call is worked out step by step.\n\n```{fence}\n{asserted}\n```\n\nThat is all.",
    "prose before": "The completed assertion is:\n\n{asserted}",
    "hidden reasoning": "<think>\nIs it 1? No.\n</think>\n\n```{fence}\n{asserted}\n```",
    "the end of a turn": "{asserted}<|im_end|>",
    "the prompt again": "[ASSERTION]\n{asked}\n[/ASSERTION]\n\n[CODE]\n{code}\n[/CODE]\n\n{asserted}",
    "another question": "{asserted}\n\n[ASSERTION]\n{asked}\n[/ASSERTION]\n\n[CODE]\n{code}\n[/CODE]\n",
}


def list_templates(task: Task) -> Iterator[tuple[str, str, Path | None]]:
    for prompting in ("direct", "cot"):
        yield "own", prompting, None
        for name, folder in find_forms(task.name).items():
            yield name, prompting, folder


def make_instance(name: str, task: Task, value: Any, prompting: str, folder: Path | None, query: str) -> Instance:
    source, function = SOURCES[name]
    recorded = language(name).values.write([1, "a"])
    program = Program.from_source(
        language=name, source=source, call=f"{function}({recorded})", facts=Facts(output=value, input=recorded)
    )
    return Instance(
        id="x",
        family="x",
        suite="suite",
        program=program,
        axes={"prompting": prompting, "shots": 0, "query": query},
        matrix={},
        template=load_for_task(task, prompting, folder),
    )


def ask_and_judge(task: Task, instance: Instance, reply: str, *, prefilled: bool = False) -> Verdict:
    steps = task.steps(instance)
    next(steps)
    with pytest.raises(StopIteration) as stop:  # else a program would have to be run
        steps.send(Completion(text=reply, prefilled=prefilled))
    assert isinstance(stop.value.value, Verdict)
    return stop.value.value


def find_asked(ask: Ask) -> str:
    """The line of a prompt in which ``??`` stands for the answer."""
    lines = ask.messages[-1].content.split("\n")
    return next(line for line in reversed(lines) if "??" in line and "Replace" not in line and "stands for" not in line)


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("task_name", ["output-prediction", "input-prediction"])
@pytest.mark.parametrize("query", mostly_slow(["both", "before", "after"], 3))
def test_a_prompt_completed_as_it_asks_is_read(name: str, task_name: str, query: str) -> None:
    task: Task = OutputPrediction() if task_name == "output-prediction" else InputPrediction()
    values = language(name).values
    for value in VALUES:
        for template, prompting, folder in list_templates(task):
            instance = make_instance(name, task, value, prompting, folder, query)
            ask = next(task.steps(instance))
            assert isinstance(ask, Ask)
            asked = find_asked(ask)
            answer = values.write(value) if task_name == "output-prediction" else instance.program.facts["input"]
            asserted = asked.replace("??", answer, 1)
            for wrapping, text in WRAPPINGS.items():
                if task_name == "input-prediction" and "f(3)" in str(value):
                    continue  # the last call counts, and the value holds one
                reply = text.format(asserted=asserted, asked=asked, code=instance.code, fence=language(name).fence)
                verdict = ask_and_judge(task, instance, reply)
                assert verdict.outcome == "correct", (template, prompting, wrapping, reply, verdict)
            verdict = ask_and_judge(task, instance, ask.truth, prefilled=bool(ask.prefill))
            assert verdict.outcome == "correct", (template, prompting, ask.truth)
            if task_name == "output-prediction":
                for bare in (answer, f"```\n{answer}\n```", f"[ANSWER]{answer}[/ANSWER]"):
                    assert ask_and_judge(task, instance, bare).outcome == "correct", (template, prompting, bare)
