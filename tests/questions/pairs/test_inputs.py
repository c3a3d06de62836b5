"""The calls on which programs are compared."""

from __future__ import annotations

import pytest

from pytest_codereason.core import Program
from pytest_codereason.errors import Skip
from pytest_codereason.questions.pairs.inputs import WANTED, list_inputs, read_domain
from pytest_codereason.registry import language
from tests.questions.pairs.pairing import PROGRAMS


def list_for(name: str, source: str, call: str) -> list[str]:
    program = Program.from_source(language=name, source=source, call=call)
    domain = read_domain(language(name), call.partition("(")[2].removesuffix(")"))
    return list_inputs(language(name), program, domain)


@pytest.mark.parametrize("name", PROGRAMS)
def test_there_are_300_of_the_domain_each_once_the_recorded_one_first(name: str) -> None:
    source, call = PROGRAMS[name]
    lang, inputs = language(name), list_for(name, source, call)
    domain = read_domain(lang, call.partition("(")[2].removesuffix(")"))
    assert len(inputs) == len(set(inputs)) == WANTED
    assert inputs[0] == domain.recorded
    assert all(domain.holds(lang, lang.values.read_arguments(text)) for text in inputs)
    assert inputs == list_for(name, source, call)


def test_values_that_the_program_names_are_drawn_with_their_neighbours() -> None:
    inputs = list_for("python", "def f(n):\n    return n == 4321\n", "f(4000)")
    assert {"4320", "4321", "4322"} <= set(inputs)


def test_a_list_keeps_its_class_and_not_its_length() -> None:
    inputs = list_for("java", *PROGRAMS["java"])
    assert all(text.startswith("new ArrayList<Long>(") for text in inputs)
    lists = [language("java").values.read_arguments(text).values[0] for text in inputs]
    assert {0, 1, 2, 6} <= {*map(len, lists)}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [("", "the call has no arguments"), ("n=3", "has a name"), ("open('x')", "are no data"), ("b'a'", "no domain")],
)
def test_a_call_without_a_domain_is_left_out(arguments: str, words: str) -> None:
    with pytest.raises(Skip, match=words):
        read_domain(language("python"), arguments)
