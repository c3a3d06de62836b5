"""Arguments near those of a call."""

from __future__ import annotations

from pytest_codereason.questions.authoring.near_inputs import list_near_inputs
from pytest_codereason.registry import language


def test_each_parameter_is_changed_on_its_own_within_letters_and_sign() -> None:
    python = language("python")
    inputs = list_near_inputs(python, "'banana', -4, True")
    assert inputs == list_near_inputs(python, "'banana', -4, True")
    values = [python.values.read(f"[{text}]").value for text in inputs]
    own = ["banana", -4, True]
    for place in range(3):
        rest = [*own[:place], *own[place + 1 :]]
        assert any(one[place] != own[place] and [*one[:place], *one[place + 1 :]] == rest for one in values)
    assert all(set(text) <= set("ban") and number < 0 for text, number, _ in values)
    assert ["banana", -4, False] in values


def test_what_has_no_other_value_near_it_has_no_inputs() -> None:
    assert list_near_inputs(language("python"), "''") == ()
    assert list_near_inputs(language("python"), "x") == ()
