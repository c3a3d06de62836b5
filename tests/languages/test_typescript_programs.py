"""TypeScript on whole programs: those of the corpus, and functions of packages of npm that are written in it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from pytest_codereason import registry
from pytest_codereason.changes.stages.perturbation import parse, perturb
from pytest_codereason.core import Facts, FaultOperator, Perturbation, Program
from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.core.language.tracing import Witnessed
from pytest_codereason.errors import DoesNotParse, Skip
from pytest_codereason.languages.javascript.syntax.code import JavaScriptCode
from pytest_codereason.languages.javascript.syntax.tree import GLOBALS
from pytest_codereason.languages.typescript import TypeScript
from pytest_codereason.languages.typescript.blanking import blank
from pytest_codereason.sandbox import Sandbox
from tests.changes.faults.programs import list_corpus, list_injections, plant
from tests.examples import take_every
from tests.languages.npm import fetch_packages

pytestmark = pytest.mark.slow

TYPESCRIPT = TypeScript()
PERTURBATIONS = (*registry.list_shipped(Perturbation), "function-order+rename+conditions+dead-code+comments")
OPERATORS = registry.list_shipped(FaultOperator)
PACKAGES = (
    *("effect@4.1.0", "zod@4.6.7", "rxjs@7.8.2", "immer@11.2.10"),
    *("@noble/hashes@2.4.0", "@tanstack/virtual-core@3.19.11"),
)
ARGUMENTS = ("3", "'abc'", "[3, 1, 2]", "{ a: 1, b: 2 }", "true")
#: Gives the value of each call, ``null`` of one that raises.
TRYING = """
function tryCalls(): any[] {
    return [CALLS].map((call: () => any) => { try { return call(); } catch { return null; } });
}
"""
SHORT = Limits(wall_s=5, cpu_s=2)


def list_functions(home: Path) -> Iterator[Program]:
    """The functions of a package that stand for themselves, each as a program with no call yet."""
    paths = [path for path in sorted(home.rglob("*.ts")) if not path.name.endswith(".d.ts")]
    for path in paths[:: take_every(4)]:
        if path.stat().st_size > 60_000:
            continue
        try:
            code = TYPESCRIPT.syntax.parse(path.read_text())
        except DoesNotParse:
            continue
        for function in code.functions:
            text = code.source[function.span.start : function.span.end]
            if not text.startswith("function") or "." in function.name or not 2 < text.count("\n") < 40:
                continue
            try:
                names = JavaScriptCode(blank(text))._resolved[1]
                TYPESCRIPT.syntax.parse(text)
            except DoesNotParse:
                continue
            if names <= GLOBALS and "random" not in text and "Date" not in text:
                yield Program.from_source(language="typescript", source=text, call=function.name)


def add_calls(programs: list[Program], sandbox: Sandbox) -> Iterator[Program]:
    """The programs for which a call is found that returns a value, with its input and output."""
    draws = random.Random(0)
    tried: list[list[str]] = []
    runs: list[Run] = []
    for program in programs:
        (function,) = [f for f in TYPESCRIPT.syntax.parse(program.source).functions if f.name == program.call]
        combinations = [", ".join(one) for one in product(ARGUMENTS, repeat=len(function.parameters))]
        draws.shuffle(combinations)
        tried.append(combinations[:6])
        calls = ", ".join(f"() => {program.call}({given})" for given in tried[-1])
        source = program.source + TRYING.replace("CALLS", calls)
        runs.append(Run.from_source(language="typescript", source=source, call="tryCalls()", limits=SHORT))
    for program, inputs, execution in zip(programs, tried, sandbox.run_all(runs), strict=True):
        values = execution.value if execution.returned else []
        for given, value in zip(inputs, values, strict=False):
            if value is not None:
                facts = Facts(input=given, output=value)
                yield replace(program, call=f"{program.call}({given})", facts=facts)
                break


def fetch_functions(into: Path, sandbox: Sandbox) -> list[Program]:
    sources: dict[str, Program] = {}
    for home in fetch_packages(PACKAGES, into):
        sources |= {program.source: program for program in list_functions(home)}
    return [*add_calls([*sources.values()], sandbox)]


def perturb_all(programs: list[Program], goal: str) -> Iterator[tuple[Program, Program]]:
    """Every program with what each perturbation makes of it."""
    for number, program in enumerate(programs):
        for name in PERTURBATIONS:
            try:
                yield program, perturb(program, parse(name), 0, str(number), goal)
            except Skip:
                continue


def run_all(programs: list[Program], sandbox: Sandbox, witnessed: Witnessed = "") -> list[Execution]:
    runs = [replace(Run.from_program(program, limits=SHORT), witnessed=witnessed) for program in programs]
    return list(sandbox.run_all(runs))


def is_output(output: object, program: Program) -> bool:
    """Whether a program gives this: what it prints, or the value of its call, which may be ``NaN``."""
    known = program.facts["output"]
    return output == known or (bool(program.call) and TYPESCRIPT.values.equal(output, known))


def check_perturbations(programs: list[Program], sandbox: Sandbox) -> int:
    """Every perturbed program gives what the original gives. Gives back how many there are."""
    pairs = [*perturb_all(programs, "output")]
    wrong = []
    for (original, program), execution in zip(pairs, run_all([p for _, p in pairs], sandbox), strict=True):
        output = execution.read_output(program)
        same = is_output(output, original)
        prints = program.source.count("console.log") > original.source.count("console.log") and not program.call
        if not execution.returned or not (same or prints):
            wrong.append(f"{execution.words}: {output!r}\n{program.source}\n{program.call}")
        assert TYPESCRIPT.syntax.check(program.source) == ""
    assert wrong == []
    return len(pairs)


def check_faults(programs: list[Program], sandbox: Sandbox) -> int:
    """Every faulty program is one. Gives back how many of those that were run give something else."""
    faulty = []
    for program in programs:
        for name in OPERATORS:
            texts = [plant(program, injection).text for injection in list_injections(name, program)]
            assert not [text for text in texts[:: take_every(4)] if TYPESCRIPT.syntax.check(text)]
            faulty += [(program, text) for text in texts[:1]]
    variants = [replace(p, files={**p.files, p.entry: text}) for p, text in faulty]
    different = 0
    for (program, _), variant, execution in zip(faulty, variants, run_all(variants, sandbox), strict=True):
        assert execution.ending in ("returned", "raised", "limit"), (execution.words, variant.source)
        different += not execution.returned or execution.read_output(variant) != program.facts["output"]
    return different


def check_graphs(programs: list[Program], sandbox: Sandbox) -> int:
    """A traced program does the same, and V8 saw each function entered that an edge leads to. Counts the edges."""
    traced, second = run_all(programs, sandbox, "calls"), run_all(programs, sandbox, "entered")
    edges = 0
    for program, first, entered in zip(programs, traced, second, strict=True):
        assert first.trace is not None, first.words
        assert entered.trace is not None, entered.words
        assert first.trace.contradicts(entered.trace) == []
        assert "edges" not in program.facts or first.trace.edges == program.facts.edges
        assert is_output(first.read_output(program), program)
        edges += sum(map(len, first.trace.edges.values()))
    return edges


def test_the_programs_of_the_corpus(sandbox: Sandbox) -> None:
    programs = [program for _, program in list_corpus("typescript")]
    outputs = [execution.stdout for execution in run_all(programs, sandbox)]
    programs = [replace(p, facts=Facts(output=out)) for p, out in zip(programs, outputs, strict=True)]
    assert len(programs) >= 20
    changed = programs[:: take_every(7)]
    assert check_perturbations(changed, sandbox) >= 8 * len(changed)
    assert check_faults(changed, sandbox) >= 4 * len(changed)
    assert check_graphs(programs, sandbox) >= 10 * len(programs)


def test_functions_of_packages(tmp_path: Path, sandbox: Sandbox) -> None:
    programs = fetch_functions(tmp_path, sandbox)
    assert len(programs) >= 100 // take_every(5)
    changed = programs[:: take_every(6)]
    assert check_perturbations(changed, sandbox) >= 6 * len(changed)
    assert check_faults(changed, sandbox) >= len(changed) // 2
    traced = programs[:: take_every(2)]
    assert check_graphs(traced, sandbox) > len(traced)
