"""The order of what ``Set.of`` and ``Map.of`` make: fixed in each run, the opposite in the next one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_codereason.core.execution import Run
from pytest_codereason.core.language.moments import LineProbe
from pytest_codereason.core.language.tracing import Witnessed
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.examples import mostly_slow

FILE = "Main.java"
ORDERS = """import java.util.*; class Main { static Object f() {
List<Object> all = new ArrayList<>();
for (int i = 0; i < 3_000; i++) { Set.of(i, 1 + i).hashCode(); }
all.addAll(Set.of("Rosa", "Vera"));
all.addAll(Set.of(1, 2, 3, 4, 5));
all.addAll(Map.of("a", 1, "b", 2, "c", 3).keySet());
return all;
} }
"""
HELD = """import java.util.*; class Main { static Object f() {
Object names = Set.of("Rosa", "Vera", "Ines"), ages = Map.of("Rosa", 1, "Vera", 2, "Ines", 3);
return List.of(names, ages);
} }
"""


def run(sandbox: Sandbox, source: str, attempt: int, witnessed: Witnessed = "") -> list[Any]:
    wanted = Run(language="java", files={FILE: source}, entry=FILE, call="f()", attempt=attempt, witnessed=witnessed)
    execution = sandbox.run(wanted)
    assert execution.ending == "returned", execution.words
    value: list[Any] = language("java").values.decode(execution.value)
    return value


@pytest.mark.parametrize("witnessed", mostly_slow(["moments", "calls", ""], 3))
def test_the_order_is_that_of_the_attempt(sandbox: Sandbox, witnessed: Witnessed) -> None:
    found = [run(sandbox, ORDERS, attempt, witnessed) for attempt in range(4)]
    assert found[0] == found[2] == run(sandbox, ORDERS, 0)
    assert found[1] == found[3]
    parts = slice(0, 2), slice(2, 7), slice(7, 10)
    assert [found[1][part] for part in parts] == [found[0][part][::-1] for part in parts]


def test_equal_values_are_written_alike(sandbox: Sandbox) -> None:
    probes = (LineProbe(FILE, 3, ("names", "ages")),)
    job = Run(language="java", files={FILE: HELD}, entry=FILE, call="f()", witnessed="moments", probes=probes)
    first, second = (sandbox.run(job), sandbox.run(replace(job, attempt=1)))
    for execution in (first, second):
        assert execution.trace is not None
        assert execution.trace.moments is not None
        assert execution.trace.moments.written == (
            {"set": ["Ines", "Rosa", "Vera"]},
            {"map": [["Ines", 3], ["Rosa", 1], ["Vera", 2]]},
        )
    assert first.value == second.value
