"""Which goals may be asked about: no reader who does not run the program in the mind gets them right."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pytest_codereason.questions.moments.inverse.aims import Aim, Want, WitnessedCall
from pytest_codereason.questions.moments.inverse.finding import MOST_KNOWN, list_goals
from pytest_codereason.questions.moments.inverse.trying import TriedCalls
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine

LINE = ProgramLine("main", 4)
GOAL = Aim((Want(LINE, 5, 5),))


def list_calls(name: str, times: Sequence[int]) -> list[WitnessedCall]:
    return [WitnessedCall(f"'{name}', {number}", True, {LINE: each}) for number, each in enumerate(times)]


def list_found(
    drifted: Sequence[int],
    corners: Sequence[int] = (1,) * 20,
    blind: Sequence[int] = (),
    recorded: int = 1,
    name: str = "x",
) -> list[Aim]:
    """The goals, where the line ran so often in each of the calls; ``blind`` are the places of corners."""
    at_corners = list_calls("corner", corners)
    tried = TriedCalls(
        list_calls("recorded", [recorded])[0],
        at_corners,
        list_calls(name, drifted),
        {at_corners[place].arguments for place in blind},
    )
    return [goal.aim for goal in list_goals("rounds", tried)]


def test_what_one_call_in_ten_does_is_asked() -> None:
    assert list_found([5, 5, *[1] * 18]) == [GOAL]
    assert list_found([1] * 20, corners=[5, 5, *[1] * 18]) == [GOAL]


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        ("the recorded call does it", list_found([5, *[1] * 19], recorded=5)),
        ("no call is known", list_found([1] * 20)),
        ("the known call is long", list_found([5, *[1] * 19], name="x" * MOST_KNOWN)),
        ("many near calls do it", list_found([5, 5, 5, *[1] * 17])),
        ("many calls at corners do it", list_found([5, *[1] * 19], corners=[5, 5, 5, *[1] * 17])),
        ("a call does it that needs no look at the program", list_found([5, *[1] * 19], [5, *[1] * 19], blind=[0])),
    ],
)
def test_what_breaks_a_rule_is_not_asked(rule: str, found: list[Aim]) -> None:
    assert found == []


def test_a_line_that_runs_once_for_each_item_is_no_goal_by_itself() -> None:
    other = ProgramLine("main", 9)
    calls = [WitnessedCall(str([0] * times), True, {LINE: times, other: times % 4}) for times in range(1, 30)]
    recorded = WitnessedCall("[1]", True, {LINE: 1, other: 1})
    goals = list_goals("rounds", TriedCalls(recorded, (), calls))
    assert {want.place for goal in goals for want in goal.aim.wants} == {LINE}
    assert list_goals("rounds", TriedCalls(recorded, (), calls, plain={LINE})) == []


@pytest.mark.parametrize("changes", [False, True])
def test_a_line_that_runs_equally_often_in_all_calls_is_no_part_of_a_goal(changes: bool) -> None:
    reached, steady = ProgramLine("main", 7), ProgramLine("main", 9)
    calls = [WitnessedCall("'known'", True, {reached: 1, steady: 3})]
    calls += [WitnessedCall(str(number), True, {steady: 4 if changes else 3}) for number in range(19)]
    goals = list_goals("reach", TriedCalls(WitnessedCall("'recorded'", True, {steady: 3}), (), calls))
    wanted = [Aim((Want(reached, 1, None), Want(steady, 3, 3)))]
    assert [goal.aim for goal in goals] == (wanted if changes else [])


@pytest.mark.parametrize("apart", [False, True])
def test_a_line_that_runs_wherever_the_other_does_is_no_part_of_a_goal(apart: bool) -> None:
    around, inside = ProgramLine("main", 2), ProgramLine("main", 3)
    calls = [WitnessedCall(str(times), True, {around: times, inside: times}) for times in range(1, 4)]
    calls += [WitnessedCall(f"'{number}'", True, {inside: 4} if apart else {}) for number in range(30)]
    goals = list_goals("reach", TriedCalls(WitnessedCall("'recorded'", True, {}), (), calls))
    wanted = {Aim((Want(around, 1, None), Want(inside, times, times))) for times in (2, 3)}
    assert wanted.intersection(goal.aim for goal in goals) == (wanted if apart else set())


@pytest.mark.parametrize("apart", [False, True])
def test_a_line_that_never_runs_where_the_other_does_is_no_part_of_a_goal(apart: bool) -> None:
    then, otherwise = ProgramLine("main", 2), ProgramLine("main", 4)
    calls = [WitnessedCall("'known'", True, {otherwise: 2})]
    calls += [WitnessedCall(str(n), True, {then: 1, otherwise: 3} if apart else {then: 1}) for n in range(30)]
    goals = list_goals("avoid", TriedCalls(WitnessedCall("'recorded'", True, {then: 1}), (), calls))
    wanted = Aim((Want(then, 0, 0), Want(otherwise, 2, 2)), returns=True)
    assert (wanted in [goal.aim for goal in goals]) == apart


def test_what_is_rare_is_drawn_more_often_and_the_shortest_call_is_known() -> None:
    tried = TriedCalls(
        WitnessedCall("0", True, {LINE: 1}),
        (),
        [
            WitnessedCall("[1, 2, 3]", True, {LINE: 5}),
            WitnessedCall("[1]", True, {LINE: 5}),
            WitnessedCall("[2]", True, {LINE: 6}),
            *[WitnessedCall(str(n), True, {}) for n in range(29)],
        ],
    )
    common, rare = list_goals("rounds", tried)
    assert (common.known.arguments, common.weight) == ("[1]", 4)
    assert (rare.known.arguments, rare.weight) == ("[2]", 5)
