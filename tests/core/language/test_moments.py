"""Moments are read from what a harness writes, and nothing else is."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.core.language.moments import (
    MOST_EVENTS,
    MOST_VISITS,
    LineProbe,
    LineVisit,
    Moments,
    read_moments,
)

PAYLOAD: dict[str, Any] = {
    "frames": [0, 1],
    "events": [[0, 1], 1, [1, 4], 1, -1, [0, 2]],
    "whole": True,
    "raised": [1, 5],
    "written": [7, [2]],
    "visits": [[[[0, 1], [0, 1]], [[1, -2], [0, 1]]]],
}
FILES = ["main.py", "shop.py"]


def test_events_are_steps_within_a_frame() -> None:
    assert read_moments(PAYLOAD, FILES) == Moments(
        files=("main.py", "shop.py"),
        frames=(0, 0, 1, 1, 1, 0),
        lines=(1, 2, 4, 5, 4, 2),
        raised_at=("shop.py", 5),
        written=(7, [2]),
        visits=((LineVisit((0, 1), (0, 1)), LineVisit((1, -2), (0, 1))),),
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"frames": [0, 2]},
        {"frames": ["main.py", 0]},
        {"events": [[2, 1]]},
        {"events": [[0, 1], -1]},
        {"events": [[0, 1.5]]},
        {"events": [[0, True]]},
        {"events": [[0, 1]] * (MOST_EVENTS + 1)},
        {"raised": [0, 0]},
        {"raised": [3, 1]},
        {"written": []},
        {"visits": [[[[0, 1], [0]]]]},
        {"visits": [[[[0], [1]]]]},
        {"visits": [[[[-3], [0]]]]},
        {"visits": [[[[0], [0]]] * (MOST_VISITS + 1)]},
    ],
)
def test_what_no_harness_writes_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_moments({**PAYLOAD, **wrong}, FILES)


def test_probes_see_what_they_look_at() -> None:
    moments = read_moments(PAYLOAD, FILES)
    moments.check_probes([LineProbe("main.py", 2, ("a", "b"))])
    for probes in ([], [LineProbe("main.py", 2, ("a",))]):
        with pytest.raises(ValueError, match=r"."):
            moments.check_probes(probes)


def test_runs_are_alike_by_what_they_do_and_not_by_numbers_of_values() -> None:
    first = read_moments(PAYLOAD, FILES)
    visits = [[[[1, 0], [0, 1]], [[0, -2], [0, 1]]]]
    second = read_moments({**PAYLOAD, "written": [[2], 7], "visits": visits}, FILES)
    assert first != second
    assert first.sees_like(second)
    other = read_moments({**PAYLOAD, "written": [[2], 8], "visits": visits}, FILES)
    assert first.runs_like(other)
    assert not first.sees_like(other)
    one_object = read_moments({**PAYLOAD, "visits": [[[[0, 1], [0, 0]], [[1, -2], [0, 1]]]]}, FILES)
    assert not first.sees_like(one_object)
    assert not first.runs_like(read_moments({**PAYLOAD, "raised": None}, FILES))
