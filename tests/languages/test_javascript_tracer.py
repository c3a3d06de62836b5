"""JavaScript's tracer: the edges are those that a reader finds, and the program does what it does untraced."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.tracing import Trace, Witnessed
from pytest_codereason.languages.javascript.bodies import list_functions
from pytest_codereason.languages.javascript.syntax.tree import parse_source
from pytest_codereason.sandbox import Sandbox
from tests.languages.called import read_calls, share
from tests.languages.javascript_programs import needs_node

pytestmark = needs_node

#: What the event loop calls is called by no function. In the file its caller is ``loop``.
LOOP = "main.loop"
CALLS = read_calls("javascript")


def run(sandbox: Sandbox, source: str, witnessed: Witnessed = "calls", call: str = "") -> Execution:
    return sandbox.run(
        Run(language="javascript", files={"main.js": source}, entry="main.js", call=call, witnessed=witnessed)
    )


def trace(sandbox: Sandbox, source: str, witnessed: Witnessed = "calls", call: str = "") -> Trace:
    execution = run(sandbox, source, witnessed, call)
    assert execution.trace is not None, (execution.words, execution.message, execution.stderr)
    return execution.trace


@pytest.mark.parametrize("witnessed", ["calls", pytest.param("lines", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", share(CALLS))
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
