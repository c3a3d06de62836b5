"""Baselines answer from the question alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_codereason.core import Facts, Program
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.errors import Skip, UsageError
from pytest_codereason.models.baseline import BASELINES, BaselineModel
from tests.models.asking import CODE, answers, request


def test_truth_is_the_truth_and_continues_the_prefill() -> None:
    (reply,) = answers(BaselineModel.create("truth", url=None, args={}), request(prefill="f(81) == "))
    assert (reply.text, reply.finish, reply.prefilled) == ("[88, 69]", "stop", True)
    assert reply.usage.prompt is None


def test_chance_depends_on_question_sample_and_seed_alone() -> None:
    def guess(**changes: object) -> str:
        (reply,) = answers(BaselineModel.create("chance", url=None, args={}), request(**changes))  # type: ignore[arg-type]
        return reply.text

    assert guess() == guess(prompt="asked in other words")
    guesses = [guess(), guess(sample=1), guess(id="python/0008"), guess(seed=1), guess(suite="other")]
    assert len(set(guesses)) == len(guesses)
    # Written down, because it must not change with the process, its hash seed or the version of Python.
    assert guesses[0] == "0.25263926624829425"


def test_the_interpreter_replies_with_what_came_of_the_program() -> None:
    question = request()
    program = Run.from_source(language="python", source=CODE, call="f(81)")

    async def ran(run: Run) -> Execution:
        assert run == program
        return Execution(ending="raised", error="NameError", message="name 'y' is not defined")

    ask = replace(question.ask, run=program, reply=lambda execution: f"it {execution.words}")
    (reply,) = answers(BaselineModel.create("interpreter", url=None, args={}), replace(question, ask=ask, run=ran))
    assert reply.text == "it raises NameError: name 'y' is not defined"


def test_the_interpreter_skips_questions_that_nothing_can_be_run_for() -> None:
    with pytest.raises(Skip, match="cannot be answered by running its program"):
        answers(BaselineModel.create("interpreter", url=None, args={}), request())


def test_static_calls_are_those_of_the_text() -> None:
    source = "def f(): pass\ndef g(x):\n    if x: f()\ng(0)\n"
    facts = Facts(edges={"main": ["main.g"], "main.g": [], "main.h": ["main.f"]})
    program = Program.from_source(language="python", source=source, facts=facts, entry="main.py")
    question = request()
    asked = replace(question, instance=replace(question.instance, program=program, asks="edges"))
    (reply,) = answers(BaselineModel.create("static-calls", url=None, args={}), asked)
    assert reply.text == "1. main.g\n2."
    moment = replace(asked, instance=replace(asked.instance, asks="value"))
    for other in (question, moment):
        with pytest.raises(Skip, match="about no call graph"):
            answers(BaselineModel.create("static-calls", url=None, args={}), other)
    mute = replace(asked.instance, program=replace(program, language="php"))
    with pytest.raises(Skip, match="baseline:static-calls needs calls, which the language php lacks"):
        answers(BaselineModel.create("static-calls", url=None, args={}), replace(question, instance=mute))


@pytest.mark.parametrize("name", BASELINES)
def test_label_price_and_identity(name: str) -> None:
    model = BaselineModel.create(name, url=None, args={})
    assert model.label == f"baseline:{name}"
    assert model.price == (0.0, 0.0)
    assert model.pinned
    assert model.identity["baseline"] == name
    assert (len(model.identity) == 1) is (name != "reader")


def test_unknown_name_and_argument() -> None:
    with pytest.raises(UsageError, match=r"unknown baseline 'luck': choose one of truth, chance, looks, interpreter"):
        BaselineModel.create("luck", url=None, args={})
    with pytest.raises(UsageError, match=r"baseline:chance has no --model-arg 'seed': it takes none"):
        BaselineModel.create("chance", url=None, args={"seed": "1"})
