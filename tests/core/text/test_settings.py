"""The values of options, read from text."""

from __future__ import annotations

import pytest

from pytest_codereason.core.text.settings import split_urls


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("http://a:8000/v1", ("http://a:8000/v1",)),
        ("http://a/v1,https://b/v1 , http://a/v1", ("http://a/v1", "https://b/v1")),
        ("http://user:pass,word@a/v1", ("http://user:pass,word@a/v1",)),
    ],
)
def test_a_comma_between_addresses_parts_them(text: str, urls: tuple[str, ...]) -> None:
    assert split_urls(text) == urls
