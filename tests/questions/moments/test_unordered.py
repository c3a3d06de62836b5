"""What runs while the library compares things is not asked about: it alone knows in which order it does."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.moments.inverse.trying import try_calls
from pytest_codereason.sandbox import Sandbox
from tests.questions.moments.watching import watch
from tests.questions.stepping import take_steps

PHP = """<?php
function key_of($x) {
    return $x % 10;
}
function order($a, $b) {
    $k = key_of($a);
    return $k - key_of($b);
}
function f($xs) {
    SORT;
    $n = key_of(7);
    return $xs;
}
"""
SORTING = {
    "php": (PHP.replace("SORT", "usort($xs, 'order')"), {3, 6, 7}),
    "php, over several lines": (PHP.replace("SORT", "usort(\n        $xs,\n        order(...),\n    )"), {3, 6, 7}),
    "php, of its own": (
        PHP.replace("SORT", "usort($xs)").replace("<?php", "<?php namespace Mine;")
        + "function usort($xs) {\n    order(3, 4);\n}\n",
        set(),
    ),
    "php, by keys": (PHP.replace("SORT", "foreach ($xs as $x) order($x, 3)"), set()),
    "php, a heap": (
        "<?php\nclass Heap extends SplMinHeap {\n    protected function compare($a, $b): int {\n"
        "        return $b - $a;\n    }\n}\nfunction f($xs) {\n    $heap = new Heap;\n"
        "    foreach ($xs as $x) {\n        $heap->insert($x);\n    }\n    return $heap->top();\n}\n",
        {4},
    ),
    "python": (
        "from functools import cmp_to_key\ndef order(a, b):\n    return a - b\n"
        "def f(xs):\n    xs = sorted(xs, key=cmp_to_key(order))\n    return order(xs[0], 3)\n",
        {3},
    ),
    "python, by keys": ("def key(x):\n    return -x\ndef f(xs):\n    return sorted(xs, key=key)\n", set()),
    "python, a class": (
        "class A:\n    def __init__(self, n):\n        self.n = n\n    def __lt__(self, other):\n"
        "        return self.n < other.n\ndef f(xs):\n    items = [A(x) for x in xs]\n    return min(items).n\n",
        {5},
    ),
    "javascript": (
        "function order(a, b) {\n    return a - b;\n}\nfunction f(xs) {\n    return xs.sort(order);\n}\n",
        {2},
    ),
    "typescript": (
        "function order(a: number, b: number) {\n    return a - b;\n}\n"
        "function f(xs: number[]) {\n    return xs.sort(order);\n}\n",
        {2},
    ),
}


@pytest.mark.parametrize("name", SORTING)
def test_a_function_that_compares_is_not_asked_about(name: str, sandbox: Sandbox) -> None:
    source, lines = SORTING[name]
    run = watch(sandbox, source, "f([9, 3, 7, 1])", name.partition(",")[0])
    assert {place.line for place in run.unordered} == lines


def test_no_call_is_asked_for_that_makes_it_run_so_often(sandbox: Sandbox) -> None:
    run = watch(sandbox, SORTING["php"][0], "f([9, 3, 7, 1])", "php")
    tried = take_steps(try_calls(run), sandbox)
    for call in (tried.recorded, *tried.corners, *tried.drifted):
        assert {place.line for place in call.counts} == {10, 11, 12}
