"""What a session may use is divided among its processes."""

from __future__ import annotations

import pytest

from pytest_codereason.engine.limits.allowance import Allowance
from tests.engine.tellers import Teller


@pytest.mark.parametrize(
    ("concurrency", "processes", "shares"),
    [(None, 1, [2]), (7, 1, [7]), (7, 3, [3, 2, 2]), (None, 3, [1, 1, 1]), (1, 2, [1, 1])],
)
def test_requests_in_flight_are_shared_and_each_process_has_one(
    concurrency: int | None, processes: int, shares: list[int]
) -> None:
    allowed = [Allowance(concurrency=concurrency, processes=processes, process=n) for n in range(processes)]
    assert allowed[0] == Allowance(concurrency=concurrency, processes=processes)
    assert [each.count_requests(Teller()) for each in allowed] == shares
