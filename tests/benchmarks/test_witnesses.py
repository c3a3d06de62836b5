"""How often the second witness contradicts the first: edges of the corpus into functions that were never entered.

Prints, for each language, the edges, those that are contradicted, those that the text does not explain, and the
functions that were entered although no edge leads to them.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pytest_codereason.core.execution import Limits, Run
from pytest_codereason.core.facts import Edges
from pytest_codereason.core.files.program_folders import read_call_graph, read_program
from pytest_codereason.core.language.tracing import Trace
from pytest_codereason.languages.call_graphs.checking import list_unexplained
from pytest_codereason.languages.call_graphs.resolving import resolve_calls
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.benchmarks.extent import limit

pytestmark = pytest.mark.benchmark

CORPUS = Path(__file__).parents[2] / "corpus"
PATIENT = Limits(wall_s=60, cpu_s=50)


@pytest.mark.parametrize("name", ["python", "javascript", "java"])
def test_how_often_the_witnesses_disagree(name: str, sandbox: Sandbox) -> None:
    spoken = language(name)
    counts: Counter[str] = Counter()
    for folder in sorted((CORPUS / name).iterdir())[: limit(1000, 3)]:
        program = read_program(folder, spoken)
        edges: Edges = read_call_graph(folder / "callgraph.json")
        run = Run(language=name, files=program.files, entry=program.entry, limits=PATIENT, witnessed="entered")
        second = sandbox.run(run).trace
        assert second is not None, folder
        assert second.entered is not None, folder
        wrong = Trace(edges).contradicts(second)
        unexplained = list_unexplained(resolve_calls(spoken.calls.read(program.files, program.entry)), edges)
        called = {callee for callees in edges.values() for callee in callees}
        counts.update(programs=1, edges=sum(map(len, edges.values())), contradicted=len(wrong))
        counts.update(unexplained=len(unexplained), entered=len(second.entered), uncalled=len(second.entered - called))
        for caller, callee in (*wrong, *unexplained):
            print(f"\n  {folder.name}: {caller} -> {callee}")
    assert counts["edges"] > 0
    print(f"\n{name}: {', '.join(f'{key} {number}' for key, number in counts.items())}")
