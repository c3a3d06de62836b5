"""A second way to the moments: the debugger of the standard library sees the same lines and the same values."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason.core import Program
from pytest_codereason.core.execution import Run
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.questions.moments.probing import choose_probes
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.examples import take_every
from tests.languages import debugger

PYTHON = language("python")
CORPUS = Path(__file__).parents[2] / "corpus" / "python"
CRUXEVAL = "cruxeval.jsonl"
#: How many functions of CRUXEval are tried beside the corpus: 300 programs in all.
FUNCTIONS = 240
EVERY = take_every(16)
Event = tuple[int, str, int, dict[str, str]]


def list_corpus() -> Iterator[tuple[str, Program]]:
    for folder in sorted(CORPUS.iterdir()):
        files = {path.name: path.read_text("utf-8") for path in folder.glob("*.py")}
        if files:
            yield folder.name, Program(language="python", files=files, entry="main.py", call="")


def list_functions() -> Iterator[tuple[str, Program]]:
    folders = os.environ.get("CODEREASON_DATA", "").split(os.pathsep)
    path = next((Path(folder, CRUXEVAL) for folder in folders if folder and Path(folder, CRUXEVAL).exists()), None)
    if path is None:
        pytest.skip(f"CODEREASON_DATA names no folder with {CRUXEVAL}")
    for row in map(json.loads, path.read_text("utf-8").splitlines()[:FUNCTIONS]):
        call = f"f({row['input']})"
        yield row["id"], Program(language="python", files={"main.py": row["code"]}, entry="main.py", call=call)


def debug(program: Program, folder: Path) -> list[Event]:
    folder.mkdir()
    for name, text in program.files.items():
        folder.joinpath(name).write_text(text, "utf-8")
    subprocess.run(
        [sys.executable, "-B", debugger.__file__, program.entry, program.call, "../events.json"],
        cwd=folder,
        env={"PYTHONHASHSEED": "0"},
        check=True,
        capture_output=True,
        timeout=300,
    )
    events: list[Event] = [tuple(each) for each in json.loads(folder.parent.joinpath("events.json").read_text())]
    return events


def watch(program: Program, sandbox: Sandbox) -> WitnessedRun | None:
    """The moments of a program; ``None`` of a run that is too long."""
    run = replace(Run.from_program(program), witnessed="moments")
    first = sandbox.run(run)
    assert first.trace is not None, first.words
    assert first.trace.moments is not None
    if not first.trace.moments.whole:
        return None
    probes = choose_probes(WitnessedRun(PYTHON, program, first, first.trace.moments), Draws(0))
    second = sandbox.run(replace(run, probes=probes))
    assert second.trace is not None
    assert second.trace.moments is not None
    return WitnessedRun(PYTHON, program, second, second.trace.moments, probes)


def take_askable(run: WitnessedRun, events: Iterable[tuple[int, str, int]]) -> list[tuple[int, str, int]]:
    """The events of lines that may be asked about, with frames in the order of their first one.

    The tracer leaves out what the interpreter tells of a line in the middle of a call, as after a decorator. Some
    versions tell of a line with a comprehension again and again.
    """
    last: dict[int, int] = {}
    numbers: dict[int, int] = {}
    kept = []
    for frame, file, line in events:
        if not run.is_ours(ProgramLine(file, line)):
            last.pop(frame, None)
        elif last.get(frame) != line:
            kept.append((numbers.setdefault(frame, len(numbers)), file, line))
            last[frame] = line
    return kept


def compare(run: WitnessedRun, events: list[Event]) -> int:
    """How many values were compared. All lines and values must be equal."""
    moments = run.moments
    seen = ((frame, moments.files[frame], line) for frame, line in zip(moments.frames, moments.lines, strict=True))
    assert take_askable(run, seen) == take_askable(run, (event[:3] for event in events))
    compared = 0
    for number, probe in enumerate(run.probes):
        found: list[Mapping[str, str]] = [held for _, file, line, held in events if (file, line) == probe[:2]]
        if len(found) != len(run.visits[run.find_probed(number)]):
            assert (
                not run.is_ours(run.find_probed(number))
                or "for" in run.program.files[probe.file].split("\n")[probe.line - 1]
            )
            continue  # a line with a comprehension
        for place, name in enumerate(probe.names):
            for held, texts in zip(run.list_held(number, place), found, strict=False):
                if texts.get(name) and held is not None:
                    assert PYTHON.values.equal(held.value, ast.literal_eval(texts[name])), (probe, name)
                    compared += 1
    return compared


@pytest.mark.slow
@pytest.mark.parametrize("programs", [list_corpus, list_functions])
def test_the_debugger_sees_the_same(programs: object, sandbox: Sandbox, tmp_path: Path) -> None:
    assert callable(programs)
    compared = 0
    for number, (name, program) in enumerate([*programs()][::EVERY]):
        run = watch(program, sandbox)
        if run is None:
            continue
        try:
            compared += compare(run, debug(program, tmp_path / str(number)))
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error
    assert compared > 4_000 // EVERY


def test_the_debugger_is_no_copy_of_the_tracer(sandbox: Sandbox, tmp_path: Path) -> None:
    source = "def f(n):\n    v = n\n    for i in range(3):\n        v = v * 2 + i\n    return v\n"
    program = Program(language="python", files={"main.py": source}, entry="main.py", call="f(3)")
    run, events = watch(program, sandbox), debug(program, tmp_path / "a")
    assert run is not None
    assert compare(run, events) > 10
    with pytest.raises(AssertionError):
        compare(run, events[:-1])
    changed = [(*event[:3], {**event[3], "v": "77"}) for event in events]
    with pytest.raises(AssertionError):
        compare(run, changed)
