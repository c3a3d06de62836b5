"""A question becomes records: of each sample, and of what is not answered."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason.core import (
    Ask,
    Completion,
    Instance,
    Message,
    Request,
    Steps,
    Verdict,
    ask_model,
    run_program,
)
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.engine.asking import Asker
from pytest_codereason.engine.building.authoring import Writer
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.errors import TransientModelError
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.questions.tasks.output_prediction import OutputPrediction
from tests.engine.askers import ask, make_answers, make_asker
from tests.engine.building.loaded import ROW, load
from tests.engine.tellers import Teller, make_suite


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "store")) as store:
        yield store


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return make_suite(tmp_path)


def test_a_record_says_all_of_an_answer(store: Store, suite: Suite) -> None:
    model, before = Teller(), time.time()
    model.price = (1e6, 2e6)
    records = ask(make_asker(model, store), suite)
    assert [record.outcome for record in records] == ["correct"] * 3
    one, request = records[0], model.asked[0]
    spec = next(iter(suite.specs()))
    assert (one.id, one.family, one.suite, one.task) == (spec.id, suite.family(spec), "small", "output-prediction")
    assert (one.language, one.model, one.sample, one.repeat, one.plan) == ("python", "teller", 0, 0, suite.plan)
    assert one.program_sha == request.instance.program.sha
    assert (one.response, one.answer is not None, one.metrics["exact"]) == (request.ask.truth, True, 1)
    assert (one.usage["prompt"], one.usage["completion"], one.cost, one.latency_s) == (3, 2, 7.0, 0.5)
    assert (one.reused, one.sandbox, len(one.steps)) == (False, "none", 1)
    assert before <= (one.steps[0].answered_at or 0) <= time.time()
    assert model.calls == ["start", "close"]


def test_each_sample_is_asked_and_asked_again(store: Store, tmp_path: Path) -> None:
    model, suite = Teller(), make_suite(tmp_path, count=1, samples=2)
    records = ask(make_asker(model, store), suite, repeats=2)
    assert [(record.sample, record.repeat) for record in records] == [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]
    assert len(model.asked) == 6
    (second,) = ask(make_asker(Teller(), store), suite, numbers=[1])
    assert (second.sample, second.repeat) == (1, 0)


@pytest.mark.slow
def test_a_question_that_cannot_be_built_has_a_record_that_says_why(store: Store, tmp_path: Path) -> None:
    class Broken(Executor):
        async def run(self, run: Run) -> Execution:
            raise ZeroDivisionError("mine")

    model, endings = Teller(), []
    for row, executor in (
        (ROW, Executor("auto")),
        (ROW | {"code": "def f(n):\n    return [][n]\n"}, Executor("auto")),
        (ROW, Broken("auto")),
    ):
        asker = Asker(make_answers(model, store), executor)
        (record,) = ask(asker, load(tmp_path, row))
        endings.append((record.outcome, record.reason, bool(record.traceback)))
        executor.close()
    assert endings[0] == ("correct", "", False)
    assert endings[1] == ("skipped", "the program raises IndexError: list index out of range", False)
    outcome, reason, has_traceback = endings[2]
    assert (outcome, "building the question" in reason, "mine" in reason, has_traceback) == ("error", True, True, True)
    assert len(model.asked) == 1


def test_a_task_may_run_programs_between_its_questions(store: Store, tmp_path: Path) -> None:
    model, executor = Teller(), Executor("auto")
    suite = load(tmp_path, ROW | {"output": "3"})
    inputs = replace(load(tmp_path, ROW | {"output": "3"}), task=RunsBefore())
    (record,) = ask(Asker(make_answers(model, store), executor), inputs)
    assert (record.outcome, record.answer, record.sandbox, len(record.steps)) == ("correct", "7", executor.tier, 1)
    (record,) = ask(Asker(make_answers(model, store), Executor("auto")), replace(suite, checks=False))
    assert record.sandbox == "none"


def make_call(value: str) -> Run:
    return Run.from_source(language="python", source=f"def f():\n    return {value}\n", call="f()")


class RunsBefore(OutputPrediction):
    """Runs a program, asks, and runs another one."""

    metrics = ()  # type: ignore[assignment]  # its verdict has none

    def steps(self, instance: Instance) -> Steps:
        first = yield from run_program(make_call("3"))
        reply = yield from ask_model(Ask(messages=(Message("user", f"{first.value}?"),), truth="3", guess=str))
        second = yield from run_program(make_call(f"{reply.text} + 4"))
        return Verdict(outcome="correct", expected="7", answer=f"{second.value}")


def test_a_writer_writes_the_texts_of_a_question(store: Store, tmp_path: Path) -> None:
    suite = load(tmp_path, ROW | {"output": "3"}, 'check = false\n[matrix]\nperturbation = ["hint"]\n')
    author = Teller(lambda request: Completion(text="[ANSWER]4[/ANSWER]"), label="author")
    hired_by, ended = [], list[str]()
    for writing in (True, False):
        answers, executor = make_answers(Teller(label=f"{writing}"), store), Executor("auto")
        run = executor.run
        writer = (
            Writer(author, author.answer, run, store, session="s", reuse_s=0.0, stop=ended.append) if writing else None
        )
        (record,) = ask(Asker(answers, executor, writer), suite)
        hired_by.append(record.hint_by)
        executor.close()
    assert (hired_by, ended) == (["author", "rule"], [])


def test_what_is_not_answered_is_not_asked_again(store: Store, tmp_path: Path) -> None:
    def refuse(request: Request) -> Completion:
        raise TransientModelError("busy")

    model = Teller(refuse)
    (record,) = ask(make_asker(model, store), make_suite(tmp_path, count=1), repeats=2)
    assert (record.outcome, record.reason, record.answer, record.metrics) == ("error", "busy", None, {})
    assert len(model.asked) == 2, "two attempts"
