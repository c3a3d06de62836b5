"""The name that a user may have meant."""

from __future__ import annotations

import pytest

from pytest_codereason.core.text.suggestions import suggest_name


@pytest.mark.parametrize(
    ("name", "hint"),
    [("temprature", " (did you mean 'temperature'?)"), ("exct", " (did you mean 'exact'?)"), ("colour", ""), ("", "")],
)
def test_a_name_that_looks_like_a_known_one_is_suggested(name: str, hint: str) -> None:
    assert suggest_name(name, ["exact", "partial", "temperature"]) == hint
