"""What differs between two records of the same question: because time has passed, and another server answered."""

from __future__ import annotations

from typing import Any

#: What differs between two runs that got the same answers.
VOLATILE = {"latency_s", "reused", "answered_at", "endpoint", "failed_at"}


def drop_volatile(value: Any) -> Any:
    """A value of JSON without what time and the choice of a server change."""
    if isinstance(value, dict):
        return {key: drop_volatile(item) for key, item in value.items() if key not in VOLATILE}
    return [drop_volatile(item) for item in value] if isinstance(value, list) else value
