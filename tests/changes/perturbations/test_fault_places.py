"""A fault is blamed where its text stands after a change, held against the same change of the correct program."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from pytest_codereason import registry
from pytest_codereason.changes.stages.perturbation import Keep, parse, perturb
from pytest_codereason.core import Facts, Fault, Perturbation, Program
from pytest_codereason.core.language.structure import Span
from pytest_codereason.core.text.planting import ChosenFault, plant
from tests.changes.faults.programs import LANGUAGES, OPERATORS, list_corpus
from tests.changes.perturbations.data_sets import cruxeval, cruxeval_x, data
from tests.changes.perturbations.fault_places import find_error, list_chosen
from tests.examples import take_every

NAMES = registry.list_shipped(Perturbation)
#: Those that change scripts: a hint needs the value of a call, and a script gets no prints.
OF_SCRIPTS = [name for name in NAMES if name not in ("hint", "prints", "vanilla")]
KEEPS: tuple[Keep, ...] = ("", "layout")
#: Each so many-th shipped program is tried, and each so many-th of data sets.
EVERY = take_every(16)
PUBLISHED = take_every(56)
#: As CRUXEval-X names them.
SHORT = {"javascript": "js", "java": "java", "php": "php"}
#: Faults that share their line with other code, each with the right text and the wrong one, and the line that the
#: layout gives it.
CROWDED = {
    "python": [
        ("def f(n):\n    if n > 5: return g(n) - 3\n    return n\n", "- 3", "+ 3", 3),
        ("def f(n):\n    a = 1; b = a; n += b * 2; return n\n", "b * 2", "b + 2", 4),
        ("class A: x = 1; y = x and 2\ndef f(n): return n\n", "x and 2", "x or 2", 3),
        ("def f(n):\n    while n: n -= 1; break\n    else: n = 4\n    return n\n", "4", "5", 6),
    ],
    "javascript": [
        ("function f(n) { let a = 1; if (n > 5) { a = g(n) - 3; } return a; }", "- 3", "+ 3", 4),
        ("const f = (n) => { const p = [1].map((x) => { return x; }); return p[0] && n }", "p[0] && n", "p[0] || n", 5),
        ("function f(n) { return [n].filter(x => { return x; }).length - 1; }", " - 1", "", 4),
        ("function f(n) { if (n && !g) return 1\n return 2 }", " && !g", "", 2),
    ],
    "php": [
        ("<?php function f($n) { $a = 1; if ($n > 5) { $a = g($n) - 3; } return $a; }", "- 3", "+ 3", 5),
        ("<?php function f($n) { $h = function ($x) { return $x; }; return $h($n) && $n; }", " && $n", "", 6),
    ],
    "java": [
        ("class M { static int f(int n) { int a = 1; if (n > 5) { a = f(n) - 3; } return a; } }", "- 3", "+ 3", 5),
        ("class M { int a = 1, b = 2; int f() { return a; } int g() { return b * a; } }", "b * a", "a * b", 9),
    ],
}


def join_lines(program: Program) -> Program:
    """The program in a uniform layout, with as many statements on one line as its language allows."""
    program = perturb(program, (), 0, "x", "output")
    files = {file: _join(program.language, text) for file, text in program.files.items()}
    return Program(language=program.language, files=files, entry=program.entry, call=program.call)


def _join(language: str, text: str) -> str:
    if language == "python":
        joined = re.sub(r"(?m)^( *)(\w+ [-+]?= [^\n#]*)\n\1(?=\w+ [-+]?= )", r"\1\2; ", text)
        return re.sub(r"(?m)^( *)(if [^\n]*:)\n\1    ([^\n]*)\n(?!\1    )", r"\1\2 \3\n", joined)
    kept = any(mark in text for mark in ('"""', "<<<", "#!")) or any("\n" in part for part in text.split("`")[1::2])
    return text if kept else re.sub(r"\n\s*", " ", text)


def list_errors(program: Program, name: str, keep: Keep, most: int) -> Iterator[str]:
    for operator in OPERATORS:
        chosen = list_chosen(program, operator)
        for fault in chosen[:: -(-len(chosen) // most)] if chosen else ():
            if (error := find_error(program, fault, name, keep)) is not None:
                yield error


def assert_right(program: Program, name: str, keep: Keep, most: int) -> int:
    """Fails where a fact is wrong; gives the number of those that were held against something."""
    errors = [*list_errors(program, name, keep, most)]
    assert not any(errors), next(filter(None, errors))
    return len(errors)


@pytest.mark.parametrize(
    ("language", "source", "right", "wrong", "line"),
    [(language, *case) for language, cases in CROWDED.items() for case in cases],
)
def test_a_fault_on_a_crowded_line(language: str, source: str, right: str, wrong: str, line: int) -> None:
    at = source.rindex(right)
    program = Program.from_source(language=language, source=source)
    chosen = ChosenFault("main", Span(at, at + len(right)), wrong, source.count("\n", 0, at) + 1)
    changed = perturb(plant(program, chosen), parse("vanilla"), 0, "x", "fault")
    assert changed.facts.fault.line == line, changed.source
    assert not find_error(program, chosen, "vanilla")


def test_the_check_fails_where_only_a_line_is_known() -> None:
    source, right, wrong, line = CROWDED["javascript"][0]
    at = source.rindex(right)
    faulty = plant(
        Program.from_source(language="javascript", source=source), ChosenFault("main", Span(at, at + 3), wrong, 1)
    )
    known = faulty.replace_source(faulty.source, facts=Facts(fault=Fault(1)))
    assert perturb(known, parse("vanilla"), 0, "x", "fault").facts.fault.line == 1 != line


def test_a_gap_at_the_end_of_a_moved_definition_is_blamed_on_the_line_before() -> None:
    source = "def a(n):\n    n = [n]\n    n.sort()\ndef b(n):\n    return n\ndef c(n):\n    return n\n"
    program = Program.from_source(language="python", source=source)
    start = source.index("    n.sort")
    faulty = plant(program, ChosenFault("main", Span(start, source.index("def b")), "", 3, (2,)))
    places = set()
    for seed in range(20):
        changed = perturb(faulty, parse("function-order"), seed, "x", "fault")
        fault, lines = changed.facts.fault, changed.source.split("\n")
        blamed = {lines[line - 1] for line in (fault.line, *fault.also)}
        assert "    n = [n]" in blamed
        assert changed.source.index("[n]") < changed.source.index("def b") or len(blamed) == 1
        places.add(fault.line)
    assert len(places) > 1


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_faults_of_a_shipped_program_stay_in_their_places(language: str) -> None:
    program = next(p for _, p in list_corpus(language))
    crowded = join_lines(program)
    counts = [assert_right(p, name, "", 1) for p in (program, crowded) for name in ("vanilla", "rename")]
    counts += [assert_right(crowded, name, "layout", 1) for name in NAMES]
    assert sum(counts) > 50


@pytest.mark.slow
@pytest.mark.parametrize("keep", KEEPS, ids=["uniform", "as-it-was"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_faults_of_shipped_programs_stay_in_their_places(language: str, keep: Keep) -> None:
    counts = []
    first = LANGUAGES.index(language) * len(KEEPS) + KEEPS.index(keep)  # other perturbations in each test
    for number, (_, program) in enumerate([*list_corpus(language)][EVERY // 2 * bool(keep) :: EVERY], first):
        for shape in (program, join_lines(program)):
            counts += [assert_right(shape, "vanilla", keep, 3)] if not keep and (number - first) % 2 == 0 else []
            counts.append(assert_right(shape, OF_SCRIPTS[number % len(OF_SCRIPTS)], keep, 1))
    assert sum(counts) > 4 * len(counts)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["python", *SHORT])
def test_faults_of_programs_of_data_sets_stay_in_their_places(language: str) -> None:
    programs = cruxeval() if language == "python" else list(cruxeval_x(SHORT[language]).values())
    counts = [
        assert_right(shape, name, "", 2)
        for number, program in enumerate(programs[::PUBLISHED])
        for shape in (program, join_lines(program))
        for name in ("vanilla", NAMES[number % len(NAMES)])
    ]
    assert sum(counts) > 3 * len(counts)


def test_the_faults_of_a_data_set_of_changes() -> None:
    rows = [json.loads(line) for line in data("programs/changes.jsonl").read_text().splitlines()]
    counts = []
    for row in rows:
        if "operator-swap" in row["under"]:
            program = Program.from_source(language=row["language"], source=row["code"], call=row["call"])
            counts.append(assert_right(program, "vanilla", "", 100))
    assert sum(counts) > 0
