"""Generated Python programs do the same under new names and in a uniform layout."""

from __future__ import annotations

import ast
import re
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_codereason.languages.python import Python
from tests.examples import examples
from tests.languages.examples import inserted, rename_all

PYTHON = Python()

names = st.sampled_from(["a", "b", "c", "g"])
expressions = st.recursive(
    names | st.integers(0, 9).map(str),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "<", "and", "or"]), inner).map(
            "({0[0]} {0[1]} {0[2]})".format
        ),
        st.tuples(inner, names, inner).map("[{0[0]} for {0[1]} in range(3) if {0[2]}]".format),
        st.tuples(names, inner).map("({0[0]} := {0[1]})".format),
        st.tuples(names, inner, inner).map("(lambda {0[0]}={0[1]}: {0[2]})()".format),
        st.tuples(inner, inner).map("g({0[0]}, b={0[1]})".format),
        names.map("bool(f'{{{0}!r:>{{a}}}}')".format),
    ),
    max_leaves=5,
)


def nested(header: str, *bodies: list[str]) -> list[str]:
    """A compound statement."""
    return [
        line for part, body in zip(header.split("|"), bodies, strict=True) for line in (part, *map(" {}".format, body))
    ]


simple = st.one_of(
    st.tuples(names, expressions).map(lambda t: [f"{t[0]} = {t[1]}"]),
    st.tuples(names, expressions).map(lambda t: [f"{t[0]} += {t[1]}; pass"]),
    names.map(lambda name: [f"del {name}"]),
    expressions.map(lambda e: [f"return {e}"]),
    expressions.map(lambda e: [e]),
)


def function(parts: tuple[str, str, list[str], str]) -> list[str]:
    """A function inside, and a call of it."""
    name, default, body, outer = parts
    nonlocals = [f"nonlocal {outer}"] if outer not in {name, "b"} else []
    return [*nested(f"def h({name}, b={default}):", [*nonlocals, *body]), f"c = h({outer}, b={default})"]


blocks: st.SearchStrategy[list[str]] = st.recursive(
    st.lists(simple, min_size=1, max_size=3).map(lambda parts: list(chain(*parts))),
    lambda inner: st.one_of(
        st.tuples(expressions, inner, inner).map(lambda t: nested(f"if {t[0]}:|else:", t[1], t[2])),
        st.tuples(names, inner).map(lambda t: nested(f"for {t[0]} in range(2):", t[1])),
        # the text of an exception holds names: it is not returned
        st.tuples(names, inner, inner).map(
            lambda t: nested(f"try:|except Exception as {t[0]}:", t[1], [f"{t[0]} = not {t[0]}", *t[2]])
        ),
        st.tuples(st.sampled_from("acg"), expressions, inner, names).map(function),
        st.tuples(inner, inner).map(lambda t: t[0] + t[1]),
    ),
    max_leaves=6,
)
programs = blocks.map(
    lambda lines: "\n".join(["def g(a, b=1): return b", *nested("def f(a, c=0):", ["a = a", *lines])]) + "\n"
)


def outcome(source: str, call: str) -> Any:
    """What a program gives, or which exception it raises."""
    scope: dict[str, Any] = {}
    try:
        exec(source, scope)
        return re.sub("<function .*?>", "", repr(eval(call, scope)))
    except Exception as error:
        return type(error)


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None)
@given(programs)
def test_generated_programs(source: str) -> None:
    if PYTHON.syntax.check(source):
        return  # such as a parameter that is declared nonlocal
    code = PYTHON.syntax.parse(source, "f(3, c=4)")
    assert not any(binding.unsafe for binding in code.bindings if binding.kind != "parameter")
    expected = outcome(source, code.call)
    assert outcome(*rename_all(PYTHON, code)) == expected
    normal = PYTHON.syntax.normalise(source).text
    assert ast.dump(ast.parse(normal)) == ast.dump(ast.parse(source))
    for insertion in code.insertions:
        assert outcome(inserted(source, insertion, "pass"), code.call) == expected
