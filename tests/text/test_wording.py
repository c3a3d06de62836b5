from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.text import wording as words


@given(st.text(st.characters(codec=None)))
def test_what_is_visible_acts_on_nothing_and_can_be_stored(text: str) -> None:
    shown = words.visible(text)
    shown.encode("utf-8")
    assert not any(ord(c) < 32 and c not in "\t\n" for c in shown)
    assert not any(c in shown for c in "\x7f\x9b\u202e\u2066")
    assert words.visible(shown) == shown


def test_control_characters_are_shown() -> None:
    assert words.visible("\x1b[31m\x7f\u202e\ud800\x9b") == r"\x1b[31m\x7f\u202e\ud800\x9b"
    assert words.visible("a\tb\nπ 😀") == "a\tb\nπ 😀"


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (words.number(0.8125), "0.812"),
        (words.number(None), "undefined"),
        (words.signed(-0.0004), "0.000"),
        (words.signed(0.0004), "0.000"),
        (words.signed(0.1), "+0.100"),
        (words.signed(-0.1), "−0.100"),
        (words.percent(-0.2994), "−29.9\xa0%"),
        (words.percent(None), "undefined"),
        (words.count(2388), "2,388"),
        (words.plural(1, "gate"), "1 gate"),
        (words.plural(1200, "gate"), "1,200 gates"),
        (words.duration(0.843), "0.84 s"),
        (words.duration(59.6), "60 s"),
        (words.duration(192), "3 min 12 s"),
        (words.duration(93_600), "26 h"),
        (words.duration(259_200), "3 days"),
        (words.duration(None), "unknown"),
        (words.dollars(0.41), "$0.41"),
        (words.dollars(0.00123), "$0.0012"),
        (words.dollars(0.0), "$0.00"),
        (words.dollars(None), "unknown"),
        (words.moment("2026-11-21T10:00:00+00:00"), "2026-11-21 10:00"),
        (words.moment(None), "unknown"),
        (words.one_line("a\n b" + "c" * 20, 10), "a bcccccc…"),
        (words.axis_value(True), "true"),
        (words.unanswered({"error": 0}), ""),
        (words.unanswered({"error": 1200}), "1,200 unanswered"),
    ],
)
def test_how_things_are_written(found: str, text: str) -> None:
    assert found == text
