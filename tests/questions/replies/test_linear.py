"""No reply, however built, takes more than linear time or raises."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.questions.replies.arguments import read_call_arguments
from pytest_codereason.questions.replies.pieces.blocks import read_blocks
from pytest_codereason.questions.replies.pieces.final_text import read_spoken
from pytest_codereason.questions.replies.pieces.tags import find_tags
from pytest_codereason.questions.replies.reasoning import measure_reasoning
from pytest_codereason.questions.replies.values import read_value
from pytest_codereason.registry import language

PYTHON = language("python")


def read_all_arguments(reply: str) -> None:
    read_call_arguments(reply, language=PYTHON, function="f")
    read_call_arguments(reply, language=PYTHON, function="f", prefill="assert f(", prefilled=True)


READERS: dict[str, Callable[[str], object]] = {
    "spoken": read_spoken,
    "blocks": read_blocks,
    "tags": find_tags,
    "values": lambda reply: read_value(reply, language=PYTHON, call="f(81)"),
    "arguments": read_all_arguments,
    "reasoning": lambda reply: measure_reasoning([(reply, reply)]),
}
#: Seconds of processor time that a reader may take for 20,000 characters in any case.
MOMENT_S = 0.025
#: What stands before a piece, the piece that is repeated, and what stands after it.
HOSTILE = [
    ("", "~", "`"),
    ("", "`", "x"),
    ("", "[ANSWER]", ""),
    ("", "[ANSWER]", "[/ANSWER]"),
    ("", "[ANSWER]x[/ANSWER]", ""),
    ("", "[/THOUGHT]", "[ANSWER]"),
    ("[ANSWER]\n", "assert f(\n", ""),
    ("[ANSWER]\n", "assert f(8) ==\n", "[/ANSWER]"),
    ("[ANSWER]", "1", ""),
    ("", "```x\n", ""),
    ("", "```\n~~~\n", ""),
    ("", "<think>\n", ""),
    ("", "</think>", ""),
    ("", "f(", ""),
    ("", "f(1)", ""),
    ("", "assert f(81) == (", ""),
    ("f(81) ==", " ", "x"),
    ("", "'", "\\"),
    ("", "'''\"", ""),
    ("", "\\'", ""),
    ("", "answer is ", ""),
    ("", "\\boxed{", ""),
    ("", "\\boxed{1}", ""),
    ("", "assert 1 == f(81)", ""),
    ("", "assert ", "== f(81)"),
    ("assert ", "== f(81)", ""),
    ("- ", " ", "x"),
    ("", "wait, ", ""),
    ("", "ab", "c"),
    ("", "step 1 of 1, ", ""),
    ("", "1 ", ""),
    ("", "“", ""),
    ("é", "$1", ""),
    ("", "<|im_end|>", "x"),
    ("", "<think>1</think>", ""),
    ("", "</think> 1 ", ""),
    ("", "<|channel|>final<|message|>", "1"),
    ("", "[ASSERTION] ??\n", ""),
    ("", "Q:\n", ""),
    ("", "actually, ", "1"),
    ("", "the answer of it is ", "1"),
    ("", "f(81) == 1 or ", ""),
    ("", "assertEquals(1, ", "f(81))"),
    ("", "expect(f(81)).to.", ""),
    ("", "f(81) = 1 = ", ""),
    ("", "print(f(81))\n# ", ""),
    ("{", '"answer": {', ""),
    ("", "<b>", ""),
    ("", "~~1", ""),
]


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS.values(), ids=READERS.keys())
@pytest.mark.parametrize("parts", HOSTILE, ids=lambda parts: repr("".join(parts)))
def test_time_grows_with_the_length(reader: Callable[[str], object], parts: tuple[str, str, str]) -> None:
    """Quadratic time would make four times the text take sixteen times as long. A moment is short enough anyway."""
    before, piece, after = parts

    def measure(size: int) -> Iterator[float]:
        reply = before + piece * (size // len(piece)) + after
        for _ in range(3):
            start = time.process_time()
            reader(reply)
            yield time.process_time() - start

    long = measure(20_000)
    if (first := next(long)) >= MOMENT_S:
        limit = 10 * min(measure(5_000)) + MOMENT_S
        assert first < limit or any(taken < limit for taken in long), "not even the shortest of three"


PIECES = st.sampled_from(
    [
        *["[ANSWER]", "[/ANSWER]", "<think>", "</think>", "```", "~~~", "\n", " ", "f(81)", "f(", ")", "==", "1", "["],
        *["]", "'", '"', "`", ",", "#", "\\", "answer: ", "a=", "\\boxed{", "}", "assert ", "**", "\0", "\ud800"],
    ]
)


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS.keys())
@given(reply=st.lists(PIECES, max_size=40).map("".join) | st.text(st.characters()))
def test_no_reply_raises(reader: Callable[[str], object], reply: str) -> None:
    reader(reply)


@pytest.mark.parametrize("name", ["python", "javascript", "php", "java"])
@pytest.mark.parametrize("prefill", ["", "assert f("])
@given(reply=st.lists(PIECES, max_size=40).map("".join))
def test_no_reply_raises_in_any_language(name: str, prefill: str, reply: str) -> None:
    candidate = read_call_arguments(
        reply, language=language(name), function="f", prefill=prefill, prefilled=bool(prefill)
    )
    if candidate is not None and candidate.arguments is not None:
        assert len(candidate.arguments.values) <= len(reply)
