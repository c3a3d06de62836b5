"""One object or two that are equal."""

from __future__ import annotations

from pytest_codereason.questions.moments.kinds.aliasing import AliasKind
from pytest_codereason.sandbox import Sandbox
from tests.questions.moments.watching import ask, watch

KIND = AliasKind()
#: Shipped programs with a moment at which two names are one object, and with one at which they only are equal.
ONE, EQUAL = 14, 16
SOURCE = """def f(xs):
    a = list(xs)
    b = a
    c = a[:]
    d = (1, 2)
    e = d
    a.append(3)
    c.append(4)
    return b
"""


def test_equal_objects_are_asked_and_others_are_not(sandbox: Sandbox) -> None:
    run = watch(sandbox, SOURCE, "f([1])")
    found = {each.names: each.answer for each in ask(KIND, run, 7)}
    assert found == {
        ("xs", "a"): "no",
        ("xs", "b"): "no",
        ("xs", "c"): "no",
        ("a", "b"): "yes",
        ("a", "c"): "no",
        ("b", "c"): "no",
    }
    # After line 7 the list has one item more, so the value would tell; d and e cannot be changed.
    assert {each.names for each in ask(KIND, run, 8)} == {("xs", "c"), ("a", "b")}


COPIED = """<?php function f($xs) {
    $a = $xs;
    $b = &$a;
    $c = $xs;
    $d = $c;
    return 1;
}
"""


def test_where_lists_are_copied_one_of_both_is_a_reference(sandbox: Sandbox) -> None:
    run = watch(sandbox, COPIED, "f([1])", "php")
    assert {each.names: each.answer for each in ask(KIND, run, 6)} == {
        ("xs", "a"): "no",
        ("xs", "b"): "no",
        ("a", "b"): "yes",
        ("a", "c"): "no",
        ("a", "d"): "no",
        ("b", "c"): "no",
        ("b", "d"): "no",
    }
    assert not ask(KIND, watch(sandbox, COPIED.replace("&", ""), "f([1])", "php"), 6)


KINDS = """function f(xs) {
    const a = { k: 1 };
    const b = new Map([["k", 1]]);
    const c = { k: 1 };
    const d = [1];
    const e = new Set([1]);
    return 1;
}
"""
JAVA_KINDS = """import java.util.*;
class Main {
    static int f(int n) {
        List<Integer> a = new ArrayList<>(List.of(n));
        int[] b = {n};
        List<Integer> c = new ArrayList<>(a);
        Integer[] d = {n};
        Set<Integer> e = new HashSet<>(a);
        return 1;
    }
}
"""


def test_objects_of_two_types_are_not_asked_about_though_they_are_written_alike(sandbox: Sandbox) -> None:
    run = watch(sandbox, KINDS, "f([9])", "typescript")
    assert {each.names: each.answer for each in ask(KIND, run, 7)} == {("a", "c"): "no"}
    run = watch(sandbox, JAVA_KINDS, "Main.f(1)", "java")
    assert {each.names: each.answer for each in ask(KIND, run, 9)} == {("a", "c"): "no"}


def test_empty_objects_are_not_asked_about(sandbox: Sandbox) -> None:
    empty = SOURCE.replace("a.append(3)", "e").replace("c.append(4)", "e")
    assert ask(KIND, watch(sandbox, empty, "f([1])"), 9)
    assert not ask(KIND, watch(sandbox, empty, "f([])"), 9)


PARTED = """def f(xs):
    a = [0]
    b = a
    c = [0]
    for x in xs:
        b = list(a)
    return b
"""


def test_a_pair_that_is_one_object_at_some_moments_and_two_at_others_is_more_likely_drawn(sandbox: Sandbox) -> None:
    run = watch(sandbox, PARTED, "f([1, 2])")
    weights = {(each.names, each.weight > 1) for each in ask(KIND, run, 6)}
    assert weights == {(("a", "b"), True), (("a", "c"), False), (("b", "c"), False)}


def test_yes_is_right_in_half_of_the_questions_about_shipped_programs() -> None:
    yes, no = ONE * KIND.naive_chance, EQUAL * (1 - KIND.naive_chance)
    assert 0.48 < yes / (yes + no) < 0.52
