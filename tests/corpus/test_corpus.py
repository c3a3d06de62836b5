"""The programs that ship do what lies beside them, each time that they run, with and without a tracer."""

from __future__ import annotations

import os
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core.execution import Run
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.corpus.upkeep import CORPUS, SIMILAR, list_faults_of_texts, list_folders, load, measure_likeness
from tests.examples import take_every

#: How many programs of each language ship, at the least.
COUNTS = {"python": 60, "javascript": 60, "java": 60, "php": 30, "typescript": 20}
#: How often each is traced, in Python with another hash seed each time. CODEREASON_RUNS gives all another number.
RUNS = {"python": 2, "javascript": 1, "java": 1, "php": 1, "typescript": 1}
FOLDERS = list_folders()
#: Each so many-th program runs under a tracer, and the others run without one.
EVERY = take_every(2)
TRACED = [folder for folder in FOLDERS[::EVERY] if (folder / "callgraph.json").is_file()]
UNTRACED = [folder for folder in FOLDERS if EVERY == 1 or folder not in TRACED]


def _name(folder: Path) -> str:
    return f"{folder.parent.name}-{folder.name}"


def _share(folders: list[Path]) -> list[Any]:
    """Programs as parameters of a test: the quick tests try one of each language."""
    quick = {folder.parent.name: folder for folder in reversed(folders)}.values()
    return [
        pytest.param(folder, id=_name(folder), marks=() if folder in quick else pytest.mark.slow) for folder in folders
    ]


def test_there_are_enough() -> None:
    counts = {speaker: sum(folder.parent.name == speaker for folder in FOLDERS) for speaker in COUNTS}
    assert all(counts[speaker] >= least for speaker, least in COUNTS.items()), counts
    assert {folder.parent.name for folder in FOLDERS} == set(COUNTS)


def test_each_has_a_specification_and_the_size_of_a_small_program() -> None:
    assert {_name(folder): faults for folder in FOLDERS if (faults := [*list_faults_of_texts(load(folder))])} == {}


def test_some_have_several_files() -> None:
    for speaker in COUNTS:
        assert sum(len(load(folder).files) > 1 for folder in FOLDERS if folder.parent.name == speaker) >= 4


def test_nothing_else_lies_in_a_folder() -> None:
    known = {"specification.md", "output.txt", "callgraph.json"}
    for folder in FOLDERS:
        files = load(folder).files
        for path in folder.rglob("*"):
            assert path.is_dir() or path.relative_to(folder).as_posix() in files or path.name in known, path
        assert (folder / "callgraph.json").is_file() == language(folder.parent.name).has("tracer")


def test_a_renamed_copy_is_found(tmp_path: Path) -> None:
    copy = tmp_path / "python" / "copy"
    copy.mkdir(parents=True)
    first = next(folder for folder in FOLDERS if folder.parent.name == "python" and len(load(folder).files) == 1)
    text = load(first).source.replace("total", "amount").replace("1", "7")
    (copy / "main.py").write_text(text, encoding="utf-8")
    assert text != load(first).source
    assert measure_likeness(first, copy) > 0.95


@pytest.mark.slow
@pytest.mark.parametrize("speaker", COUNTS)
def test_no_two_are_alike(speaker: str) -> None:
    folders = [folder for folder in FOLDERS if folder.parent.name == speaker]
    alike = {
        (first.name, second.name): round(likeness, 2)
        for first, second in combinations(folders, 2)
        if (likeness := measure_likeness(first, second)) > SIMILAR
    }
    assert alike == {}


@pytest.mark.parametrize("folder", _share(UNTRACED))
def test_it_prints_what_lies_beside_it(folder: Path, sandbox: Sandbox) -> None:
    execution = sandbox.run(Run.from_program(load(folder)))
    assert (execution.words, execution.stdout) == ("returns a value", load(folder).facts.output)
    assert execution.stderr == ""


@pytest.mark.parametrize("folder", _share(TRACED))
def test_it_has_the_same_edges_and_output_in_every_run(folder: Path, sandbox: Sandbox) -> None:
    program = load(folder)
    runs = int(os.environ.get("CODEREASON_RUNS", RUNS[program.language]))
    for attempt in range(runs):
        run = Run(
            language=program.language,
            files=program.files,
            entry=program.entry,
            witnessed="lines" if attempt == runs - 1 else "calls",
            attempt=attempt,
        )
        traced = sandbox.run(run)
        assert traced.trace is not None, traced.words
        assert traced.trace.edges == program.facts.edges
        assert traced.stdout == program.facts.output


def test_the_corpus_lies_in_the_repository() -> None:
    assert (CORPUS / "README.md").is_file()
