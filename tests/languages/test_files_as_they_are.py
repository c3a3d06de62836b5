"""A file is run, traced and changed as the interpreter takes it: with its name, and with a byte order mark."""

from __future__ import annotations

import ast
import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.changes.stages.perturbation import parse, perturb
from pytest_codereason.core import Facts, Perturbation, Program
from pytest_codereason.core.execution import Run
from pytest_codereason.core.text import python_trees
from pytest_codereason.errors import Skip
from pytest_codereason.registry import language, list_shipped
from pytest_codereason.sandbox import Sandbox

MARK = "\ufeff"
#: A file that says how it is called, by each way of its language; and how a user runs it.
OWN_NAMES = {
    "python": (
        "own.py",
        "import os, sys\nfrom os.path import basename\n"
        "print(basename(__file__), basename(sys.argv[0]), len(open(__file__).read()))\n",
        ["python3"],
    ),
    "javascript": (
        "own.js",
        "const { basename } = require('path');\n"
        "console.log(basename(__filename), basename(process.argv[1]), require.main === module);\n",
        ["node"],
    ),
    "php": (
        "own.php",
        "<?php\n$names = [__FILE__, $argv[0], $_SERVER['SCRIPT_FILENAME']];\n"
        "echo join(' ', array_map('basename', $names));\n",
        ["php"],
    ),
}
#: A program with a byte order mark, and a call of it. javac refuses such a file.
MARKED = {
    "python": ("# -- a\ndef f(n):\n    if n > 2:\n        return n + 1\n    return n\n", "f(3)"),
    "javascript": ("function f(n) {\n  if (n > 2) { return n + 1; }\n  return n;\n}\n", "f(3)"),
    "php": ("<?php\nfunction f($n) {\n  if ($n > 2) { return $n + 1; }\n  return $n;\n}\n", "f(3)"),
}


def list_runs(program: Program) -> Iterator[Run]:
    run = Run.from_program(program)
    yield run
    if language(program.language).has("tracer"):
        yield replace(run, witnessed="calls")
        yield replace(run, witnessed="lines")


@pytest.mark.parametrize("name", OWN_NAMES)
@pytest.mark.parametrize("more", [{}, {"other.txt": "1"}], ids=["one file", "several"])
def test_a_file_has_its_own_name(name: str, more: dict[str, str], sandbox: Sandbox, tmp_path: Path) -> None:
    file, text, command = OWN_NAMES[name]
    (tmp_path / file).write_text(text)
    real = subprocess.run([*command, file], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    for run in list_runs(Program(language=name, files={file: text, **more}, entry=file)):
        execution = sandbox.run(run)
        assert (execution.ending, execution.stdout) == ("returned", real), execution.message


@pytest.mark.slow
@pytest.mark.parametrize("name", MARKED)
@pytest.mark.parametrize("mark", ["", MARK], ids=["plain", "marked"])
def test_a_byte_order_mark_is_taken_as_the_interpreter_takes_it(name: str, mark: str, sandbox: Sandbox) -> None:
    code, call = MARKED[name]
    program = Program.from_source(
        language=name, source=f"{mark}{code}", call=call, facts=Facts(output=4, input="3"), entry="main"
    )
    lang = language(name)
    assert lang.syntax.check(program.source) == ""
    for run in list_runs(program):
        execution = sandbox.run(run)
        assert (execution.ending, execution.value) == ("returned", 4), execution.message
        assert not run.witnessed or (execution.trace is not None and execution.trace.edges == {"main": ["main.f"]})
    if lang.has("tracer"):
        line = 1 if name == "javascript" else 2
        assert [(body.name, body.line) for body in lang.tracer.list_bodies(program.files, "main")][1] == (
            "main.f",
            line,
        )
    changed = 0
    for perturbation in list_shipped(Perturbation):
        try:
            variant = perturb(program, parse(perturbation), 1, "a", "output")
        except Skip:
            continue
        changed += 1
        assert lang.syntax.check(variant.source) == ""
        assert sandbox.run(Run.from_program(variant)).value == 4, (perturbation, variant.source)
    assert changed >= 8


def test_a_mark_keeps_every_place_of_a_python_file() -> None:
    source = f"{MARK}f = lambda n: g(n)\ndef g(n): return f(n)\n"
    lines = [line.encode() for line in source.splitlines()]
    nodes = [node for node in ast.walk(python_trees.parse(source)) if isinstance(node, ast.Name)]
    assert len(nodes) == 5
    for node in nodes:
        assert lines[node.lineno - 1][node.col_offset :].startswith(node.id.encode())


def read_changes() -> list[dict[str, Any]]:
    folders = os.environ.get("CODEREASON_DATA", "").split(os.pathsep)
    path = next((path for f in folders if f and (path := Path(f, "programs/changes.jsonl")).is_file()), None)
    rows = [] if path is None else map(json.loads, path.read_text().splitlines())
    return [row for row in rows if row["under"] == "trace"]


def test_programs_that_are_to_be_traced(sandbox: Sandbox) -> None:
    if not (rows := read_changes()):
        pytest.skip("CODEREASON_DATA names no folder with programs/changes.jsonl")
    for row in rows:
        program = Program.from_source(language=row["language"], source=row["code"], call=row["call"])
        plain, *traced = (sandbox.run(run) for run in list_runs(program))
        assert plain.ending == "returned", (row["id"], plain.message)
        for execution in traced:
            assert (execution.ending, execution.value) == ("returned", plain.value), (row["id"], execution.message)
            assert execution.stdout == plain.stdout
            assert execution.trace is not None
