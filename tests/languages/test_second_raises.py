"""A second way to the line that raises: the traceback that the interpreter prints of the same run."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason.core import Program
from pytest_codereason.core.execution import Limits, Run
from pytest_codereason.sandbox import Sandbox
from tests.changes.faults.programs import list_corpus, list_injections, plant
from tests.examples import take_every

OPERATORS = ("wrong-variable", "deleted-statement", "off-by-one", "misplaced-return")
#: Each so many-th fault of a kind is planted.
EVERY = take_every(28)
#: A fault may keep a program from ending, and such a run says nothing here.
BRIEF = Limits(wall_s=20, cpu_s=1)
_FRAME = re.compile(r'^  File "(.+)", line (\d+), in ', re.MULTILINE)


def list_faulty() -> Iterator[Program]:
    """A part of the shipped programs with one line made wrong."""
    for _, program in [*list_corpus("python")][:: take_every(3)]:
        for name in OPERATORS:
            for injection in list_injections(name, program)[::EVERY]:
                yield replace(program, files={**program.files, program.entry: plant(program, injection).text})


def read_traceback(program: Program, folder: Path) -> tuple[str, int, str] | None:
    """File, line and type by the interpreter; ``None`` if the run does not end so, or the error has a cause."""
    for file, text in program.files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text, "utf-8")
    try:
        ended = subprocess.run(
            [sys.executable, program.entry], cwd=folder, capture_output=True, text=True, timeout=20, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    if ended.stderr.count("Traceback") != 1 or ended.returncode != 1:
        return None
    own = [
        (Path(path).name, int(line))
        for path, line in _FRAME.findall(ended.stderr)
        if Path(folder, Path(path).name).exists() and not Path(path).is_relative_to(sys.base_prefix)
    ]
    kind = ended.stderr.strip().splitlines()[-1].partition(":")[0].rpartition(".")[2]
    return (*own[-1], kind) if own else None


@pytest.mark.slow
def test_the_interpreter_says_the_same(sandbox: Sandbox, tmp_path: Path) -> None:
    compared, faulty = 0, [*list_faulty()]
    runs = [replace(Run.from_program(program, limits=BRIEF), witnessed="moments") for program in faulty]
    for number, (program, execution) in enumerate(zip(faulty, sandbox.run_all(runs), strict=True)):
        if execution.ending != "raised" or execution.trace is None or execution.trace.moments is None:
            continue
        at = execution.trace.moments.raised_at
        if at is None:
            continue  # it is not asked about
        (folder := tmp_path / str(number)).mkdir()
        printed = read_traceback(program, folder)
        if printed is not None:
            file, line, kind = printed
            assert (Path(at[0]).name, at[1]) == (file, line), program.files[program.entry]
            assert execution.words.partition(":")[0].endswith(kind)
            compared += 1
    assert compared > 15
