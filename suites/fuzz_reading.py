"""Searches for a program that a model does not read right, and shrinks it.

pytest fuzz_reading.py --model=openai:gpt-x    (needs Hypothesis: pip install 'pytest-codereason[fuzz]')
"""

from hypothesis import given, settings

from pytest_codereason.strategies import programs


@settings(max_examples=500)
@given(program=programs(["python"]))
def test_output(program, codereason):
    answer = codereason.ask(program)
    assert answer.correct, answer.words


@settings(max_examples=500)
@given(program=programs(["python"]))
def test_input(program, codereason):
    answer = codereason.ask(program, task="input-prediction")
    assert answer.correct, answer.words


@settings(max_examples=500)
@given(program=programs(["python"], rounds=(4, 9)))
def test_moment(program, codereason):
    answer = codereason.ask(program, task="moment", about="value")
    assert answer.correct, answer.words


@settings(max_examples=500)
@given(program=programs())
def test_output_in_four_languages(program, codereason):
    answer = codereason.ask(program)
    assert answer.correct, answer.words
