"""PHP: values come back as they are read, every ending is told apart, hostile programs get nowhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_codereason import registry
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.sandbox import Sandbox
from tests.examples import examples
from tests.sandbox import hostile
from tests.sandbox.conftest import check

LANGUAGE = registry.language("php")
#: A literal each: what evaluating it gives is what reading it gives.
LITERALS = (
    *(
        "null",
        "true",
        "0",
        "-7",
        "PHP_INT_MAX",
        "PHP_INT_MIN",
        "9223372036854775808",
        "0.1",
        "-0.0",
        "1e21",
        "NAN",
        "-INF",
        "1.0",
    ),
    *(
        "''",
        r"'\\ \' é'",
        r'"\u{1F600}\xff\0\n"',
        "[]",
        "[[], [1, [2]]]",
        "[1 => 'a', 0 => 'b']",
        "['a' => 1, '7' => 2, '07' => 3]",
    ),
    *("[0 => 'a', 1 => 'b']", "[true => 1, null => 2, -3 => 4]"),
)
ENDINGS = {
    "an error": ("function f() { return intdiv(1, 0); }", "raised", "DivisionByZeroError", "Division by zero"),
    "an exception of its own": (
        'class Odd extends Exception {} function f() { throw new Odd("so\\xff"); }',
        "raised",
        "Odd",
        "so",
    ),
    "a fatal error": ("function f() { trigger_error('so', E_USER_ERROR); }", "raised", "Error", "so"),
    "an assertion": ("function f() { assert(1 > 2); }", "raised", "AssertionError", "assert(1 > 2)"),
    "an object": ("function f() { return [new stdClass]; }", "raised", "NotALiteral", "stdClass"),
    "too deep": ("function f() { $a = [1]; $a[] = &$a; return $a; }", "raised", "NotALiteral", "100 levels"),
    "a syntax error": ("<?php\n\nfunction f() { return 1 1; }", "rejected", "", "line 3: syntax error"),
    "declared twice": (
        "<?php\nfunction f() {}\nfunction f() {}",
        "rejected",
        "",
        "Cannot redeclare f() (previously declared in program.php:2)",
    ),
    "a syntax error in what it evaluates": (
        "function f() { return eval('1 +'); }",
        "raised",
        "ParseError",
        "syntax error",
    ),
    "no such function": ("", "raised", "Error", "undefined function f()"),
    "not even a program": ("Sorry, I cannot <?= 1 1 ?>", "rejected", "", "line 1"),
}


def run(sandbox: Sandbox, source: str, call: str = "f()", **more: Any) -> Execution:
    return sandbox.run(Run.from_source(language="php", source=source, call=call, **more))


def test_values_come_back_as_they_are_read(sandbox: Sandbox) -> None:
    execution = run(sandbox, "", f"[{', '.join(LITERALS)}]")
    assert hostile.exact(execution.value) == hostile.exact([LANGUAGE.values.read(text).value for text in LITERALS])


BYTES = st.binary(max_size=20).map(lambda text: text.decode("utf-8", "surrogateescape"))
KEYS = st.integers(-(2**63), 2**63 - 2) | BYTES
LEAVES = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats() | BYTES
VALUES = st.recursive(LEAVES, lambda inside: st.lists(inside) | st.dictionaries(KEYS, inside), max_leaves=20)


@settings(max_examples=examples(4), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=st.lists(VALUES, min_size=10, max_size=30))
def test_what_is_written_runs_to_what_was_meant(values: list[Any], sandbox: Sandbox) -> None:
    text = LANGUAGE.values.write(values)
    assert text.isascii() or text.encode("utf-8", "surrogateescape")
    execution = run(sandbox, "", text)
    assert LANGUAGE.values.equal(execution.value, values)


@pytest.mark.parametrize("name", ENDINGS)
def test_endings(name: str, sandbox: Sandbox) -> None:
    source, ending, error, message = ENDINGS[name]
    execution = run(sandbox, source)
    assert (execution.ending, execution.error) == (ending, error)
    assert message in execution.message


@pytest.mark.parametrize(
    "source",
    [
        "$n = 3; function f() { global $n; return $n + 1; }",
        "<?php namespace A\\B; const N = 4; function f() { return N; } // ends",
    ],
)
def test_the_call_sees_the_program_as_a_script(source: str, sandbox: Sandbox) -> None:
    assert run(sandbox, source, "f() // ends").value == 4


def test_what_a_program_takes_for_granted_is_there(sandbox: Sandbox) -> None:
    assert run(
        sandbox, "", "[ctype_alpha('a'), preg_match('/\\\\d/', '1'), json_encode([1]), iconv('UTF-8', 'ASCII', 'a')]"
    ).value == [*(True, 1, "[1]", "a")]


def test_output_and_warnings(sandbox: Sandbox) -> None:
    execution = run(
        sandbox,
        "ob_start(fn($s) => strtoupper($s)); function f() { echo stream_get_contents(STDIN); return $nothing; }",
        stdin="abc",
    )
    assert (execution.ending, execution.value, execution.stdout) == ("returned", None, "ABC")
    assert "Undefined variable $nothing" in execution.stderr


def test_a_script(sandbox: Sandbox) -> None:
    execution = run(sandbox, "\n<?php echo __LINE__; ?>\nend", "")
    assert (execution.ending, execution.value, execution.stdout) == ("returned", None, "\n2end")


@pytest.mark.parametrize(
    "payload", [1.5, {}, {"float": "00"}, {"float": "zz" * 8}, {"bytes": 1}, {"array": [[1]]}, {"array": [[True, 1]]}]
)
def test_what_the_harness_never_writes_is_refused(payload: Any) -> None:
    with pytest.raises(ValueError, match=r"not |non-"):
        LANGUAGE.values.decode(payload)


def test_blank_lines_cost_no_more_than_others(sandbox: Sandbox) -> None:
    execution = run(sandbox, "<?php" + "\n" * 300_000 + "function f() { return 1; }", "f()")
    assert execution.value == 1


@pytest.mark.parametrize(
    "name",
    [
        "half a number as result",
        "exit",
        "exit while loading",
        "a second result",
        "the harness by reflection",
        "a function of the harness",
    ],
)
def test_an_attack_ends_as_it_must(name: str, sandbox: Sandbox, tmp_path: Path) -> None:
    check("php", name, sandbox, tmp_path)


def test_a_bare_program_that_names_the_opening_tag_in_a_string_is_run(sandbox: Sandbox) -> None:
    execution = sandbox.run(Run.from_source(language="php", source="function f() { return '<?php'; }\n", call="f()"))
    assert execution.value == "<?php"
