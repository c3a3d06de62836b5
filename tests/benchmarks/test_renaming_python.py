"""How fast Python programs are read and renamed, and how many names of real modules are safe to rename."""

from __future__ import annotations

import ast
import json
import os
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core.language.structure import Code
from pytest_codereason.languages.python import Python
from tests.benchmarks.extent import limit
from tests.languages.examples import rename_all

pytestmark = pytest.mark.benchmark

PYTHON = Python()
LIBRARY = Path(ast.__file__).parent


def milliseconds(action: Callable[[Any], Any], things: list[Any]) -> float:
    """The time of one call."""
    start = time.perf_counter()
    for thing in things:
        action(thing)
    return 1000 * (time.perf_counter() - start) / len(things)


def test_cruxeval(capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(os.environ.get("CODEREASON_DATA", ""), "cruxeval.jsonl")
    if "CODEREASON_DATA" not in os.environ or not path.exists():
        pytest.skip("CODEREASON_DATA names no folder with cruxeval.jsonl")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    codes = [PYTHON.syntax.parse(row["code"], f"f({row['input']})") for row in rows]
    figures = {
        "compile": milliseconds(lambda row: compile(row["code"], "", "exec"), rows),
        "parse": milliseconds(lambda row: PYTHON.syntax.parse(row["code"], f"f({row['input']})"), rows),
        "bindings": milliseconds(lambda code: code.bindings, codes),
        "sites": milliseconds(lambda code: code.sites, codes),
        "insertions": milliseconds(lambda code: code.insertions, codes),
        "normalise": milliseconds(lambda row: PYTHON.syntax.normalise(row["code"]).text, rows),
        "check": milliseconds(lambda row: PYTHON.syntax.check(row["code"]), rows),
    }
    with capsys.disabled():
        print("\nCRUXEval, ms a program:", ", ".join(f"{name} {ms:.3f}" for name, ms in figures.items()))
    wrong = 0
    for row, code in zip(rows, codes, strict=True):
        source, call = rename_all(PYTHON, code)
        scope: dict[str, Any] = {}
        exec(source, scope)
        wrong += eval(call, scope) != ast.literal_eval(row["output"])
    assert not wrong


def test_library(capsys: pytest.CaptureFixture[str]) -> None:
    kinds, safe, reasons = Counter[str](), Counter[str](), Counter[str]()
    files = [path for path in sorted(LIBRARY.rglob("*.py")) if not {"test", "tests", "site-packages"} & {*path.parts}]
    read: list[Code] = []
    for path in files[:: limit(1, 10)]:
        try:
            source = path.read_bytes().decode()
        except UnicodeDecodeError:
            continue
        if PYTHON.syntax.check(source) == "":
            read.append(PYTHON.syntax.parse(source))
    for code in read:
        for binding in code.bindings:
            kinds[binding.kind] += 1
            safe[binding.kind] += not binding.unsafe
            reasons[binding.unsafe] += 1
        assert PYTHON.syntax.check(rename_all(PYTHON, code)[0]) == ""
    with capsys.disabled():
        print(f"\n{len(read)} modules, {kinds.total()} names, {safe.total() / kinds.total():.1%} safe")
        for kind, count in kinds.most_common():
            print(f"  {kind}: {count}, {safe[kind] / count:.1%} safe")
        for reason, count in reasons.most_common():
            print(f"  {count:6} {reason or '(safe)'}")
