"""The lines that a reply names."""

from __future__ import annotations

import contextlib
import time

import pytest

from pytest_codereason.questions.replies.line_numbers import KEYS, NamesRange, read_lines

REPLIES = {
    '{"line": 12}': ["12"],
    'The bug is here.\n```json\n{"line": 12}\n```\nThat is all.': ["12"],
    '{"lines": [12, 7, 12]}': ["12", "7"],
    '{"line": "12"}': ["12"],
    '{"line": "12: return x"}': ["12"],
    '{"faulty_line": 12, "why": "the sum {x} is wrong"}': ["12"],
    '{"line_number": 12.0}': ["12"],
    '{"answer": {"line": 12}}': ["12"],
    '{"line": 12, "why": {"line": 3}}': ["12"],
    '{"line": 3}\nNo, wait.\n{"line": 12}': ["12"],
    '{"line": 12, "why": "not line 3"}': ["12"],
    '{"line": [12, 14]}': ["12", "14"],
    '{"line": -3}': ["-3"],
    '{"line": null}': None,
    '{"line": true}': None,
    '{"line": 12.5}': None,
    '{"line": []}': None,
    "Line 3 is fine. The faulty line is line 12.": ["12"],
    "**Line: 12**": ["12"],
    "line number is 12": ["12"],
    "lines 12, 7 and 9": ["12", "7", "9"],
    "12": ["12"],
    "`12`.": ["12"],
    "The bug is in line 12, not line 3.": ["12"],
    "Line 12 is wrong, not in line 3 but there.": ["12"],
    "It is not on line 3. Line 12.": ["12"],
    '{"line": 1.2e1}': ["12"],
    "12 of them are wrong": None,
    "The line added last is wrong.": None,
    "line 12.5": None,
    "I do not know.": None,
    "": None,
    "<think>line 3</think>\nline 12": ["12"],
}


@pytest.mark.parametrize(("reply", "lines"), REPLIES.items())
def test_a_reply_names_these_lines(reply: str, lines: list[str] | None) -> None:
    assert read_lines(reply) == lines


@pytest.mark.parametrize(
    "reply", ['{"line": "12-14"}', "lines 12-14", "lines 12 to 14", "line 12 – 14", "lines 12..14"]
)
def test_a_range_is_no_answer(reply: str) -> None:
    with pytest.raises(NamesRange):
        read_lines(reply)


def test_keys_are_read_as_labels() -> None:
    assert read_lines('{"line": "3F2a1c"}', KEYS) == ["3F2a1c"]
    assert read_lines("The line 3f2a1c is wrong.", KEYS) == ["3f2a1c"]
    assert read_lines("The line is wrong.", KEYS) is None


@pytest.mark.parametrize("key", ["123e45", "1234e5", "012345", "100000", "3f2a1c"])
def test_a_key_without_quotes_is_no_number(key: str) -> None:
    assert read_lines(f'{{"line": {key}}}', KEYS) == [key]


def test_of_a_reply_that_was_cut_off_only_json_counts() -> None:
    assert read_lines("It may be line 12", cut=True) is None
    assert read_lines('{"line": 12} because', cut=True) == ["12"]


@pytest.mark.parametrize(
    "hostile", ['{"a":', '{"line": [', "line ", "line 1, ", "lines 1 - ", "{" * 3, "line" + " " * 50]
)
def test_a_long_reply_is_read_in_no_time(hostile: str) -> None:
    start = time.process_time()
    with contextlib.suppress(NamesRange):
        read_lines(hostile * (400_000 // len(hostile)))
    assert time.process_time() - start < 5
