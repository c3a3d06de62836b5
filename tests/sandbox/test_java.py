# ruff: noqa: E501 - a program stands on one line
"""Java: values come back as they are read, every ending is told apart, hostile programs get nowhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_codereason import registry
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.errors import MissingInterpreter
from pytest_codereason.languages.java.values.data import Char, Long, Optional
from pytest_codereason.sandbox import Sandbox
from tests.examples import examples, mostly_slow
from tests.sandbox import hostile
from tests.sandbox.conftest import check, in_tier

LANGUAGE = registry.language("java")
#: A literal each: what evaluating it gives is what reading it gives.
LITERALS = (
    *(
        "null",
        "true",
        "0",
        "-7",
        "1L",
        "Long.MIN_VALUE",
        "0.1",
        "-0.0",
        "1e21",
        "Double.NaN",
        "Double.NEGATIVE_INFINITY",
        "0.1f",
        "16777217f",
    ),
    *(
        '""',
        '"\\u00e9\\n\\"\\ud800"',
        "'a'",
        "'\\ud800'",
        "(short) 3",
        "(byte) -3",
        'new BigInteger("123456789012345678901234567890")',
    ),
    *(
        "List.of()",
        "Arrays.asList(1, null, List.of(2L))",
        "new int[]{1, 2}",
        "new String[][]{{}, {null}}",
        "new ArrayDeque<>(List.of(1))",
    ),
    *('Map.of("a", 1, "b", 2)', "new TreeMap<>(Map.of(2, List.of(), 1, 'x'))", "Set.of(1, 2)", "Map.entry(1, 2L)"),
    *(
        "Optional.of(1)",
        "Optional.empty()",
        'Pair.with(1L, "a")',
        "Triplet.with(1, 2, List.of())",
        "Decade.with(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)",
    ),
)
IMPORTS = "import java.util.*; import java.math.*; import org.javatuples.*; "
ENDINGS = {
    "an exception": ("static int f() { return 1 / 0; }", "raised", "ArithmeticException", "/ by zero"),
    "an exception of its own": (
        'static class Odd extends Exception { Odd() { super("so"); } } static int f() throws Odd { throw new Odd(); }',
        "raised",
        "Odd",
        "so",
    ),
    "a static initialiser": (
        'static int x = Integer.parseInt("x"); static int f() { return 1; }',
        "raised",
        "ExceptionInInitializerError",
        'For input string: "x"',
    ),
    "an assertion": ('static int f() { assert 1 > 2 : "so"; return 1; }', "raised", "AssertionError", "so"),
    "a stack overflow": ("static int f() { return f(); }", "raised", "StackOverflowError", ""),
    "no literal": ("static Object f() { return List.of(new Object()); }", "raised", "NotALiteral", "java.lang.Object"),
    "a list in a set": (
        "static Object f() { return Set.of(List.of()); }",
        "raised",
        "NotALiteral",
        "as an element of a set",
    ),
    "a type error": ('static int f() {\n return "a"; }', "rejected", "", "line 2: incompatible types"),
    "a syntax error": ("static int f( {", "rejected", "", "line 1: "),
    "no value": ("static void f() { }", "rejected", "", "void cannot be converted"),
    "no such method": ("", "rejected", "", "cannot find symbol"),
}


def run(sandbox: Sandbox, source: str, call: str = "f()", **more: Any) -> Execution:
    return sandbox.run(Run.from_source(language="java", source=source, call=call, **more))


def program(body: str) -> str:
    return f"{IMPORTS} class Problem {{ {body} }}"


@pytest.mark.slow
def test_values_come_back_as_they_are_read(sandbox: Sandbox) -> None:
    execution = run(sandbox, program(""), f"new Object[]{{{', '.join(LITERALS)}}}")
    assert hostile.exact(execution.value) == hostile.exact([LANGUAGE.values.read(text).value for text in LITERALS])


LEAVES = (
    *(
        st.none(),
        st.booleans(),
        st.integers(-(2**31), 2**31 - 1),
        st.integers(-(2**63), 2**63 - 1).map(Long),
        st.floats(),
    ),
    *(st.text(max_size=20), st.characters(max_codepoint=0xFFFF).map(Char), st.integers(2**63, 2**80)),
)
VALUES = st.recursive(
    st.one_of(*LEAVES),
    lambda inside: st.lists(inside) | st.tuples(inside, inside) | st.dictionaries(st.text(max_size=5), inside),
    max_leaves=15,
)


@pytest.mark.slow
@settings(max_examples=examples(2), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=st.lists(VALUES, min_size=10, max_size=20))
def test_what_is_written_runs_to_what_is_read(values: list[Any], sandbox: Sandbox) -> None:
    text = LANGUAGE.values.write(values)
    execution = run(sandbox, program(f"static Object f() {{ return {text}; }}"))
    assert LANGUAGE.values.equal(execution.value, LANGUAGE.values.read(text).value), execution


@pytest.mark.slow
@pytest.mark.parametrize("name", ENDINGS)
def test_endings(name: str, sandbox: Sandbox) -> None:
    source, ending, error, message = ENDINGS[name]
    execution = run(sandbox, program(source))
    assert (execution.ending, execution.error) == (ending, error)
    assert message in execution.message


@pytest.mark.parametrize(
    ("source", "call", "value"),
    mostly_slow(
        [
            (
                "package a.b; class A { } public class B { private static <T> T f(T x) { return x; } } // end",
                "f(f(3)) // ends",
                3,
            ),
            ("interface I { static int f(int x) { return x; } }", "I.f(3)", 3),
            ("enum E { A, B; static int f() { return values().length; } }", "f()", 2),
            ("class A { int x = 4; }", "new A().x", 4),
            ("class A { record R(int x, String y) { } }", 'new R(1, "a")', {"x": 1, "y": "a"}),
            ("class A { }", "java.util.Optional.of(java.util.List.of())", Optional([])),
        ],
        3,
    ),
)
def test_the_call_stands_in_the_class_that_it_calls(source: str, call: str, value: Any, sandbox: Sandbox) -> None:
    assert run(sandbox, source, call).value == value


def test_a_script(sandbox: Sandbox) -> None:
    body = 'public static void main(String[] a) { System.out.println("é" + new Scanner(System.in).nextInt()); System.err.println("e"); }'
    execution = run(sandbox, program(body), "", stdin="7")
    assert (execution.ending, execution.value, execution.stdout, execution.stderr) == ("returned", None, "é7\n", "e\n")


@pytest.mark.parametrize(
    "source", mostly_slow(["int f( {", "", "static int f() { return 1; }", "import java.util.*;"], 4)
)
def test_what_holds_no_class_is_rejected(source: str, sandbox: Sandbox) -> None:
    assert run(sandbox, source).ending == "rejected"


def test_tuples_do_what_the_library_does_in_public(sandbox: Sandbox) -> None:
    facts = {
        "Pair.with(1, 2).equals(new Pair<>(1, 2))": True,
        "Pair.with(1, 2).equals(List.of(1, 2))": False,
        "Pair.with(1, 2).hashCode() == 31 + List.of(1, 2).hashCode()": True,
        'Triplet.with(1, "a", null).toString()': "[1, a, null]",
        "Pair.with(1, 2).compareTo(Pair.with(1, 3)) < 0": True,
        "Pair.with(1, 2).add(3).setAt1('x').getValue1()": Char("x"),
        "Quartet.with(1, 2, 3, 4).getSize() + Quartet.with(1, 2, 3, 4).indexOf(3)": 6,
        "Unit.with(5).contains(5)": True,
        "new ArrayList<>(Pair.with(1, 2).toList())": [1, 2],
    }
    execution = run(sandbox, program(""), f"new Object[]{{{', '.join(facts)}}}")
    assert hostile.exact(execution.value) == hostile.exact(list(facts.values()))


@pytest.mark.parametrize(
    "payload",
    [
        1.5,
        {},
        {"long": "1"},
        {"double": 1},
        {"double": "0" * 17},
        {"float": "zz"},
        {"set": [[]]},
        {"map": [[1]]},
        {"optional": [1, 2]},
    ],
)
def test_what_the_harness_never_writes_is_refused(payload: Any) -> None:
    with pytest.raises(ValueError, match=r"not |non-"):
        LANGUAGE.values.decode(payload)


def test_a_runtime_without_a_compiler_names_the_package(
    sandboxes: dict[str, Sandbox], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "java"
    fake.write_text('#!/bin/sh\n[ "$1" = --version ] && echo openjdk 17.0.1\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    tmp_path.chmod(0o755)
    with pytest.raises(MissingInterpreter, match="install default-jdk-headless"):
        run(in_tier(sandboxes, "processes"), program("static int f() { return 1; }"))


@pytest.mark.slow
def test_a_program_that_exhausts_the_compiler_is_rejected(sandbox: Sandbox) -> None:
    constants = "".join(f"static final String S{n + 1} = S{n} + S{n};" for n in range(20))
    source = program(f'static final String S0 = "{"x" * 60_000}"; {constants} static int f() {{ return 1; }}')
    assert run(sandbox, source).ending == "rejected"
    assert run(sandbox, program("static int f() { return 1; }")).value == 1


@pytest.mark.slow
def test_a_warm_compiler_goes_on_and_on(sandbox: Sandbox) -> None:
    """Hundreds of rejected programs, which cost no machine, and one that runs after them."""
    for number in range(300):
        assert run(sandbox, program(f"static int f() {{ return {number} + nothing; }}")).ending == "rejected"
    assert run(sandbox, program("static int f() { return 1; }")).value == 1


@pytest.mark.parametrize(
    "name",
    mostly_slow(
        [
            "a number too long to print",
            "System.exit in a static initialiser",
            "a second result",
            "a compiler made to overflow",
        ],
        4,
    ),
)
def test_an_attack_ends_as_it_must(name: str, sandbox: Sandbox, tmp_path: Path) -> None:
    check("java", name, sandbox, tmp_path)
