# ruff: noqa: E501 - a program stands on one line
"""JavaScript: values come back as they are read, every ending is told apart, hostile programs get nowhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_codereason import registry
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.languages.javascript.values import UNDEFINED, BigInt
from pytest_codereason.sandbox import Sandbox
from tests.examples import examples
from tests.sandbox import hostile
from tests.sandbox.conftest import check

LANGUAGE = registry.language("javascript")
#: A literal each: what evaluating it gives is what reading it gives.
LITERALS = (
    *("null", "undefined", "true", "0", "-0", "NaN", "Infinity", "-Infinity", "0.1", "1e21", "1e-7", "5e-324"),
    *("9007199254740991", "9007199254740993", "0x10", "10n", "-5n", "123456789012345678901234567890n"),
    *(
        "''",
        "'\\u00e9\\ud83d\\ude00'",
        "'\\ud800x'",
        "'\\0\\n\\\\\"'",
        "[]",
        "[[], [1, [2]]]",
        "({})",
        "({ a: 1, 'b c': [null] })",
    ),
    *("({ 2: 'b', 1: 'a' })", "({ __proto__x: 1 })"),
)
#: What has no literal of its own, and what it comes back as.
MAPPED: dict[str, Any] = {
    "[1, , 2]": [1, UNDEFINED, 2],
    "new Map([[1, 2], ['a', new Map()]])": {"1": 2, "a": {}},
    "new Set([3, 3, 1])": [3, 1],
    "new Uint8Array([1, 2])": [1, 2],
    "new Number(-0)": -0.0,
    "Object('a')": "a",
    "Object(5n)": BigInt(5),
    "new (class A { x = 1; #y = 2; get z() { return 3; } })()": {"x": 1},
    "Object.create(null)": {},
    "Object.assign(Object.create({ inherited: 1 }), { own: 2, [Symbol('s')]: 3 })": {"own": 2},
}
ENDINGS = {
    "an error": ("function f() { null.x; }", "raised", "TypeError", "Cannot read properties of null"),
    "an error of its own": ("class Odd extends Error {} function f() { throw new Odd('so'); }", "raised", "Odd", "so"),
    "a number": ("function f() { throw 5; }", "raised", "number", "5"),
    "nothing": ("function f() { throw null; }", "raised", "null", "null"),
    "an object": ("function f() { throw { get message() { throw 1; } }; }", "raised", "Object", ""),
    "a stack overflow": ("function f() { return f(); }", "raised", "RangeError", "call stack"),
    "a rejection": ("async function f() { throw new TypeError('t'); }", "raised", "TypeError", "t"),
    "never settled": ("const f = () => new Promise(() => {});", "raised", "NeverSettled", ""),
    "no literal": ("const f = () => [() => 1];", "raised", "NotALiteral", "function"),
    "a date": ("const f = () => new Date(0);", "raised", "NotALiteral", "Date"),
    "too deep": ("function f() { const a = []; a.push(a); return a; }", "raised", "NotALiteral", "100 levels"),
    "a syntax error": ("\nfunction f() {\n return 1 1 }", "rejected", "", "line 3: Unexpected number"),
    "no such name": ("", "raised", "ReferenceError", "f is not defined"),
}


def run(sandbox: Sandbox, source: str, call: str = "f()", **more: Any) -> Execution:
    return sandbox.run(Run.from_source(language="javascript", source=source, call=call, **more))


def test_values_come_back_as_they_are_read(sandbox: Sandbox) -> None:
    execution = run(sandbox, "", f"[{', '.join(LITERALS)}]")
    assert hostile.exact(execution.value) == hostile.exact([LANGUAGE.values.read(text).value for text in LITERALS])


def test_values_without_a_literal_are_mapped(sandbox: Sandbox) -> None:
    execution = run(sandbox, "", f"[{', '.join(MAPPED)}]")
    assert hostile.exact(execution.value) == hostile.exact(list(MAPPED.values()))


LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just(UNDEFINED) | st.integers().map(BigInt)
)
VALUES = st.recursive(LEAVES, lambda inside: st.lists(inside) | st.dictionaries(st.text(), inside), max_leaves=20)


@pytest.mark.slow
@settings(max_examples=examples(4), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=st.lists(VALUES, min_size=10, max_size=30))
def test_what_is_written_runs_to_what_is_read(values: list[Any], sandbox: Sandbox) -> None:
    text = LANGUAGE.values.write(values)
    execution = run(sandbox, f"const f = () => ({text});")
    assert LANGUAGE.values.equal(execution.value, LANGUAGE.values.read(text).value)


@pytest.mark.parametrize("name", ENDINGS)
def test_endings(name: str, sandbox: Sandbox) -> None:
    source, ending, error, message = ENDINGS[name]
    execution = run(sandbox, source)
    assert (execution.ending, execution.error) == (ending, error)
    assert message in execution.message


def test_the_call_sees_the_program_as_its_own_module(sandbox: Sandbox) -> None:
    source = "#!/usr/bin/env node\n'use strict'; let n = 3; const { EOL } = require('os'); function f(x) { return n + x; } // end"
    assert run(sandbox, source, "[f(1), n, EOL, typeof module, require.main, this === exports] // ends").value == [
        *(4, 3, "\n", "object", UNDEFINED, True)
    ]


def test_promises_are_awaited_and_timers_are_not(sandbox: Sandbox) -> None:
    source = "setInterval(() => {}, 9); const f = async () => { await new Promise(r => setTimeout(r, 1)); return 7; };"
    assert run(sandbox, source).value == 7


def test_a_script_runs_until_nothing_is_left_to_do(sandbox: Sandbox) -> None:
    source = "let t = ''; process.stdin.on('data', d => t += d).on('end', () => setTimeout(() => console.log(t.length, require.main === module), 1));"
    execution = run(sandbox, source, "", stdin="x" * 200_000)
    assert (execution.ending, execution.value, execution.stdout) == ("returned", None, "200000 true\n")


def test_no_output_is_lost(sandbox: Sandbox) -> None:
    execution = run(sandbox, "function f() { for (let i = 0; i < 900; i++) console.log('x'.repeat(999)); return 1; }")
    assert (execution.value, len(execution.stdout)) == (1, 900_000)


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"number": "1"},
        {"number": "-0", "more": 1},
        {"bigint": 1},
        {"bigint": "x"},
        {"object": [["a"]]},
        {"object": [[1, 2]]},
    ],
)
def test_what_the_harness_never_writes_is_refused(payload: Any) -> None:
    with pytest.raises(ValueError, match=r"not |invalid"):
        LANGUAGE.values.decode(payload)


@pytest.mark.parametrize(
    "name", ["process.exit", "a second result", "patched at every turn", "constructor of constructors"]
)
def test_an_attack_ends_as_it_must(name: str, sandbox: Sandbox, tmp_path: Path) -> None:
    check("javascript", name, sandbox, tmp_path)
