"""Programs whose moments a second witness looks at, and their runs under the tracer."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason.core import Program
from pytest_codereason.core.execution import Run
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.programs.sources._cruxeval_tests import CUTTERS
from pytest_codereason.questions.moments.probing import choose_probes
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox


def read_functions(name: str, file: str, most: int) -> Iterator[tuple[str, Program]]:
    """The first functions of CRUXEval-X in a language, each with its call, as programs of one ``file``."""
    folders = os.environ.get("CODEREASON_DATA", "").split(os.pathsep)
    rows_file = f"cruxeval-x/{name}.json"
    paths = (Path(folder, rows_file) for folder in folders if folder)
    path = next((each for each in paths if each.exists()), None)
    if path is None:
        pytest.skip(f"CODEREASON_DATA names no folder with {rows_file}")
    for row in json.loads(path.read_text("utf-8"))[:most]:
        if (tested := CUTTERS[name](row.get("code", ""))) is not None:
            source, call, _ = tested
            yield str(row["id"]), Program(language=name, files={file: source}, entry=file, call=call)


def watch(program: Program, sandbox: Sandbox, most_events: int) -> WitnessedRun | str:
    """The moments of a program that does the same without a trace; or why it has none."""
    own = language(program.language)
    run = replace(Run.from_program(program), witnessed="moments")
    plain, first = sandbox.run(Run.from_program(program)), sandbox.run(run)
    if first.trace is None or first.trace.moments is None:
        return f"{first.words} {first.message}".strip()
    assert first.ends_as(plain, own.values.equal)
    if not 0 < len(first.trace.moments.lines) < most_events:
        return "too many lines"
    probes = choose_probes(WitnessedRun(own, program, first, first.trace.moments), Draws(0))
    second = sandbox.run(replace(run, probes=probes))
    assert second.trace is not None
    assert second.trace.moments is not None
    assert second.ends_as(plain, own.values.equal)
    assert second.trace.moments.runs_like(first.trace.moments)
    return WitnessedRun(own, program, second, second.trace.moments, probes)
