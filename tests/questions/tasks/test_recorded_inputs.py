"""Recorded inputs of CRUXEval are right as syntax trees, and blanks count where Python says so."""

from __future__ import annotations

import ast
import json
import os
from pathlib import Path

import pytest

from pytest_codereason.core import Completion, Facts, Program, Verdict
from pytest_codereason.core.execution import Run
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.questions.tasks.input_answers import judge, make_instance

DATA = Path(os.environ.get("CODEREASON_DATA", ""), "cruxeval.jsonl")
pytestmark = pytest.mark.skipif(not DATA.is_file(), reason="CODEREASON_DATA names no folder with cruxeval.jsonl")


def read_programs() -> dict[str, Program]:
    rows = map(json.loads, DATA.read_text().splitlines())
    return {row["id"]: make_program(row["code"], row["input"], row["output"]) for row in rows}


def make_program(source: str, given: str, output: str) -> Program:
    facts = Facts(input=given, output=language("python").values.read(output).value)
    return Program.from_source(language="python", source=source, call=f"f({given})", facts=facts)


def judge_answer(sandbox: Sandbox | None, program: Program, text: str) -> tuple[Verdict, list[Run]]:
    return judge(sandbox, make_instance(program, prompting="cot"), Completion(text=f"[ANSWER]{text}[/ANSWER]"))


@pytest.mark.parametrize(
    ("sample", "text", "outcome"),
    [
        ("sample_239", "f('0 t 1 c o s', 'st' + '0\\t\\n')", "wrong"),
        ("sample_239", "f( '0 t 1cos ' ,'st '+'0\\t\\n  ')", "correct"),
        ("sample_364", "f([0, 3, 0, 1], lambdax: x < 2)", "invalid"),
        ("sample_364", "f([0,3,0,1],lambda x:x<2)", "correct"),
        ("sample_344", "f([6, 4, 2, 8, 1 5], (lambda x: x.reverse()))", "invalid"),
        ("sample_344", "f([6, 4, 2, 8, 15], lambda x: x.reverse())", "correct"),
        ("sample_344", "[6, 4, 2, 8, 15], lambda x: x.reverse()", "correct"),
        ("sample_344", "f([6, 4, 2, 8, 15], lambda y: y.reverse())", "invalid"),
        ("sample_344", "f(f([6, 4, 2, 8, 15], (lambda x: x.reverse())))", "invalid"),
    ],
)
def test_blanks_and_brackets(sample: str, text: str, outcome: str, sandbox: Sandbox) -> None:
    assert judge_answer(sandbox, read_programs()[sample], text)[0].outcome == outcome


def test_an_outer_call_is_not_the_inner_one(sandbox: Sandbox) -> None:
    program = make_program("def f(a):\n    return a + 1\n", "41", "42")
    for text in ("f(f(41))", "f(f(40))", "assert f(f(41)) == 42", "print(f(f(41)))", "f(41 + f(0))"):
        assert judge_answer(sandbox, program, text)[0].outcome == "invalid", text
    assert judge_answer(None, program, "f(41)")[0].outcome == "correct"


@pytest.mark.slow
def test_every_recorded_input_is_right_however_it_is_laid_out() -> None:
    for sample, program in read_programs().items():
        recorded = program.facts["input"]
        arguments = ast.unparse(ast.parse(f"f({recorded})"))[2:-1]
        bare = (recorded, arguments) if recorded else ()  # an empty tag holds no answer
        for text in (f"f({recorded})", f"f({arguments})", f"f( # so\n{recorded}\n)", *bare):
            verdict, runs = judge_answer(None, program, text)
            assert (verdict.outcome, runs) == ("correct", []), f"{sample}: {text}"
