"""Published generations end to end: samples, pass@k, and where other scorers decide otherwise."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from math import isclose
from typing import Any

import pytest

from tests.session.conftest import Project

SUITE = """
task = "{task}-prediction"
[source]
name = "cruxeval"
path = "."
[sampling]
samples = {samples}
"""
ADD = {"id": "sample_0", "code": "def f(a, b=1):\n    return a + b", "input": "4", "output": "5"}
SAME = {"id": "sample_1", "code": "def f(a):\n    return a", "input": "'x == y'", "output": "'x == y'"}
PAIR = {"id": "sample_2", "code": "def f(a):\n    return [a, a]", "input": "1", "output": "[1, 1]"}
FLAG = {
    "id": "sample_3",
    "code": "def f(a):\n    return {'b': a, 'a': 0}",
    "input": "True",
    "output": "{'b': True, 'a': 0}",
}
ROWS = (ADD, SAME, PAIR, FLAG)


def score(project: Project, task: str, generations: Mapping[str, Sequence[str]], *, lines: bool = False) -> Any:
    """Runs a suite over rows and their generations; gives its part of ``summary.json``."""
    rows = [row for row in ROWS if row["id"] in generations]
    (project.path / "cruxeval.jsonl").write_text("\n".join(map(json.dumps, rows)))
    samples = len(next(iter(generations.values())))
    (project.path / "c.suite.toml").write_text(SUITE.format(task=task, samples=samples))
    listed = "".join(json.dumps({"id": id, "text": list(texts)}) + "\n" for id, texts in generations.items())
    (project.path / "g").write_text(listed if lines else json.dumps(generations, indent=4))
    project.run("--model=replay:g")
    summary = json.loads((project.path / "reports/latest/summary.json").read_text())
    return summary["suites"]["c"]["models"]["replay:g"]


@pytest.mark.slow
@pytest.mark.parametrize("lines", [False, True])
def test_pass_at_k_by_the_unbiased_estimator(project: Project, lines: bool) -> None:
    generations = {
        "sample_0": ["5", *["f(4)", "five", "", "(", "5 or True", "x", "[", "len('aaaaa')", "''.join"]],
        "sample_1": ['"x == y"'] * 10,
        "sample_2": ["[1, 1]"] * 3 + ["[1]"] * 7,
        "sample_3": ["{}"] * 10,
    }
    model = score(project, "output", generations, lines=lines)
    assert model["counts"]["invalid"] == 9
    assert model["counts"]["scored"] == 40
    # 1 of 10: 1/10 and 1 - C(9,5)/C(10,5); 10 of 10; 3 of 10: 3/10 and 1 - C(7,5)/C(10,5); 0 of 10.
    once, fifth = (1 / 10, 1 - 126 / 252), (3 / 10, 1 - 21 / 252)
    assert isclose(model["metrics"]["pass@1"]["value"], (once[0] + 1 + fifth[0] + 0) / 4)
    assert isclose(model["metrics"]["pass@5"]["value"], (once[1] + 1 + fifth[1] + 0) / 4)
    assert isclose(model["metrics"]["pass@10"]["value"], 3 / 4)


@pytest.mark.slow
def test_malformed_samples_stay_in_the_denominator(project: Project) -> None:
    model = score(project, "output", {"sample_0": ["5"] + ["f(4)"] * 9})
    assert model["metrics"]["pass@1"]["value"] == pytest.approx(0.1)
    assert model["metrics"]["pass@1"]["n"] == 1
    model = score(project, "input", {"sample_0": ["f(4)"] + ["0 or True or f(0)"] * 9})
    assert model["metrics"]["pass@1"]["value"] == pytest.approx(0.1)
    assert model["metrics"]["pass@5"]["value"] == pytest.approx(0.5)


def test_a_question_without_generations_is_an_error_and_no_miss(project: Project) -> None:
    model = score(project, "output", {"sample_0": ["5", "5"], "sample_2": ["[1, 1]"]})
    assert model["counts"]["error"] == 1
    assert model["metrics"]["exact"]["n"] == 3
    assert model["metrics"]["exact"]["value"] == 1


def cruxeval_says(row: Mapping[str, str], task: str, text: str) -> bool:
    """The rule of CRUXEval's scorer: the text becomes a part of an assertion, which is run."""
    if task == "input" and "f(" not in text:
        return False
    if task == "output" and f"f({row['input']})" in text:
        return False
    with contextlib.suppress(BaseException):
        exec(f"{row['code']}\nassert {row['output']} == {text}", {})  # texts of this file alone
        return True
    return False


#: Task, row, text, what CRUXEval's rule says, and what is said here where that differs.
BOTH, OURS, THEIRS, NEITHER = (True, True), (False, True), (True, False), (False, False)
DECIDED: list[tuple[str, dict[str, str], str, tuple[bool, bool]]] = [
    ("output", ADD, " 5", BOTH),
    ("output", ADD, "5  # because", BOTH),
    ("output", ADD, "1 + 4", BOTH),
    ("output", ADD, "5, 'because'", BOTH),
    ("output", ADD, "5\n6", BOTH),
    ("output", SAME, '"x == y"', BOTH),
    ("output", FLAG, "{'a': 0, 'b': True}", BOTH),
    ("output", ADD, "'5'", NEITHER),
    ("output", SAME, "x == y", NEITHER),
    ("output", PAIR, "(1, 1)", NEITHER),
    ("output", ADD, "f(4)", NEITHER),
    ("output", ADD, "f(4) == 5 or True", NEITHER),
    ("output", PAIR, "[1, 1", NEITHER),
    # The whole assertion, or an answer in tags, gives the value as well.
    ("output", PAIR, "assert f(1) == [1, 1]", OURS),
    ("output", ADD, "[ANSWER]f(4) == 5[/ANSWER]", OURS),
    ("output", ADD, "[ANSWER] 5 [/ANSWER]", OURS),
    ("output", ADD, "[ANSWER]4[/ANSWER] No: [ANSWER]5[/ANSWER]", OURS),
    ("output", ADD, "5\nassert f(2) == 6", OURS),
    ("output", ADD, "5\n```\nIt adds one.", OURS),
    # An assertion that holds is no answer.
    ("output", ADD, "5 or True", THEIRS),
    ("output", ADD, "f( 4 )", THEIRS),
    ("output", ADD, "f(a=4)", THEIRS),
    ("output", ADD, "len('aaaaa')", THEIRS),
    ("output", SAME, "'x ' + '== y'", THEIRS),
    ("output", ADD, "type('', (), {'__eq__': lambda *a: True})()", THEIRS),
    # Another type is another value.
    ("output", ADD, "5.0", THEIRS),
    ("output", FLAG, "{'b': 1, 'a': 0}", THEIRS),
    ("input", ADD, "f(4)", BOTH),
    ("input", ADD, "f(a=4)", BOTH),
    ("input", ADD, "f(2, 3)", BOTH),
    ("input", ADD, "f(2 + 2)", BOTH),
    ("input", PAIR, "f(2)", NEITHER),
    ("input", ADD, "f(", NEITHER),
    ("input", ADD, "g(4)", NEITHER),
    ("input", ADD, "f(4) == 5", BOTH),
    ("input", SAME, "f('x == y')", BOTH),
    # Arguments, assertions and tags give the call as well.
    ("input", ADD, "4", OURS),
    ("input", ADD, "4)", OURS),
    ("input", ADD, "assert f(4) == 5", OURS),
    ("input", ADD, "[ANSWER]f(4)[/ANSWER]", OURS),
    ("input", ADD, "f(4)\n```\nIt adds one.", OURS),
    # An assertion that holds is no answer.
    ("input", ADD, "5 or f(0)", THEIRS),
    ("input", ADD, "5 # f(", THEIRS),
    ("input", ADD, "f(0) + 4", THEIRS),
    ("input", ADD, "f(f(2, 1), 2)", THEIRS),
    ("input", ADD, "f(type('', (), {'__add__': lambda *a: 5})())", THEIRS),
    # An output of another type is another value.
    ("input", ADD, "f(4.0)", THEIRS),
    ("input", FLAG, "f(1)", THEIRS),
]


@pytest.mark.slow
def test_each_disagreement_with_cruxeval_is_decided(project: Project) -> None:
    for task in ("output", "input"):
        decided = [case for case in DECIDED if case[0] == task]
        generations = {row["id"]: [text for _, of, text, _ in decided if of is row] for row in ROWS}
        most = max(map(len, generations.values()))
        score(project, task, {id: texts + [""] * (most - len(texts)) for id, texts in generations.items()})
        records = {(row["id"].partition("/")[2], row["sample"]): row["outcome"] for row in project.records()}
        for _, row, text, expected in decided:
            outcome = records[row["id"], generations[row["id"]].index(text)]
            assert (text, cruxeval_says(row, task, text), outcome == "correct") == (text, *expected), outcome
