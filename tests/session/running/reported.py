"""Records, and reports of pytest that carry them."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.core import Record
from pytest_codereason.engine.tallies import sum_up
from pytest_codereason.session.running.runtest_protocol import put_on_report

ABOUT: dict[str, Any] = {"family": "0", "suite": "s", "task": "t", "language": "python", "axes": {}, "plan": "p"}


def make_record(outcome: str = "correct", **more: Any) -> Record:
    kinds: dict[str, Any] = {**ABOUT, "id": "python/0", "model": "m", "sample": 0, "outcome": outcome, **more}
    return Record(**kinds)


def make_report(nodeid: str, outcome: str, *records: Record, failed: bool = False, travels: bool = False) -> Any:
    report = pytest.TestReport(
        nodeid=nodeid,
        location=("s.suite.toml", 0, nodeid),
        keywords={},
        outcome="failed" if failed else "passed",
        longrepr=None,
        when="call",
    )
    put_on_report(report, outcome, "the line", sum_up(records) if records else None, travels=travels)
    return report
