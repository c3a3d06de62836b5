"""How a moment is asked about in words."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.moments.candidate import MomentCandidate
from pytest_codereason.questions.moments.wording import order, word_question
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine
from pytest_codereason.registry import language as find_language


@pytest.mark.parametrize(
    ("language", "literals"),
    [
        ("python", "Python: text in quotes."),
        ("java", "Java: text in quotes, lists as List.of(...), maps as Map.of(...)."),
        ("javascript", "JavaScript: text in quotes."),
        ("php", "PHP: text in quotes."),
        ("typescript", "TypeScript: text in quotes."),
    ],
)
def test_a_question_says_how_a_value_is_written_and_shows_none(language: str, literals: str) -> None:
    moment = MomentCandidate(place=ProgramLine("main", 3), answer=8, visit=2, names=("n",))
    question = word_question("value", moment, lambda place: str(place.line), find_language(language))
    assert question.endswith(f"Write it as a literal of {literals}")


def test_a_visit_is_an_ordinal() -> None:
    assert [order(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 112)] == (
        "1st 2nd 3rd 4th 11th 12th 13th 21st 112th".split()
    )
