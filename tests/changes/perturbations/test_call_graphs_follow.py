"""The call graph of a perturbed program is the one that its tracer witnesses."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason import registry
from pytest_codereason.changes.stages.perturbation import parse, perturb
from pytest_codereason.core import Facts, Perturbation, Program
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.facts import Edges
from pytest_codereason.core.files.program_folders import read_program
from pytest_codereason.errors import Skip
from pytest_codereason.sandbox import Sandbox
from tests.examples import take_every
from tests.languages.called import FILES, read_calls

LANGUAGES = ("python", "javascript", "java")
CORPUS = Path(__file__).parents[3] / "corpus"
PERTURBATIONS = (*registry.list_shipped(Perturbation), "function-order+rename+conditions+dead-code+comments")

EXAMPLES = {
    "python": """\
def outer(items):
    chosen = lambda item: keep(item)
    def keep(item):
        if item > 1:
            return True
        return False
    return [item for item in items if chosen(item)]


class Stack:
    def __init__(self):
        def fill(size):
            return [0] * size
        self.items = fill(3)


def idle():
    return outer([])


if __name__ == "__main__":
    print(outer([1, 2, 3]), Stack().items)
""",
    "javascript": """\
const key = "turn";
const shop = { price(n) { return tax(n); }, [key]: () => 2 };
const tax = (n) => { if (n > 2) { return n * 2; } return n; };
function each(items) { return items.map((item) => { const twice = (x) => x + x; return twice(item); }); }
class Stack { constructor() { this.items = each([1]); } #grow() { return tax(1); } grow() { return this.#grow(); } }
const idle = function () { return tax(3); };
console.log(shop.price(3), shop.turn(), new Stack().grow(), (() => tax(1))());
""",
    "java": """\
import java.util.List;
class Main {
    static class Item { int n; Item(int n) { this.n = n; } int twice() { return add(n, n); } }
    static int add(int a, int b) { if (a > b) { return a; } return a + b; }
    static int sum(List<Item> items, Item... more) {
        int total = 0;
        for (Item item : items) { total = add(total, item.twice()); }
        return total;
    }
    static int idle() { return add(1, 2); }
    public static void main(String[] args) {
        Runnable run = () -> System.out.println(sum(List.of(new Item(2)), new Item(3)));
        run.run();
    }
}
""",
}


def list_programs(language: str) -> Iterator[tuple[str, Program]]:
    """The programs of the micro-benchmarks, of the tracers' tests and of the corpus, whose call graphs are known."""
    published = Path(os.environ.get("CODEREASON_DATA", ""), "callgraph", f"{language}.jsonl")
    for line in published.read_text().splitlines() if published.is_file() else ():
        row = json.loads(line)
        if row["entry"] and "reject_reason" not in row:
            entry = f"{row['entry'].replace('.', '/')}.java" if language == "java" else row["entry"]
            if entry in row["files"]:
                yield row["id"], Program(language=language, files=row["files"], entry=entry)
    for name, (source, _) in read_calls(language).items():
        yield name, Program.from_source(language=language, source=source, entry=FILES[language])
    for folder in sorted(CORPUS.glob(f"{language}/*")):
        program = read_program(folder, registry.language(language))
        yield folder.name, replace(program, facts=Facts(edges=program.facts.edges))


def witness(sandbox: Sandbox, programs: list[Program]) -> list[Execution]:
    return list(sandbox.run_all([replace(Run.from_program(program), witnessed="calls") for program in programs]))


def add_edges(sandbox: Sandbox, named: list[tuple[str, Program]]) -> Iterator[tuple[str, Program]]:
    """The programs with their call graphs, but for those that do not end."""
    unknown = [(name, program) for name, program in named if "edges" not in program.facts]
    for (name, program), run in zip(unknown, witness(sandbox, [p for _, p in unknown]), strict=True):
        if run.trace is not None and run.returned:
            yield name, replace(program, facts=Facts(edges=run.trace.edges))
    yield from ((name, program) for name, program in named if "edges" in program.facts)


def sort_names(edges: Edges) -> dict[str, list[str]]:
    return {caller: sorted(callees) for caller, callees in edges.items()}


def has_its_names(program: Program) -> bool:
    """Whether a tracer could give the call graph of a program, as far as the text of the program says."""
    pairs = [[caller, callee] for caller, callees in program.facts.edges.items() for callee in callees]
    try:
        registry.language(program.language).tracer.read({"edges": pairs}, program.files, program.entry)
    except ValueError:
        return False
    return True


def check_follow(sandbox: Sandbox, named: list[tuple[str, Program]], *, every: bool) -> tuple[list[str], int]:
    """What is wrong of the call graphs of perturbed programs, and how many were checked.

    Each names functions of its own program. If ``every`` is false, one of each program is traced: the one with all
    perturbations, or one of the others in turn.
    """
    wrong: list[str] = []
    chosen: list[tuple[str, Program]] = []
    checked = 0
    for number, (name, program) in enumerate(add_edges(sandbox, named)):
        variants = []
        for perturbation in PERTURBATIONS:
            try:
                variants.append((f"{name} {perturbation}", perturb(program, parse(perturbation), 0, "x", "edges")))
            except Skip as skip:
                if "call graph" in str(skip):
                    wrong.append(f"{name} {perturbation}: {skip}")
        wrong += [f"{title}: {dict(v.facts.edges)}\n{v.text}" for title, v in variants if not has_its_names(v)]
        turn = number // 2 % max(1, len(variants)) if number % 2 else -1
        chosen += variants if every else variants[turn:][:1]
        checked += len(variants)
    for (name, variant), run in zip(chosen, witness(sandbox, [variant for _, variant in chosen]), strict=True):
        seen = {} if run.trace is None else sort_names(run.trace.edges)
        if seen != (expected := sort_names(variant.facts.edges)):
            wrong.append(f"{name} ({run.words} {run.message}):\n{seen}\n{expected}\n{variant.text}")
    return wrong, checked


#: A program of Python starts fast; those of the others are slow.
QUICK = ["python", *(pytest.param(language, marks=pytest.mark.slow) for language in LANGUAGES[1:])]


@pytest.mark.parametrize("language", QUICK)
def test_names_follow_every_perturbation(language: str, sandbox: Sandbox) -> None:
    program = Program.from_source(language=language, source=EXAMPLES[language], entry=FILES[language])
    wrong, checked = check_follow(sandbox, [("example", program)], every=True)
    assert checked >= 5
    assert not wrong, "\n\n".join(wrong)


#: Each so many-th program is tried.
EVERY = take_every(12)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_names_follow_in_many_programs(language: str, sandbox: Sandbox) -> None:
    wrong, checked = check_follow(sandbox, list(list_programs(language))[::EVERY], every=False)
    assert checked > 400 // EVERY
    assert not wrong, f"{len(wrong)} of {checked}:\n" + "\n\n".join(wrong)
