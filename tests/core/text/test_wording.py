from __future__ import annotations

import pytest

from pytest_codereason.core.text import wording as words


@pytest.mark.parametrize(
    ("wording", "text"),
    [
        (words.count(2388), "2,388"),
        (words.plural(1, "gate"), "1 gate"),
        (words.plural(1200, "gate"), "1,200 gates"),
        (words.plural(2, "repository"), "2 repositories"),
        (words.plural(2, "query"), "2 queries"),
        (words.plural(2, "key"), "2 keys"),
        (words.one_line("a\n b" + "c" * 20, 10), "a bcccccc…"),
    ],
)
def test_how_things_are_written(wording: str, text: str) -> None:
    assert wording == text


@pytest.mark.parametrize("whole", ["[−0.490, +0.490]", "[31.2, 70.9] %", "95 %", "[1,024, 2,048]"])
@pytest.mark.parametrize("width", range(24, 40))
def test_no_line_ends_within_an_interval_or_a_percentage(whole: str, width: int) -> None:
    text = f"the change was (0.1 {whole}, p = 0.012) of a model-like thing"
    lines = words.wrap(text, width, first="  ", later="    ")
    assert " ".join(" ".join(lines).split()) == text
    assert any(whole in line for line in lines)
    assert max(map(len, lines)) <= width


def test_a_text_is_wrapped_at_blanks() -> None:
    assert words.wrap("", 20) == []
    assert words.wrap("a-b c" + words.NO_BREAK + "d", 5) == ["a-b", "c d"]
    assert words.wrap("abcdefgh", 5) == ["abcde", "fgh"]
    assert words.wrap("abcdefgh", 5, break_words=False) == ["abcdefgh"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.5, "< 1"), (1.0, "1.0"), (1.44, "1.4"), (9.94, "9.9"), (37.4, "37"), (2000.0, "2,000"), (4096.0, "> 4,096")],
)
def test_places_beyond_the_ends_are_no_numbers(value: float, text: str) -> None:
    assert words.spell_place(value, 1, 4096) == text


def test_an_axis_of_several_things_stands_behind_its_number() -> None:
    assert words.name_place("steps", "37") == "37 steps"
    assert words.name_place("level", "4.8") == "level 4.8"
    assert words.name_place("rounds", "9.0") == "9 rounds"
    assert words.name_place("steps", "1.0") == "1 step"


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [(-0.0483, 3, "−0.048"), (0.5, 1, "0.5"), (-0.0004, 3, "0.000"), (-0.0004, 4, "−0.0004"), (0.0, 3, "0.000")],
)
def test_a_number_has_the_sign_of_minus_and_zero_has_none(value: float, decimals: int, text: str) -> None:
    assert words.write_number(value, decimals) == text
