"""Python's tracer: the edges are those that a reader finds, and the program does what it does untraced."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from pytest_codereason.core import Program
from pytest_codereason.core.execution import Run
from pytest_codereason.core.language.tracing import Trace, Witnessed
from pytest_codereason.languages.python.tracer import PythonTracer
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.strategies import programs
from tests.examples import examples
from tests.languages.called import read_calls, run_program, share_kinds, trace_program

CALLS = read_calls("python")


run = partial(run_program, "python")
trace = partial(trace_program, "python")


@pytest.mark.parametrize(("name", "witnessed"), share_kinds(CALLS))
def test_edges_are_those_that_a_reader_finds(name: str, witnessed: Witnessed, sandbox: Sandbox) -> None:
    source, edges = CALLS[name]
    assert trace(sandbox, source, witnessed).edges == edges


def test_a_call_is_made_by_the_entry(sandbox: Sandbox) -> None:
    traced = trace(sandbox, "def f(g):\n    return g(1)\ndef h(x): return x\n", call="f(lambda x: h(x))")
    assert traced.edges == {"main": ["main.f", "main.h"]}


def test_modules_are_named_as_they_are_imported(sandbox: Sandbox) -> None:
    files = {
        "main.py": "from pkg import a\nfrom pkg.sub import b\na(); b.run()\n",
        "pkg/__init__.py": "def a(): pass\n",
        "pkg/sub/b.py": "from .c import helper\ndef run(): helper()\n",
        "pkg/sub/c.py": "helper = lambda: 1\n",
        "notes.txt": "def f(",
    }
    execution = sandbox.run(Run(language="python", files=files, entry="main.py", witnessed="calls"))
    assert execution.trace == Trace({"main": ["pkg.a", "pkg.sub.b.run"], "pkg.sub.b.run": ["pkg.sub.c.<lambda1>"]})


def test_lines_are_counted(sandbox: Sandbox) -> None:
    source = "def f(n):\n    if n:\n        return 1\n    return 2\n\nfor n in (0, 1, 2):\n    f(n)\n"
    assert trace(sandbox, source, "lines").lines == {"main.py": {1: 1, 2: 3, 3: 2, 4: 1, 6: 4, 7: 3}}
    assert trace(sandbox, source).lines == {}


def test_lambdas_are_numbered_where_their_bodies_begin() -> None:
    source = (
        "f = lambda g=(lambda: 1): [lambda: 2 for _ in g]\ndef h(x=lambda: 3): pass\nclass A:\n    m = lambda s: s\n"
    )
    names = [body.name for body in PythonTracer().list_bodies({"main.py": source}, "main.py")]
    assert names == [
        *("main", "main.<lambda1>", "main.<lambda2>", "main.<lambda2>.<lambda1>"),
        *("main.<lambda3>", "main.h", "main.A.<lambda1>"),
    ]


OWN_TRACERS = [
    "import cProfile\ndef f(): pass\np = cProfile.Profile()\np.enable(); f(); p.disable()\n",
    "import sys\ndef f(): pass\nsys.settrace(lambda *_: None); f(); sys.settrace(None)\n",
]


@pytest.mark.parametrize(
    "source",
    [
        *(OWN_TRACERS if sys.version_info < (3, 12) else []),  # later versions keep tracers apart
        "def f(n):\n    try: f(n + 1)\n    except RecursionError: g()\ndef g(): pass\nf(0)\n",
        'import os\nos.write(3, b\'{"value":null,"trace":{"edges":[["main","main.x"]]}}\\n\')\nos._exit(0)\n',
    ],
)
def test_a_program_that_disturbs_its_trace_has_none(source: str, sandbox: Sandbox) -> None:
    assert run(sandbox, source, "").returned or "os.write" in source
    execution = run(sandbox, source)
    assert (execution.ending, execution.trace) == ("tampered", None)


@pytest.mark.parametrize("ending", ["import sys; sys.setprofile(None)", "import threading; threading.setprofile(None)"])
def test_a_program_cannot_end_its_trace(ending: str, sandbox: Sandbox) -> None:
    assert trace(sandbox, f"def f(): pass\n{ending}\nf()\n").edges == {"main": ["main.f"]}


def test_a_recursion_is_as_deep_as_without_a_trace(sandbox: Sandbox) -> None:
    source = "def f(n):\n    try: return f(n + 1)\n    except RecursionError: return n\nprint(f(0))\n"
    assert run(sandbox, source).stdout == run(sandbox, source, "").stdout


def test_files_that_a_program_compiles_itself_are_traced(sandbox: Sandbox) -> None:
    files = {
        "main.py": "import runpy\nrunpy.run_path(__file__.replace('main', 'tool'))\n",
        "tool.py": "from __future__ import annotations\ndef f(a: b): g()\ndef g(): pass\nf(1)\n",
    }
    execution = sandbox.run(Run(language="python", files=files, entry="main.py", witnessed="calls"))
    assert execution.trace == Trace({"tool": ["tool.f"], "tool.f": ["tool.g"]}), execution.message


def test_a_program_that_raises_has_the_trace_of_what_it_did(sandbox: Sandbox) -> None:
    execution = run(sandbox, "def f(): raise KeyError(1)\ndef g(): pass\nf(); g()\n")
    assert (execution.error, execution.trace) == ("KeyError", Trace({"main": ["main.f"]}))


@settings(max_examples=examples(6), deadline=None)
@given(program=programs(["python"]))
def test_traced_programs_return_what_they_return_untraced(program: Program, sandbox: Sandbox) -> None:
    plain = Run.from_program(program)
    for witnessed in ("calls", "lines"):
        traced = sandbox.run(replace(plain, witnessed=witnessed))
        assert traced.value == program.facts.output
        assert traced.trace


def list_published() -> list[dict[str, Any]]:
    path = Path(os.environ.get("CODEREASON_DATA", ""), "callgraph", "python.jsonl")
    if not path.is_file():
        pytest.skip("CODEREASON_DATA names no folder with callgraph/python.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("witnessed", ["calls", "lines"])
def test_the_public_micro_benchmarks_give_their_executed_edges(witnessed: Witnessed, sandbox: Sandbox) -> None:
    wrong: list[tuple[str, object]] = []
    for row in list_published():
        job = Run(language="python", files=row["files"], entry=row["entry"], witnessed=witnessed)
        execution = sandbox.run(job)
        own = {
            caller: sorted(callee for callee in callees if not callee.startswith("<builtin>"))
            for caller, callees in row["executed_edges"].items()
        }
        edges = execution.trace.edges if execution.trace else None
        if edges != {caller: callees for caller, callees in own.items() if callees}:
            wrong.append((row["id"], edges))
        if execution.returned == ("reject_reason" in row):
            wrong.append((row["id"], execution.words))
    assert not wrong
