"""What a trace may say of a program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pytest_codereason.core.execution import Harness
from pytest_codereason.core.languages import Tracer
from pytest_codereason.core.tracing import Body, Trace, Witnessed

BODIES = [Body("main", "main.py", 1, callable=False), Body("main.g", "main.py", 1), Body("main.f", "main.py", 4)]


class Silent(Tracer):
    """Runs nothing."""

    def harness(self, files: Mapping[str, str], entry: str, call: str, witnessed: Witnessed) -> Harness:
        raise NotImplementedError

    def list_bodies(self, files: Mapping[str, str], entry: str) -> list[Body]:
        return BODIES


def test_a_trace_is_in_order() -> None:
    payload = {"edges": [["main.f", "main.g"], ["main", "main.g"], ["main", "main.f"]], "lines": {"main.py": [[2, 1]]}}
    assert Silent().read(payload, BODIES) == Trace(
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
        Silent().read(payload, BODIES)
