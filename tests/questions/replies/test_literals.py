"""Where a literal begins and ends in a reply, and what reading costs."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason import registry
from pytest_codereason.questions.replies.literals import Candidate, LiteralReader


def make_reader(name: str = "python", length: int = 1_000) -> LiteralReader:
    return LiteralReader(registry.language(name), length)


def read_at(text: str, start: int = 0, name: str = "python", *, comma: bool = True, ends: str = "") -> tuple[Any, int]:
    """The value at a place, and where it ends; ``ends`` are the characters before which a literal may end."""

    def may_end(text: str, end: int) -> bool:
        return text[end : end + 1] in ("", *ends)

    candidate, end = make_reader(name).read_at(text, start, comma_ends=comma, ends=may_end if ends else None)
    return candidate.value and candidate.value.value, end


@pytest.mark.parametrize(
    ("text", "start", "value", "end"),
    [
        ("42", 0, 42, 2),
        ("  42", 0, 42, 4),
        ("= 42", 1, 42, 4),
        ("42\n43", 0, 42, 2),
        ("42; 43", 0, 42, 2),
        ("42, 43", 0, 42, 2),
        ("42) x", 0, 42, 2),
        ("42`", 0, 42, 2),
        ("42 # so", 0, 42, 3),
        ("[1, 2]] x", 0, [1, 2], 6),
        ("[1,\n 2] x", 0, None, 9),
        ("[1,\n 2]\nx", 0, [1, 2], 7),
        ("[1, # one\n 2]", 0, [1, 2], 13),
        ("'a]b'", 0, "a]b", 5),
        (r"'a\'b'", 0, "a'b", 6),
        ("'''a\nb'''", 0, "a\nb", 9),
        ("'a;b' ;", 0, "a;b", 6),
        ("x", 0, None, 1),
    ],
)
def test_a_literal_ends_with_its_expression(text: str, start: int, value: Any, end: int) -> None:
    assert read_at(text, start) == (value, end)


def test_a_comma_ends_a_literal_where_it_may() -> None:
    assert read_at("1, 2") == (1, 1)
    assert read_at("1, 2", comma=False) == ((1, 2), 4)
    assert read_at("(1, 2), 3") == ((1, 2), 6)


@pytest.mark.parametrize(
    ("name", "text", "value", "end"),
    [
        ("python", "7 // 2", 3, 6),
        ("javascript", "7 // 2", 7, 2),
        ("javascript", "[7, /* ] */ 8]", [7, 8], 14),
        ("javascript", "[`a]`, 1]", ["a]", 1], 9),
        ("javascript", "`a\nb`", "a\nb", 5),
        ("javascript", "1`", 1, 1),
    ],
)
def test_comments_and_template_strings_are_those_of_the_language(name: str, text: str, value: Any, end: int) -> None:
    assert read_at(text, 0, name) == (value, end)


@pytest.mark.parametrize("text", ["[1, 2", "'ab", "{'a': [1}", "[" * 101 + "]" * 101])
def test_what_stays_open_is_cut_off(text: str) -> None:
    candidate, end = make_reader().read_at(f"{text}\nmore", 0, comma_ends=True)
    assert (candidate.value, candidate.complete or "more" in text) == (None, False) or text.startswith("{")
    assert end == len(text) + len("\nmore") or candidate.text == text


def test_a_hundred_brackets_may_be_open() -> None:
    reason = "a bracket or quote stays open"
    reads = [make_reader().read_at("[" * n + "]" * n, 0, comma_ends=True)[0].reason for n in (100, 101)]
    assert reads[0] != reason
    assert reads[1] == reason


def test_a_text_that_stays_open_is_kept_in_part() -> None:
    candidate, _ = make_reader(length=5_000).read_at("[" + "1" * 2_000, 0, comma_ends=True)
    assert len(candidate.text) == 1_000
    assert make_reader().read_at("[1 \nx", 0, comma_ends=True)[0].text == "[1"


@pytest.mark.parametrize(
    ("text", "value", "end"),
    [
        ("42 so", None, 5),
        ("42. So", 42, 2),
        ("42.", 42, 3),
        ("-1.5e3. So", -1500.0, 6),
        ("0x10. So", 16, 4),
        ("None. So", None, 4),
        ("True. So", True, 4),
        ("[1]. So [2]", [1], 3),
        ("'a'. So", "a", 3),
        ("(1)(2). So", None, 10),
        ("f(1). So", None, 8),
        ("42?", None, 3),
        ("42... So", 42, 2),
    ],
)
def test_a_literal_may_end_within_its_line(text: str, value: Any, end: int) -> None:
    assert read_at(text, ends=".") == (value, end)


@pytest.mark.parametrize(
    ("groups", "ends"),
    [("[1] [2] [3] [4] [5]", [3, 7, 11, 15]), ("[[1], [2]] 'a' [3]", [10, 14, 18])],
)
def test_four_groups_are_tried(groups: str, ends: list[int]) -> None:
    seen: list[int] = []

    def note(_: str, end: int) -> bool:
        seen.append(end)
        return False

    make_reader().read_at(f"{groups} x", 0, comma_ends=True, ends=note)
    assert seen == ends


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (" **42**. ", "42"),
        ("_42_,", "42"),
        ("42!", "42"),
        ("42?", "42?"),
        ("-42:", "-42"),
        ("'a. '", "'a. '"),
        ("...", ""),
    ],
)
def test_emphasis_and_punctuation_are_taken_off(text: str, kept: str) -> None:
    assert make_reader().read(text).text == kept


def test_an_answer_says_why_it_is_no_literal_and_whether_it_is_complete() -> None:
    reader = make_reader()
    assert reader.read("42", complete=False) == Candidate("42", reader.read("42").value, complete=False)
    failed = reader.read("f(1)", complete=False)
    assert (failed.text, failed.value, failed.complete) == ("f(1)", None, False)
    assert failed.reason


def test_every_reading_is_paid() -> None:
    reader = make_reader(length=0)  # 20,000 for any reply
    assert reader.pay(20_000)
    assert not reader.pay(1)
    assert reader.pay(0)
    reader = make_reader(length=10)
    assert not reader.pay(20_121)
    assert reader.pay(20_120)


def test_a_reading_that_cannot_be_paid_gives_no_value() -> None:
    reader = make_reader(length=0)
    reader.pay(20_000 - 108)
    assert reader.read("42").value is not None  # 100, and 4 for each of two characters
    reader = make_reader(length=0)
    reader.pay(20_000 - 107)
    assert "too many" in reader.read("42").reason
    candidate, end = reader.read_at("[" * 60 + "]" * 60, 0, comma_ends=True)
    assert (candidate.value, end) == (None, 120)
