"""The reasoning says for each caller which of its calls ran, and what they entered."""

from __future__ import annotations

import pytest

from pytest_codereason.core.execution import Run
from pytest_codereason.core.language.tracing import Trace
from pytest_codereason.languages.call_graphs.explaining import explain_calls
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.corpus.upkeep import list_folders, load
from tests.examples import take_every

SOURCE = """\
class Shelf:
    def __init__(self):
        self.items = []

    def add(self, item):
        self.items.append(weigh(item))

def weigh(item):
    return len(item)

def log(text):
    print(text)

def build(names, verbose=False):
    shelf = Shelf()
    for name in sorted(names, key=weigh):
        shelf.add(name)
    if verbose:
        log("built")
    return shelf

build(["a", "bc"])
"""
REASONING = """\
main: Line 22 runs build(): main.build.
main.build: Line 15 runs Shelf(): main.Shelf.__init__. Line 16 hands a function to sorted(), which calls it: \
main.weigh. Line 17 runs shelf.add(): main.Shelf.add. Line 19 never runs, so log() calls nothing.
main.Shelf.add: Line 6 runs weigh(): main.weigh."""


def trace(sandbox: Sandbox, files: dict[str, str], entry: str, speaker: str = "python") -> Trace:
    traced = sandbox.run(Run(language=speaker, files=files, entry=entry, witnessed="lines")).trace
    assert traced is not None
    return traced


def test_each_call_is_explained_in_the_order_of_the_text(sandbox: Sandbox) -> None:
    files = {"main.py": SOURCE}
    facts = language("python").calls.read(files, "main.py")
    traced = trace(sandbox, files, "main.py")
    assert explain_calls(facts, traced, ["main", "main.build", "main.Shelf.add"]) == REASONING
    assert explain_calls(facts, traced, ["main.log"]) == "main.log: calls no function of the program."


def test_a_receiver_that_the_text_leaves_open_is_told_by_the_trace(sandbox: Sandbox) -> None:
    source = "class A:\n    def go(self): pass\nclass B:\n    def go(self): pass\n"
    source += "def run(table):\n    table[0].go()\nrun([B()])\n"
    facts = language("python").calls.read({"main.py": source}, "main.py")
    explained = explain_calls(facts, trace(sandbox, {"main.py": source}, "main.py"), ["main.run"])
    assert explained.endswith("main.B.go.")
    assert "Line 6" in explained


@pytest.mark.slow
@pytest.mark.parametrize("speaker", ["python", "javascript", "java"])
def test_every_edge_of_the_corpus_is_named(speaker: str, sandbox: Sandbox) -> None:
    explained = edges = 0
    for folder in [folder for folder in list_folders() if folder.parent.name == speaker][:: take_every(12)]:
        program = load(folder)
        facts = language(speaker).calls.read(program.files, program.entry)
        traced = trace(sandbox, dict(program.files), program.entry, speaker)
        lines = explain_calls(facts, traced, [*traced.edges]).splitlines()
        for line, (caller, callees) in zip(lines, traced.edges.items(), strict=True):
            assert line.startswith(f"{caller}: ")
            assert all(callee in line for callee in callees)
            edges += len(callees)
            open_ones = (
                line.partition("called without")[0].rpartition(". ")[2].split(", ") if "called without" in line else []
            )
            explained += len(callees) - len(open_ones)
    print(f"{speaker}: {explained} of {edges} edges have a line of their own")
    assert explained >= 0.75 * edges
