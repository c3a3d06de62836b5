"""Checks programs of the corpus, and writes what they print and their call graphs beside them.

    python -m tests.corpus.upkeep corpus/python/inventory corpus/java/parser
    python -m tests.corpus.upkeep          # every program

A program is refused with its reasons, or gets new ``output.txt`` and ``callgraph.json``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pytest_codereason.core import Program
from pytest_codereason.core.execution import Limits, Run
from pytest_codereason.core.facts import Edges
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.core.files.program_folders import read_program, write_facts
from pytest_codereason.registry import language

CORPUS = Path(__file__).parents[2] / "corpus"
LINES = (50, 150)  #: that are not blank, of all files of a program
OUTPUT = 2000  #: most characters that a program prints
WORDS = (40, 400)  #: of a specification
SIMILAR = 0.30  #: most likeness of two programs of a language, 0 to 1
MAIN = "Main:main(java.lang.String[])"  #: where a program of Java begins
_SHINGLE = 6  #: tokens that follow each other
_TOKEN = re.compile(
    r"""(?P<comment>\#(?!\w+\s*[({=;]).*|//.*|/\*[\s\S]*?\*/|\"\"\"[\s\S]*?\"\"\")|(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`[^`]*`)"""
    r"""|(?P<number>\d[\w.]*)|(?P<name>[$\w]+)|(?P<other>[^\s\w])"""
)
_KEYWORDS = frozenset(
    (
        "def class return if elif else for while in not and or is None True False lambda yield try except "
        "finally raise with async await break continue function const let var new this static get set of "
        "typeof throw catch switch case default import from export extends super public private protected "
        "final abstract interface enum record void int long double boolean String instanceof implements "
        "package echo foreach as fn match self use null true false array"
    ).split()
)


class Look(NamedTuple):
    """What running a program shows."""

    output: str
    edges: Edges | None  #: None where the language has no tracer
    faults: list[str]  #: why the program cannot stay


def list_folders(root: Path = CORPUS) -> list[Path]:
    """The folders of all programs, by language and name."""
    return sorted(folder for folder in root.glob("*/*") if folder.is_dir())


@cache
def load(folder: Path) -> Program:
    """The program of a folder ``LANGUAGE/NAME``."""
    return read_program(folder, language(folder.parent.name))


def look_at(folder: Path, executor: Executor) -> Look:
    """Runs a program without and with its tracer, and looks for faults."""
    program = load(folder)
    plain = executor.execute(Run.from_program(program, limits=Limits(cpu_s=5)))
    faults = list(list_faults_of_texts(program))
    if not plain.returned:
        return Look("", None, [*faults, f"it {plain.words}"])
    if plain.stderr:
        faults.append(f"it prints to standard error: {plain.stderr[:200]!r}")
    if plain.cpu_s > (3 if program.language == "java" else 1):
        faults.append(f"it takes {plain.cpu_s:.1f} seconds of processor time")
    if not plain.stdout.strip() or len(plain.stdout) > OUTPUT:
        faults.append(f"it prints {len(plain.stdout)} characters, not 1 to {OUTPUT}")
    again = executor.execute(Run.from_program(program, limits=Limits(cpu_s=5)))
    if again.stdout != plain.stdout:
        faults.append("it prints something else the second time")
    if not language(program.language).has("tracer"):
        return Look(plain.stdout, None, faults)
    lines = Run(language=program.language, files=program.files, entry=program.entry, witnessed="lines")
    traced = executor.execute(lines)
    if traced.trace is None:
        return Look(plain.stdout, None, [*faults, f"under trace it {traced.words}"])
    if traced.stdout != plain.stdout:
        faults.append("it prints something else under trace")
    edges = traced.trace.edges
    if sum(map(len, edges.values())) < 4:
        faults.append("fewer than 4 edges")
    bodies = language(program.language).tracer.list_bodies(program.files, program.entry)
    reached = {_shorten(name) for names in edges.values() for name in names}
    unreached = {_shorten(body.name) for body in bodies if body.callable} - {*reached, _shorten(MAIN)}
    if not unreached:
        faults.append("the driver reaches every function: leave at least one unreached")
    return Look(plain.stdout, edges, faults)


def _shorten(name: str) -> str:
    """A name with the number of parameters: bodies of Java may have other words for types than edges have."""
    place, bracket, types = re.sub(r"\$\d+", "$", name).partition("(")
    return f"{place}({types.count(',')}" if bracket else place


def list_faults_of_texts(program: Program) -> Iterator[str]:
    """Why the files of a program, or its specification, cannot stay as they are."""
    lines = sum(bool(line.strip()) for text in program.files.values() for line in text.splitlines())
    if not LINES[0] <= lines <= LINES[1]:
        yield f"{lines} lines that are not blank, not {LINES[0]} to {LINES[1]}"
    if "specification" not in program.facts:
        yield "no specification.md"
    elif not WORDS[0] <= len(program.facts.specification.split()) <= WORDS[1]:
        yield f"{len(program.facts.specification.split())} words in specification.md, not {WORDS[0]} to {WORDS[1]}"
    longest = max(len(line) for text in program.files.values() for line in text.splitlines())
    if longest > 110:
        yield f"a line of {longest} characters"


@cache
def shingle(folder: Path) -> frozenset[tuple[str, ...]]:
    """All runs of tokens of a program in which names, numbers and texts are alike: its structure."""
    tokens, files = [], load(folder).files
    for file in sorted(files):
        for token in _TOKEN.finditer(files[file]):
            if token.lastgroup != "comment":
                word = token[0]
                tokens.append(word if token.lastgroup == "other" or word in _KEYWORDS else str(token.lastgroup))
    return frozenset(tuple(tokens[i : i + _SHINGLE]) for i in range(len(tokens) - _SHINGLE + 1))


def measure_likeness(first: Path, second: Path) -> float:
    """The share of runs of tokens that two programs have in common, 0 to 1 (Jaccard)."""
    a, b = shingle(first), shingle(second)
    return len(a & b) / len(a | b) if a | b else 1.0


def find_likest(folder: Path) -> tuple[float, Path | None]:
    """The program of the same language that is most like this one."""
    others = [other for other in list_folders() if other.parent == folder.parent and other != folder]
    return max(((measure_likeness(folder, other), other) for other in others), default=(0.0, None))


def main(paths: Sequence[str]) -> int:
    """Checks programs and writes their facts; the number of programs with faults."""
    executor, refused = Executor("auto"), 0
    try:
        for folder in [Path(path).resolve() for path in paths] or list_folders():
            found = look_at(folder, executor)
            likeness, other = find_likest(folder)
            if likeness > SIMILAR and other:
                found.faults.append(f"{likeness:.2f} like {other.name}")
            if found.faults:
                refused += 1
                print(f"{folder.parent.name}/{folder.name}: {'; '.join(found.faults)}")
                continue
            write_facts(folder, output=found.output, edges=found.edges)
            edges = sum(map(len, (found.edges or {}).values()))
            print(f"{folder.parent.name}/{folder.name}: {edges} edges; {likeness:.2f} like {other and other.name}")
    finally:
        executor.close()
    return refused


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
