"""No answer to an input question is right because its text was run: what runs is written from data."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_codereason.core import Completion, Instance, Verdict
from pytest_codereason.core.execution import Run
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.languages.written_calls import list_strangers
from tests.questions.tasks.forged_inputs import ATTACKS, FORGED
from tests.questions.tasks.input_answers import TASK, make_instance


def list_replies(name: str, answer: str) -> Iterator[Completion]:
    """The answer in each place where an answer is looked for."""
    call = f"{ATTACKS[name].call}({answer})"
    before, after = language(name).values.assertion(call)
    yield Completion(text=f"{answer}) == {FORGED}", prefilled=True)
    yield Completion(text=f"[ANSWER]{call}[/ANSWER]")
    yield Completion(text=f"[ANSWER]{answer}[/ANSWER]")
    yield Completion(text=f"```\n{before}{FORGED}{after}\n```")
    yield Completion(text=answer)


def judge_until_run(instance: Instance, completion: Completion) -> Verdict | Run:
    """The verdict on a reply, or what has to be run for one."""
    steps = TASK.steps(instance)
    next(steps)
    try:
        step = steps.send(completion)
    except StopIteration as stop:
        verdict = stop.value
        assert isinstance(verdict, Verdict)
        return verdict
    assert isinstance(step, Run)
    return step


@pytest.mark.parametrize(("name", "answer"), [(name, each) for name in ATTACKS for each in ATTACKS[name].answers])
def test_what_is_run_of_an_answer_is_data(name: str, answer: str) -> None:
    attack, values = ATTACKS[name], language(name).values
    for reply in list_replies(name, attack.write_answer(answer)):
        prompting = "direct" if reply.prefilled else "cot"
        step = judge_until_run(make_instance(attack.make_program(name), prompting=prompting), reply)
        if isinstance(step, Run):
            arguments = values.read_arguments(step.call.removeprefix(f"{attack.call}(").removesuffix(")"))
            assert step.call == f"{attack.call}({arguments.text})"
            assert list_strangers(name, arguments) == []
        else:
            assert step.outcome == "invalid"


LANGUAGES = [name if name == "python" else pytest.param(name, marks=pytest.mark.slow) for name in ATTACKS]


@pytest.mark.parametrize("name", LANGUAGES)
def test_most_answers_would_be_right_if_their_text_were_run(name: str, sandbox: Sandbox) -> None:
    attack, program = ATTACKS[name], ATTACKS[name].make_program(name)
    calls = [f"{attack.call}({attack.write_answer(answer)})" for answer in attack.answers]
    executions = sandbox.run_all(Run.from_program(program, call=call) for call in calls)
    assert sum(each.value == FORGED for each in executions) > 40
