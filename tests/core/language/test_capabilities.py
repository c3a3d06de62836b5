"""What a part may ask of a language."""

from __future__ import annotations

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.registry import language


def test_a_capability_that_no_language_has_is_a_mistake_and_no_gap() -> None:
    with pytest.raises(UsageError, match=r"the task mine needs 'sintax' \(did you mean 'syntax'\?\): choose .*drivers"):
        language("python").require(["sintax", "values"], "the task mine")  # type: ignore[list-item]
