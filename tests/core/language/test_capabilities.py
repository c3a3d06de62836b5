"""What a part may ask of a language."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_codereason.core import Values
from pytest_codereason.errors import BadResult, UsageError
from pytest_codereason.registry import language


def test_a_capability_that_no_language_has_is_a_mistake_and_no_gap() -> None:
    with pytest.raises(UsageError, match=r"the task mine needs 'sintax' \(did you mean 'syntax'\?\): choose .*drivers"):
        language("python").require(["sintax", "values"], "the task mine")  # type: ignore[list-item]


class BareValues(Values):
    """Forgets what ``read`` returns."""

    def read(self, text: str) -> Any:
        return json.loads(text)

    def write(self, value: Any) -> str:
        return json.dumps(value)

    def equal(self, left: Any, right: Any) -> bool:
        return bool(left == right)

    def decode(self, payload: Any) -> Any:
        return payload

    def assertion(self, call: str) -> tuple[str, str]:
        return call, ""


def test_values_that_read_no_value_are_to_blame() -> None:
    for use in (BareValues().read, BareValues().read_answer, BareValues().read_arguments):
        with pytest.raises(BadResult, match=r"the values .*BareValues \(test_capabilities.py, line \d+\): read must"):
            use("6")
