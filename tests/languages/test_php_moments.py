"""The moments of PHP programs: each line in its order, and what variables held before it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.core.language.moments import MOST_VISITS, TOO_LARGE, UNBOUND, LineProbe, Moments
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.corpus.upkeep import list_folders, load
from tests.languages.called import read_calls

FILE = "main.php"
PHP = language("php")
PROGRAMS = [folder for folder in list_folders() if folder.parent.name == "php"]
BEHAVIOURS = read_calls("php_behaviours")
#: Functions ``f`` that do what they do while all that they hold is looked at.
FORMS = read_calls("php_forms")
RUN = """<?php
function f($xs) {
    $best = $run = 0;
    foreach ($xs as $x) {
        if ($x > 3) {
            $run = $run + $x;
        } elseif ($x < 9) {
            $run = 0;
        }
        $best = max($best, $run);
    }
    return $best;
}
"""


def watch(sandbox: Sandbox, source: str, *probes: tuple[int, str], call: str = "", file: str = FILE) -> Execution:
    """Runs a program of one file. A probe is a line, and names with blanks between them."""
    run = Run(language="php", files={file: source}, entry=file, call=call, witnessed="moments")
    return sandbox.run(
        replace(run, probes=tuple(LineProbe(file, line, tuple(names.split())) for line, names in probes))
    )


def see(sandbox: Sandbox, source: str, *probes: tuple[int, str], **options: str) -> Moments:
    execution = watch(sandbox, source, *probes, **options)
    assert execution.trace is not None, (execution.words, execution.message)
    assert execution.trace.moments is not None
    return execution.trace.moments


def test_a_probe_sees_what_a_line_finds(sandbox: Sandbox) -> None:
    moments = see(sandbox, RUN, (10, "run best"), call="f([4, 9, 1, 5, 6, 8, 2])")
    assert moments.list_seen() == [[[4, 0], [13, 4], [0, 13], [5, 13], [11, 13], [19, 13], [0, 19]]]
    assert moments.lines[:12] == (3, 4, 5, 6, 10, 5, 6, 10, 5, 7, 8, 10)
    assert moments.files == (FILE,)
    assert moments.whole


def test_frames_keep_their_numbers(sandbox: Sandbox) -> None:
    source = """<?php
function g($n) {
    while ($n) {
        yield $n;
        $n--;
    }
}
function f() {
    [$a, $b] = [g(1), g(2)];
    $a->current();
    $b->current();
    $b->next();
    $a->next();
    return 1;
}
"""
    moments = see(sandbox, source, call="f()")
    rows = list(zip(moments.frames, moments.lines, strict=True))
    assert rows == [
        *[(0, 9), (0, 10), (1, 3), (1, 4), (0, 11), (2, 3), (2, 4), (0, 12), (2, 5), (2, 4), (0, 13), (1, 5), (0, 14)]
    ]


def test_each_call_of_a_function_has_a_frame_of_its_own(sandbox: Sandbox) -> None:
    source = "<?php function f($n) { return $n && f($n - 1); }\nf(2);\n$g = fn($n) => $n;\n$g(0);\n$g(1);\n"
    moments = see(sandbox, source)
    assert list(zip(moments.frames, moments.lines, strict=True)) == [
        *[(0, 2), (1, 1), (2, 1), (3, 1), (0, 3), (0, 4), (4, 3), (0, 5), (5, 3)]
    ]


def test_fibers_keep_their_frames(sandbox: Sandbox) -> None:
    source = """<?php
function work($n) {
    $n++;
    Fiber::suspend();
    return $n;
}
$a = new Fiber('work');
$b = new Fiber('work');
$a->start(1);
$b->start(5);
$a->resume();
$b->resume();
"""
    moments = see(sandbox, source, (5, "n"))
    assert [frame for frame, line in zip(moments.frames, moments.lines, strict=True) if line == 5] == [1, 2]
    assert moments.list_seen() == [[[2], [6]]]


def test_declarations_are_no_lines(sandbox: Sandbox) -> None:
    source = (
        "<?php\nnamespace A;\nuse B\\C;\nconst D = 1;\nclass E {\n    const F = 2;\n}\nfunction g() {}\necho E::F;\n"
    )
    assert see(sandbox, source).lines == (4, 9)


def test_what_a_page_prints_is_a_line(sandbox: Sandbox) -> None:
    source = "<?php\nfunction f($x) { ?>\n<b><?= $x ?></b>\n<?= /* 1 */ $x + 1, g(\n$x); ?>\n<?php }\n"
    source += "function g($x) {\nreturn fn() => <<<T\n$x\nT;\n}\nf(2);\n?><?= g(3)() ?>\n"
    source = source.replace("g(\n$x);", "g(\n$x)();")
    execution = watch(sandbox, source, (3, "x"), (4, "x"))
    assert execution.stdout == "<b>2</b>\n323"
    assert execution.trace is not None
    assert execution.trace.moments is not None
    assert execution.trace.moments.lines == (12, 3, 4, 8, 8, 13, 8, 8)
    assert execution.trace.moments.list_seen() == [[[2]], [[2]]]


def test_one_variable_under_two_names_is_one(sandbox: Sandbox) -> None:
    source = """<?php
function f() {
    $a = [1];
    $b = $a;
    $c = &$a;
    $d = new ArrayObject;
    $e = $d;
    $g = clone $d;
    return 1;
}
"""
    [[visit]] = see(sandbox, source, (9, "a b c d e g h"), call="f()").visits
    assert visit.same == (0, 1, 0, 3, 3, 5, 6)
    assert visit.values == (0, 0, 0, TOO_LARGE, TOO_LARGE, TOO_LARGE, UNBOUND)


PLAIN = {
    "[1, 'a', null, true]": [1, "a", None, True],
    "['a' => 1, 'b' => ['c' => []]]": {"array": [["a", 1], ["b", {"array": [["c", []]]}]]},
    "[2 => 1]": {"array": [[2, 1]]},
    "2.0": {"float": "4000000000000000"},
    "PHP_INT_MIN": -(2**63),
    "''": "",
    "'é'": "é",
    '"\\xff"': {"bytes": "ff"},
    "null": None,
}


@pytest.mark.parametrize("value", PLAIN)
def test_plain_data_is_written(value: str, sandbox: Sandbox) -> None:
    source = f"<?php function f() {{\n    $v = {value};\n    return 1;\n}}\n"
    assert see(sandbox, source, (3, "v"), call="f()").list_seen() == [[[PLAIN[value]]]]


@pytest.mark.parametrize(
    "value",
    [
        *["array_fill(0, 3000, 0)", "str_repeat('x', 2001)", "fn() => 1", "$a", "new Odd", "[new Odd]"],
        *["fopen('php://memory', 'r')", "Suit::A", "(function () { yield 1; })()", "[[[$a]]]"],
    ],
)
def test_a_value_that_is_huge_cyclic_foreign_or_runs_code_is_marked(value: str, sandbox: Sandbox) -> None:
    source = f"""<?php enum Suit {{ case A; }}
class Odd implements JsonSerializable, Countable {{
    function __toString() {{ throw new Exception('it ran'); }}
    function jsonSerialize(): mixed {{ throw new Exception('it ran'); }}
    function count(): int {{ throw new Exception('it ran'); }}
}}
function f() {{
    $a = [];
    $a[] = &$a;
    $v = {value};
    return 1;
}}
"""
    execution = watch(sandbox, source, (11, "v"), call="f()")
    assert execution.value == 1
    assert execution.trace is not None
    assert execution.trace.moments is not None
    [[visit]] = execution.trace.moments.visits
    assert visit.values == (TOO_LARGE,)


def test_all_values_together_are_limited(sandbox: Sandbox) -> None:
    source = """<?php function f() {
    for ($i = 0; $i < 300; $i++) {
        $v = array_fill(0, 450, 100 + $i);
        $v[0] = 1;
    }
}
"""
    [seen] = see(sandbox, source, (4, "v"), call="f()").visits
    assert len(seen) == MOST_VISITS
    assert seen[0].values == (0,)
    assert seen[-1].values == (TOO_LARGE,)


def read_exceptions() -> list[tuple[str, str, int | None]]:
    """Programs, each with its call and the line that its exception comes from."""
    text = Path(__file__).with_name("calls").joinpath("php_exceptions.txt").read_text("utf-8")
    cases = []
    for part in text.removeprefix("=== ").split("\n=== "):
        heading, _, source = part.partition("\n")
        call, _, place = heading.rpartition(" ")
        cases.append((source, "" if call == "a script" else call, None if place == "unknown" else int(place)))
    return cases


@pytest.mark.parametrize(("source", "call", "place"), read_exceptions())
def test_an_exception_comes_from_a_line(source: str, call: str, place: int | None, sandbox: Sandbox) -> None:
    expected = None if place is None else (FILE, place)
    assert watch(sandbox, f"<?php\n{source}\n", call=call).raised_at == expected


def test_an_exception_comes_from_another_file(sandbox: Sandbox) -> None:
    files = {
        FILE: "<?php\nrequire 'lib.php';\nk(0);\n",
        "lib.php": "<?php\nfunction k($n) {\n    return 1 % $n;\n}\n",
    }
    run = Run(language="php", files=files, entry=FILE, witnessed="moments")
    assert sandbox.run(run).raised_at == ("lib.php", 3)
    files = {FILE: "<?php\nrequire 'lib.php';\n", "lib.php": "<?php\n$a = 0;\n$b = 1 % $a;\n"}
    assert sandbox.run(replace(run, files=files)).raised_at == ("lib.php", 3)


def test_a_file_that_is_loaded_again_has_another_frame(sandbox: Sandbox) -> None:
    files = {
        FILE: "<?php\n$a = include 'lib.php';\n$b = include 'lib.php';\n",
        "lib.php": "<?php\n$n = 1;\nreturn $n;\n",
    }
    run = Run(language="php", files=files, entry=FILE, witnessed="moments")
    execution = sandbox.run(run)
    assert execution.trace is not None
    assert execution.trace.moments is not None
    assert execution.trace.moments.frames == (0, 1, 1, 0, 2, 2)
    own = {FILE: "<?php\nif (!isset($n)) {\n    $n = 1;\n    include __FILE__;\n}\necho $n;\n"}
    execution = sandbox.run(replace(run, files=own))
    assert execution.trace is not None
    assert execution.trace.moments is not None
    assert not execution.trace.moments.whole


@pytest.mark.parametrize("body", ["$n += 1;\n        $n -= 1;", "$n = g(\n            $i);"])
def test_a_long_run_is_not_whole(body: str, sandbox: Sandbox) -> None:
    source = f"""<?php function g($i) {{
    return $i;
}}
function f() {{
    $n = 0;
    for ($i = 0; $i < 60_000; $i++) {{
        {body}
    }}
}}
"""
    long = see(sandbox, source, call="f()")
    assert (long.whole, long.lines) == (False, ())


@pytest.mark.slow
def test_a_run_without_end_is_stopped(sandbox: Sandbox) -> None:
    run = Run(language="php", files={FILE: "<?php while (true) $n = 1;"}, entry=FILE, witnessed="moments")
    assert sandbox.run(replace(run, limits=Limits(cpu_s=1, wall_s=5))).ending == "limit"


@pytest.mark.parametrize(
    "source",
    ["eval('1;');", "function f($x) { $$x = 1; }", "extract(['a' => 1]);", "use function get_defined_vars as g; g();"],
)
def test_a_program_that_reaches_variables_by_their_names_has_no_moments(source: str, sandbox: Sandbox) -> None:
    execution = watch(sandbox, f"<?php {source}")
    assert (execution.ending, execution.message) == ("tampered", "the program reaches variables by their names")


def test_methods_of_such_names_are_harmless(sandbox: Sandbox) -> None:
    source = '<?php class A { function extract() { return 1; } }\n$a = new A;\n$b = $a->extract();\necho "${b}";\n'
    assert see(sandbox, source).lines == (2, 3, 1, 4)


@pytest.mark.parametrize("name", FORMS)
def test_a_program_does_what_it_does_without_a_trace(name: str, sandbox: Sandbox) -> None:
    plain = Run(language="php", files={FILE: f"<?php\n{FORMS[name][0]}"}, entry=FILE, call="f()")
    ended = sandbox.run(plain)
    assert ended.returned, ended.words
    lines = range(1, FORMS[name][0].count("\n") + 2)
    probes = tuple(LineProbe(FILE, line, ("n", "a", "b", "x", "s", "i")) for line in lines)
    for each in ((), probes):
        traced = sandbox.run(replace(plain, witnessed="moments", probes=each))
        assert traced.trace is not None, traced.words
        assert traced.ends_as(ended, equal)
        assert (traced.stdout, traced.stderr) == (ended.stdout, ended.stderr)


@pytest.mark.parametrize("name", [name for name in BEHAVIOURS if name != "variables"])
def test_a_program_notices_nothing(name: str, sandbox: Sandbox) -> None:
    source = f"<?php\n{BEHAVIOURS[name][0]}"
    plain = Run(language="php", files={FILE: source}, entry=FILE)
    ended, traced = sandbox.run(plain), sandbox.run(replace(plain, witnessed="moments"))
    assert traced.trace is not None, (traced.words, traced.message)
    assert (traced.stdout, traced.stderr, traced.ending) == (ended.stdout, ended.stderr, ended.ending)


@pytest.mark.slow
@pytest.mark.parametrize("folder", PROGRAMS, ids=[folder.name for folder in PROGRAMS])
def test_the_shipped_programs_do_the_same_with_probes_at_every_line(folder: Path, sandbox: Sandbox) -> None:
    program = load(folder)
    plain = Run.from_program(program)
    ended = sandbox.run(plain)
    code = {path: PHP.syntax.parse(text, "") for path, text in program.files.items()}
    probes = [
        LineProbe(
            path, line, tuple(sorted({each.name for each in code[path].bindings if each.kind == "variable"})[:12])
        )
        for path, text in program.files.items()
        for line in range(1, text.count("\n") + 2)
    ]
    for each in ((), tuple(probes)):
        traced = sandbox.run(replace(plain, witnessed="moments", probes=each))
        assert traced.trace is not None, traced.words
        assert traced.ends_as(ended, equal)
        assert (traced.stdout, traced.stderr) == (ended.stdout, ended.stderr)


def equal(one: Any, other: Any) -> bool:
    return PHP.values.equal(one, other)
