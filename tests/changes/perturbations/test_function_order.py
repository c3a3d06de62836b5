"""The order of definitions: what moves, what must stay behind what, and what is moved along."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core import Facts, Program
from pytest_codereason.errors import Skip
from tests.changes.perturbations.agreement import change_program

NAMES = "abcdefghij"


def make_program(source: str, call: str = "a()", language: str = "python") -> Program:
    return Program.from_source(language=language, source=source, call=call, facts=Facts(output=0))


def list_order(text: str) -> list[str]:
    return re.findall(r"^def (\w+)", text, re.MULTILINE)


@st.composite
def dependent(draw: st.DrawFn) -> Program:
    """Functions whose defaults call some of the functions above them."""
    lines = []
    for place, name in enumerate(NAMES[: draw(st.integers(2, 10))]):
        needed = draw(st.sets(st.sampled_from(NAMES[:place]), max_size=2)) if place else set()
        lines.append(f"def {name}({', '.join(f'p{n}={n}()' for n in sorted(needed))}): return {place}")
    return make_program("\n".join(lines))


@given(dependent(), st.integers(0, 2**32), st.integers(1, 9))
def test_one_step_moves_one_more_and_keeps_every_dependency(program: Program, seed: int, strength: int) -> None:
    try:
        changed = [
            change_program(program, f"function-order(strength={count})", seed) for count in (strength, strength + 1)
        ]
    except Skip:
        return  # each needs the one above it
    weak, strong = (list_order(variant.source) for variant in changed)
    before = list_order(program.source)
    for variant in changed:
        scope: dict[str, object] = {}
        exec(variant.source, scope)
    assert weak != before
    assert any(drop(weak, name) == drop(strong, name) for name in weak), "one function more has moved"
    assert len(before) - longest_common_order(weak) <= strength


def drop(names: list[str], name: str) -> list[str]:
    return [other for other in names if other != name]


def longest_common_order(names: list[str]) -> int:
    """How many can keep their places if they were in alphabetical order."""
    best: list[int] = []
    for at, name in enumerate(names):
        best.append(1 + max((best[i] for i in range(at) if names[i] < name), default=0))
    return max(best)


def test_without_a_strength_every_order_is_drawn() -> None:
    program = make_program("".join(f"def {name}(): return 0\n" for name in "abc"))
    orders = {"".join(list_order(change_program(program, "function-order", seed).source)) for seed in range(80)}
    assert orders == {"acb", "bac", "bca", "cab", "cba"}


def test_a_place_says_which_definitions_move() -> None:
    program = make_program("".join(f"def {name}():\n    return 0\n" for name in "abcdefgh"))
    for seed in range(20):
        order = list_order(change_program(program, "function-order(place=2)", seed).source)
        rest = [name for name in order if name not in "cd"]
        assert rest == sorted(rest)
        assert order != sorted(order)
    with pytest.raises(Skip, match="no definition can be moved in quarter 4"):
        change_program(make_program("def a(): pass\ndef b(): pass\nx = 1\ny = 2\nx = y\nx = x\nx = x\n"),
                       "function-order(place=4)")  # fmt: skip


def test_a_density_moves_a_share() -> None:
    program = make_program("".join(f"def {name}(): return 0\n" for name in NAMES))
    assert list_order(change_program(program, "function-order(density=0)").source) == list(NAMES)
    moved = [
        len(NAMES) - longest_common_order(list_order(change_program(program, f"function-order(density={d})").source))
        for d in (0.2, 0.6, 1)
    ]
    assert all(few <= many for few, many in pairwise(moved))
    assert moved[0] < moved[2]


@pytest.mark.parametrize(
    ("language", "source", "call"),
    [
        ("python", "class A: pass\nclass B(A): pass\nclass C(B): pass\n", "B()"),
        ("javascript", "class A {}\nclass B extends A {}\nclass C extends B {}\n", "new B()"),
        ("python", "def a():\n    return 0\n", "a()"),
        ("java", "class P { static int f() { return g(); } static int g() { return 1; } }", "P.f()"),
    ],
    ids=["each class needs the last", "in JavaScript too", "one function", "all on one line"],
)
def test_what_cannot_be_moved_is_skipped(language: str, source: str, call: str) -> None:
    from pytest_codereason.changes.perturbations.function_order import FunctionOrder
    from pytest_codereason.core import Dose
    from pytest_codereason.core.random_draws import Draws

    with pytest.raises(Skip, match="no definition can be moved"):
        FunctionOrder().apply(make_program(source, call, language), Draws(0), Dose(), "output")


def test_members_stay_in_their_class() -> None:
    """Two anonymous classes share a name; their methods are no siblings."""
    made = "Object {0} = new Object() {{ int {0}1() {{ return 1; }} int {0}2() {{ return 2; }} }};"
    source = f"class P {{ static int f() {{ {made.format('x')} {made.format('y')} return 0; }} }}"
    for seed in range(10):
        changed = change_program(make_program(source, "P.f()", "java"), "function-order", seed).source
        words = re.findall(r"[xy][12]\b", changed)
        assert sorted(words[:2]) == ["x1", "x2"]


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("python", "Base.__subclasses__()"),
        ("java", "P.class.getDeclaredMethods()"),
        ("javascript", "Object.getOwnPropertyNames(A.prototype)"),
        ("php", "get_class_methods('A')"),
    ],
)
def test_a_program_that_may_look_is_skipped(language: str, line: str) -> None:
    sources = {
        "python": f"def a(): return {line}\ndef b(): return 1\n",
        "java": f"class P {{\n    static Object f() {{ return {line}; }}\n    static int g() {{ return 1; }}\n}}\n",
        "javascript": f"function a() {{ return {line}; }}\nfunction b() {{ return 1; }}\n",
        "php": f"<?php\nfunction a() {{ return {line}; }}\nfunction b() {{ return 1; }}\n",
    }
    call = "P.f()" if language == "java" else "a()"
    with pytest.raises(Skip, match="may look at the order"):
        change_program(make_program(sources[language], call, language), "function-order")


def test_what_another_reader_names_twice_is_never_needed() -> None:
    """A parameter with the name of a later function is no dependency, which would be a circle here."""
    program = make_program("def a(b=1): return b\ndef b(c=2): return c\ndef c(a=3): return a\n")
    orders = {"".join(list_order(change_program(program, "function-order", seed).source)) for seed in range(60)}
    assert len(orders) > 1
