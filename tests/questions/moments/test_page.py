"""The examples of ``docs/moments.md``: each is a moment that may be asked, and its answer is right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_codereason.questions.moments.inverse.aims import AIMS
from pytest_codereason.questions.moments.inverse.finding import list_goals, see_call, trace_call
from pytest_codereason.questions.moments.wording import word_goal, word_question
from pytest_codereason.questions.tasks.moment import KINDS
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine
from pytest_codereason.sandbox import Sandbox
from tests.questions.moments.watching import ask, try_all, watch

PAGE = Path(__file__).parents[3].joinpath("docs", "moments.md").read_text("utf-8")
#: The programs of the page, without the numbers of their lines, by the functions that they have.
PROGRAMS = {
    function: program
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    for program in [re.sub(r"^ *\d+ ?", "", block, flags=re.MULTILINE)]
    for function in re.findall(r"^def (\w+)", program, re.MULTILINE)
}
INVERSE = re.findall(r"^\| `(\w+)` \| `((\w+)\(.*?\))` \| (line .+?) \| `\w+\((.+?)\)` \|$", PAGE, re.MULTILINE)
ROWS = re.findall(r"^\| `(\w+)` \| `(\w+)(\(.*?\))` \| (.+?) \| `(.+?)` \|$", PAGE, re.MULTILINE)
ROWS = [row for row in ROWS if row[0] in KINDS]


def test_there_are_two_examples_of_each_kind() -> None:
    assert sorted(kind for kind, *_ in ROWS) == sorted([*KINDS, *KINDS])
    assert sorted(kind for kind, *_ in INVERSE) == sorted([*AIMS, *AIMS])


@pytest.mark.parametrize(("kind", "function", "arguments", "question", "answer"), ROWS)
def test_an_example_of_the_page_is_asked(
    kind: str, function: str, arguments: str, question: str, answer: str, sandbox: Sandbox
) -> None:
    run = watch(sandbox, PROGRAMS[function], function + arguments)
    asked = {
        word_question(kind, each, lambda place: str(place.line)).question: write(each.answer)
        for each in ask(KINDS[kind], run)
    }
    words = re.split(r"(?<=[.:])\s+", question)
    beginning = words[0] if kind == "branch" else question.rstrip("?")
    [found] = {
        each for text, each in asked.items() if all(part.rstrip("?") in text for part in (beginning, *words[:-1]))
    }
    assert found == answer


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "call", "function", "goal", "right"), INVERSE)
def test_an_inverse_example_of_the_page_is_asked(
    kind: str, call: str, function: str, goal: str, right: str, sandbox: Sandbox
) -> None:
    run = watch(sandbox, PROGRAMS[function], call)
    goals = {
        word_goal(kind, function, each.aim, [str(want.place.line) for want in each.aim.wants]).question: each.aim
        for each in list_goals(kind, try_all(sandbox, run))
    }
    [aim] = {each for question, each in goals.items() if f"for which {goal}" in question}
    seen = see_call(right, sandbox.run(trace_call(run, right)))
    assert seen is not None
    assert aim.is_met(seen)


def write(answer: object) -> str:
    if isinstance(answer, ProgramLine):
        return str(answer.line)
    if isinstance(answer, tuple):
        place, error = answer
        return f"{place.line}, {error}"
    return str(answer)
