"""The examples of ``docs/equivalence.md``: each reply is what the page says, by running the programs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_codereason.core import Completion, Program
from pytest_codereason.questions.pairs.answers import PairRule
from pytest_codereason.questions.pairs.domains import describe_arguments
from pytest_codereason.questions.pairs.finding import MOST_SEPARATING, separates
from pytest_codereason.questions.pairs.inputs import list_inputs, read_domain
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.questions.stepping import take_steps

PAGE = Path(__file__).parents[3].joinpath("docs", "equivalence.md").read_text("utf-8")
PYTHON = language("python")
RECORDED = "[4, 9, 8, 71]"
PROGRAMS = {
    name: Program.from_source(language="python", source=source, call=f"f({RECORDED})")
    for name, source in zip("ABCD", re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL), strict=True)
}
ROWS = re.findall(r"^\| (\w) and (\w) \| `(.+?)` \| (\w+) \|", PAGE, re.MULTILINE)


def run_witness(one: Program, other: Program, arguments: str, sandbox: Sandbox) -> bool | str:
    return take_steps(separates(PYTHON, one, other, arguments), sandbox)


def test_the_domain_is_that_of_the_page() -> None:
    assert f"`f({RECORDED})`, so the domain is {describe_arguments(PYTHON, read_domain(PYTHON, RECORDED).places)}." in (
        PAGE.replace("\n", " ")
    )


@pytest.mark.parametrize(("one", "other", "reply", "outcome"), ROWS)
def test_a_reply_of_the_page_is_what_it_says(one: str, other: str, reply: str, outcome: str, sandbox: Sandbox) -> None:
    rule = PairRule(equal=other == "B", functions=("f", "f"), recorded=RECORDED, expected="")
    answer = rule.read(Completion(text=f"[ANSWER]{reply}[/ANSWER]"), PYTHON)
    found = run_witness(PROGRAMS[one], PROGRAMS[other], answer.witness, sandbox) if answer.witness else None
    assert {"correct": "right"}.get(rule.judge(answer, found).outcome, rule.judge(answer, found).outcome) == outcome


def test_there_are_rows_of_each_outcome() -> None:
    assert len(ROWS) == 9
    assert {outcome for *_, outcome in ROWS} == {"right", "wrong", "invalid"}


@pytest.mark.slow
@pytest.mark.parametrize(("other", "asked"), [("C", True), ("D", False)])
def test_few_calls_separate_a_pair_that_is_asked_about(other: str, asked: bool, sandbox: Sandbox) -> None:
    inputs = list_inputs(PYTHON, PROGRAMS["A"], read_domain(PYTHON, RECORDED))[::6]
    separating = [text for text in inputs if run_witness(PROGRAMS["A"], PROGRAMS[other], text, sandbox) is True]
    assert (0 < len(separating) <= MOST_SEPARATING * len(inputs)) is asked
