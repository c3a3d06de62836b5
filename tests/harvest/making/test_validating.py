"""Which programs have one stable call graph."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.core.language.tracing import Trace
from pytest_codereason.core.refusals import Refusal
from pytest_codereason.harvest.making import validating
from pytest_codereason.harvest.making.validating import Witnessed, is_drawn, validate
from pytest_codereason.sandbox import Sandbox

CHAIN = "def a():\n    b()\n\ndef b():\n    c()\n\ndef c():\n    pass\n\na()\n"
FORGED = b'{"value":null,"trace":{"edges":[["main.a","main.c"],["main.a","main.b"]]}}\n'


def judge(sandbox: Sandbox, source: str) -> str:
    verdict = validate("python", {"main.py": source}, "main.py", sandbox.run)
    return f"{verdict.reason}: {verdict.detail}" if isinstance(verdict, Refusal) else "accepted"


def test_a_program_is_accepted_with_what_it_prints_and_calls(sandbox: Sandbox) -> None:
    assert validate("python", {"main.py": f"{CHAIN}print(1)\n"}, "main.py", sandbox.run) == Witnessed(
        "1\n", {"main": ["main.a"], "main.a": ["main.b"], "main.b": ["main.c"]}
    )


@pytest.mark.parametrize(
    ("last", "verdict"),
    [
        ("def f(:", "does not compile: SyntaxError"),
        ("import ext", "raises an error: ModuleNotFoundError: No module named 'ext'"),
        ("input()", "raises an error: EOFError"),
        ("import socket\nsocket.create_connection(('127.0.0.1', 9))", "raises an error: "),
        ("open('/etc/passwd', 'a')", "raises an error: "),
        ("open('/home/x', 'w')", "raises an error: "),
        ("import os\nos._exit(0)", "ends without a result: "),
        ("import sys\nsys.setprofile(lambda *a: None)", "is not the same under trace: "),
        ("import time\nprint(time.time_ns())", "differs from run to run: in line 1 of what it prints"),
        ("import random\nprint(random.random())", "differs from run to run: in line 1 of what it prints"),
        ("print({'a', 'b', 'c', 'd'})", "differs from run to run: in line 1 of what it prints"),
        (
            "def d():\n    pass\n(c if [*{'u', 'v', 'w', 'x'}][0] < 'w' else d)()",
            "differs from run to run: in its calls",
        ),
    ],
)
def test_a_program_is_refused_with_its_reason(sandbox: Sandbox, last: str, verdict: str) -> None:
    assert judge(sandbox, f"{CHAIN}{last}\n").startswith(verdict)


@pytest.mark.parametrize("source", ["def a():\n    a.__doc__\n\na()\n", "def a(n):\n    n and a(n - 1)\n\na(3)\n"])
def test_a_call_of_itself_is_no_call_between_two_functions(sandbox: Sandbox, source: str) -> None:
    assert judge(sandbox, source) == "has too few calls: 1 between two functions, fewer than 2"


# Only the program that sleeps may meet the clock: on a busy machine another would meet it before its own limit.
@pytest.mark.parametrize(
    ("last", "limit", "wall_s"),
    [
        ("while True: pass", "cpu", 120),
        ("import time\ntime.sleep(60)", "time", 4),
        ("while True: print('x' * 10000)", "output", 120),
        ("x = [1]\nwhile True: x += x", "memory", 120),
        ("with open('f', 'wb') as f:\n    while True: f.write(bytes(1 << 20))", "file", 120),
    ],
)
@pytest.mark.slow
def test_a_program_that_does_not_end_is_stopped(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, last: str, limit: str, wall_s: float
) -> None:
    cpu_s = 2 if limit == "cpu" else 60
    monkeypatch.setattr(validating, "LIMITS", Limits(wall_s=wall_s, cpu_s=cpu_s, output_bytes=1 << 16))
    assert judge(sandbox, f"{CHAIN}{last}\n") == f"is stopped at a limit: {limit}"


@pytest.mark.parametrize("last", ["", "os._exit(0)\n"])
def test_a_program_that_writes_a_trace_of_its_own_is_refused(sandbox: Sandbox, last: str) -> None:
    """It cannot know whether it is traced: beside its line there is the true one, or nobody asked for a trace."""
    writes = f"import os\nfor n in range(3, 64):\n    try: os.write(n, {FORGED!r})\n    except OSError: pass\n"
    assert judge(sandbox, CHAIN + writes + last).startswith("ends without a result: ")


def test_a_flood_of_calls_is_one_edge(sandbox: Sandbox) -> None:
    assert judge(sandbox, f"{CHAIN}for _ in range(100_000): c()\n") == "accepted"


@pytest.mark.slow
@pytest.mark.parametrize("language", ["python", "java"])
def test_published_programs_that_cannot_run_are_refused_for_that(sandbox: Sandbox, language: str) -> None:
    path = Path(os.environ.get("CODEREASON_DATA", ""), "callgraph", f"{language}.jsonl")
    if not path.is_file():
        pytest.skip("CODEREASON_DATA names no folder with callgraph/")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    wrong = []
    for row in rows:
        if "reject_reason" in row:
            verdict = validate(language, row["files"], find_entry(row), sandbox.run)
            # an error has its class in its reason: ``Exception in thread "main" java.io.FileNotFoundException: ...``
            error = (
                row["reject_reason"].removeprefix('Exception in thread "main" ').partition(":")[0].rpartition(".")[2]
            )
            kind = "NoSuchMethodException" if error == "no main method" else error
            if not isinstance(verdict, Refusal) or verdict[0] != "raises an error" or not verdict[1].startswith(kind):
                wrong.append((row["id"], verdict))
    assert not wrong


def find_entry(row: dict[str, Any]) -> str:
    """The file that is run: Java's rows name a class."""
    files: dict[str, str] = row["files"]
    name = str(row["entry"] or "Demo")
    if name in files:
        return name
    name = name.rpartition(".")[2]
    return next(file for file, text in files.items() if re.search(rf"\bclass\s+{name}\b", text))


def test_a_call_that_no_text_explains_is_refused(sandbox: Sandbox) -> None:
    source = CHAIN.replace("c()\n", "eval('c')()\n") + "def d():\n    a.__doc__\neval('d()')\nprint(1)\n"
    assert judge(sandbox, source) == "accepted"  # the text leaves these calls open

    def plant(run: Run) -> Execution:
        execution = sandbox.run(run)
        edges = {"main": ["main.a"], "main.a": ["main.b"], "main.c": ["main.a"]}
        return replace(execution, trace=Trace(edges)) if run.witnessed else execution

    verdict = validate("python", {"main.py": f"{CHAIN}print(1)\n"}, "main.py", plant)
    assert verdict == Refusal("has a call that its text does not explain", "main.c -> main.a")


def test_a_share_of_the_programs_meets_a_second_witness(sandbox: Sandbox) -> None:
    files = next(found for n in range(100) if is_drawn(found := {"main.py": f"{CHAIN}def d():\n    c()\nprint({n})\n"}))
    assert isinstance(validate("python", files, "main.py", sandbox.run), Witnessed)

    def plant(run: Run) -> Execution:
        execution = sandbox.run(run)
        edges = {"main": ["main.a"], "main.a": ["main.b"], "main.d": ["main.c"], "main.b": ["main.c"]}
        if run.witnessed == "entered":
            return replace(execution, trace=Trace({}, entered=frozenset({"main.a", "main.b"})))
        return replace(execution, trace=Trace(edges)) if run.witnessed else execution

    verdict = validate("python", files, "main.py", plant)
    assert verdict == Refusal("is not what a second witness saw", "main.c was never entered")


@pytest.mark.slow
def test_a_program_of_java_is_accepted_by_the_second_witness(sandbox: Sandbox) -> None:
    source = (
        "class Main {{ static int f() {{ return g() + h(); }} static int g() {{ return h(); }}"
        " static int h() {{ return {}; }} public static void main(String[] a) {{ System.out.println(f()); }} }}\n"
    )
    files = next(found for n in range(100) if is_drawn(found := {"Main.java": source.format(n)}))
    verdict = validate("java", files, "Main.java", sandbox.run)
    assert isinstance(verdict, Witnessed), verdict
    assert sum(map(len, verdict.edges.values())) == 4
