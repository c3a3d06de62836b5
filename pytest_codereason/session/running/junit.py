"""Gates as cases of a JUnit file, beside the questions, and misses as properties of cases that pass."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from _pytest.junitxml import xml_key

from pytest_codereason.results.verdicts.verdict import GateVerdict
from pytest_codereason.session.running.runtest_protocol import find_carried

CLASS = "codereason.gates"


def add_gates(config: pytest.Config, verdicts: Sequence[GateVerdict]) -> None:
    """Adds a case for each verdict to the file of ``--junitxml``, if pytest writes one. What does not pass, fails."""
    junit = config.stash.get(xml_key, None)
    if junit is None:
        return
    for verdict in verdicts:
        name = f"{verdict.gate} ({verdict.model})"
        report = pytest.TestReport(
            nodeid=f"{CLASS}::{name}",
            location=(CLASS, None, name),
            keywords={},
            outcome="passed" if verdict.passed else "failed",
            longrepr=None if verdict.passed else f"{verdict.verdict}: {verdict.sentence}",
            when="call",
        )
        case = junit.node_reporter(f"{CLASS}::{verdict.model}::{verdict.gate}")
        case.attrs = {"classname": CLASS, "name": name}
        if verdict.passed:
            case.append_pass(report)
        else:
            case.append_failure(report)
        case.add_property("verdict", verdict.verdict)
        case.add_property("sentence", verdict.sentence)


def pass_miss(config: pytest.Config, report: pytest.TestReport) -> None:
    """Lets the case of a miss pass, with a property ``miss`` that says what is wrong. Errors stay failures.

    To be called before pytest's own writer sees the report.
    """
    junit, carried = config.stash.get(xml_key, None), find_carried(report)
    if junit is None or carried is None or carried["outcome"] != "miss" or not report.failed:
        return
    case = junit.node_reporter(report)  # the writer takes the same one
    case.append_failure = case.append_pass  # type: ignore[method-assign]
    case.add_property("miss", carried["line"])
