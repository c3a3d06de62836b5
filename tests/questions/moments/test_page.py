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
#: A second example of each kind, in the form of the page's own.
MORE = """
```python
1 def fee(days):
2     cost = days * 3
3     if (days + 5) % 12:
4         cost = cost + 4
5     return cost
```
| `value` | `deal('abcdefgh', 3)` | Line 5 is about to run for the 6th time. What is the value of the variable spare? | `['c']` |
| `visits` | `f([50, 60, 1, 70, 2, 80, 90, 20, 10, 30, 40])` | How many times does line 5 run in all? | `9` |
| `branch` | `f([9, 9, 1, 9, 1, 1, 9, 9, 9, 1, 1, 9])` | From the 2nd to the 11th time | `TFTFFTTTFF` |
| `next` | `f([4, 9, 1, 5, 6, 8, 2])` | Line 4 runs for the 3rd time. Which line runs next? | `7` |
| `raise` | `report([5], [[0], []])` | In which line is it raised, and of which type is it? | `3, ValueError` |
| `writer` | `find([3, 8, 12, 20, 31, 47], 47)` | Line 4 is about to run for the 3rd time. Which line gave the variable high | `8` |
| `alias` | `deal('kqja', 2)` | Line 9 is about to run for the 1st time. Are hand and last one and the same | `no` |
| `reach` | `f([4, 9, 5])` | line 7 runs, and line 5 runs exactly 4 times | `f([5, 7, 4, 1, 7])` |
| `avoid` | `fee(30)` | line 4 does not run | `fee(19)` |
| `rounds` | `f([4, 9, 1, 5, 6, 8, 2])` | line 7 runs exactly 4 times | `f([0, 1, 1, 1])` |
"""  # noqa: E501 (rows as on the page)
EXAMPLES = PAGE + MORE
#: The programs, without the numbers of their lines, by the functions that they have.
PROGRAMS = {
    function: program
    for block in re.findall(r"```python\n(.*?)```", EXAMPLES, re.DOTALL)
    for program in [re.sub(r"^ *\d+ ?", "", block, flags=re.MULTILINE)]
    for function in re.findall(r"^def (\w+)", program, re.MULTILINE)
}
INVERSE = re.findall(r"^\| `(\w+)` \| `((\w+)\(.*?\))` \| (line .+?) \| `\w+\((.+?)\)` \|$", EXAMPLES, re.MULTILINE)
ROWS = re.findall(r"^\| `(\w+)` \| `(\w+)(\(.*?\))` \| (.+?) \| `(.+?)` \|$", EXAMPLES, re.MULTILINE)
ROWS = [row for row in ROWS if row[0] in KINDS]


def test_the_page_has_an_example_of_each_kind_and_here_is_another() -> None:
    assert sorted(re.findall(r"^\| `(\w+)` \| `\w+\(", PAGE, re.MULTILINE)) == sorted([*KINDS, *AIMS])
    assert sorted(kind for kind, *_ in ROWS) == sorted([*KINDS, *KINDS])
    assert sorted(kind for kind, *_ in INVERSE) == sorted([*AIMS, *AIMS])


@pytest.mark.parametrize(("kind", "function", "arguments", "question", "answer"), ROWS)
def test_an_example_of_the_page_is_asked(
    kind: str, function: str, arguments: str, question: str, answer: str, sandbox: Sandbox
) -> None:
    run = watch(sandbox, PROGRAMS[function], function + arguments)
    asked = {
        word_question(kind, each, lambda place: str(place.line), run.language): write(each.answer)
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
        word_goal(kind, function, each.aim, [str(want.place.line) for want in each.aim.wants]): each.aim
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
