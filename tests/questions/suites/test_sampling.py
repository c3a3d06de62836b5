"""How answers are drawn: settings by way of prompting, and what a setting may be."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.core import Sampling
from pytest_codereason.errors import BadSetting, UnknownKey
from pytest_codereason.questions.suites.sampling import SAMPLING_AXES, Drawing, check_sampling


def test_a_way_of_prompting_that_is_not_named_is_drawn_as_the_others() -> None:
    drawing = Drawing({"": Sampling(max_tokens=7), "cot": Sampling(max_tokens=9)}, {"": 2, "direct": 3})
    assert [drawing.settings_for(way).max_tokens for way in ("", "direct", "cot")] == [7, 7, 9]
    assert [drawing.samples_for(way) for way in ("", "direct", "cot")] == [2, 3, 2]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("temperature", 0),
        ("temperature", 2),
        ("top_p", 1),
        ("top_p", 0.1),
        ("max_tokens", 1),
        ("reasoning_effort", "low"),
    ],
)
def test_a_setting_within_its_limits_is_taken(key: str, value: object) -> None:
    assert check_sampling(key, value) == value


def test_no_limit_of_tokens_is_written_as_0() -> None:
    assert check_sampling("max_tokens", 0) is None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("temperature", -0.1),
        ("temperature", 2.1),
        ("temperature", True),
        ("temperature", "hot"),
        ("top_p", 0),
        ("top_p", 1.1),
        ("max_tokens", -1),
        ("max_tokens", 1.5),
        ("reasoning_effort", ""),
        ("reasoning_effort", "very low"),
        ("reasoning_effort", 1),
    ],
)
def test_a_setting_beyond_its_limits_is_refused_by_name(key: str, value: Any) -> None:
    with pytest.raises(BadSetting, match=f"'{key}' must be") as caught:
        check_sampling(key, value)
    assert caught.value.key == key


def test_an_unknown_setting_is_named_with_what_looks_like_it() -> None:
    with pytest.raises(UnknownKey, match=r"temperatur.*did you mean 'temperature'"):
        check_sampling("temperatur", 1)


def test_an_axis_of_sampling_accepts_what_the_setting_accepts() -> None:
    assert [SAMPLING_AXES["temperature"].accepts(value) for value in (0.0, 2, 3)] == [True, True, False]
    assert SAMPLING_AXES["reasoning_effort"].short == "effort"
