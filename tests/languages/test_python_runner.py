"""Values of Python on their way through JSON: written beside the program, read here."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.languages.python import harness
from pytest_codereason.languages.python.values import literals as values

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**400), 10**400)
    | st.floats()
    | st.binary(max_size=9)
    | st.text(st.characters(exclude_categories=()), max_size=9)
)
KEYS = st.recursive(SCALARS, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=4)
VALUES = st.recursive(
    SCALARS | st.sets(KEYS, max_size=3) | st.frozensets(KEYS, max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4) | st.lists(inner, max_size=4).map(tuple) | st.dictionaries(KEYS, inner, max_size=4)
    ),
    max_leaves=12,
)


@given(VALUES)
def test_values_survive(value: Any) -> None:
    line = harness.encode(value)
    assert "\n" not in line
    assert line.isascii()
    back = values.decode(json.loads(line))
    assert values.equal(back, value)
    assert repr(back) == repr(value) or isinstance(value, (set, frozenset, dict, list, tuple))


def test_the_sign_of_zero_and_nan_survive() -> None:
    back = values.decode(json.loads(harness.encode([-0.0, math.nan, -math.inf])))
    assert repr(back) == "[-0.0, nan, -inf]"


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda i: st.lists(i) | st.dictionaries(st.text(), i)
    )
)
def test_what_no_harness_writes_is_refused_or_data(payload: Any) -> None:
    try:
        values.decode(payload)
    except ValueError:
        return


@pytest.mark.parametrize(
    "payload",
    [
        *(
            {},
            {"int": 3},
            {"int": "zz"},
            {"float": "1.5"},
            {"bytes": "0"},
            {"set": [[]]},
            {"dict": [[1]]},
            {"dict": {}},
        ),
        *({"dict": [[[], 1]]}, {"tuple": 1}, {"tuple": [], "x": 1}, {"object": []}, [[{"float": "no"}]]),
    ],
)
def test_nonsense_is_refused(payload: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        values.decode(payload)


def test_too_deep_is_refused() -> None:
    payload: Any = 0
    for _ in range(200):
        payload = [payload]
    with pytest.raises(ValueError, match="nested"):
        values.decode(payload)


HIGH, LOW = chr(0xD83D), chr(0xDE00)


@pytest.mark.parametrize("text", [HIGH + LOW, "\N{GRINNING FACE}", LOW + HIGH, f"a{HIGH}", LOW])
def test_halves_of_a_surrogate_pair_stay_two_characters(text: str) -> None:
    for value in (text, [text], {text: 1}, (text,)):
        back = values.decode(json.loads(harness.encode(value)))
        assert back == value
        assert values.read(values.write(back)).value == value
