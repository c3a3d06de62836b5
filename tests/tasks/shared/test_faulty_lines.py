"""Replies that continue the beginning of a reply which a user's template gives."""

from __future__ import annotations

import pytest

from pytest_codereason.core import Completion, Facts, Fault, Instance, Message, Program, Template
from pytest_codereason.tasks.shared.faulty_lines import FaultQuestion

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
