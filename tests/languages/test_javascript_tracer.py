"""JavaScript's tracer: the edges are those that a reader finds, and the program does what it does untraced."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings

from pytest_codereason.core import Program
from pytest_codereason.core.execution import Run
from pytest_codereason.core.language.tracing import Trace, Witnessed
from pytest_codereason.languages.javascript.bodies import list_functions
from pytest_codereason.languages.javascript.syntax.tree import parse_source
from pytest_codereason.languages.javascript.tracer import JavaScriptTracer
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.strategies import programs
from tests.examples import mostly_slow
from tests.languages.called import read_calls, run_program, share_kinds, trace_program
from tests.languages.javascript_programs import needs_node

pytestmark = needs_node

#: What the event loop calls is called by no function. In the file its caller is ``loop``.
LOOP = "main.loop"
CALLS = read_calls("javascript")
#: Programs that print whatever an instrumented program could do otherwise.
BEHAVIOURS = read_calls("javascript_behaviours")


run = partial(run_program, "javascript")
trace = partial(trace_program, "javascript")


@pytest.mark.parametrize(("name", "witnessed"), share_kinds(CALLS))
def test_edges_are_those_that_a_reader_finds(name: str, witnessed: Witnessed, sandbox: Sandbox) -> None:
    source, edges = CALLS[name]
    execution = run(sandbox, source, witnessed)
    assert execution.trace is not None, (execution.words, execution.message, execution.stderr)
    assert execution.returned, (execution.error, execution.message)
    assert execution.trace.edges == {caller: callees for caller, callees in edges.items() if caller != LOOP}


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, int]]:
    """How often V8's coverage saw each function of the programs run, by its name in a trace."""
    folder = tmp_path_factory.mktemp("coverage")
    for number, (source, _) in enumerate(CALLS.values()):
        (folder / f"{number}.js").write_text(source)
    command = ["node", str(Path(__file__).with_name("coverage.js")), str(folder)]
    output = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    coverage = json.loads(output)
    return {
        name: match_functions(source, coverage[f"{number}.js"])
        for number, (name, (source, _)) in enumerate(CALLS.items())
    }


def match_functions(source: str, functions: list[tuple[str, int, int, int]]) -> dict[str, int]:
    """The counts of functions by name. V8 may let a function begin at its name or its parameters."""
    tree = parse_source(source)
    assert source.isascii()
    ends: dict[int, list[tuple[int, str]]] = {}
    for node, name in list_functions(tree, "main"):
        body = node.child_by_field_name("body")
        assert body is not None
        closing = body.children[-2] if body.children and body.children[-1].type == "comment" else body
        ends.setdefault(closing.end_byte, []).append((node.start_byte, name))
    counts: Counter[str] = Counter()
    for called, start, end, count in functions:
        if called.endswith("_initializer>") or (start == 0 and not called):  # fields, static blocks, the file
            continue
        _, name = min(ends[end], key=lambda pair: abs(pair[0] - start))
        counts[name] += count
    return dict(counts)


@pytest.mark.parametrize("name", CALLS)
def test_coverage_confirms_who_ran(name: str, counted: dict[str, dict[str, int]]) -> None:
    _, edges = CALLS[name]
    callees = {callee for callees in edges.values() for callee in callees}
    ran = {function for function, count in counted[name].items() if count}
    assert callees <= ran
    assert name.startswith("unasked") or ran <= callees
    assert {caller for caller in edges if caller not in ("main", LOOP)} <= ran


def test_lines_are_counted(sandbox: Sandbox) -> None:
    source = """\
function f(n) {
  if (n)
    return 1;
  else if (n === null) return 3;
  return [1, 2].map(
    (x) => x + n,
  );
}

for (
  let n = 0;
  n < 3;
  n++
)
  f(n);
do f(1); while (false)
"""
    counts = {2: 4, 3: 3, 4: 1, 5: 1, 6: 2, 10: 1, 15: 3, 16: 1}
    assert trace(sandbox, source, "lines").lines == {"main.js": counts}
    assert trace(sandbox, source).lines == {}


def test_a_call_is_made_by_the_entry(sandbox: Sandbox) -> None:
    source = "function f(g) { return g(1); }\nconst h = (x) => x;\n"
    assert trace(sandbox, source, call="f((x) => h(x))").edges == {"main": ["main.f", "main.h"]}
    assert run(sandbox, source, call="f((x) => h(x))").value == 1


MODULES = {
    "CommonJS": {
        "main.js": "const { a } = require('./lib');\nconst b = require('./lib/sub/b');\na(); b.run();\n"
        "try { require('./bad'); } catch { late(); }\nfunction late() {}\n",
        "lib/index.js": "exports.a = () => {};\n",
        "lib/sub/b.js": "const c = require('./c.cjs');\nif (c) exports.run = () => c.helper();\nelse return;\n",
        "lib/sub/c.cjs": "exports.helper = function () { return require('../../main'); };\n",
        "bad.js": "function f() { throw 1; }\nf();\n",
        "notes.txt": "function f(",
    },
    "ES modules": {
        "main.js": "import { a } from './lib/index.js';\nimport run, { Late } from './lib/sub/b.mjs';\na(); run();\n"
        "await null; late();\nconst { default: d } = await import('./d.js');\nd(); new Late();\nfunction late() {}\n",
        "lib/index.js": "export const a = () => {};\n",
        "lib/sub/b.mjs": "import c from './c.cjs';\nexport default () => c.helper();\n"
        "export class Late { constructor() {} }\n",
        "lib/sub/c.cjs": "exports.helper = function () {};\n",
        "d.js": "export default function () {}\nlate();\nasync function late() { await null; last(); }\n"
        "function last() {}\n",
    },
}
LINKS = {
    "CommonJS": {
        "bad": ["bad.f"],
        "lib.sub.b.run": ["lib.sub.c.helper"],
        "main": ["lib.index.a", "lib.sub.b.run", "main.late"],
    },
    "ES modules": {
        "d": ["d.late"],
        "d.late": ["d.last"],
        "lib.sub.b.default": ["lib.sub.c.helper"],
        "main": ["d.default", "lib.index.a", "lib.sub.b.Late.constructor", "lib.sub.b.default", "main.late"],
    },
}


@pytest.mark.parametrize("witnessed", ["calls", "lines"])
@pytest.mark.parametrize("name", MODULES)
def test_files_are_named_by_their_paths(name: str, witnessed: Witnessed, sandbox: Sandbox) -> None:
    job = Run(language="javascript", files=MODULES[name], entry="main.js", witnessed=witnessed)
    execution = sandbox.run(job)
    assert execution.trace is not None, (execution.words, execution.stderr)
    assert execution.trace.edges == LINKS[name]


def test_a_module_evaluates_a_call(sandbox: Sandbox) -> None:
    source = (
        "export const f = (x) => g(x);\nconst g = async (x) => { await null; return h(x); };\nconst h = (x) => x;\n"
    )
    execution = run(sandbox, source, call="f(3)")
    assert (execution.value, execution.trace) == (
        3,
        Trace({"main": ["main.f"], "main.f": ["main.g"], "main.g": ["main.h"]}),
    )


@pytest.mark.parametrize(
    "source",
    [
        "eval('codereason' + '$enter(2)'); function f() {}",
        "eval('codereason' + '$now = 7');",
        'require(\'fs\').writeSync(3, \'{"value":null,"trace":{"edges":[["main","main.x"]]}}\\n\');'
        "process.reallyExit(0);",
        "process.exit(0);",
    ],
)
def test_a_program_that_disturbs_its_trace_has_none(source: str, sandbox: Sandbox) -> None:
    execution = run(sandbox, source)
    assert (execution.ending, execution.trace) == ("tampered", None)


@pytest.mark.parametrize("witnessed", ["calls", "lines"])
@pytest.mark.parametrize("name", mostly_slow(BEHAVIOURS, 3))
def test_a_program_does_what_it_does_untraced(name: str, witnessed: Witnessed, sandbox: Sandbox) -> None:
    plain, traced = (run(sandbox, BEHAVIOURS[name][0], kind) for kind in ("", witnessed))
    assert traced.trace is not None, (traced.words, traced.stderr)
    for field in ("ending", "value", "error", "message", "stdout"):
        assert getattr(traced, field) == getattr(plain, field)
    assert plain.stdout or plain.error


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(program=programs(["javascript"]))
def test_traced_programs_return_what_they_return_untraced(program: Program, sandbox: Sandbox) -> None:
    plain = Run.from_program(program)
    for witnessed in ("calls", "lines"):
        traced = sandbox.run(replace(plain, witnessed=witnessed))
        assert traced.value == program.facts.output
        assert traced.trace


@pytest.mark.slow
def test_deep_and_long_programs_are_written_into_soon() -> None:
    sources = [f"const f = () => {'+'.join(['a'] * 10_000)};", "x => " * 1_000 + "1"]
    start = process_time()
    harnesses = [JavaScriptTracer().harness({"a.js": source}, "a.js", "", "lines") for source in sources]
    assert [len(json.loads(harness.files["trace"])["names"]) for harness in harnesses] == [2, 1_001]
    assert process_time() - start < 5  # quadratic time would be 20 seconds


def test_names_of_the_witness_are_free_for_a_program(sandbox: Sandbox) -> None:
    source = "var codereason$enter = 1, codereason$$p = 2;\nfunction f(codereason$p) { return codereason$p; }\n"
    execution = run(sandbox, source, call="f(codereason$enter) + codereason$$p")
    assert (execution.value, execution.trace) == (3, Trace({"main": ["main.f"]}))


def test_a_program_that_raises_has_the_trace_of_what_it_did(sandbox: Sandbox) -> None:
    execution = run(sandbox, "function f() { throw new RangeError('x'); }\nfunction g() {}\nf(); g();\n")
    assert (execution.error, execution.message, execution.trace) == ("RangeError", "x", Trace({"main": ["main.f"]}))


def test_a_program_that_the_parser_cannot_read_has_no_trace(sandbox: Sandbox) -> None:
    assert run(sandbox, "function f( {").ending == "rejected"
    markup = run(sandbox, "const a = 1, b = 2;\nif (a <!--b\n) {}\n;")
    assert (markup.trace, markup.returned) == (None, False)
