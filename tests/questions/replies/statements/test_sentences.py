"""Where words announce a value, and where they speak of something else."""

from __future__ import annotations

import re

import pytest

from pytest_codereason.questions.replies.statements.sentences import find_arguments, find_places

CALL = "f(3)"


def announced(text: str, program: str = "") -> list[tuple[str, bool]]:
    """The numbers that are announced, and whether the words are surely about the call."""
    places = sorted(find_places(text, CALL, program))
    found = [(re.match(r"\d+", text[place.value :]), place.strong) for place in places]
    return [(number[0], strong) for number, strong in found if number]


@pytest.mark.parametrize(
    "text",
    [
        "The answer is 42",
        "the answer: 42",
        "Answer = 42",
        "Answer → 42",
        "Output -> 42",
        "**Answer:** 42",
        "Answer (int): 42",
        "Answer:\n\n42",
        "Answer:\n```python\n42\n```",
        "The final result is the integer 42",
        "The output would be: `42`",
        "Die Antwort ist 42",
        "Ответ: 42",
        "答案是42",
        "答え 42です",
        "?? = 42",
        "?? should be replaced with 42",
        "f returns 42",
        "The function returns 42",
        "the call finally returns 42",
        "the function f evaluates to 42",
        "La fonction renvoie 42",
        "41. No, it should be 42",
        "41. Wait, the answer is 42",
        "Not 41. Correction: 42",
        "The answer of the function is 42",
        "The output for this input is 42",
        "When f(3) is called, the answer is 42",
        "The answer is not 41 but 42",
    ],
)
def test_words_announce_the_result(text: str) -> None:
    assert announced(text)[0] == ("42", True)


@pytest.mark.parametrize(
    "text",
    [
        "It returns 42",
        "So 42",
        "Therefore, we get 42",
        "so it is 42",
        "it then gives 42",
        "which yields 42",
        "Total: 42",
    ],
)
def test_words_may_speak_of_something_else(text: str) -> None:
    assert {*announced(text)} == {("42", False)}


@pytest.mark.parametrize(
    "text",
    [
        "42",
        "The answer is",
        "The answer is not 42",
        "The answer isn't 42",
        "The answer could be 42",
        "Maybe the answer is 42",
        "The answer is maybe 42",
        "If it loops, the answer is 42",
        "For example, the answer is 42",
        "The result of the first loop is 42",
        "The output of the helper is 42",
        "The result of sorting is 42",
        "it raises: the output is 42",
        "answer == 42",
        "answer != 42",
        "answer >= 42",
        "answer => =42",
        "$answer = 42",
        "my.answer = 42",
        "answer[0] = 42",
        "answer\n= 42",
        "g returns 42",
        "the helper returns 42",
        "the function does not return 42",
        "It returns a function that returns 42",
        "unless the list is empty, f returns 42",
        "answers.append(42)",
        "the next step outputs 42",
        "The inner function returns 42",
        "possibly so 42",
        "note 42",
    ],
)
def test_words_that_speak_of_something_else_announce_nothing(text: str) -> None:
    assert announced(text) == []


def test_a_variable_of_the_program_is_no_label() -> None:
    assert announced("result = 42", "result = []") == []
    assert announced("result = 42", "results = []") == [("42", True)]
    assert announced("result: 42", "result = []") == [("42", True)]
    assert announced("answer = 42", "answer = 1") == [("42", True)]


def test_a_condition_is_none_that_the_call_fulfils() -> None:
    assert announced("If n is 3, f returns 42") == [("42", True)]
    assert announced("If n is 4, f returns 42") == []
    assert announced("When we call it, the answer is 42") == [("42", True)]


def test_a_place_begins_with_its_words() -> None:
    place = max(find_places("So the answer is **42**.", CALL, ""))
    assert (place.start, place.value, place.strong) == (7, 19, True)


def test_the_last_thousand_words_are_looked_at() -> None:
    text = "Answer: 1\n" * 1_001
    assert len(list(find_places(text, CALL, ""))) == 1_000
    assert min(place.start for place in find_places(text, CALL, "")) == len("Answer: 1\n")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The input is 3", "3"),
        ("Argument: 3", "3"),
        ("The answer is 3", "3"),
        ("?? = 3", "3"),
        ("The argument that gives 42 is 3", "3"),
        ("The input needed to get 42 must be 3", "3"),
        ("Use 3 as the input", "3"),
        ("Pass [3] as an argument", "[3]"),
        ("Entrada: 3", "3"),
    ],
)
def test_words_announce_arguments(text: str, value: str) -> None:
    assert [(text[place.value :].startswith(value), place.strong) for place in find_arguments(text)] == [(True, True)]


@pytest.mark.parametrize(
    "text",
    [
        "The output is 3",
        "f returns 3",
        "The input is not 3",
        "The answer is returned: 3",
        "Perhaps use 3 as the input",
        "Use 3 as the limit",
        "The argument that may give 42 is not 3",
        "For example, the argument that gives 41 is 3",
    ],
)
def test_other_words_announce_no_arguments(text: str) -> None:
    assert not [place for place in find_arguments(text) if text[place.value] == "3"]
