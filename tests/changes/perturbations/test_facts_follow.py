"""Facts stay right through every perturbation and composition, held against markers in the code.

Each function holds a number that no other has, which says after any change what the function is called by now. Each
file holds one line with a number of its own: the faulty line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_codereason import registry
from pytest_codereason.changes.stages import _steps
from pytest_codereason.changes.stages.perturbation import parse, perturb
from pytest_codereason.core import ABSENT, Facts, Fault, Perturbation, Program
from pytest_codereason.core.execution import Run
from pytest_codereason.core.language.structure import Function
from pytest_codereason.core.text import changes
from pytest_codereason.errors import Skip
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.strategies import perturbations
from tests.changes.perturbations.marked_programs import CASES
from tests.examples import examples

LANGUAGES = ("java", "javascript", "php", "python")
#: Languages whose call graphs have names: those with a tracer.
GRAPHED = ("java", "javascript", "python")
#: Languages with a function within a function, which no other file sees.
NESTED = ("javascript", "python")
#: What a file says of other files.
OUTSIDE = re.compile(r"^<\?php|^(?:import|from|require_once|const lib|const \{ area|module\.exports).*", re.MULTILINE)


def parse_functions(language: str, text: str) -> tuple[Function, ...]:
    syntax = registry.language(language).syntax
    assert syntax is not None
    return syntax.parse(text).functions


def normalise(language: str, text: str) -> str:
    syntax = registry.language(language).syntax
    assert syntax is not None
    return syntax.normalise(text).text


def find_names(program: Program) -> dict[int, str]:
    """What the function that holds each number is called in a call graph.

    In these programs that is the module or, in Java, the class, then the function, and in Java its one parameter.
    """
    names: dict[int, str] = {}
    for file, text in program.files.items():
        functions = parse_functions(program.language, text)
        module = file.rpartition(".")[0].replace("/", ".")
        for number in CASES[program.language].edges:
            if (at := text.find(str(number))) >= 0:
                around = [f for f in functions if f.span.start <= at < f.span.end]
                name = min(around, key=lambda f: f.span.end - f.span.start).name
                java = program.language == "java"
                names[number] = f"{name.replace('.', ':')}(int)" if java else f"{module}.{name}"
    return names


def find_line(text: str, number: int) -> int:
    """The one line of code that holds a number: a comment that quotes it does not count."""
    lines = [i for i, line in enumerate(text.split("\n"), 1) if str(number) in line.split("//")[0].split("#")[0]]
    assert len(lines) == 1, text
    return lines[0]


def write_edges(program: Program) -> dict[str, tuple[str, ...]]:
    """The call graph under the names that functions have in the text."""
    names = find_names(program)
    return {
        names[caller]: tuple(names[callee] if isinstance(callee, int) else callee for callee in callees)
        for caller, callees in CASES[program.language].edges.items()
    }


def make_program(language: str, faulty: int, *, merged: bool, tidy: bool) -> Program:
    """The program of a language, with the facts that its markers say.

    Args:
        faulty: the number of the file that holds the fault.
        merged: whether it is one file of all: nothing else sees its names, so that all of them can change.
        tidy: whether it is in the uniform layout from the start.
    """
    case = CASES[language]
    names = list(case.files)
    files, fault_file = dict(case.files), names[faulty]
    if merged:
        texts = [OUTSIDE.sub("", text) for text in reversed(list(case.files.values()))]
        files, fault_file = {names[0]: "<?php" * (language == "php") + "\n".join(texts)}, names[0]
    if tidy:
        files = {file: normalise(language, text) for file, text in files.items()}
    program = Program(language=language, files=files, entry=names[0], call=case.call)
    fault = Fault(find_line(files[fault_file], 90001 + faulty), fault_file)
    given = case.call.partition("(")[2].removesuffix(")")
    edges = write_edges(program) if language in GRAPHED else ABSENT
    return replace(program, facts=Facts(output=5, input=given, edges=edges, fault=fault))


def check_facts(program: Program, faulty: int) -> None:
    """Fails where a fact is wrong of the program's text."""
    line, file = program.facts.fault[:2]
    assert line == find_line(program.files[file], 90001 + faulty), program.text
    if program.language in GRAPHED:
        assert program.facts.edges == write_edges(program), program.text
    called = re.split(r"[.:]", find_names(program)[71002].partition("(")[0])[-1]
    assert program.call.removeprefix("App.").startswith(f"{called}("), program.text
    assert program.call.endswith(f"({program.facts.input})")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=examples(60), deadline=None)
@given(
    st.just("vanilla") | perturbations(most=3), st.integers(0, 2**32), st.integers(0, 2), st.booleans(), st.booleans()
)
def test_facts_stay_right(language: str, perturbation: str, seed: int, faulty: int, merged: bool, tidy: bool) -> None:
    program = make_program(language, faulty, merged=merged, tidy=tidy)
    check_facts(program, faulty)
    try:
        variant = perturb(program, parse(perturbation), seed, "x", "output")
    except Skip:
        return
    check_facts(variant, faulty)


@pytest.mark.parametrize("merged", [False, True], ids=["three-files", "one-file"])
@pytest.mark.parametrize("perturbation", registry.list_shipped(Perturbation))
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_perturbation_changes_these_programs(language: str, perturbation: str, merged: bool) -> None:
    program = make_program(language, 1, merged=merged, tidy=False)
    plain = perturb(program, (), 0, "x", "output")
    variant = perturb(program, parse(perturbation), 0, "x", "output")
    check_facts(variant, 1)
    assert (variant.files == plain.files) == (perturbation == "vanilla")
    moved = find_names(variant) != find_names(plain)
    renames = perturbation in ("rename", "misleading-names")
    assert moved == (renames and (merged or language in NESTED))


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_three_files_return_the_same_after_every_perturbation(language: str, sandbox: Sandbox) -> None:
    program = make_program(language, 0, merged=False, tidy=False)
    parts = [
        *registry.list_shipped(Perturbation),
        "function-order+misleading-names+rename+conditions+dead-code+comments+prints+hint+misleading-comments",
    ]
    seeds = range(1 if language == "java" else 3)  # each of its programs takes a machine of its own
    variants = [perturb(program, parse(part), seed, "x", "output") for part in parts for seed in seeds]
    before, *after = sandbox.run_all([Run.from_program(p) for p in (program, *variants)])
    assert before.returned, before.words
    for variant, execution in zip(variants, after, strict=True):
        assert execution.returned, f"{execution.words}\n{variant.text}"
        assert execution.value == before.value, variant.text


@pytest.fixture
def _no_steps_kept() -> Iterator[None]:
    """What was perturbed before is no answer here, and what is perturbed wrongly is none afterwards."""
    _steps.take_step.cache_clear()
    yield
    _steps.take_step.cache_clear()


@pytest.mark.usefixtures("_no_steps_kept")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_check_fails_where_a_line_does_not_move(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes._FileMovement, "move_line", lambda self, file, line: line)
    program = make_program(language, 1, merged=True, tidy=False)
    with pytest.raises(AssertionError):
        check_facts(perturb(program, parse("comments"), 0, "x", "output"), 1)


@pytest.mark.usefixtures("_no_steps_kept")
@pytest.mark.parametrize("language", GRAPHED)
def test_the_check_fails_where_a_name_does_not_move(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_steps, "follow_call_graph", lambda before, after: after)
    program = make_program(language, 1, merged=True, tidy=False)
    with pytest.raises((AssertionError, KeyError)):
        check_facts(perturb(program, parse("rename"), 0, "x", "output"), 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_another_file_may_see_keeps_its_name(language: str) -> None:
    """At the top of a file, and as a parameter, whatever perturbations are applied."""
    program = make_program(language, 0, merged=False, tidy=True)
    variant = perturb(program, parse("rename+dead-code"), 0, "x", "output")
    assert variant.call == program.call
    for file, text in program.files.items():
        before, after = parse_functions(language, text), parse_functions(language, variant.files[file])
        outer = [f for f in before if f.name.rpartition(".")[0] not in {g.name for g in before}]
        assert [(f.name, f.parameters) for f in outer] == [
            (f.name, f.parameters) for f in after if f.name in {g.name for g in outer}
        ]
