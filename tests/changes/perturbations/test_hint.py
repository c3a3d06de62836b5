from __future__ import annotations

import asyncio
import contextlib
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_codereason.changes.perturbations.hint import Hint
from pytest_codereason.core import Dose, Facts, Language, Program
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.engine.building.authoring import write_by_rule
from pytest_codereason.errors import Skip
from pytest_codereason.programs.sources.cruxeval import CruxEval
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.examples import examples
from tests.languages.values import VALUES


def program(source: str, given: str, output: Any, name: str = "python", function: str = "f") -> Program:
    call = f"{function}({given})"
    return Program.from_source(language=name, source=source, call=call, facts=Facts(input=given, output=output))


def hinted(plain: Program, asks: str = "output", seed: int = 0, dose: Dose = Dose()) -> Program:
    return Hint().apply(plain, Draws(seed), dose, asks)


def comments(variant: Program, plain: Program) -> list[str]:
    """The lines that came in."""
    before = plain.source.splitlines()
    return [line.strip() for line in variant.source.splitlines() if line not in before]


SOURCES = {
    "python": "def g(x):\n    return x\n\ndef f(x):\n    if x:\n        return g(x)\n    return None\n",
    "javascript": "function f(x) {\n    const g = [1].map((y) => {\n        return y;\n    });\n    return g;\n}\n",
    "php": "<?php\nfunction f($x) {\n    $g = array_map(function ($y) {\n        return $y;\n    }, [1]);\n"
    "    return $g;\n}\n",
    "java": "class A {\n    static Object f(Object x) {\n        Object g = x;\n        return g;\n    }\n}\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SOURCES)
@settings(max_examples=examples(25))
@given(data=st.data(), seed=st.integers(0, 2**64 - 1))
def test_a_hint_is_one_comment_with_a_wrong_output(name: str, data: st.DataObject, seed: int) -> None:
    lang, output = language(name), data.draw(VALUES[name])
    plain = program(SOURCES[name], "1", output, name, "A.f" if name == "java" else "f")
    with contextlib.suppress(Skip):  # what no comment can hold is tested below
        variant = hinted(plain, seed=seed)
        said_by_one_comment(lang, plain, variant)
        assert variant == hinted(plain, seed=seed)


def said_by_one_comment(lang: Language, plain: Program, variant: Program) -> None:
    (line,) = comments(variant, plain)
    assert variant.facts["hint"] in line
    assert not lang.values.equal(lang.values.read(variant.facts["hint"]).value, plain.facts["output"])
    assert lang.syntax.normalise(variant.source).text == lang.syntax.normalise(plain.source).text


@pytest.mark.parametrize("name", SOURCES)
def test_hints_stand_at_the_lines_of_the_function_and_its_own_returns(name: str) -> None:
    plain = program(SOURCES[name], "1", 7, name, "A.f" if name == "java" else "f")
    mark = "  # " if name == "python" else "  // "
    lines = {
        next(line for line in hinted(plain, seed=seed).source.splitlines() if mark in line).partition(mark)[0].strip()
        for seed in range(40)
    }
    assert len(lines) == {"python": 3}.get(name, 2)
    assert all("f(" in line or line.startswith("return") for line in lines)
    assert not lines & {"return x", "return y;", "return $y;"}


@pytest.mark.parametrize("name", SOURCES)
def test_hints_stand_above_if_told_so(name: str) -> None:
    plain = program(SOURCES[name], "1", 7, name, "A.f" if name == "java" else "f")
    neighbours = set()
    for seed in range(40):
        variant = hinted(plain, seed=seed, dose=Dose(placement="own-line"))
        lines = [line.strip() for line in variant.source.splitlines()]
        at = next(i for i, line in enumerate(lines) if line.startswith(("# ", "// ")))
        neighbours.add((lines[at - 1], lines[at + 1]))
    assert len(neighbours) == {"python": 3}.get(name, 2)
    assert all("f(" in above or "return" in below for above, below in neighbours)
    assert not any(below in ("return x", "return y;", "return $y;") for _, below in neighbours)


def test_more_strength_says_the_same_more_often() -> None:
    plain = program(SOURCES["python"], "1", 7)
    few, many = (comments(hinted(plain, dose=Dose(strength=n)), plain) for n in (1, 9))
    assert len(few) == 1
    assert len(many) == 3
    assert few[0] in many
    assert all(hinted(plain).facts["hint"] in line for line in many)


def test_a_text_with_line_ends_stays_on_its_line() -> None:
    plain = program(SOURCES["python"], "1", "a\nb\r\n\u2028c\x0cd")
    for seed in range(20):
        assert len(comments(hinted(plain, seed=seed), plain)) == 1


@pytest.mark.parametrize(
    ("name", "output"),
    [("python", "# coding: latin-1"), ("php", "?> */ ?>"), ("java", "\u4e2d\ue000 \\u000a")],
)
def test_a_value_that_a_comment_cannot_hold_is_left_out(name: str, output: str) -> None:
    plain = program(SOURCES[name], "1", output, name, "A.f" if name == "java" else "f")
    outcomes = set()
    for seed in range(20):
        try:
            outcomes.add(language(name).syntax.check(hinted(plain, seed=seed).source))
        except Skip as skip:
            outcomes.add(str(skip))
    assert outcomes <= {"", "no wrong value fits in a comment"}


def test_what_is_asked_for_has_to_be_known() -> None:
    plain = Program.from_source(language="python", source=SOURCES["python"], call="f(1)", facts=Facts(output=1))
    with pytest.raises(Skip, match="input"):
        hinted(plain, "input")
    with pytest.raises(Skip, match="not in the program"):
        hinted(program("g = lambda x: x\n", "1", 1, function="g"))


def checked(sandbox: Sandbox, plain: Program, seed: int = 0) -> Program:
    """The program with the hint at its input that passes the check of hints."""

    async def run(job: Run) -> Execution:
        return sandbox.run(job)

    request = Hint().text_request(plain, Draws(seed), Dose(), "input")
    assert request is not None
    return Hint(asyncio.run(write_by_rule(request, run)).value).apply(plain, Draws(seed), Dose(), "input")


@pytest.mark.slow
def test_a_hint_at_an_input_that_gives_the_output_gives_way(sandbox: Sandbox) -> None:
    plain = program("def f(x, y):\n    return y > 100\n", "5, 7", False)
    for seed in range(5):
        first = hinted(plain, "input", seed)
        request = Hint().text_request(plain, Draws(seed), Dose(), "input")
        assert request is not None
        assert f"({request.candidates[0]})" in comments(first, plain)[0]
        variant = checked(sandbox, plain, seed)
        assert variant.facts["hint"] != first.facts["hint"]
        (line,) = comments(variant, plain)
        assert f"({variant.facts['hint']})" in line
        assert not sandbox.run(
            Run.from_source(language="python", source=plain.source, call=f"f({variant.facts['hint']})")
        ).returned


@pytest.mark.slow
def test_a_hint_at_an_input_that_returns_is_preferred(sandbox: Sandbox) -> None:
    plain = program("def f(xs):\n    return [1, 2][xs['a'] > 1]\n", "{'a': 1}", 1)
    for seed in range(8):
        variant = checked(sandbox, plain, seed)
        execution = sandbox.run(
            Run.from_source(language="python", source=plain.source, call=f"f({variant.facts['hint']})")
        )
        assert (execution.returned and execution.value == 2) or not execution.returned


def test_where_every_input_gives_the_output_there_is_no_question(sandbox: Sandbox) -> None:
    plain = program("def f(*xs):\n    return 1\n", "5, 7", 1)
    with pytest.raises(Skip, match="no hint can be written: gave another right input"):
        checked(sandbox, plain)


@pytest.mark.slow
def test_no_hint_on_cruxeval_is_the_truth() -> None:
    if not Path(os.environ.get("CODEREASON_DATA", ""), "cruxeval.jsonl").exists():
        pytest.skip("CODEREASON_DATA names no folder with cruxeval.jsonl")
    lang, source = language("python"), CruxEval.create({}, seed=0)
    for number, name in enumerate(source.names("python")):
        plain = source.program("python", name, {})
        variant = hinted(plain, seed=number)
        assert not lang.values.equal(lang.values.read(variant.facts["hint"]).value, plain.facts["output"])
        assert (
            type(lang.values.read(variant.facts["hint"]).value) is type(plain.facts["output"])
            or plain.facts["output"] is None
        )
