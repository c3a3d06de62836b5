"""Replies that are made to break the reading of a value, or to slow it down."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.questions.replies.pieces.final_text import MAX_REPLY
from tests.questions.replies.reading_values import CALL, NO_LITERAL, NOTHING, answer, check


def test_only_the_end_of_a_very_long_reply_is_read() -> None:
    filler = "word " * (MAX_REPLY // 5)
    check(answer(f"[ANSWER][1][/ANSWER]{filler}"), NOTHING)
    check(answer(f"{filler}[ANSWER][38][/ANSWER]"), [38])


PIECES = st.sampled_from(
    [
        *[
            "[ANSWER]",
            "[/ANSWER]",
            "<answer>",
            "</answer>",
            "<think>",
            "</think>",
            "```",
            "```python\n",
            "assert f(81) == ",
        ],
        *["f(81)", "The answer is ", "38", "[", "]", "(", ")", "'", '"', "`", "'''", ",", "#", "//", "/*", "\\", "=="],
        *["**", "\n", " ", "\0"],
    ]
)


@pytest.mark.parametrize("name", ["python", "javascript", "php"])
@given(
    reply=st.lists(PIECES, max_size=40).map("".join) | st.text(st.characters()), flags=st.tuples(*[st.booleans()] * 2)
)
def test_no_reply_raises(name: str, reply: str, flags: tuple[bool, bool]) -> None:
    prefilled, cut = flags
    candidate = answer(reply, name, prefilled=prefilled, cut=cut)
    assert candidate is None or (candidate.value is None) == bool(candidate.reason)


HOSTILE = {
    "opening tags": "[ANSWER]",
    "opening tags and brackets": "[ANSWER]\n[\n",
    "closing tags": "[/ANSWER]",
    "think tags": "<think>\n",
    "brackets": "[",
    "brackets on lines": "[\n",
    "brackets and quotes": "(\n'\n",
    "triple quotes": "'''\n\"\"\"\n",
    "inline code": "`a` ",
    "backticks": "`",
    "fences": "```\n[\n",
    "open assertions": "f(81)==[",
    "bad assertions": "f(81)== 1x ",
    "bad lines": "1x\n",
    "labels": "answer: ",
    "asserts": "assert",
    "dotted asserts": "assert.",
    "calls": "f(81) ",
    "blanks": " ",
    "bullets": "- ",
    "stars": "*",
    "words": "a ",
    "answers": "[1]\n",
}


#: Seconds of processor time that 16,000 characters may take in any case.
MOMENT_S = 0.025


@pytest.mark.slow
@pytest.mark.parametrize("name", ["python", "javascript"])
@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_time_is_linear(name: str, piece: str) -> None:
    """Quadratic time would make four times the text take sixteen times as long. A moment is short enough anyway."""

    def measure(size: int) -> Iterator[float]:
        reply = CALL + piece * (size // len(piece))
        for _ in range(3):
            start = time.process_time()
            answer(reply, name)
            yield time.process_time() - start

    long = measure(16_000)
    if (first := next(long)) >= MOMENT_S:
        limit = 10 * min(measure(4_000)) + MOMENT_S
        assert first < limit or any(taken < limit for taken in long), "not even the shortest of three"


@pytest.mark.parametrize("closed", ["", "[/ANSWER]"])
def test_twenty_thousand_opening_tags(closed: str) -> None:
    check(answer("[ANSWER]" * 20_000 + "[38]" + closed), [38])


def test_ten_megabytes_are_no_answer() -> None:
    check(answer("[ANSWER]" + "9" * 10_000_000 + "[/ANSWER]"), NOTHING)
    check(answer("[ANSWER]" + "9" * 500_000 + "[/ANSWER]"), NO_LITERAL)
