"""How long PHP takes to be read: figures for one function of some ten lines."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from pytest_codereason.languages.php import PHP

LANGUAGE = PHP()
SOURCE = """<?php
function f($text, $lower, $upper) {
    $count = 0;
    $new_text = array();
    foreach (str_split($text) as $char) {
        $char = is_numeric($char) ? $lower : $upper;
        if ($char == 'p' || $char == 'C') {
            $count++;
        }
        $new_text[] = $char;
    }
    return array($count, implode($new_text));
}
"""
CALL = 'f("DSUWeqExTQdCMGpqur", "a", "x")'


def everything() -> None:
    code = LANGUAGE.syntax.parse(SOURCE, CALL)
    _ = code.bindings, code.sites, code.insertions, code.units


@pytest.mark.benchmark
@pytest.mark.parametrize(
    ("what", "work"),
    [
        ("parse and bindings", lambda: LANGUAGE.syntax.parse(SOURCE, CALL).bindings),
        ("all of Code", everything),
        ("normalise", lambda: LANGUAGE.syntax.normalise(SOURCE).text),
        ("check by php", lambda: LANGUAGE.syntax.check(SOURCE)),
    ],
)
def test_speed(what: str, work: Callable[[], object], capsys: pytest.CaptureFixture[str]) -> None:
    work()
    times = []
    for _ in range(200):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    with capsys.disabled():
        print(f"\nPHP, {what}: {1000 * sorted(times)[100]:.2f} ms")
