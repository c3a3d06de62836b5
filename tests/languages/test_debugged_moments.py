"""A second way to the moments of PHP: the debugger Xdebug stops at the same lines and sees the same values."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Program
from pytest_codereason.languages.php.syntax.tree import find_opening
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.corpus.upkeep import list_folders, load
from tests.examples import take_every
from tests.languages.witnessing import read_functions, watch
from tests.languages.xdebug import Stop, needs_debugger, step_through

PHP = language("php")
#: How many functions are tried beside the corpus: 300 programs in all.
FUNCTIONS = 260
EVERY = take_every(16)
#: Runs of more lines take the debugger too long.
MOST_EVENTS = 20_000
DRIVER = "codereason-drive.php"


def list_corpus() -> Iterator[tuple[str, Program]]:
    for folder in list_folders():
        if folder.parent.name == "php":
            yield folder.name, load(folder)


def list_functions() -> Iterator[tuple[str, Program]]:
    return read_functions("php", "main.php", FUNCTIONS)


def debug(run: WitnessedRun, folder: Path) -> list[Stop]:
    """Where the debugger stops. It does not stop at an ``elseif``, so it gets ``else if``."""
    program = run.program
    for name, text in program.files.items():
        folder.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        folder.joinpath(name).write_text(find_opening(text) + re.sub(r"\belseif\b", "else if", text), "utf-8")
    call = f"({program.call});" if program.call else ""
    folder.joinpath(DRIVER).write_text(f"<?php include __DIR__ . '/{program.entry}'; {call}", "utf-8")
    looks = {
        (probe.file, probe.line): [
            [name for name, value in zip(probe.names, visit.values, strict=True) if value >= 0] for visit in seen
        ]
        for probe, seen in zip(run.probes, run.moments.visits, strict=True)
    }
    return list(step_through(folder, DRIVER, looks))


def compare(run: WitnessedRun, stops: list[Stop]) -> tuple[int, int]:
    """How many visits and values were compared. All lines in their order and all values must be equal."""

    def is_ours(place: ProgramLine) -> bool:
        # The debugger stops before each value of an ``echo``.
        text = run.program.files[place.file].split("\n")[place.line - 1]
        return run.is_ours(place) and not (text.lstrip().startswith("echo ") and "," in text)

    places = [run.find_place(event) for event in range(len(run.moments.lines))]
    seen = [ProgramLine(stop.file, stop.line) for stop in stops if not stop.raised]
    ours = [each for each in places if is_ours(each)]
    assert ours == [each for each in seen if is_ours(each)]
    if run.moments.raised_at is not None:
        assert run.moments.raised_at == next((stop.file, stop.line) for stop in reversed(stops) if stop.raised)
    compared = 0
    for number, probe in enumerate(run.probes):
        if not is_ours(run.find_probed(number)):
            continue
        found = [stop.held for stop in stops if not stop.raised and (stop.file, stop.line) == probe[:2]]
        for place, name in enumerate(probe.names):
            for held, values in zip(run.list_held(number, place), found, strict=False):
                if held is not None:
                    assert _shorten(values.get(name, "nothing")) == _shorten(held.text), (probe, name)
                    compared += 1
    return len(ours), compared


def _shorten(value: Any) -> Any:
    """A value with the 14 digits of each number with a fraction that the debugger tells."""
    if isinstance(value, dict) and "float" in value:
        return f"{struct.unpack('>d', bytes.fromhex(value['float']))[0]:.14g}"
    if isinstance(value, dict):
        return {key: _shorten(inner) for key, inner in value.items()}
    return [_shorten(inner) for inner in value] if isinstance(value, list) else value


@needs_debugger
@pytest.mark.slow
@pytest.mark.parametrize("programs", [list_corpus, list_functions])
def test_the_debugger_sees_the_same(programs: Any, sandbox: Sandbox, tmp_path: Path) -> None:
    visits, values, without = 0, 0, list[str]()
    tried = [*programs()][::EVERY]
    for number, (name, program) in enumerate(tried):
        try:
            run = watch(program, sandbox, MOST_EVENTS)
            if isinstance(run, str):
                without.append(f"{name}: {run}")
            else:
                found = compare(run, debug(run, tmp_path / str(number)))
                visits, values = visits + found[0], values + found[1]
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error
    print(f"{len(tried) - len(without)} programs, {visits} visits, {values} values; without: {without}")
    assert visits > 1_600 // EVERY
    assert values > 1_600 // EVERY
    assert len(without) < 0.1 * len(tried) + 1, without


@needs_debugger
def test_the_debugger_is_no_copy_of_the_tracer(sandbox: Sandbox, tmp_path: Path) -> None:
    loop = "  for ($i = 0; $i < 3; $i++) {\n    $v = $v * 2 + $i;\n  }\n"
    source = f"<?php function f($n) {{\n  $v = $n;\n{loop}  return $v;\n}}\n"
    program = Program(language="php", files={"main.php": source}, entry="main.php", call="f(3)")
    run = watch(program, sandbox, MOST_EVENTS)
    assert isinstance(run, WitnessedRun)
    stops = debug(run, tmp_path)
    assert compare(run, stops)[1] > 5
    with pytest.raises(AssertionError):
        compare(run, stops[:-1])
    with pytest.raises(AssertionError):
        compare(run, [stop._replace(held={**stop.held, "v": 77}) for stop in stops])
