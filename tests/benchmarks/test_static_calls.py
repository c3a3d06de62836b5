"""How good call graphs are that are resolved from the text alone: micro precision, recall and F1 by language.

Prints the shares of the kinds of edge too.

The truth is what tracers witnessed: the public micro-benchmarks (``CODEREASON_DATA``/callgraph) and the shipped corpus.
As in the third study, only callers that called something are asked about. Prints figures and never fails on one.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_codereason.core import Facts, Program
from pytest_codereason.core.files.program_folders import read_program
from pytest_codereason.languages.call_graphs.kinds import KINDS, sort_edges
from pytest_codereason.languages.call_graphs.resolving import resolve_calls
from pytest_codereason.registry import language

pytestmark = pytest.mark.benchmark

LANGUAGES = ["python", "javascript", "java"]
CORPUS = Path(__file__).parents[2] / "corpus"


def read_published(name: str) -> Iterator[Program]:
    """The runnable programs of the public micro-benchmarks with their executed edges."""
    path = Path(os.environ.get("CODEREASON_DATA", ""), "callgraph", f"{name}.jsonl")
    for line in path.read_text().splitlines() if path.is_file() else ():
        row = json.loads(line)
        if "reject_reason" in row:
            continue
        entry = row["entry"]
        if name == "java":
            package, _, main = entry.rpartition(".")
            declared = re.compile(rf"\bclass\s+{main}\b")
            [entry] = [
                file
                for file, text in row["files"].items()
                if declared.search(text) and file.startswith(package.replace(".", "/"))
            ]
        edges = row.get("executed_edges_declared") or row["executed_edges"]
        yield Program(language=name, files=row["files"], entry=entry, facts=Facts(edges=edges))


def read_corpus(name: str) -> Iterator[Program]:
    """The shipped programs of a language."""
    for folder in sorted((CORPUS / name).glob("*")):
        if (folder / "callgraph.json").is_file():
            yield read_program(folder, language(name))


SETS = {"micro-benchmarks": read_published, "corpus": read_corpus}


@pytest.mark.parametrize("title", SETS)
@pytest.mark.parametrize("name", LANGUAGES)
def test_static_calls(name: str, title: str) -> None:
    counts: Counter[str] = Counter()
    began = time.perf_counter()
    for program in SETS[title](name):
        edges = resolve_calls(language(name).calls.read(program.files, program.entry)).edges
        truth = {(caller, callee) for caller, callees in program.facts.edges.items() for callee in callees}
        named = {(caller, callee) for caller in {caller for caller, _ in truth} for callee in edges.get(caller, ())}
        counts += Counter(tp=len(truth & named), fp=len(named - truth), fn=len(truth - named))
        counts += Counter(programs=1, exact=truth == named)
    if not counts["tp"]:
        pytest.skip(f"no programs of {title} in {name}")
    precision = counts["tp"] / (counts["tp"] + counts["fp"])
    recall = counts["tp"] / (counts["tp"] + counts["fn"])
    f1 = 2 * precision * recall / (precision + recall)
    seconds = (time.perf_counter() - began) / counts["programs"]
    print(
        f"\n{title}, {name}: {counts['programs']} programs, {counts['tp'] + counts['fn']} edges; "
        f"P {precision:.1%}, R {recall:.1%}, F1 {f1:.1%}, exact {counts['exact']}; {1000 * seconds:.0f} ms a program"
    )


@pytest.mark.parametrize("name", LANGUAGES)
def test_kinds_of_edge(name: str) -> None:
    kinds: Counter[str] = Counter()
    for program in read_corpus(name):
        resolution = resolve_calls(language(name).calls.read(program.files, program.entry))
        kinds.update(edge.kind for edge in sort_edges(resolution, program.facts.edges).values())
    if not kinds:
        pytest.skip(f"no programs of the corpus in {name}")
    shares = ", ".join(f"{kind} {kinds[kind] / kinds.total():.1%}" for kind in KINDS)
    print(f"\n{name}: {kinds.total()} edges; {shares}")
