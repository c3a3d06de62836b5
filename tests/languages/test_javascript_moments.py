"""The moments of JavaScript and TypeScript programs: each line in its order, and what variables held before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from pytest_codereason.core import Program
from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.core.language.moments import MOST_VISITS, TOO_LARGE, UNBOUND, LineProbe, Moments
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.questions.moments.probing import choose_probes
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.changes.faults.programs import list_corpus
from tests.examples import mostly_slow, take_every

#: By language: the name of the program's file.
FILES = {"javascript": "main.js", "typescript": "main.ts"}
JAVASCRIPT = language("javascript")
RUN = """function f(xs) {
  let best = 0, run = 0;
  for (const x of xs) {
    if (x > 3) {
      run = run + x;
    } else {
      run = 0;
    }
    best = Math.max(best, run);
  }
  return best;
}
"""


def watch(
    sandbox: Sandbox, source: str, *probes: tuple[int, str], call: str = "", spoken: str = "javascript", file: str = ""
) -> Execution:
    """Runs a program of one file. A probe is a line, and names with blanks between them."""
    file = file or FILES[spoken]
    return sandbox.run(
        Run(
            language=spoken,
            files={file: source},
            entry=file,
            call=call,
            witnessed="moments",
            probes=tuple(LineProbe(file, line, tuple(names.split())) for line, names in probes),
        )
    )


def see(sandbox: Sandbox, source: str, *probes: tuple[int, str], **options: str) -> Moments:
    execution = watch(sandbox, source, *probes, **options)
    assert execution.trace is not None, execution.words
    assert execution.trace.moments is not None
    return execution.trace.moments


@pytest.mark.parametrize("spoken", FILES)
def test_a_probe_sees_what_a_line_finds(spoken: str, sandbox: Sandbox) -> None:
    source = RUN if spoken == "javascript" else RUN.replace("(xs)", "(xs: number[]): number")
    moments = see(sandbox, source, (9, "run best"), call="f([4, 9, 1, 5, 6, 8, 2])", spoken=spoken)
    assert moments.list_seen() == [[[4, 0], [13, 4], [0, 13], [5, 13], [11, 13], [19, 13], [0, 19]]]
    assert moments.lines[:8] == (2, 3, 4, 5, 9, 4, 5, 9)
    assert moments.files == (FILES[spoken],)
    assert moments.whole


def test_frames_keep_their_numbers(sandbox: Sandbox) -> None:
    source = """function* g(n) {
  while (n) {
    yield n;
    n -= 1;
  }
}
async function f() {
  const [a, b] = [g(1), g(2)];
  a.next();
  await null;
  b.next();
  return [...a];
}
"""
    moments = see(sandbox, source, call="f()")
    rows = list(zip(moments.frames, moments.lines, strict=True))
    assert rows == [(0, 8), (0, 9), (1, 2), (1, 3), (0, 10), (0, 11), (2, 2), (2, 3), (0, 12), (1, 4)]


def test_each_call_of_a_function_has_a_frame_of_its_own(sandbox: Sandbox) -> None:
    moments = see(sandbox, "const f = (n) => n && f(n - 1);\nf(3);\nf(0);\n")
    assert list(zip(moments.frames, moments.lines, strict=True)) == [
        *[(0, 1), (0, 2), (1, 1), (2, 1), (3, 1), (4, 1), (0, 3), (5, 1)]
    ]


def test_what_is_imported_is_no_line(sandbox: Sandbox) -> None:
    source = """import { sep } from 'node:path';
const own = sep.length;
export const more = own + 1;
"""
    assert see(sandbox, source, file="main.mjs").lines == (2, 3)


def test_an_object_under_two_names_is_one(sandbox: Sandbox) -> None:
    source = """function f() {
  const a = [1];
  const b = a;
  const c = [1];
  const d = 1;
  return d;
}
"""
    [[visit]] = see(sandbox, source, (5, "a b c d"), call="f()").visits
    assert visit.same == (0, 0, 2, 3)
    assert visit.values == (0, 0, 0, UNBOUND)


PLAIN = {
    "[1, 'a', null, true, 2.5]": [1, "a", None, True, 2.5],
    "({ a: 1, b: { c: [] } })": {"object": [["a", 1], ["b", {"object": [["c", []]]}]]},
    "new Map([['k', 1]])": {"object": [["k", 1]]},
    "new Set([1, 2])": [1, 2],
    "Object.assign(Object.create(null), { a: 1 })": {"object": [["a", 1]]},
    "undefined": {"undefined": True},
    "12n": {"bigint": "c"},
    "''": "",
}


@pytest.mark.parametrize("value", PLAIN)
def test_plain_data_is_written(value: str, sandbox: Sandbox) -> None:
    source = f"function f() {{\n  const v = {value};\n  return 1;\n}}\n"
    assert see(sandbox, source, (3, "v"), call="f()").list_seen() == [[[PLAIN[value]]]]


@pytest.mark.parametrize(
    "value",
    [
        *["Array(3000).fill(0)", "'x'.repeat(2001)", "9n ** 5000n", "() => 1", "a", "Symbol('s')", "new Date(0)"],
        *["new (class A {})()", "new (class extends Array {})()", "[, 1]", "new Number(3)", "new Uint8Array(2)"],
        *["new Proxy([], { get: ran, ownKeys: ran, getPrototypeOf: ran })", "({ get x() { return ran(); } })"],
        *[
            "Object.defineProperty([0], 0, { get: ran })",
            "Object.assign([1, 2], { [Symbol.toStringTag]: a })[9] ?? ran",
        ],
    ],
)
def test_a_value_that_is_huge_cyclic_foreign_or_runs_code_is_marked(value: str, sandbox: Sandbox) -> None:
    source = f"""const ran = () => {{ throw new Error('it ran'); }};
function f() {{
  const a = [];
  a.push(a);
  const v = {value};
  return 1;
}}
"""
    execution = watch(sandbox, source, (6, "v"), call="f()")
    assert execution.value == 1
    assert execution.trace is not None
    assert execution.trace.moments is not None
    [[visit]] = execution.trace.moments.visits
    assert visit.values == (TOO_LARGE,)


def test_all_values_together_are_limited(sandbox: Sandbox) -> None:
    source = """function f() {
  for (let i = 0; i < 300; i++) {
    const v = Array(450).fill(100 + i);
    v.w = 1;
  }
}
"""
    [seen] = see(sandbox, source, (4, "v"), call="f()").visits
    assert len(seen) == MOST_VISITS
    assert seen[0].values == (0,)
    assert seen[-1].values == (TOO_LARGE,)


@pytest.mark.parametrize(
    ("source", "call", "place"),
    [
        ("function f(a) {\n  return a.b.c;\n}\n", "f({})", 2),
        ("const g = (a) =>\n  a.b.c;\nfunction f(a) {\n  const b = g(a);\n  return b;\n}\n", "f({})", 2),
        ("function f(a) {\n  throw new RangeError(a);\n}\n", "f('no')", 2),
        ("function f(a) {\n  throw 'no';\n}\n", "f(1)", 2),
        (
            """class E extends Error {
  constructor(m) {
    super(m);
  }
}
function f(a) {
  throw new E(a);
}
""",
            "f('')",
            7,
        ),
        ("function f(a) {\n  return JSON.parse(a);\n}\n", "f('[')", 2),
        ("function f(a) {\n  return a.map((x) => {\n    return x.y.z;\n  });\n}\n", "f([{}])", 3),
        ("function f(a) {\n  try {\n    a.b.c;\n  } catch {\n  }\n  return a.d.e;\n}\n", "f({})", 6),
        ("function f(a) {\n  try {\n    a.b.c;\n  } catch (e) {\n    throw e;\n  }\n}\n", "f({})", None),
        ("function f(a) {\n  try {\n    a.b.c;\n  } finally {\n    a = 1;\n  }\n}\n", "f({})", None),
        ("const a = {};\na.b = 1;\na.c.d = 2;\n", "", 3),
        ("const g = () => 1;\nconst a = {};\na[g()].d.e = 2;\n", "", 3),
        ("function g({ a }) {\n  return a;\n}\nfunction f() {\n  return g();\n}\n", "f()", None),
        ("async function f() {\n  await null;\n  null.x;\n}\n", "f()", 3),
        ("function f(a) {\n  return 1;\n}\n", "f([])", None),
        ("function f(a) {\n  try {\n    a.b.c;\n  } catch {}\n}\n", "f({})", None),
    ],
)
def test_an_exception_comes_from_a_line(source: str, call: str, place: int | None, sandbox: Sandbox) -> None:
    expected = None if place is None else ("main.js", place)
    assert watch(sandbox, source, call=call).raised_at == expected


def test_an_exception_comes_from_another_file(sandbox: Sandbox) -> None:
    files = {
        "main.js": "const { k } = require('./lib');\nk(3);\n",
        "lib.js": "exports.k = (n) => {\n  n.a.b = 2;\n};\n",
    }
    execution = sandbox.run(Run(language="javascript", files=files, entry="main.js", witnessed="moments"))
    assert execution.raised_at == ("lib.js", 2)
    files = {"main.js": "const lib = require('./lib');\n", "lib.js": "const a = 1;\na.b.c = 2;\n"}
    execution = sandbox.run(Run(language="javascript", files=files, entry="main.js", witnessed="moments"))
    assert execution.raised_at == ("lib.js", 2)


@pytest.mark.slow
def test_a_long_run_is_not_whole(sandbox: Sandbox) -> None:
    source = """function f() {
  let n = 0;
  for (let i = 0; i < 60_000; i++) {
    n += 1;
    n -= 1;
  }
}
"""
    long = see(sandbox, source, call="f()")
    assert (long.whole, long.lines) == (False, ())


@pytest.mark.parametrize("source", ["eval('1');\n", "with ({ a: 1 }) {\n  a;\n}\n"])
def test_a_program_that_makes_names_while_it_runs_has_no_moments(source: str, sandbox: Sandbox) -> None:
    assert watch(sandbox, source).ending == "tampered"


FORMS: Mapping[str, str] = {
    "a function and a variable of one name": "function f() {\n  var g = 1;\n  function g() {}\n  return typeof g;\n}\n",
    "a directive": "function f() {\n  'use strict';\n  return this === undefined;\n}\n",
    "no braces": """function f() {
  let n = 0;
  if (n) n = 1;
  else if (!n)
    n = 2;
  do n++; while (n < 5);
  return n;
}
""",
    "a class": """class A {
  #n = 1;
  static m = () => 2;
  static {
    A.k = 3;
  }
  get n() { return this.#n + A.m() + A.k; }
}
const f = () => new A().n;
""",
    "labels": """function f() {
  let n = 0;
  outer: for (const i of [1, 2, 3]) {
    for (;;) {
      n += i;
      continue outer;
    }
  }
  return n;
}
""",
    "cases": """function f() {
  switch (2) {
    case 1: return 1;
    case 2: { const x = 3; return x; }
    default:
  }
}
""",
    "letters beyond": "const f = () => {\n  const s = '\U0001f600'; const t = `${s}${s}`;\n  return t;\n};\n",
    "defaults": "function f(a = (() => {\n  return 2;\n})(), { b = a } = {}) {\n  return a + b;\n}\n",
    "asynchronous iteration": """async function* g() {
  try {
    yield 1;
    yield 2;
  } finally {
    await null;
  }
}
async function f() {
  const found = [];
  for await (const x of g()) {
    found.push(x);
    if (x) break;
  }
  return found;
}
""",
}


@pytest.mark.parametrize("name", mostly_slow(FORMS, 3))
def test_a_program_does_what_it_does_without_a_trace(name: str, sandbox: Sandbox) -> None:
    plain = Run(language="javascript", files={"main.js": FORMS[name]}, entry="main.js", call="f()")
    ended = sandbox.run(plain)
    assert ended.returned, ended.words
    lines = range(1, FORMS[name].count("\n") + 1)
    probes = tuple(LineProbe("main.js", line, ("n", "a", "b", "x", "s", "i")) for line in lines)
    for each in ((), probes):
        traced = sandbox.run(replace(plain, witnessed="moments", probes=each))
        assert traced.trace is not None, traced.words
        assert traced.ends_as(ended, equal)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "program"),
    [*list_corpus("typescript")][:: take_every(4)],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_shipped_program_does_what_it_does_without_a_trace(name: str, program: Program, sandbox: Sandbox) -> None:
    plain = Run.from_program(program)
    ended, traced = sandbox.run(plain), sandbox.run(replace(plain, witnessed="moments"))
    assert traced.trace is not None, traced.words
    assert traced.trace.moments is not None
    assert traced.ends_as(ended, equal)
    probes = choose_probes(WitnessedRun(language("typescript"), program, traced, traced.trace.moments), Draws(0))
    looked = sandbox.run(replace(plain, witnessed="moments", probes=probes))
    assert looked.ends_as(ended, equal)
    assert looked.trace is not None
    assert looked.trace.moments is not None
    assert looked.trace.moments.runs_like(traced.trace.moments)


@pytest.mark.slow
def test_an_endless_run_is_stopped(sandbox: Sandbox) -> None:
    source = "function f() {\n  let n = 0;\n  while (true) {\n    n = n + 1;\n  }\n}\n"
    run = Run(language="javascript", files={"main.js": source}, entry="main.js", call="f()", witnessed="moments")
    assert sandbox.run(replace(run, limits=Limits(cpu_s=2, wall_s=5))).ending == "limit"


def equal(one: Any, other: Any) -> bool:
    return JAVASCRIPT.values.equal(one, other)
