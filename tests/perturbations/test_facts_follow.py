"""Facts stay right through every perturbation and composition, held against markers in the code.

Each function holds a number that no other has, which says after any change what the function is called by now. Each
file holds one line with a number of its own: the faulty line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_codereason import registry
from pytest_codereason.core import Facts, Fault, Perturbation, Program
from pytest_codereason.core.execution import Run
from pytest_codereason.core.structure import Function
from pytest_codereason.errors import Skip
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.stages.perturbation import parse, perturb
from pytest_codereason.strategies import perturbations
from pytest_codereason.text import changes

LANGUAGES = ("java", "javascript", "php", "python")
#: Languages with a function within a function, which no other file sees.
NESTED = ("javascript", "python")
#: What a file says of other files.
OUTSIDE = re.compile(r"^<\?php|^(?:import|from|require_once|const lib|const \{ area|module\.exports).*", re.MULTILINE)


class Case(NamedTuple):
    """A program of several files, by what its markers say."""

    files: Mapping[str, str]
    call: str
    #: the numbers in the functions, and for each caller's number the numbers or names of what it calls
    edges: Mapping[int, tuple[int | str, ...]]


CASES: Mapping[str, Case] = {
    "python": Case(
        {
            "app.py": '''# Where everything begins.
import lib
from more.shapes import area


def begin(x):
    """Adds them up.

    In three steps.
    """

    def inner(y):  # a helper

        step = y + 71001
        if step > 3:
            step = step - 1
        return (
            step
        )

    # total = inner(x) + 90001
    total = inner(
        x) + lib.g(x) + 71002

    total = total + 90001
    if total > 10 and x:
        total += area(x)
    return total
''',
            "lib.py": """

def g(x, least=0):
    # g is called by begin
    result = 71003



    for i in range(3):
        if i > least:

            result = result + i * 90002
    return result + h(x)


def h(x): return abs(x) + 71004
""",
            "more/shapes.py": """# Shapes.

def area(side):
    width = side; height = side + 71005
    while width > 1000:
        width = width - 1

    return (width
        * height
        + 90003)
""",
        },
        "begin(x=2)",
        {71002: (71001, 71003, 71005), 71001: (), 71003: (71004, "range"), 71004: ("abs",), 71005: ()},
    ),
    "javascript": Case(
        {
            "app.js": """// Where everything begins.
const lib = require("./lib.js");
const { area } = require("./more/shapes.js");

/* begin adds
   them up */
function begin(x) {
    function inner(y) { let step = y + 71001; // a helper
        if (step > 3) step = step - 1;
        return step; }


    // total = total + 90001
    let total = inner(
        x) + lib.g(x) + 71002;

    total = total + 90001;
    if (total > 10 && x) {
        total += area(x);
    }
    return total;
}
""",
            "lib.js": """function h(x) { return Math.abs(x) + 71004; }

function g(x, least = 0) {
    let result = 71003;


    for (let i = 0; i < 3; i++) {
        if (i > least)
            result = result + i * 90002; // 1
    }
    return result + h(x);
}

module.exports = { g };
""",
            "more/shapes.js": """// Shapes.

exports.area = function area(side) {
    let width = side, height = side + 71005;
    while (width > 1000) { width = width - 1; }

    return (width
        * height
        + 90003);
};
""",
        },
        "begin(2)",
        {71002: (71001, 71003, 71005), 71001: (), 71003: (71004,), 71004: ("Math.abs",), 71005: ()},
    ),
    "php": Case(
        {
            "app.php": """<?php
// Where everything begins.
require_once 'lib.php';
require_once 'more/shapes.php';

/* begin adds
   them up */
function begin($x)
{
    # $total = $total + 90001;
    $total = g($x)
        + 71002;

    $total = $total + 90001; // here
    if ($total > 10 && $x) {
        $total += area($x);
    }
    return $total;
}
""",
            "lib.php": """<?php

function h($x) { return abs($x) + 71004; }

function g($x, $least = 0) {
    $result = 71003;


    for ($i = 0; $i < 3; $i++) {
        if ($i > $least)
            $result = $result + $i * 90002;
    }
    return $result + h($x);
}
""",
            "more/shapes.php": """<?php
/* Shapes. */

function area($side) {
    $width = $side; $height = $side + 71005;
    while ($width > 1000) { $width = $width - 1; }

    return ($width
        * $height
        + 90003);
}
""",
        },
        "begin(x: 2)",
        {71002: (71003, 71005), 71003: (71004,), 71004: ("abs",), 71005: ()},
    ),
    "java": Case(
        {
            "App.java": """// Where everything begins.
class App {

    /* begin adds
       them up */
    static int begin(int x) {
        // total = total + 90001;
        int total = Lib.g(x)
            + 71002;

        total = total + 90001; // here
        if (total > 10 && x > 0) {
            total += Shapes.area(x);
        }
        return total;
    }
}
""",
            "Lib.java": """class Lib {
    private static int h(int x) { return Math.abs(x) + 71004; }

    static int g(int x) {
        int result = 71003;


        for (int i = 0; i < 3; i++) {
            if (i > 1)
                result = result + i * 90002;
        }
        return result + h(x);
    }
}
""",
            "Shapes.java": """/* Shapes. */
class Shapes {

    static int area(int side) {
        int width = side; int height = side + 71005;
        while (width > 1000) { width = width - 1; }

        return (width
            * height
            + 90003);
    }
}
""",
        },
        "App.begin(2)",
        {71002: (71003, 71005), 71003: (71004,), 71004: ("Math.abs",), 71005: ()},
    ),
}


def parse_functions(language: str, text: str) -> tuple[Function, ...]:
    syntax = registry.language(language).syntax
    assert syntax is not None
    return syntax.parse(text).functions


def normalise(language: str, text: str) -> str:
    syntax = registry.language(language).syntax
    assert syntax is not None
    return syntax.normalise(text).text


def find_names(program: Program) -> dict[int, str]:
    """What the function that holds each number is called, with its file where there are several."""
    names: dict[int, str] = {}
    for file, text in program.files.items():
        functions = parse_functions(program.language, text)
        for number in CASES[program.language].edges:
            if (at := text.find(str(number))) >= 0:
                around = [f for f in functions if f.span.start <= at < f.span.end]
                name = min(around, key=lambda f: f.span.end - f.span.start).name
                names[number] = f"{file}:{name}" if len(program.files) > 1 else name
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
    return replace(program, facts=Facts(output=5, input=given, edges=write_edges(program), fault=fault))


def check_facts(program: Program, faulty: int) -> None:
    """Fails where a fact is wrong of the program's text."""
    line, file = program.facts.fault
    assert line == find_line(program.files[file], 90001 + faulty), program.text
    assert program.facts.edges == write_edges(program), program.text
    called = re.split(r"[.:]", find_names(program)[71002])[-1]
    assert program.call.removeprefix("App.").startswith(f"{called}("), program.text
    assert program.call.endswith(f"({program.facts.input})")


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=60, deadline=None)
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
    moved = variant.facts.edges != plain.facts.edges
    assert moved == (perturbation == "rename" and (merged or language in NESTED))


@pytest.mark.parametrize("language", LANGUAGES)
def test_three_files_return_the_same_after_every_perturbation(language: str, sandbox: Sandbox) -> None:
    program = make_program(language, 0, merged=False, tidy=False)
    parts = [*registry.list_shipped(Perturbation), "rename+conditions+dead-code+comments+prints+hint"]
    variants = [perturb(program, parse(part), seed, "x", "output") for part in parts for seed in range(3)]
    before, *after = sandbox.run_all([Run.from_program(p) for p in (program, *variants)])
    assert before.returned, before.words
    for variant, execution in zip(variants, after, strict=True):
        assert execution.returned, f"{execution.words}\n{variant.text}"
        assert execution.value == before.value, variant.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_check_fails_where_a_line_does_not_move(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes._FileMovement, "move_line", lambda self, file, line: line)
    program = make_program(language, 1, merged=True, tidy=False)
    with pytest.raises(AssertionError):
        check_facts(perturb(program, parse("comments"), 0, "x", "output"), 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_check_fails_where_a_name_does_not_move(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes._FileMovement, "move_name", lambda self, name: name)
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
