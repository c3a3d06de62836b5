"""What became of cells, by their records alone."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.core.adaptive import list_rungs
from pytest_codereason.results.runs.adaptive_info import CellInfo
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.verdicts.adaptive_cells import describe_cells, find_unfinished, list_cells
from pytest_codereason.results.verdicts.verdict import Decision
from tests.results.synthetic import build_data, make_row
from tests.results.synthetic_curves import judge_gate, make_curve_run

RUNGS = list_rungs(256)
STATES = ("int", "list")


def make_data(
    asked: dict[str, dict[int, str]], programs: int = 24, run: dict[str, Any] | None = None, **settings: Any
) -> RunData:
    """A run whose answers are a letter each: right, wrong, cut off, skipped, error."""
    outcomes = {"r": "correct", "w": "wrong", "c": "truncated", "s": "skipped", "e": "error"}
    cells = [[programs, {"language": "python", "state": state, "steps": rung}] for state in STATES for rung in RUNGS]
    adaptive = {"over": "steps", "rungs": RUNGS, "precision": 2.0, "budget": 64, "batch": 8, "version": 1, **settings}
    rows = []
    for state, letters in asked.items():
        place = 0
        for rung, each in letters.items():
            for program, letter in enumerate(each):
                place += letter != "s"
                name = f"{program:04d}[state:{state},steps:{rung}]"
                rows.append(
                    make_row(
                        id=f"python/{name}",
                        family=name,
                        suite="horizon",
                        axes={"state": state, "steps": rung},
                        outcome=outcomes[letter],
                        adaptive={"round": 1 + place // 8, "place": place},
                    )
                )
    axes: dict[str, list[Any]] = {"language": ["python"], "state": list(STATES), "steps": RUNGS}
    return build_data({**make_curve_run(axes=axes, cells=cells, adaptive=adaptive), **(run or {})}, rows)


def find_cells(data: RunData) -> list[CellInfo]:
    return describe_cells(data)["horizon"]


KNOWN = {1: "rrr", 4: "rrrr", 8: "rrrrr", 16: "rrrrrw", 24: "rwwrrw", 32: "wwwww", 64: "wwww", 256: "www"}


@pytest.mark.parametrize(
    ("letters", "ended"),
    [
        (KNOWN, "precision"),
        ({1: "rr", 16: "r", 64: "w"}, None),
        ({1: "wwwwww", 2: "wwww", 4: "ww"}, "below"),
        (dict.fromkeys(RUNGS[1:], "rrrrr"), "above"),
        ({**KNOWN, 48: "e"}, "errors"),
        ({1: "rrrr", 4: "rrrrr", 16: "rrrrr", 32: "rrrrr", 64: "ccc"}, "cut"),
        ({}, None),
    ],
)
def test_the_records_tell_why_a_cell_has_ended(letters: dict[int, str], ended: str | None) -> None:
    cell, other = find_cells(make_data({"int": letters}))
    assert cell.ended == ended
    assert cell.asked == sum(map(len, letters.values()))
    assert other == CellInfo(model="m", where={"language": "python", "state": "list"}, asked=0, rounds=0, ended=None)


@pytest.mark.parametrize(
    ("changes", "ended"),
    [
        ({"stop_when_decided": True}, "decided"),
        ({}, None),
        ({"stop_when_decided": True, "gates": ["horizon.h50 >= 2"]}, None),
        ({"stop_when_decided": True, "gates": ["horizon.h50[state=int] >= 16"]}, None),
    ],
)
def test_the_records_tell_that_the_gates_of_a_cell_are_decided(changes: dict[str, Any], ended: str | None) -> None:
    letters = {1: "rrr", 4: "rrrr", 8: "rrr", 16: "rrrw", 64: "rw", 256: "w"}
    data = make_data({"int": letters, "list": letters}, run={"gates": ["horizon.h50[state=int] >= 2"], **changes})
    assert [cell.ended for cell in find_cells(data)] == [ended, None]


def test_a_skipped_question_is_not_asked_and_is_not_left_either() -> None:
    (cell, _) = find_cells(make_data({"int": {1: "ss", **dict.fromkeys(RUNGS, "ss")}}, programs=2))
    assert (cell.asked, cell.ended) == (0, "exhausted")


def test_the_budget_and_the_programs_end_a_cell_too() -> None:
    few = {1: "r", 8: "r", 64: "w"}
    assert find_cells(make_data({"int": few}, budget=3))[0].ended == "budget"
    every = {rung: "r" if rung < 8 else "w" for rung in RUNGS}
    assert find_cells(make_data({"int": every}, programs=1, precision=0.1))[0].ended == "exhausted"


def test_rounds_are_those_of_the_records() -> None:
    assert find_cells(make_data({"int": KNOWN}))[0].rounds == 1 + sum(map(len, KNOWN.values())) // 8


def test_a_run_is_whole_once_every_cell_has_ended() -> None:
    whole, part = (make_data({"int": KNOWN, "list": letters}) for letters in (KNOWN, {1: "r"}))
    assert find_unfinished(whole.run, find_cells(whole)) is None
    assert find_unfinished(part.run, find_cells(part)) == "1 of 2 cells asked to their end"
    rows = part.select_suite("horizon")
    mine = list_cells(rows, part.run, "horizon", "m", {"state": "int"})
    assert find_unfinished(part.run, mine) is None


def test_a_gate_needs_the_cells_that_it_is_about() -> None:
    part = make_data({"int": KNOWN, "list": {1: "r"}})
    assert judge_gate("horizon.h50[state=int] >= 4", part).verdict is Decision.PASS
    verdict = judge_gate("horizon.h50 >= 4", part)
    assert verdict.verdict is Decision.UNMEASURED
    assert "PARTIAL: 1 of 2 cells asked to their end" in verdict.sentence
