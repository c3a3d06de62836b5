"""Values of JSON by type hints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import pytest

from pytest_codereason.results.records.conforming import check_fields


class Kind:
    number: float | None
    whole: int
    flag: bool
    names: Sequence[str]
    counts: Mapping[str, int]
    pair: tuple[str, int] | None
    many: tuple[tuple[int, Mapping[str, str | int]], ...]
    word: Literal["a", "b"]
    any: Any


GOOD: list[tuple[str, list[Any]]] = [
    ("number", [None, 1, 1.5, float("nan"), -1]),
    ("whole", [0, -5]),
    ("flag", [True]),
    ("names", [[], ["x"], ("x", "")]),
    ("counts", [{}, {"x": 1}]),
    ("pair", [None, ["x", 1], ("x", 1)]),
    ("many", [(), [(1, {"x": "y", "z": 2})]]),
    ("word", ["a"]),
    ("any", [object(), 10**400]),
    ("unknown", [object()]),
]
BAD: list[tuple[str, list[Any]]] = [
    ("number", ["1", True, [], {}, 10**400, -(2**63)]),
    ("whole", [None, 1.0, True, "1"]),
    ("flag", [1, None, "true"]),
    ("names", ["x", None, [1], {"x": 1}, {}]),
    ("counts", [[], {"x": "1"}, {"x": None}, {1: 1}]),
    ("pair", [[], ["x"], ["x", 1, 2], [1, "x"], "xy"]),
    ("many", [1, [1], [(1,)], [(1, {"x": 1.5})]]),
    ("word", ["c", None, ["a"], {}, 1]),
]


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in GOOD for value in values])
def test_what_a_hint_allows_passes(name: str, value: Any) -> None:
    check_fields(Kind, {name: value})


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in BAD for value in values])
def test_anything_else_is_named(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"^model m: {name} cannot be "):
        check_fields(Kind, {name: value}, "model m: ")
