"""A second way to the moments of JavaScript: V8's inspector stops at the same lines and sees the same values."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Program
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.examples import take_every
from tests.languages.witnessing import read_functions, watch

JAVASCRIPT = language("javascript")
CORPUS = Path(__file__).parents[2] / "corpus" / "javascript"
SCRIPT = Path(__file__).with_name("inspecting.js")
#: How many functions are tried beside the corpus: 300 programs in all.
FUNCTIONS = 240
EVERY = take_every(16)
#: Runs of more lines take the inspector too long.
MOST_EVENTS = 20_000
Event = tuple[str, int, dict[str, str]]


def list_corpus() -> Iterator[tuple[str, Program]]:
    for folder in sorted(CORPUS.iterdir()):
        files = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.*js")}
        if entry := next((file for file in files if Path(file).stem == "main"), ""):
            yield folder.name, Program(language="javascript", files=files, entry=entry, call="")


def list_functions() -> Iterator[tuple[str, Program]]:
    return read_functions("javascript", "main.js", FUNCTIONS)


def inspect(run: WitnessedRun, folder: Path) -> list[Event]:
    """The visits of all lines that may be asked about, as the inspector sees them."""
    names = {probe[:2]: probe.names for probe in run.probes}
    lines: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
    for place in run.visits:
        if run.is_ours(place):
            lines.setdefault(place.file, []).append((place.line, names.get((place.file, place.line), ())))
    folder.mkdir()
    for name, text in run.program.files.items():
        folder.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        folder.joinpath(name).write_text(text, "utf-8")
    output = folder / "inspected.json"
    program = run.program
    subprocess.run(
        ["node", SCRIPT, folder, program.entry, program.call, json.dumps(lines), output],
        check=True,
        capture_output=True,
        timeout=300,
    )
    events: list[Event] = [tuple(each) for each in json.loads(output.read_text("utf-8"))]
    return events


def part(run: WitnessedRun, places: list[ProgramLine]) -> dict[tuple[str, str | None], list[int]]:
    """The lines of each function in their order.

    V8 stops at some lines after a first part of them has run, so those of a function that they call may come before.
    """
    parts: dict[tuple[str, str | None], list[int]] = {}
    for place in places:
        parts.setdefault((place.file, run.name_function(place)), []).append(place.line)
    return parts


def compare(run: WitnessedRun, events: list[Event]) -> int:
    """How many values were compared. All lines and values must be equal."""
    places = [run.find_place(event) for event in range(len(run.moments.lines))]
    seen = [ProgramLine(*event[:2]) for event in events]
    assert part(run, [each for each in places if run.is_ours(each)]) == part(run, seen)
    compared = 0
    for number, probe in enumerate(run.probes):
        found = [held for file, line, held in events if (file, line) == probe[:2]]
        for place, name in enumerate(probe.names):
            for held, texts in zip(run.list_held(number, place), found, strict=False):
                if held is not None and name in texts:  # a function sees none of the others' that it does not use
                    assert json.loads(texts[name]) == held.text, (probe, name)
                    compared += 1
    return compared


@pytest.mark.slow
@pytest.mark.parametrize("programs", [list_corpus, list_functions])
def test_the_inspector_sees_the_same(programs: Any, sandbox: Sandbox, tmp_path: Path) -> None:
    compared, without = 0, list[str]()
    for number, (name, program) in enumerate([*programs()][::EVERY]):
        try:
            run = watch(program, sandbox, MOST_EVENTS)
            if isinstance(run, str):
                without.append(f"{name}: {run}")
            else:
                compared += compare(run, inspect(run, tmp_path / str(number)))
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error
    assert compared > 3_200 // EVERY
    assert len(without) < 20, without


def test_the_inspector_is_no_copy_of_the_tracer(sandbox: Sandbox, tmp_path: Path) -> None:
    source = "function f(n) {\n  let v = n;\n  for (let i = 0; i < 3; i++) {\n    v = v * 2 + i;\n  }\n  return v;\n}\n"
    program = Program(language="javascript", files={"main.js": source}, entry="main.js", call="f(3)")
    run = watch(program, sandbox, MOST_EVENTS)
    assert isinstance(run, WitnessedRun)
    events = inspect(run, tmp_path / "a")
    assert compare(run, events) > 5
    with pytest.raises(AssertionError):
        compare(run, events[:-1])
    with pytest.raises(AssertionError):
        compare(run, [(file, line, {**held, "v": "77"}) for file, line, held in events])
