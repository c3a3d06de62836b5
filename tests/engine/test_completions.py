"""What a model of a user's own may give as its reply."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.core import Completion, Usage
from pytest_codereason.engine.completions import check_completion
from pytest_codereason.errors import BadResult
from tests.engine.readers import Reader


@pytest.mark.parametrize(
    "reply",
    [
        Completion(text=""),
        Completion(text="2", finish="too-long", reasoning="so", served_by="m", usage=Usage(prompt=1)),
    ],
)
def test_a_completion_is_given_back(reply: Completion) -> None:
    assert check_completion(Reader(None), reply) is reply


@pytest.mark.parametrize(
    ("reply", "complaint"),
    [
        ("2", "answer must return a Completion, not str: write Completion(text=...)"),
        (None, "answer must return a Completion, not None"),
        ({"text": None}, "text of the Completion must be a str, not None"),
        ({"text": b"2"}, "text of the Completion must be a str, not"),
        ({"text": "2", "reasoning": 1}, "reasoning of the Completion must be a str or None, not int"),
        ({"text": "2", "served_by": 1}, "served_by of the Completion must be a str or None"),
        ({"text": "2", "usage": {"prompt": 1}}, "usage of the Completion must be a Usage, not dict"),
        ({"text": "2", "finish": "lenght"}, "finish of the Completion cannot be 'lenght' (did you mean 'length'?)"),
        ({"text": "2", "finish": None}, "finish of the Completion cannot be None: it is one of stop, length"),
    ],
)
def test_what_cannot_be_read_or_stored_is_refused(reply: Any, complaint: str) -> None:
    made = Completion(**reply) if isinstance(reply, dict) else reply
    with pytest.raises(BadResult) as caught:
        check_completion(Reader(None), made)
    assert complaint in str(caught.value)
