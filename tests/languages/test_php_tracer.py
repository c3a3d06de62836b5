"""PHP's tracer: the edges are those that a reader finds, and the program does what it does untraced."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from pytest_codereason.core import Program
from pytest_codereason.core.execution import Limits, Run
from pytest_codereason.core.language.tracing import Trace, Witnessed
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.corpus.upkeep import list_folders, load
from tests.examples import mostly_slow
from tests.languages.called import read_calls, run_program, share_kinds, trace_program

CALLS = read_calls("php")
#: Programs that print whatever a program with other text could do otherwise.
BEHAVIOURS = read_calls("php_behaviours")
PROGRAMS = [folder for folder in list_folders() if folder.parent.name == "php"]

run = partial(run_program, "php")
trace = partial(trace_program, "php")


@pytest.mark.parametrize(("name", "witnessed"), share_kinds(CALLS))
def test_edges_are_those_that_a_reader_finds(name: str, witnessed: Witnessed, sandbox: Sandbox) -> None:
    source, edges = CALLS[name]
    execution = run(sandbox, f"<?php\n{source}", witnessed)
    assert execution.trace is not None, (execution.words, execution.message, execution.stderr)
    assert execution.returned, (execution.error, execution.message)
    assert execution.trace.edges == {caller: callees for caller, callees in edges.items() if callees}


def test_lines_are_counted(sandbox: Sandbox) -> None:
    source = """<?php
function f($n) {
    if ($n)
        return 1;
    elseif ($n === null) return 3;
    else if ($n === false) {
        return 4;
    }
    return array_map(
        fn($x) => $x + $n,
        [1, 2],
    );
}

for (
    $n = 0;
    $n < 3;
    $n++
)
    f($n);
do f(1); while (false);
switch ($n) {
    case 3: f(0);
        break;
}
"""
    counts = {3: 5, 4: 3, 5: 2, 6: 2, 9: 2, 10: 4, 15: 1, 20: 3, 21: 1, 22: 1, 23: 1, 24: 1}
    assert trace(sandbox, source, "lines").lines == {"main.php": counts}
    assert trace(sandbox, source).lines == {}


def test_a_call_is_made_by_the_entry(sandbox: Sandbox) -> None:
    source = "function f($g) { return $g(1); }\nfunction h($x) { return $x; }\n"
    assert trace(sandbox, source, call="f(fn($x) => h($x))").edges == {"main": ["main.f", "main.h"]}
    assert run(sandbox, source, call="f(fn($x) => h($x))").value == 1


def test_a_program_of_several_files(sandbox: Sandbox) -> None:
    files = {
        "main.php": "<?php\nrequire 'lib/a.php';\nrequire_once __DIR__ . '/lib/../lib/b.php';\n"
        "require_once 'lib/b.php';\na(); $c = include './lib/sub/c.php'; $c();\n@include 'none.php';\n",
        "lib/a.php": "<?php\nrequire_once 'b.php';\nfunction a() { return b(); }\n",
        "lib/b.php": "<?php\nfunction b() { return basename(__FILE__) . __LINE__; }\necho b();\n",
        "lib/sub/c.php": "<?php\nreturn function () { return b(); };\n",
        "lib/text.txt": "<?php none(",
    }
    plain = sandbox.run(Run(language="php", files=files, entry="main.php"))
    traced = sandbox.run(Run(language="php", files=files, entry="main.php", witnessed="lines"))
    assert traced.trace is not None, traced.words
    assert (traced.stdout, traced.stderr, traced.ending) == (plain.stdout, plain.stderr, plain.ending)
    assert plain.stdout == "b.php2"
    assert traced.trace.edges == {
        "lib.a.a": ["lib.b.b"],
        "lib.b": ["lib.b.b"],
        "lib.sub.c.<closure1>": ["lib.b.b"],
        "main": ["lib.a.a", "lib.sub.c.<closure1>"],
    }
    assert traced.trace.lines["lib/b.php"] == {2: 3, 3: 1}


@pytest.mark.parametrize("witnessed", ["calls", "lines"])
@pytest.mark.parametrize("name", mostly_slow(BEHAVIOURS, 3))
def test_a_program_does_what_it_does_without_a_trace(name: str, witnessed: Witnessed, sandbox: Sandbox) -> None:
    source = f"<?php\n{BEHAVIOURS[name][0]}"
    plain, traced = run(sandbox, source, ""), run(sandbox, source, witnessed)
    assert plain.returned, plain.message
    assert (traced.ending, traced.message, traced.stdout, traced.stderr) == (
        plain.ending,
        plain.message,
        plain.stdout,
        plain.stderr,
    )
    assert traced.trace is not None


REFUSED = {
    "declare(ticks=1); register_tick_function('f'); function f() {}": "the program counts ticks",
    "$f = fn&(&$x) => $x;": "an arrow function of the program gives a reference",
    "assert(array_map(fn($x) => $x, []) === []);": (
        "an assertion of the program holds a function, and its message would show it"
    ),
    "eval('eval(1);');": "the program evaluates a text that loads another",
    "if (!isset($again)) { $again = 1; file_put_contents(__FILE__, ''); include __FILE__; }": (
        "the program changes its own files"
    ),
    "include 'data:text/plain,<?php';": "the program loads code from a stream",
    "echo __COMPILER_HALT_OFFSET__; __halt_compiler();": "the program has data behind its code",
    "stream_wrapper_restore('file');": "the program uses stream_wrapper_restore",
}


@pytest.mark.parametrize("source", REFUSED)
def test_what_cannot_be_traced_is_said(source: str, sandbox: Sandbox) -> None:
    execution = run(sandbox, f"<?php {source}")
    assert (execution.ending, execution.message) == ("tampered", REFUSED[source])


def test_what_is_no_program_is_rejected(sandbox: Sandbox) -> None:
    for source in ("<?php f(", "<?php function f() {} function f() {}"):
        assert run(sandbox, source).ending == run(sandbox, source, "").ending == "rejected"


@pytest.mark.slow
def test_limits_hold_under_trace(sandbox: Sandbox) -> None:
    for source in ("while (true) f(); function f() {}", "$x = ''; while (true) $x .= str_repeat('a', 1000000);"):
        run = Run(
            language="php",
            files={"main.php": f"<?php {source}"},
            entry="main.php",
            witnessed="lines",
            limits=Limits(cpu_s=1, wall_s=5, memory_mb=256),
        )
        assert sandbox.run(run).ending == "limit"


def test_a_deep_recursion_is_traced(sandbox: Sandbox) -> None:
    source = (
        "<?php function f($n) { return $n ? 1 + f($n - 1) : 0; }\n$g = fn($n) => $n ? $g($n - 1) : 0; echo f(20000);"
    )
    assert trace(sandbox, source, "lines").edges == {"main": ["main.f"], "main.f": ["main.f"]}


@pytest.mark.slow
@pytest.mark.parametrize("folder", PROGRAMS, ids=[folder.name for folder in PROGRAMS])
def test_the_shipped_programs_do_the_same_under_trace(folder: Path, sandbox: Sandbox) -> None:
    program: Program = load(folder)
    plain = sandbox.run(Run.from_program(program))
    for witnessed in ("calls", "lines"):
        traced = sandbox.run(
            Run(language="php", files=program.files, entry=program.entry, call=program.call, witnessed=witnessed)
        )
        assert traced.trace is not None, traced.words
        assert traced.ends_as(plain, language("php").values.equal)
        assert (traced.stdout, traced.stderr) == (plain.stdout, plain.stderr)


def test_a_trace_names_bodies(sandbox: Sandbox) -> None:
    files = {"main.php": "<?php\nclass A {\n    abstract function n();\n    function f() { return fn() => 1; }\n}\n"}
    bodies = language("php").tracer.list_bodies(files, "main.php")
    assert [(body.name, body.line, body.callable) for body in bodies] == [
        ("main", 1, False),
        ("main.A.f", 4, True),
        ("main.A.f.<closure1>", 4, True),
    ]
    assert isinstance(trace(sandbox, "<?php"), Trace)
