"""What stands behind ``-m`` may be no expression of Python: pytest then says so itself."""

from __future__ import annotations

import pytest

from pytest_codereason.session.selectors import check_markers


@pytest.mark.parametrize(
    "expression", ["not " * 20_000 + "level", "level\0", "(level"], ids=["deep", "null byte", "open"]
)
def test_what_is_no_expression_is_left_to_pytest(expression: str) -> None:
    check_markers(expression, [], ["level"])
