"""Values in every language, as Hypothesis draws them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from pytest_codereason.languages.java.values.data import Char, Long, Optional
from pytest_codereason.languages.java.values.numbers import round_to_float
from pytest_codereason.languages.javascript.values import UNDEFINED, BigInt

NAMES = ("python", "javascript", "java", "php")


TEXT = st.text(st.characters(exclude_categories=["Cs"]))


BYTES_AS_TEXT = st.binary().map(lambda b: b.decode("utf-8", "surrogateescape"))


def nested(leaves: st.SearchStrategy[Any], keys: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.recursive(leaves, lambda v: st.lists(v, max_size=4) | st.dictionaries(keys, v, max_size=4), max_leaves=12)


PYTHON_KEYS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary()


PYTHON_LEAVES = PYTHON_KEYS | st.sets(PYTHON_KEYS, max_size=3) | st.tuples() | st.tuples(PYTHON_KEYS)


VALUES = {
    "python": nested(PYTHON_LEAVES | st.tuples(PYTHON_LEAVES, PYTHON_LEAVES), PYTHON_KEYS),
    "javascript": nested(
        st.none()
        | st.booleans()
        | st.integers(-(2**53), 2**53)  # a number beyond may be none that JavaScript has
        | st.floats()
        | st.text()
        | st.just(UNDEFINED)
        | st.builds(BigInt),
        st.text().filter(lambda key: key != "__proto__"),
    ),
    "java": nested(
        st.none()
        | st.booleans()
        | st.integers()
        | st.builds(Long, st.integers(-(2**63), 2**63 - 1))
        | st.floats()
        | st.builds(round_to_float, st.floats(width=32))
        | st.text()
        | st.builds(Char, st.characters(max_codepoint=0xFFFF))
        | st.builds(Optional, st.none() | st.text())
        | st.sets(st.none() | st.text())
        | st.tuples(st.integers(), st.none()),
        st.none() | st.integers() | st.text(),
    ),
    "php": nested(
        st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats() | TEXT | BYTES_AS_TEXT,
        st.integers(-(2**63), 2**63 - 1) | TEXT,
    ),
}
