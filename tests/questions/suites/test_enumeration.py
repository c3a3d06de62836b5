"""The questions of a suite: by place, by id, and drawn."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.engine.sharing.selection import select
from pytest_codereason.questions.suites.enumeration import Questions, sample
from pytest_codereason.questions.suites.reading import load

SUITE = """
task = "output-prediction"
languages = ["python", "php"]

[source]
name = "semtrace"
count = 7

[matrix]
prompting = ["direct", "cot"]
perturbation = ["none", "rename", "dead-code(strength=3)"]
"""
#: Each program has the conditions that its own lines give.
ABLATION = """
task = "output-prediction"
languages = ["python", "php"]

[source]
name = "semtrace"
count = 3

[ablation]
versions = 6
"""


@pytest.fixture(params=[SUITE, ABLATION], ids=["uniform", "ablation"])
def path(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    path = tmp_path / "some.suite.toml"
    path.write_text(request.param)
    return path


def test_a_question_is_reached_by_its_place(path: Path) -> None:
    suite = load(path)
    specs, questions = list(suite.specs()), Questions(suite)
    assert len(questions) == len(specs) == len(suite) > 10
    assert [questions[place] for place in range(len(specs))] == specs
    assert questions[-1] == specs[-1]
    assert questions[2:9:3] == specs[2:9:3]
    assert list(questions) == specs
    assert [questions.index(spec) for spec in specs] == list(range(len(specs)))
    assert questions.index(specs[3], 3, -2) == 3
    for place in [(4,), (0, 3)]:
        with pytest.raises(ValueError, match="has no question"):
            questions.index(specs[3], *place)
    with pytest.raises(ValueError, match="has no question"):
        questions.index(specs[0]._replace(program="none"))
    with pytest.raises(IndexError, match=rf"has {len(specs)} questions, none at {len(specs)}"):
        questions[len(specs)]


def test_a_question_is_found_by_its_id(path: Path) -> None:
    suite = load(path)
    questions = Questions(suite)
    assert [questions.find(spec.id) for spec in suite.specs()] == list(suite.specs())


def test_the_axes_of_an_id_may_stand_in_any_order(tmp_path: Path) -> None:
    (tmp_path / "some.suite.toml").write_text(SUITE)
    suite = load(tmp_path / "some.suite.toml")
    ids = [spec._replace(axes=spec.axes[::-1]).id for spec in suite.specs()]
    assert ids[0] == "python/0000[perturbation:none,prompting:direct]"
    assert [Questions(suite).find(each) for each in ids] == list(suite.specs())


@pytest.mark.parametrize(
    "known",
    [
        "",
        "python/0001",
        "python/0001[prompting:direct]",
        "python/9999[prompting:direct,perturbation:none]",
        "java/0001[prompting:direct,perturbation:none]",
        "python/0001[prompting:direct,perturbation:none",
        "python/0001prompting:direct,perturbation:none]",
    ],
)
def test_an_id_that_no_question_has_is_refused(tmp_path: Path, known: str) -> None:
    (tmp_path / "some.suite.toml").write_text(SUITE)
    questions = Questions(load(tmp_path / "some.suite.toml"))
    with pytest.raises(KeyError):
        questions.find(known)


@pytest.mark.parametrize("limit", [0, 1, 5, 12, 13, 30, 200])
def test_a_sample_is_drawn_without_listing_as_it_is_from_a_list(path: Path, limit: int) -> None:
    suite = load(path)
    specs = list(suite.specs())
    listed = sample([(spec.language, spec.program, repr(spec.axes)) for spec in specs], limit, suite.name)
    assert Questions(suite).sample(limit) == [spec for place, spec in enumerate(specs) if place in listed]
    assert list(select(suite, limit=limit)) == Questions(suite).sample(limit)


@pytest.mark.slow
def test_ids_are_the_same_in_any_process(tmp_path: Path) -> None:
    path = tmp_path / "some.suite.toml"
    path.write_text(SUITE)
    program = (
        "import json, sys, pathlib\n"
        "from pytest_codereason.questions.suites.enumeration import Questions\n"
        "from pytest_codereason.questions.suites.reading import load\n"
        "questions = Questions(load(pathlib.Path(sys.argv[1])))\n"
        "print(json.dumps([[q.id for q in questions], [q.id for q in questions.sample(20)]]))\n"
    )
    command = [sys.executable, "-c", program, str(path)]
    outputs = [
        subprocess.run(command, env={"PYTHONHASHSEED": seed, "PATH": ""}, capture_output=True, text=True, check=True)
        for seed in ("1", "2")
    ]
    questions = Questions(load(path))
    mine = [[spec.id for spec in questions], [spec.id for spec in questions.sample(20)]]
    assert [json.loads(output.stdout) for output in outputs] == [mine, mine]


ROWS = list(product(["python", "php"], [f"{i:04}" for i in range(30)], ["direct", "cot"]))


@given(st.integers(0, len(ROWS)), st.integers(0, len(ROWS)))
def test_a_smaller_sample_is_part_of_a_larger(a: int, b: int) -> None:
    small, large = sorted((a, b))
    assert sample(ROWS, small, "x") <= sample(ROWS, large, "x")
    assert large - 3 <= len(sample(ROWS, large, "x")) <= large


def test_a_sample_is_spread_evenly_and_over_the_same_programs() -> None:
    chosen = [ROWS[i] for i in sample(ROWS, 20, "x")]
    assert set(Counter((language, cell) for language, _, cell in chosen).values()) == {5}
    assert len({program for _, program, _ in chosen}) == 5


@given(st.integers(4, len(ROWS)))
def test_a_sample_holds_whole_programs(limit: int) -> None:
    chosen = Counter(ROWS[i][1] for i in sample(ROWS, limit, "x"))
    assert set(chosen.values()) == {4}, "both languages, both ways of prompting"


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_program_with_more_questions_than_the_limit_is_cut(limit: int) -> None:
    chosen = sample(ROWS, limit, "x")
    assert len(chosen) == limit
    assert chosen < sample(ROWS, 4, "x")


def test_languages_take_turns_where_their_programs_differ() -> None:
    rows = [*product(["python"], [f"p{i}" for i in range(30)]), *product(["php"], [f"q{i}" for i in range(5)])]
    chosen = Counter(rows[i][0] for i in sample(rows, 8, "x"))
    assert chosen == {"python": 4, "php": 4}
    assert Counter(rows[i][0] for i in sample(rows, 20, "x")) == {"python": 15, "php": 5}


def test_a_suite_whose_programs_differ_in_conditions_is_limited_to_whole_programs(tmp_path: Path) -> None:
    (tmp_path / "some.suite.toml").write_text(ABLATION)
    suite = load(tmp_path / "some.suite.toml")
    whole = Counter(spec.program for spec in suite.specs())
    for limit in range(max(whole.values()), len(suite)):
        chosen = Counter(spec.program for spec in select(suite, limit=limit))
        assert all(count == whole[program] for program, count in chosen.items())
        assert 0 < chosen.total() <= limit


def test_the_order_decides_which_programs() -> None:
    assert sample(ROWS, 8, "x") != sample(ROWS, 8, "y")
