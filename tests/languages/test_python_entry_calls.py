"""Plain entry calls are read without a tree, and give the names that a tree gives."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.python.syntax import bindings
from pytest_codereason.languages.python.syntax.entry_calls import EntryCall, read_call
from pytest_codereason.languages.python.syntax.tree import parse

PROGRAM = "k = 3\ndef f(a, b=2):\n    return [a, b, k, eval(str(True))]\ndef g(*args):\n    return f(1)\n"
VALUES = st.recursive(
    st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.booleans(), st.none(), st.text()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.one_of(st.integers(), st.text()), inner, max_size=3),
        st.sets(st.integers(), min_size=1, max_size=3),
    ),
    max_leaves=8,
)


@given(st.sampled_from(["f", "g", "h", "k", "print"]), st.lists(VALUES, max_size=3))
def test_a_call_means_the_same_with_and_without_a_tree(name: str, values: list[Any]) -> None:
    text = f"{name}({', '.join(map(repr, values))})"
    found = bindings.find(parse(PROGRAM), read_call(text))
    assert found == bindings.find(parse(PROGRAM), EntryCall(text, "", parse(text)))


@pytest.mark.parametrize(
    "text", ["f(81)", "f()", "f('a', \"b\\'\", -1.5)", "f([1, (2,), {3: 'x'}], {4}, None)", "f({})"]
)
def test_plain_arguments_need_no_tree(text: str) -> None:
    assert read_call(text) == EntryCall(text, "f", None)


@pytest.mark.parametrize(
    "text",
    [
        "f(x)",
        "f(a=1)",
        "f(*[1])",
        "f(lambda: 0)",
        "f(f'{k}')",
        "a.f(1)",
        "f(1)(2)",
        "eval('f')",
        "f('a' 'b')",
        "(f)(1)",
    ],
)
def test_a_call_with_more_names_is_parsed(text: str) -> None:
    assert read_call(text).tree is not None


@pytest.mark.parametrize("text", ["f(1", "f(1))", "f([1)", "f(1 2)", "x = f(1)", "f(1); f(2)", ""])
def test_what_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(DoesNotParse):
        read_call(text)


@pytest.mark.parametrize("piece", ["[1, 2], ", "{(1, 2): (1, 2)}, ", "({1, 2}, {1}), ", "1, "])
def test_a_long_call_is_refused_by_the_pattern_at_once(piece: str) -> None:
    """Two ways to read one list would make 2 to the power of 20,000 ways to read all of them."""
    assert read_call(f"f({piece * 20_000}x)").tree is not None
