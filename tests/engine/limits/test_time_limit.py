"""The end of a session by the clock."""

from __future__ import annotations

import asyncio
import time

import pytest

from pytest_codereason.engine.limits.time_limit import GRACE_S, TimeLimit
from pytest_codereason.errors import TimeSpent


def test_a_session_begins_now_or_has_some_time_left() -> None:
    for limit, left in ((TimeLimit.start(3600.0), 3600.0), (TimeLimit.start(3600.0, left=20.0), 20.0)):
        assert left - 1 < limit.left() <= left
        assert (limit.seconds, limit.grace_s) == (3600.0, GRACE_S)
    assert TimeLimit.start(3600.0, left=-5.0).left() == 0


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(1, "1 seconds"), (119, "119 seconds"), (120, "2 minutes"), (7199, "119.983 minutes"), (7200, "2 hours")],
)
def test_the_reason_names_the_whole_time(seconds: float, text: str) -> None:
    error = TimeLimit.start(seconds, left=0.0).make_error("!")
    assert str(error) == f"--eval-max-time: the {text} of this run are over!"
    assert error.unbilled


def test_an_answer_may_come_soon_after_the_end_and_no_later() -> None:
    async def scenario() -> None:
        over = TimeLimit(seconds=60.0, end=time.monotonic() - 1.0, grace_s=20.0)
        assert await over.wait_for(asyncio.sleep(0.01, "late")) == "late"
        gone = TimeLimit(seconds=60.0, end=time.monotonic() - 1.0, grace_s=0.5)
        with pytest.raises(TimeSpent, match=r"are over, and no answer came in the 0\.5 seconds after") as caught:
            await gone.wait_for(asyncio.sleep(10))
        assert not caught.value.unbilled, "the server works on it"

    asyncio.run(scenario())


def test_a_model_that_ran_out_of_time_itself_is_not_taken_for_the_end() -> None:
    async def fail() -> None:
        raise TimeoutError("of the model")

    with pytest.raises(TimeoutError, match="of the model"):
        asyncio.run(TimeLimit.start(60.0).wait_for(fail()))
