"""JSON as frozen values: what is read, and what is said of anything else."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core.files.typed_json import Misfit, convert, decode, find_line, spell_place


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    name: str
    size: int | float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    whole: int
    number: float | None = None
    flag: bool = False
    names: Sequence[str] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    pair: tuple[str, int] | None = None
    many: tuple[tuple[int, Mapping[str, str | int]], ...] = ()
    word: Literal["a", "b"] = "a"
    words: frozenset[str] = frozenset()
    part: Part | None = None
    parts: Mapping[str, Part] = field(default_factory=dict)
    any: Any = None


GOOD: list[tuple[str, list[Any]]] = [
    ("number", [None, 1.0, 1.5, -1.0]),
    ("whole", [0, -5]),
    ("flag", [True]),
    ("names", [[], ["x", ""]]),
    ("counts", [{}, {"x": 1}]),
    ("pair", [None, ("x", 1)]),
    ("many", [(), ((1, {"x": "y", "z": 2}),)]),
    ("word", ["b"]),
    ("part", [None, Part(name="x"), Part(name="x", size=1), Part(name="x", size=1.5)]),
    ("any", [None, {"x": [1, None]}]),
]


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in GOOD for value in values])
def test_what_a_type_allows_is_read(name: str, value: Any) -> None:
    content = {"whole": 0, name: {"name": value.name, "size": value.size} if isinstance(value, Part) else value}
    for read in (convert(Kind, content), decode(Kind, json.dumps(content))):
        assert getattr(read, name) == value
        assert repr(getattr(read, name)) == repr(value), "1 stays 1, and 1.0 stays 1.0"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ({}, "the key 'whole' is missing"),
        ([], "the whole cannot be []: an object may stand there"),
        ({"whole": "1"}, 'whole cannot be "1": a whole number may stand there'),
        ({"whole": True}, "whole cannot be true: a whole number may stand there"),
        ({"whole": 1.5}, "whole cannot be 1.5: a whole number may stand there"),
        ({"whole": None}, "whole cannot be null: a whole number may stand there"),
        ({"whole": 1, "number": "much"}, 'number cannot be "much": a number or null may stand there'),
        ({"whole": 1, "number": True}, "number cannot be true: a number or null may stand there"),
        ({"whole": 1, "flag": 1}, "flag cannot be 1: true or false may stand there"),
        ({"whole": 1, "names": "x"}, 'names cannot be "x": a list may stand there'),
        ({"whole": 1, "names": ["x", 1]}, "names[1] cannot be 1: text may stand there"),
        ({"whole": 1, "counts": {"x": 1, "y": "1"}}, 'counts.y cannot be "1": a whole number may stand there'),
        ({"whole": 1, "counts": []}, "counts cannot be []: an object may stand there"),
        ({"whole": 1, "pair": [1, "x"]}, "pair[0] cannot be 1: text may stand there"),
        ({"whole": 1, "pair": ["x"]}, 'pair cannot be ["x"]: a list or null may stand there'),
        ({"whole": 1, "many": [[1, {"x": 1.5}]]}, "many[0][1].x cannot be 1.5: text or a whole number may stand there"),
        ({"whole": 1, "word": "c"}, 'word cannot be "c": a or b may stand there'),
        ({"whole": 1, "words": [1]}, "words[0] cannot be 1: text may stand there"),
        ({"whole": 1, "part": {"size": 1}}, "the key 'part.name' is missing"),
        ({"whole": 1, "part": {"name": "x", "size": "1"}}, 'part.size cannot be "1": a number or null may stand there'),
        ({"whole": 1, "parts": {"p": {"name": 3}}}, "parts.p.name cannot be 3: text may stand there"),
        ({"whole": "x" * 100}, f'whole cannot be "{"x" * 59}: a whole number may stand there'),
        ({"whole": "\ud800\x1b"}, r'whole cannot be "\ud800\u001b": a whole number may stand there'),
    ],
)
def test_anything_else_is_named_with_its_key_and_what_may_stand_there(content: Any, complaint: str) -> None:
    with pytest.raises(Misfit) as caught:
        convert(Kind, content)
    assert str(caught.value) == complaint
    with pytest.raises(Misfit) as caught:
        decode(Kind, json.dumps(content))
    assert str(caught.value) == complaint


def test_a_value_that_is_no_json_is_shown_too() -> None:
    with pytest.raises(Misfit, match=r"^whole cannot be \{1, 2\}: a whole number may stand there$"):
        convert(Kind, {"whole": {1, 2}})


def test_unknown_keys_are_passed_over_and_null_counts_as_missing_where_it_cannot_stand() -> None:
    content = {"whole": 1, "flag": None, "names": None, "counts": None, "unknown": {"x": [None]}, "word": None}
    read = decode(Kind, json.dumps(content))
    assert read == Kind(whole=1, any=None)
    inside = {
        "whole": 1,
        "part": {"name": "x", "size": None},
        "parts": {"p": {"name": "y", "unknown": 1}},
        "flag": None,
    }
    assert decode(Kind, json.dumps(inside)).parts == {"p": Part(name="y")}
    with pytest.raises(Misfit, match=r"names\[0\] cannot be null: text may stand there"):
        decode(Kind, '{"whole": 1, "names": [null]}')


def test_what_python_writes_and_json_does_not_have_is_read() -> None:
    assert math.isnan(decode(Kind, '{"whole": 1, "number": NaN}').number or 0)
    assert decode(Kind, '{"whole": 1, "number": -Infinity}').number == -math.inf
    assert decode(Kind, b'{"whole": 1, "names": ["\\ud800"]}').names == ["\ud800"]
    assert decode(list[Kind], '[{"whole": 1}]') == [Kind(whole=1)]


@pytest.mark.parametrize("text", ["", "{", '{"whole": 1}}', b"\xff\xfe\x00", '{"whole": "\xff"', "nothing"])
def test_a_text_that_is_no_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        decode(Kind, text)
    assert not isinstance(caught.value, Misfit)


def test_a_text_that_is_nested_too_deep_is_refused() -> None:
    for content in ("[" * 100_000, '{"whole": 1, "any": ' + "[" * 100_000):
        with pytest.raises(RecursionError):
            decode(Kind, content)


TEXT = """{
  "a": 1,
  "b": {
    "c, \\"d\\"": [1, {"x": 2},
      {"y": 3,

       "y2": [4]}],
    "e": "{\\n"
  },
  "f": null
}
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ((), 1),
        (("a",), 2),
        (("b",), 3),
        (("b", 'c, "d"'), 4),
        (("b", 'c, "d"', 1), 4),
        (("b", 'c, "d"', 2, "y"), 5),
        (("b", 'c, "d"', 2, "y2", 0), 7),
        (("b", 'c, "d"', 2, "z"), 5),
        (("b", "e"), 8),
        (("f",), 10),
        (("missing",), 1),
        (("b", "missing", "deeper"), 3),
        (("f", "name"), 10),
        (("a", 0), 2),
        (("b", "e", "x", 1), 8),
    ],
)
def test_the_line_of_a_key_is_found(place: tuple[str | int, ...], line: int) -> None:
    assert find_line(TEXT, place) == line


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "name", '{"', "]"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "size", "x"]), inner),
    max_leaves=6,
)


@given(
    st.fixed_dictionaries(
        {"whole": st.just(1)}, optional={"parts": st.dictionaries(st.text(), VALUES), "many": VALUES, "part": VALUES}
    )
)
def test_the_place_of_each_misfit_has_a_line_that_holds_its_beginning(content: dict[str, Any]) -> None:
    text = json.dumps(content, indent=1)
    try:
        decode(Kind, text)
    except Misfit as error:
        line = find_line(text, error.place)
        name = error.place[0]
        assert isinstance(name, str)
        first = find_line(text, (name,))
        assert first <= line <= first + json.dumps(content.get(name), indent=1).count("\n")


def test_a_place_is_spelled_as_people_write_it() -> None:
    assert spell_place(("suites", "s", "metrics", 0, "name")) == "suites.s.metrics[0].name"
    assert spell_place(()) == ""


def test_msgspec_is_imported_with_the_first_value_alone() -> None:
    code = (
        "import sys; from pytest_codereason.core.files import typed_json; import pytest_codereason.core; "
        "print('msgspec' in sys.modules); typed_json.decode(int, '1'); print('msgspec' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
