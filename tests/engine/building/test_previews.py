"""Questions are looked at without asking anybody and without running anything."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Generator
from pathlib import Path

import pytest

from pytest_codereason.core import Ask, Completion, Message, RunProgram, Steps, Verdict, ask_model, run_program
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.engine.building.previews import (
    NOT_RUN,
    ask_in_full,
    check_preview,
    count_certain_asks,
    find_first_ask,
    preview,
    preview_checked,
    preview_completed,
)
from pytest_codereason.errors import Skip
from pytest_codereason.questions.suites import reading as suite_files
from pytest_codereason.questions.suites.suite import Suite

SEEN: list[object] = []


def ask(text: str) -> Ask:
    return Ask(messages=(Message("user", text),), truth=text.upper(), guess=lambda random: "")


def steps() -> Steps:
    before = yield from run_program(Run.from_source(language="python", source="raise SystemExit"))
    first: Completion = yield from ask_model(ask("one"))
    between = yield from run_program(Run.from_source(language="python", source="raise SystemExit"))
    second = yield from ask_model(ask("two"))
    SEEN[:] = [before, first.text, between, second.text]
    return Verdict(outcome="correct", expected="both")


def test_the_first_ask_may_stand_behind_a_run() -> None:
    assert find_first_ask(steps()).messages[0].content == "one"


def test_every_reply_is_right_and_nothing_is_run() -> None:
    asks, expected = ask_in_full(steps())
    assert [ask.messages[0].content for ask in asks] == ["one", "two"]
    assert expected == "both"
    assert SEEN == [NOT_RUN, "ONE", NOT_RUN, "TWO"]


def choosy_steps() -> Steps:
    first = yield from ask_model(ask("one"))
    if first.text == "ONE":
        yield from ask_model(ask("two"))
    return Verdict(outcome="correct", expected="both")


def test_only_questions_that_need_no_right_reply_are_certain() -> None:
    assert (count_certain_asks(steps()), count_certain_asks(choosy_steps())) == (2, 1)
    assert len(ask_in_full(choosy_steps())[0]) == 2


def test_steps_are_a_generator() -> None:
    assert isinstance(steps(), Generator)


SUITE = """
task = "output-prediction"
languages = ["python"]
[source]
name = "jsonl"
path = "mine.jsonl"
"""
ROW = {"language": "python", "id": "p", "function": "f", "input": "2", "code": "def f(n):\n    return n + 1\n"}


def load(folder: Path, row: dict[str, str], more: str = "") -> Suite:
    (folder / "mine.jsonl").write_text(json.dumps(row))
    (folder / "s.suite.toml").write_text(SUITE + more)
    return suite_files.load(folder / "s.suite.toml")


def test_a_fact_that_only_an_execution_could_give_is_unknown(tmp_path: Path) -> None:
    suite = load(tmp_path, ROW)
    (spec,) = suite.specs()
    facts = preview(suite, spec).program.facts
    assert facts["output"] is None
    known = preview(load(tmp_path, ROW | {"output": "3"}), spec).program.facts
    assert known["output"] == 3


def run_here(ran: list[Run], *endings: Execution) -> RunProgram:
    """Runs nothing, and says that each program ended so."""
    left = list(endings)

    async def run(program: Run) -> Execution:
        ran.append(program)
        return left.pop(0) if len(left) > 1 else left[0]

    return run


def test_a_checked_preview_has_the_facts_of_a_run(tmp_path: Path) -> None:
    suite, ran = load(tmp_path, ROW), list[Run]()
    (spec,) = suite.specs()
    instance = asyncio.run(preview_checked(suite, spec, run_here(ran, Execution(ending="returned", value=3))))
    assert instance.program.facts["output"] == 3
    assert ran


def test_a_changed_program_that_does_something_else_is_skipped(tmp_path: Path) -> None:
    suite, ran = load(tmp_path, ROW | {"output": "3"}, '[matrix]\nperturbation = ["rename"]\n'), list[Run]()
    (spec,) = suite.specs()
    same, other = (Execution(ending="returned", value=value) for value in (3, 4))
    assert asyncio.run(preview_checked(suite, spec, run_here(ran, same))).program.source != ROW["code"]
    with pytest.raises(Skip):
        asyncio.run(preview_checked(suite, spec, run_here(ran, same, other)))
    instance = asyncio.run(preview_completed(suite, spec, run_here(ran, same)))
    asyncio.run(check_preview(instance, run_here(ran, same)))
