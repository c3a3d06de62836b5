"""Who denies an effect could have seen it: with too few programs every sentence says so."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from pytest_codereason.results.figures.defences import Defences
from pytest_codereason.results.figures.dissociation import Dissociation
from pytest_codereason.results.figures.faults_lost import FaultsLost
from pytest_codereason.results.figures.position import PositionFigure
from pytest_codereason.results.figures.reasoning import Reasoning
from pytest_codereason.results.measures.claims import Reach
from pytest_codereason.results.statistics.chance import (
    LEVEL,
    count_needed,
    count_needed_along,
    count_needed_in_groups,
    judge_course,
    judge_groups,
    judge_pairs,
)
from pytest_codereason.results.values import Delta
from tests.results.figures.fault_rows import describe_run, list_questions, localise_twice
from tests.results.figures.rows import record, run, show

CLAIMS = [1, 2, 7, 24]


def make_change(families: int, pairs: int) -> Delta:
    return Delta(
        value=-1, low=None, high=None, relative=None, relative_low=None, relative_high=None, pairs=pairs,
        families=families,
    )  # fmt: skip


@pytest.mark.parametrize("claims", CLAIMS)
def test_the_number_needed_is_the_least_that_the_test_calls_clear(claims: int) -> None:
    def is_clear(p: float | None) -> bool:
        return p is not None and p <= LEVEL / claims

    pairs, groups = count_needed(claims), count_needed_in_groups(claims)
    assert is_clear(judge_pairs(np.ones(pairs))) > is_clear(judge_pairs(np.ones(pairs - 1)))
    halves = [judge_groups(np.zeros(size // 2), np.ones(size - size // 2)) for size in (groups, groups - 1)]
    assert is_clear(halves[0]) > is_clear(halves[1])
    for places in (2, 3, 11):
        needed = count_needed_along(places, claims)
        first = np.tile(np.arange(places) == 0, (needed, 1)).astype(float)
        assert is_clear(judge_course(first))
        assert needed <= 2 or not is_clear(judge_course(first[1:]))


def test_the_reach_of_several_changes_is_that_of_the_one_that_could_be_clear() -> None:
    paired, alone = make_change(9, 9), make_change(9, 0)
    assert Reach.of_changes([paired, alone, make_change(2, 2)], 2) == Reach(9, count_needed(2))
    assert Reach.of_changes([alone], 24) == Reach(9, count_needed_in_groups(24))
    assert not Reach.of_changes([alone], 24).suffices
    assert not Reach.of_changes([], 1).suffices
    assert Reach.of_courses([(1, 11), (4, 11)], 1).suffices


def test_a_denial_names_what_is_needed() -> None:
    assert Reach(8, 8).deny("Nothing changes", "anything changes", "2 changes") == "Nothing changes (2 changes)."
    assert Reach(1, 8).deny("Nothing changes", "anything changes") == (
        "1 program is too few to tell whether anything changes: it takes at least 8."
    )
    assert Reach(5, 8).deny("none is clear") == "5 programs are too few to tell: it takes at least 8."


def show_defences(programs: int) -> str:
    axes = {"perturbation": ["comments"], "defence": ["none", "ignore-comments"]}
    rows = [
        record("s", "m", program, {"perturbation": "comments", "defence": defence}, defence != "none")
        for program in range(programs)
        for defence in axes["defence"]
    ]
    (picture,) = show(Defences(), rows, run({"s": ("output-prediction", axes)}, ["m"]))
    return picture.sentence


def test_a_defence_that_helps_every_one_of_five_programs_is_not_denied() -> None:
    assert show_defences(5) == (
        "5 programs are too few to tell whether a defence changes m: it takes at least 6 (1 change)."
    )
    assert show_defences(6).startswith("m gains most under comments with ignore-comments: +1.000")


def show_tokens(programs: int, growth: int) -> str:
    values = {"vanilla": 100, "comments": 100 + growth}
    rows = [
        record("s", "m", program, {"perturbation": value}, True)
        | {"usage": {"completion": 7, "reasoning": many + program * (value == "vanilla") * (growth == 0)}}
        for program in range(programs)
        for value, many in values.items()
    ]
    of = run({"s": ("output-prediction", {"perturbation": list(values)})}, ["m"])
    return next(picture.sentence for picture in show(Reasoning(), rows, of) if picture.name.endswith("tokens"))


def test_tokens_that_grow_in_every_one_of_five_answers_are_not_denied() -> None:
    few = "5 programs are too few to tell whether the tokens of m grow against vanilla: it takes at least 6 (1 change);"
    assert show_tokens(5, 50).startswith(few)
    assert show_tokens(6, 50).startswith("Largest clear growth of m against vanilla")
    assert show_tokens(9, 0).startswith("The tokens of m do not grow clearly against vanilla (1 change);")


def list_recall(programs: int, right: dict[int, bool]) -> list[dict[str, Any]]:
    return [
        record(suite, "m", program, {"distractors": 80, "position": position}, right[position])
        for suite in ("lexical", "semantic")
        for program in range(programs)
        for position in right
    ]


@pytest.mark.parametrize(("programs", "few"), [(2, True), (40, False)])
def test_a_course_over_positions_is_denied_by_enough_programs_alone(programs: int, few: bool) -> None:
    rows = list_recall(programs, {0: True, 50: False, 100: True})
    if not few:
        random = Random(1)
        for row in rows:
            row["outcome"] = random.choice(["correct", "wrong"])
            row["metrics"] = {"exact": float(row["outcome"] == "correct")}
    axes = {"distractors": [80], "position": [0, 50, 100]}
    of = run({"lexical": ("function-retrieval", axes), "semantic": ("output-prediction", axes)}, ["m"])
    course = show(PositionFigure(), rows, of)[0].sentence
    (both,) = show(Dissociation(), rows, of)
    told = "2 programs are too few to tell whether a line depends on the position: it takes at least 3 (1 line)."
    assert course.endswith(told if few else "No line depends clearly on the position (1 line).")
    assert ("lexical recall in lexical depends on the position: it takes at least" in both.sentence) is few
    assert ("lexical recall in lexical does not depend clearly on the position" in both.sentence) is not few


@pytest.mark.parametrize(("programs", "few"), [(5, True), (30, False)])
def test_faults_lost_beside_the_control_are_denied_by_enough_programs_alone(programs: int, few: bool) -> None:
    values = ["none", "comments"]
    questions = list_questions(programs)[:: 8 if few else 1]
    rows = localise_twice(
        "s", "m", questions, lambda q, v, step: not (step and v != "none" and (few or not q.program)), values
    )
    if not few:
        rows = localise_twice(
            "s", "m", questions, lambda q, v, step: not step or (q.program + (v == "none")) % 9 > 0, values
        )
    lost, *_ = show(FaultsLost(), rows, describe_run({"s": ("fault-robustness", values)}, ["m"]))
    assert lost.sentence.endswith(
        ", and 5 programs are too few to tell: it takes at least 6."
        if few
        else ", and the difference is not clear of chance."
    )
