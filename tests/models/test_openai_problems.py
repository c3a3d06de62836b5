"""The errors of an endpoint: with a status of their own, and inside a reply with a status of success."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.errors import FatalModelError, ModelError, TransientModelError
from pytest_codereason.models.openai import problems
from tests import servers
from tests.models.openai_endpoints import complete_once
from tests.servers import Disruption


@pytest.mark.parametrize(
    "message",
    [
        "You passed 40961 input tokens. However, the model's context length is only 40960 tokens.",
        "The decoder prompt (length 900) is longer than the maximum model length of 512.",
        "prompt is too long: 213462 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit: 199000 + 2000 > 200000",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
        "`inputs` tokens + `max_new_tokens` must be <= 4097",
        "the request exceeds the available context size, try increasing it",
        "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
        "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    ],
)
def test_every_servers_way_to_say_too_long(message: str) -> None:
    completion = problems.read_problem(400, {}, json.dumps({"message": message}).encode()).find_completion()
    assert completion is not None
    assert completion.finish == "too-long"


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 8192 tokens. However, your prompt contains at least 8193 input tokens, "
        "which exceeds this limit even without any output tokens. (parameter=input_tokens, value=8193)",
        "This model's maximum context length is 8192 tokens. However, your prompt contains 2400148 characters (more "
        "than 663552 characters, which is the upper bound for 8192 input tokens). (parameter=input_text)",
    ],
)
def test_both_ways_in_which_vllm_says_too_long(message: str) -> None:
    body = json.dumps({"error": {"message": message, "type": "BadRequestError", "param": "input_tokens", "code": 400}})
    assert problems.read_problem(400, {}, body.encode()).too_long


def test_the_servers_wish_to_wait() -> None:
    def wish(headers: dict[str, str], message: str = "slow down") -> float | None:
        return problems.read_problem(429, headers, json.dumps({"error": {"message": message}}).encode()).retry_after

    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    past = format_datetime(datetime.now(UTC) - timedelta(days=1), usegmt=True)
    assert wish({"retry-after": "2"}) == 2.0
    assert wish({"retry-after-ms": "250", "retry-after": "1"}) == 0.25
    assert wish({"retry-after": soon}) == pytest.approx(30, abs=3)
    assert wish({"retry-after": past}) == 0.0
    assert wish({"retry-after": "soon"}) is None
    assert wish({}, "Please try again in 1.5s.") == 1.5
    assert wish({}, "Please try again in 20ms.") == 0.02
    assert wish({}) is None
    with pytest.raises(TransientModelError) as caught:
        complete_once(servers.rate_limited("7"))
    assert caught.value.retry_after == 7.0


def wait_for(value: str) -> float | None:
    return problems.read_problem(429, {"retry-after": value}, b"{}").retry_after


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("1e400", problems.LONGEST_WISH),
        ("1" + "0" * 30, problems.LONGEST_WISH),
        ("9" * 400, problems.LONGEST_WISH),
        ("inf", problems.LONGEST_WISH),
        ("Fri, 31 Dec 9999 23:59:59 GMT", problems.LONGEST_WISH),
        ("-5", 0.0),
        ("-inf", 0.0),
        ("Mon, 01 Jan 0001 00:00:00 +2359", 0.0),
        ("nan", None),
        ("Fri, 31 Dec 99999999999999999999 23:59:59 GMT", None),
        ("Fri, 31 Dec 2026 23:59:59 +99999999999999999999", None),
        ("Mon, 99 Jan 2026 25:61:61 GMT", None),
        ("", None),
    ],
)
def test_a_wish_that_no_clock_has_is_capped_or_none(value: str, seconds: float | None) -> None:
    assert wait_for(value) == seconds


DATES = st.builds("{}, {} {} {} {}:{}:{} {}".format, *(st.text("0123456789JanFriGMT+-.", max_size=24),) * 8)


@given(st.text(max_size=30) | st.floats().map(str) | st.integers().map(str) | DATES)
def test_no_wish_is_beyond_the_cap(value: str) -> None:
    seconds = wait_for(value)
    assert seconds is None or 0 <= seconds <= problems.LONGEST_WISH


def test_an_error_with_an_odd_wish_is_still_worth_a_retry() -> None:
    for value in ("1e400", "Fri, 31 Dec 99999999999999999999 23:59:59 GMT"):
        with pytest.raises(TransientModelError, match="HTTP 429"):
            complete_once(servers.rate_limited(value))


#: An error, what it means for the question, and what a message says.
ERRORS: list[tuple[object, type[ModelError], str]] = [
    ({"code": 429, "message": "slow down"}, TransientModelError, "error 429: slow down"),
    ({"code": "429", "message": "slow down"}, TransientModelError, "error 429: slow down"),
    ({"code": 502, "message": "Provider returned error"}, TransientModelError, "error 502"),
    ({"type": "overloaded_error", "message": "busy"}, TransientModelError, "error 503: busy"),
    ({"code": "rate_limit_exceeded", "message": "slow down"}, TransientModelError, "error 429"),
    ({"status": 500, "detail": "a crash"}, TransientModelError, "error 500: a crash"),
    ({"message": "nobody knows"}, TransientModelError, "error 502: nobody knows"),
    ({"code": 1305}, TransientModelError, 'error 502: {"code": 1305}'),
    ("nobody knows", TransientModelError, "error 502: nobody knows"),
    ({"code": 413, "message": "large"}, ModelError, "error 413"),
    ({"code": 401, "message": "bad key"}, FatalModelError, "error 401: bad key .check the key"),
    ({"code": "invalid_api_key", "message": "bad key"}, FatalModelError, "error 401"),
    ({"code": 402, "message": "no credits"}, FatalModelError, "no quota left"),
    ({"code": "insufficient_quota", "message": "no credits"}, FatalModelError, "no quota left"),
    ({"code": "model_not_found", "message": "none"}, FatalModelError, "has the model 'scripted'"),
]


def beside(error: object) -> Disruption:
    """The error stands beside choices with a whole answer."""
    return Disruption(edit=lambda body: body.update(error=error))


def alone(error: object) -> Disruption:
    """The error is the body."""
    return Disruption(body={"error": error})


def in_choice(error: object) -> Disruption:
    """The error stands in a choice with a whole answer, whose finish reason tells nothing."""
    return Disruption(edit=lambda body: body["choices"][0].update(error=error))


def in_ended_choice(error: object) -> Disruption:
    """The error stands in a choice that says so, with a part of an answer."""
    ended = {"error": error, "finish_reason": "error", "native_finish_reason": None}
    return Disruption(edit=lambda body: body["choices"][0].update(ended))


def in_message(error: object) -> Disruption:
    """The error stands in a message with a whole answer."""
    return servers.fields(error=error)


PLACES = (beside, alone, in_choice, in_ended_choice, in_message)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("error", "kind", "complaint"), ERRORS)
def test_an_error_with_status_200_is_never_an_answer(
    place: Any, error: object, kind: type[ModelError], complaint: str
) -> None:
    with pytest.raises(ModelError, match=complaint) as caught:
        complete_once(place(error))
    assert type(caught.value) is kind
    if isinstance(caught.value, TransientModelError):
        assert not caught.value.unbilled, "the server may have worked on it"


@pytest.mark.parametrize("place", PLACES)
def test_an_outcome_of_the_model_is_one_with_status_200_too(place: Any) -> None:
    flagged = complete_once(place({"code": 403, "message": "Your input was flagged by moderation"}))
    assert (flagged.finish, flagged.text) == ("refused", "Your input was flagged by moderation")
    too_long = complete_once(place({"code": "context_length_exceeded", "message": "too many tokens"}))
    assert (too_long.finish, too_long.text) == ("too-long", "")


def test_an_error_with_status_200_may_ask_for_a_wait() -> None:
    limited = Disruption(body={"error": {"code": 429, "message": "slow down"}}, headers={"Retry-After": "7"})
    with pytest.raises(TransientModelError) as caught:
        complete_once(limited)
    assert caught.value.retry_after == 7.0


@pytest.mark.parametrize("error", [None, "", False, {}, {"message": "", "code": None}])
@pytest.mark.parametrize("place", [beside, in_choice, in_message])
def test_an_error_that_says_nothing_is_none(place: Any, error: object) -> None:
    assert complete_once(place(error)).text == "[88, 69]"


@pytest.mark.parametrize(
    "body",
    [
        {"object": "error", "message": "the engine died", "code": 500},
        {"type": "error", "error": {"type": "api_error", "message": "the engine died"}},
    ],
)
def test_a_body_may_be_the_error(body: dict[str, object]) -> None:
    with pytest.raises(TransientModelError, match="the engine died"):
        complete_once(Disruption(body=body))
