"""What a trace may say of a program."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.core.language.tracing import Body, Trace, check_trace

BODIES = [Body("main", "main.py", 1, callable=False), Body("main.g", "main.py", 1), Body("main.f", "main.py", 4)]


def test_a_trace_is_in_order() -> None:
    payload = {"edges": [["main.f", "main.g"], ["main", "main.g"], ["main", "main.f"]], "lines": {"main.py": [[2, 1]]}}
    assert check_trace(payload, BODIES) == Trace(
        {"main": ["main.f", "main.g"], "main.f": ["main.g"]}, {"main.py": {2: 1}}
    )


@pytest.mark.parametrize(
    "payload",
    [
        {"edges": [["main", "main.h"]]},
        {"edges": [["main.h", "main.f"]]},
        {"edges": [["main.f", "main"]]},
        {"edges": [["main"]]},
        {"edges": [[["main"], "main.f"]]},
        {"edges": 1},
        {"lines": {}},
        [],
        {"edges": [], "lines": {"other.py": [[1, 1]]}},
        {"edges": [], "lines": {"main.py": [[0, 1]]}},
        {"edges": [], "lines": {"main.py": [[1, True]]}},
        {"edges": [], "lines": {"main.py": [["1", 1]]}},
    ],
)
def test_what_no_harness_writes_is_refused(payload: Any) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        check_trace(payload, BODIES)
