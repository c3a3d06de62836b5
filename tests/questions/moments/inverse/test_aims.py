"""What a call does, and whether it does what is asked."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.moments.inverse.aims import AIMS, Aim, Want, WitnessedCall
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine

ONE, TWO, THREE = (ProgramLine("main", line) for line in (1, 2, 3))


def call(*counts: int, returned: bool = True) -> WitnessedCall:
    """A call in which lines 1, 2 and 3 ran so often."""
    lines = zip((ONE, TWO, THREE), counts, strict=True)
    return WitnessedCall("", returned, {line: times for line, times in lines if times})


@pytest.mark.parametrize(
    ("kind", "recorded", "tried", "aims"),
    [
        ("reach", call(1, 0, 0), call(1, 1, 2), [Aim((Want(TWO, 1, None), Want(THREE, 2, 2)))]),
        ("reach", call(1, 1, 0), call(1, 1, 0), []),  # no line runs that did not
        ("reach", call(1, 0, 0), call(1, 1, 1), []),  # the other line runs once
        ("reach", call(1, 0, 1), call(1, 1, 13), []),  # or too often
        ("avoid", call(1, 3, 0), call(1, 0, 0), [Aim((Want(TWO, 0, 0),), returns=True)]),
        (
            "avoid",
            call(1, 3, 0),
            call(1, 0, 2),
            [Aim((Want(TWO, 0, 0),), returns=True), Aim((Want(TWO, 0, 0), Want(THREE, 2, 2)), returns=True)],
        ),
        ("avoid", call(1, 3, 0), call(1, 0, 0, returned=False), []),
        ("avoid", call(1, 0, 0), call(1, 0, 3), []),  # the recorded call did not run it
        ("rounds", call(1, 3, 0), call(1, 4, 0), [Aim((Want(TWO, 4, 4),))]),
        ("rounds", call(1, 3, 0), call(1, 3, 0), []),  # as the recorded call
        ("rounds", call(1, 3, 0), call(1, 1, 0), []),
        ("rounds", call(1, 3, 0), call(1, 13, 0), []),
    ],
)
def test_a_call_has_aims(kind: str, recorded: WitnessedCall, tried: WitnessedCall, aims: list[Aim]) -> None:
    found = list(AIMS[kind](recorded, tried))
    assert found == aims
    assert all(aim.is_met(tried) and not aim.is_met(recorded) for aim in found)


def test_an_aim_that_asks_for_a_value_is_not_met_by_an_exception() -> None:
    aim = Aim((Want(TWO, 0, 0),), returns=True)
    assert aim.is_met(call(1, 0, 0))
    assert not aim.is_met(call(1, 0, 0, returned=False))
    assert not aim.is_met(call(1, 1, 0))


def test_a_number_of_times_is_met_exactly() -> None:
    aim = Aim((Want(ONE, 1, None), Want(TWO, 4, 4)))
    assert aim.is_met(call(7, 4, 0))
    assert aim.is_met(call(7, 4, 0, returned=False))
    assert not any(aim.is_met(other) for other in (call(7, 3, 0), call(7, 5, 0), call(0, 4, 0)))
