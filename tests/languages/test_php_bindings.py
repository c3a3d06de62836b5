from __future__ import annotations

import re
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core.language.structure import Binding, Span
from pytest_codereason.languages.php import PHP
from tests.languages.renaming import list_renamed_uses

LANGUAGE = PHP()


def bound(source: str, call: str = "") -> dict[str, Binding]:
    """The bindings by function and name: ``f:x``; a function ``f`` or class ``A`` by its name alone."""
    bindings = LANGUAGE.syntax.parse(source, call).bindings
    return {
        b.name if b.kind in ("function", "class", "import", "label") else f"{b.function}:{b.name}": b for b in bindings
    }


def replaced(text: str, changes: list[tuple[Span, str]]) -> str:
    for span, words in sorted(changes, reverse=True):
        text = text[: span.start] + words + text[span.end :]
    return text


def rename_all(source: str) -> str:
    """``source`` with ``_1`` behind the name of every safe binding."""
    changes = [
        c for b in LANGUAGE.syntax.parse(source).bindings if not b.unsafe for c in list_renamed_uses(b, f"{b.name}_1")
    ]
    return replaced(source, changes)


def output(source: str) -> str:
    process = subprocess.run(["php", "-n"], input=source.encode(), capture_output=True, timeout=60, check=False)
    return process.stdout.decode()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("function f($x) { return $x; }", "function f_1($x_1) { return $x_1; }"),
        ("function f() {} F();", "function f_1() {} f_1();"),
        ("$a = 1; function f() { $a = 2; }", "$a_1 = 1; function f_1() { $a_1 = 2; }"),
        ('$x = 1; echo "$x {$x} ${x} $x[0] \\$x";', '$x_1 = 1; echo "$x_1 {$x_1} ${x_1} $x_1[0] \\$x";'),
        ("$x = 1; echo <<<A\n$x\nA;", "$x_1 = 1; echo <<<A\n$x_1\nA;"),
        ("$x = 1; echo <<<'A'\n$x\nA;", "$x_1 = 1; echo <<<'A'\n$x\nA;"),
        ("[$a, [$b]] = $c; list('k' => $d) = $c;", "[$a_1, [$b_1]] = $c_1; list('k' => $d_1) = $c_1;"),
        ("foreach ($a as $k => &$v) {}", "foreach ($a_1 as $k_1 => &$v_1) {}"),
        ("try {} catch (E $e) { echo $e; }", "try {} catch (E $e_1) { echo $e_1; }"),
        ("function f($x) {} f(x: $x);", "function f_1($x_1) {} f_1(x_1: $x_1);"),
        ("class A { public $x; function m($x) { $this->x = $x; A::$y; } }", None),
        (
            "use B\\C; use D as E; new C; new E\\F; C::g();",
            "use B\\C as C_1; use D as E_1; new C_1; new E_1\\F; C_1::g();",
        ),
        ("use function B\\c; c(); use B\\{D, E as F}; new D; new F;", None),
        ("$GLOBALS['x'] = 1; echo $x;", "$GLOBALS['x_1'] = 1; echo $x_1;"),
        ("end: echo 1; goto end;", "end_1: echo 1; goto end_1;"),
        ("\\f(); function f() {} new \\A; class A {}", "\\f_1(); function f_1() {} new \\A_1; class A_1 {}"),
    ],
)
def test_renames_every_use(source: str, expected: str | None) -> None:
    new = rename_all(source)
    assert LANGUAGE.syntax.check(new) == ""
    if expected is not None:
        assert new == expected


def test_members_are_left_alone() -> None:
    source = (
        "class A { public $x; static $y; const Z = 1; function m($x) { $this->x = $x; A::$y; A::Z; $this->m(1); } }"
    )
    assert rename_all(source) == source.replace("class A", "class A_1").replace("A::", "A_1::").replace(
        "m($x)", "m($x_1)"
    ).replace("= $x;", "= $x_1;")


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("function f($x) { return fn($y) => $x + $y; }", {"f:x", "f:y", "f"}),
        ("function f($x) { return function ($y) use ($x) { return $x; }; }", {"f:x", "f:y", "f"}),
        ("function f() { $g = function () { $x = 1; }; $x = 2; }", {"f:g", "f.g:x", "f:x", "f"}),
        ("$x = 1; function f() { global $x; return $x; }", {":x", "f"}),
        ("$x = fn() => fn() => $x;", {":x"}),
        ("function f() { $x = 1; $g = fn($x) => $x; }", {"f:x", "f:g", "f.g:x", "f"}),
    ],
)
def test_closures_and_globals_share_what_they_capture(source: str, names: set[str]) -> None:
    assert set(bound(source)) == names
    uses = [use for binding in bound(source).values() for use in binding.uses]
    assert len(uses) == len(re.findall(r"\$\w|\bf\b", source))


@pytest.mark.parametrize(
    ("source", "name", "reason"),
    [
        ("function f($x) { return $$x; }", "f:x", "worked out"),
        ("function f($x) { return ${'x'}; }", "f:x", "worked out"),
        ("function f($x) { return compact('x'); }", "f:x", "compact"),
        ("function f($x) { return compact(['x']); }", "f:x", "compact"),
        ("function f($x, $n) { return compact($n); }", "f:x", "compact"),
        ("function f($x) { extract($x); }", "f:x", "extract"),
        ("function f($x) { extract($x); return fn() => $y; }", "f:y", "extract"),
        ("function f($x) { return get_defined_vars(); }", "f:x", "get_defined_vars"),
        ("function f($x) { return eval('$x'); }", "f:x", "eval"),
        ("function f($x) { return include 'a.php'; }", "f:x", "included"),
        ("$g = 1; function f() { require 'a.php'; }", ":g", "included"),
        ("$g = 1; function f($n) { return $GLOBALS[$n]; }", ":g", "globals"),
        ("class A { function __construct(public $x) {} }", "A.__construct:x", "property"),
        ("class A { function m($x) {} } $a = new A; $a->m(x: 1);", "A.m:x", "by its name"),
        ("function f($x) {} f(...['x' => 1]);", "f:x", "by its name"),
        ("function f($x) {} array_map('f', []);", "f", "string"),
        ("function f($x) {} array_map('f', []);", "f:x", "handed on"),
        ("function f_a() {} $g = 'f_' . 'a'; $g();", "f_a", "put together"),
        ("function f() { return __FUNCTION__; }", "f", "own name"),
        ("function f() { return debug_backtrace(); }", "f", "calls"),
        ("namespace N; function f() {} \\N\\f();", "f", "qualified"),
        ("class A {} echo A::class;", "A", "asks for its name"),
        ("class A {} var_dump(new A);", "A", "show"),
        ("class A extends B {} class B extends Exception {}", "A", "error"),
        ("class A {} $n = 'A'; new $n;", "A", "string"),
        ("function f($x) {} new ReflectionFunction(f(...));", "f:x", "inspects"),
        ("class A { function m($x) {} } new \\ReflectionClass(new A);", "A.m:x", "inspects"),
    ],
)
def test_says_why_a_name_is_unsafe(source: str, name: str, reason: str) -> None:
    assert reason in bound(source)[name].unsafe


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("function f($x) { return \"{$x['x']}\"; }", "f:x"),
        ("function f($x) {} function g($x) { extract($x); }", "f:x"),
        ("class A { function m($x) {} } strlen(string: 'a');", "A.m:x"),
        ("use A\\B; echo B::class; new B('B');", "B"),
        ("function f($x) { return f(...$x); }", "f:x"),
        ("class A { function m($x) { return 'A\\\\'; } }", "A.m:x"),
    ],
)
def test_leaves_others_safe(source: str, name: str) -> None:
    assert bound(source)[name].unsafe == ""


def test_the_entry_call_is_bound_too() -> None:
    by_name = bound("function f($x, ...$rest) { return $x; }", "F(x: 1)")
    assert [u.in_call for u in by_name["f"].uses] == [False, True]
    assert [u.in_call for u in by_name["f:x"].uses] == [False, False, True]
    assert by_name["f"].uses[-1].span == (0, 1)
    assert "by its name" in bound("function f($x) {}", "f(...['x' => 1])")["f:x"].unsafe


def test_what_php_provides_is_no_binding() -> None:
    assert set(bound("function f() { return [$this, $_GET, $GLOBALS['_POST'], $argv]; }")) == {"f"}


PIECES = [
    *["$a = $a ?? 1;", '$b = "$a ${a}";', "$c = fn($a) => $a . ($b ?? 0);", "[$a, $b] = [$b ?? 2, $a];"],
    *["foreach ([1, 2] as $a => $b) { $c = $a; }", "static $a;", "$d = function ($b) use (&$a) { $a = $b; };"],
    *["unset($b);", "global $a;", "f(a: 3, n: 2);", "try { throw new E($a); } catch (E $b) { echo 'E'; }"],
    *["echo json_encode([$a, $b ?? null]);", "$GLOBALS['a'] = 5;", "if (isset($a, $c)) { echo gettype($c); }"],
    *["echo <<<T\n{$a}\nT;", "f(3, n: $n + 1);", "$n++;"],
]
HEAD = (
    "error_reporting(0);\nclass E extends Exception { function __toString(): string { return 'E'; } }\n"
    "function f($a, $n = 0) {\nstatic $calls = 0;\nif ($n > 2 || ++$calls > 30) return;\n"
)


@given(st.lists(st.sampled_from(PIECES), max_size=8), st.lists(st.sampled_from(PIECES), max_size=6))
def test_spans_of_composed_programs_hold_the_names(body: list[str], rest: list[str]) -> None:
    source = f"{HEAD}{' '.join(body)}\n}}\n{' '.join(rest)}\n"
    code = LANGUAGE.syntax.parse(source)
    for binding in code.bindings:
        assert all(source[u.span.start : u.span.end].lower() == binding.name.lower() for u in binding.uses)
    # Every `$name` is a use of something.
    spans = {use.span.start for b in code.bindings for use in b.uses}
    assert {m.start(1) for m in re.finditer(r"\$\{?([a-dn])\b", source)} <= spans


@pytest.mark.slow
@given(st.lists(st.sampled_from(PIECES), max_size=8), st.lists(st.sampled_from(PIECES), max_size=6))
def test_renamed_programs_print_the_same(body: list[str], rest: list[str]) -> None:
    source = f"<?php {HEAD}{' '.join(body)}\n}}\n{' '.join(rest)}\nf(1);"
    if LANGUAGE.syntax.check(source) == "":
        assert output(rename_all(source)) == output(source)
