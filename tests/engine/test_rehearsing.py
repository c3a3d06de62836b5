"""What a task asks is seen without asking anybody and without running anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from pytest_codereason.core import (
    Ask,
    Completion,
    Facts,
    Instance,
    Message,
    Program,
    Steps,
    Task,
    Verdict,
    ask_model,
    run_program,
)
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.engine.rehearsing import NOT_RUN, NotKnown, ask_in_full, count_certain_asks, find_first_ask
from pytest_codereason.errors import PartError, Skip
from tests.engine.instances import make_instance

PROGRAM = Program.from_source(language="python", source="def f():\n    return 1\n", call="f()")
INSTANCE = make_instance(PROGRAM, PROGRAM)
SEEN: list[object] = []


def ask(text: str) -> Ask:
    return Ask(messages=(Message("user", text),), truth=text.upper(), guess=lambda random: "")


def steps() -> Steps:
    before = yield from run_program(Run.from_source(language="python", source="raise SystemExit"))
    first: Completion = yield from ask_model(ask("one"))
    between = yield from run_program(Run.from_source(language="python", source="raise SystemExit"))
    second = yield from ask_model(ask("two"))
    SEEN[:] = [before, (first.text, first.prefilled), between, (second.text, second.prefilled)]
    return Verdict(outcome="correct", expected="both")


class Staged(Task):
    """Takes the steps that a test gives."""

    name, version, needs, metrics = "staged", 1, frozenset(), ()

    def __init__(self, take: Callable[[], Steps]) -> None:
        self._take = take

    def steps(self, instance: Instance) -> Steps:
        return self._take()


def test_the_first_ask_may_stand_behind_a_run() -> None:
    assert find_first_ask(Staged(steps), INSTANCE).messages[0].content == "one"


def test_every_reply_is_right_and_nothing_is_run() -> None:
    asks, expected = ask_in_full(Staged(steps), INSTANCE)
    assert [ask.messages[0].content for ask in asks] == ["one", "two"]
    assert expected == "both"
    assert SEEN == [NOT_RUN, ("ONE", True), NOT_RUN, ("TWO", True)]


def counting_steps() -> Steps:
    ended = yield from run_program(Run.from_source(language="python", source="", call="1 + 2"))
    yield from ask_model(ask(f"after {ended.value}"))
    judged = yield from run_program(Run.from_source(language="python", source="raise SystemExit"))
    assert judged is NOT_RUN
    return Verdict(outcome="correct", expected=str(ended.value))


def test_what_is_run_before_the_first_question_decides_what_is_right() -> None:
    def execute(run: Run) -> Execution:
        assert run.call == "1 + 2"  # the program that judges the reply is not run
        return Execution(ending="returned", value=3)

    asks, expected = ask_in_full(Staged(counting_steps), INSTANCE, execute)
    assert ([ask.truth for ask in asks], expected) == (["AFTER 3"], "3")
    assert find_first_ask(Staged(counting_steps), INSTANCE, execute).truth == "AFTER 3"


def choosy_steps() -> Steps:
    first = yield from ask_model(ask("one"))
    if first.text == "ONE":
        yield from ask_model(ask("two"))
    return Verdict(outcome="correct", expected="both")


def test_only_questions_that_need_no_right_reply_are_certain() -> None:
    assert [count_certain_asks(Staged(take), INSTANCE) for take in (steps, choosy_steps)] == [2, 1]
    assert len(ask_in_full(Staged(choosy_steps), INSTANCE)[0]) == 2


def test_a_task_that_uses_a_missing_value_is_not_blamed() -> None:
    def unpacking() -> Steps:
        ended = yield from run_program(Run.from_source(language="python", source="", call="(1, 2)"))
        first, _ = ended.value
        yield from ask_model(ask(f"after {first}"))
        return Verdict(outcome="correct", expected=str(first))

    task = Staged(unpacking)
    for rehearse in (find_first_ask, ask_in_full, count_certain_asks):
        with pytest.raises(Skip, match="the value of a program that was not run"):
            rehearse(task, INSTANCE)
    assert find_first_ask(task, INSTANCE, lambda run: Execution(ending="returned", value=(1, 2))).truth == "AFTER 1"


def test_a_task_that_skips_for_want_of_a_run_may_still_ask() -> None:
    def careful() -> Steps:
        ended = yield from run_program(Run.from_source(language="python", source="", call="(1, 2)"))
        if ended.value is None:
            raise Skip("the program returns nothing")
        yield from ask_model(ask("one"))
        return Verdict(outcome="correct", expected="")

    for rehearse in (find_first_ask, ask_in_full, count_certain_asks):
        with pytest.raises(NotKnown, match="a program that was not run"):
            rehearse(Staged(careful), INSTANCE)
    with pytest.raises(Skip, match="the program returns nothing"):
        find_first_ask(Staged(careful), INSTANCE, lambda run: Execution(ending="returned"))


def test_a_task_that_uses_a_missing_fact_is_not_blamed() -> None:
    class Parity(Task):
        name, version, needs, metrics = "parity", 1, frozenset({"output"}), ()

        def steps(self, instance: Instance) -> Steps:
            yield from ask_model(ask(str(instance.program.facts["output"] % 2)))
            return Verdict(outcome="correct", expected="")

    unknown, known = (replace(PROGRAM, facts=Facts(output=value)) for value in (None, 3))
    with pytest.raises(Skip, match="the value of a program that was not run"):
        find_first_ask(Parity(), make_instance(unknown, unknown))
    assert find_first_ask(Parity(), make_instance(known, known)).truth == "1"
    with pytest.raises(PartError, match="TypeError"):  # the program was run, and returns None
        find_first_ask(Parity(), make_instance(unknown, unknown), lambda run: Execution(ending="returned"))


def test_a_judgement_on_a_missing_value_leaves_the_questions() -> None:
    def judging() -> Steps:
        yield from ask_model(ask("one"))
        judged = yield from run_program(Run.from_source(language="python", source="", call="(1, 2)"))
        return Verdict(outcome="correct", expected=judged.value[0])

    asks, expected = ask_in_full(Staged(judging), INSTANCE)
    assert ([each.messages[0].content for each in asks], expected) == (["one"], "ONE")
    assert count_certain_asks(Staged(judging), INSTANCE) == 1


def test_other_exceptions_of_a_task_are_its_own() -> None:
    def broken() -> Steps:
        yield from ask_model(ask(str(int("none"))))
        return Verdict(outcome="correct", expected="")

    with pytest.raises(PartError, match="ValueError"):
        find_first_ask(Staged(broken), INSTANCE)


def test_a_task_may_ask_nothing() -> None:
    def silent() -> Steps:
        yield from run_program(Run.from_source(language="python", source=""))
        return Verdict(outcome="correct", expected="")

    with pytest.raises(Skip, match="asks nothing"):
        find_first_ask(Staged(silent), INSTANCE)
