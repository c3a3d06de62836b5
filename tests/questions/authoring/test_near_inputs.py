"""Arguments near those of a call."""

from __future__ import annotations

from pytest_codereason.questions.authoring.near_inputs import list_drifted_inputs, list_near_inputs
from pytest_codereason.registry import language


def test_each_parameter_is_changed_on_its_own_within_letters_and_sign() -> None:
    python = language("python")
    inputs = list_near_inputs(python, ["'banana'", "-4", "True"])
    assert inputs == list_near_inputs(python, ["'banana'", "-4", "True"])
    values = [[python.values.read(text).value for text in texts] for texts in inputs]
    own = ["banana", -4, True]
    for place in range(3):
        rest = [*own[:place], *own[place + 1 :]]
        assert any(one[place] != own[place] and [*one[:place], *one[place + 1 :]] == rest for one in values)
    assert all(set(text) <= set("ban") and number < 0 for text, number, _ in values)
    assert ["banana", -4, False] in values


def test_near_an_empty_text_lie_words_and_near_a_truth_the_other() -> None:
    python = language("python")
    words = [text for (text,) in list_near_inputs(python, ["''"])]
    assert len(words) > 2
    assert all(set(word) <= set("'abc") and len(word) > 2 for word in words)
    assert list_near_inputs(python, ["True"]) == [("False",)]
    assert ("True", "''") in list_near_inputs(python, ["False", "''"])


def test_what_has_no_other_value_near_it_has_no_inputs() -> None:
    assert list_near_inputs(language("python"), ["[]"]) == []
    assert list_near_inputs(language("python"), ["x"]) == []


def test_drifted_inputs_keep_types_and_change_sizes() -> None:
    python = language("python")
    inputs = list_drifted_inputs(python, "[5, 1, 9], 'abc'", 300)
    assert inputs == list_drifted_inputs(python, "[5, 1, 9], 'abc'", 300)
    assert 200 < len(inputs) == len({*inputs}) <= 300
    values = [python.values.read_arguments(text).values for text in inputs]
    assert ([5, 1, 9], "abc") not in values
    assert all(
        type(numbers) is list and {*map(type, numbers)} <= {int} and type(text) is str for numbers, text in values
    )
    assert {len(numbers) for numbers, _ in values} >= {0, 1, 2, 3, 4, 5, 6}


def test_what_is_no_row_of_literals_does_not_drift() -> None:
    python = language("python")
    assert list_drifted_inputs(python, "x", 9) == list_drifted_inputs(python, "a=1", 9) == []
    assert list_drifted_inputs(python, "", 9) == []
