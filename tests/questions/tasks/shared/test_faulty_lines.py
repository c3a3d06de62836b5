"""Replies that name lines: how they are read, and how near to the faulty line they come."""

from __future__ import annotations

import pytest

from pytest_codereason.core import Completion, Facts, Fault, Instance, Message, Program, Template, Verdict
from pytest_codereason.questions.tasks.shared.faulty_lines import FaultQuestion
from pytest_codereason.questions.tasks.shared.shown_lines import ShownLines

SOURCE = "def f(a, b):\n    c = a - b\n    return c\n"


class Begun(Template):
    def render(self, shots: object, question: object) -> tuple[tuple[Message, ...], str]:
        return (Message("user", "Which line?"),), '{"line": '

    @property
    def sha(self) -> str:
        return "begun"


@pytest.mark.parametrize(
    ("text", "prefilled", "outcome"),
    [
        ("2}", True, "correct"),
        (" 1}\n\nThat is all.", True, "wrong"),
        ('{"line": 2}', True, "correct"),
        ('{"line": 2}', False, "correct"),
        (" <number>}", True, "invalid"),
        ('"2-3"}', True, "invalid"),
    ],
)
def test_a_reply_is_read_with_the_beginning_that_the_model_continued(text: str, prefilled: bool, outcome: str) -> None:
    program = Program.from_source(
        language="python", source=SOURCE, facts=Facts(specification="The sum of a and b.", fault=Fault(2))
    )
    question = FaultQuestion(
        Instance(id="i", family="f", suite="s", program=program, axes={}, matrix={}, template=Begun(), asks="fault")
    )
    question.ask()
    assert question.judge(Completion(text=text, prefilled=prefilled, finish="stop")).outcome == outcome


class Plain(Begun):
    def render(self, shots: object, question: object) -> tuple[tuple[Message, ...], str]:
        return (Message("user", "Which line?"),), ""


def judge(program: Program, text: str, **axes: int) -> Verdict:
    question = FaultQuestion(
        Instance(id="i", family="f", suite="s", program=program, axes=axes, matrix={}, template=Plain(), asks="fault")
    )
    question.ask()
    return question.judge(Completion(text=text))


ADD = (
    "def add(a, b):\n    total = (\n        a\n        + b\n    )\n    return total\n\n\ndef other(a):\n    return a\n"
)
TWO_FILES = Program(
    language="python",
    files={"one.py": ADD, "two.py": ADD},
    entry="two.py",
    call="add(1, 2)",
    facts=Facts(specification="The sum.", fault=Fault(3, "two.py")),
)


def test_a_line_of_another_file_is_in_no_part_of_the_faulty_file() -> None:
    """Both files have the same lines; the fault is in the second."""
    shown = ShownLines(Instance(id="i", family="f", suite="s", program=TWO_FILES, axes={}, matrix={}, template=Plain()))
    first, second = shown.find("one.py", 4), shown.find("two.py", 4)
    assert first is not None
    assert second is not None
    right = judge(TWO_FILES, f'{{"line": {second}}}')
    assert right.outcome == "wrong"
    assert (right.metrics["same_statement"], right.metrics["same_function"], right.metrics["distance"]) == (1, 1, 1)
    wrong = judge(TWO_FILES, f'{{"line": {first}}}')
    assert (wrong.metrics["same_statement"], wrong.metrics["same_function"]) == (0, 0)
    assert wrong.metrics["distance"] == abs(second - 1 - first)
    name_of_file = judge(TWO_FILES, '{"line": 1}')
    assert (name_of_file.outcome, name_of_file.metrics["same_function"]) == ("wrong", 0)


ONE_FILE = Program.from_source(
    language="python", source=ADD, facts=Facts(specification="The sum.", fault=Fault(4, also=(6,)))
)


@pytest.mark.parametrize(
    ("line", "exact", "statement", "function", "within", "distance"),
    [
        (4, 1, 1, 1, 1, 0),
        (6, 1, 1, 1, 1, 0),  # as much to blame
        (5, 0, 1, 1, 1, 1),  # the bracket of the faulty statement
        (2, 0, 1, 1, 1, 2),
        (1, 0, 0, 1, 0, 3),
        (8, 0, 0, 0, 1, 2),
        (9, 0, 0, 0, 0, 3),
        (10, 0, 0, 0, 0, 4),
    ],
)
def test_how_near_a_named_line_comes(
    line: int, exact: int, statement: int, function: int, within: int, distance: int
) -> None:
    verdict = judge(ONE_FILE, f'{{"line": {line}}}')
    assert verdict.outcome == ("correct" if exact else "wrong")
    assert verdict.expected == "4 or 6"
    names = ("exact", "same_statement", "same_function", "within_2", "distance", "exact_answered", "top_k")
    assert [verdict.metrics[name] for name in names] == [exact, statement, function, within, distance, exact, exact]


@pytest.mark.parametrize(
    ("text", "outcome", "top_k"),
    [
        ('{"lines": [1, 4]}', "wrong", 1),
        ('{"lines": [4, 1]}', "correct", 1),
        ('{"lines": [1, 2]}', "wrong", 0),
        ('{"lines": [1, 2, 4]}', "invalid", 0),
        ('{"lines": [4, 11]}', "invalid", 0),
        ('{"lines": [4, 0]}', "invalid", 0),
    ],
)
def test_of_several_lines_the_first_is_the_answer(text: str, outcome: str, top_k: int) -> None:
    verdict = judge(ONE_FILE, text, top=2)
    assert (verdict.outcome, verdict.metrics["top_k"]) == (outcome, top_k)
