"""How one question runs and reports.

The ordinary protocol makes three reports an item and sets fixtures up that a question does not
have; with 100,000 questions that is most of the time. :func:`run` serves a question with a ``call``
report and a ``teardown`` report (which JUnit and HTML reports need to close an entry). Wherever
another plugin or option has a say in how an item runs, it steps aside, and the ordinary protocol
drives :meth:`~pytest_codereason.session.collection.Question.runtest`, which is complete by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import pytest

from pytest_codereason.engine.folder import rows
from pytest_codereason.session.judging import summary_of

if TYPE_CHECKING:
    from pytest_codereason.session.collection import Question

#: Marks by which somebody else decides the same.
MARKS = frozenset({"skip", "skipif", "xfail", "flaky", "timeout"})
#: Options under which somebody else decides how an item runs.
OTHERS = ("reruns", "only_rerun", "usepdb", "trace", "setupshow", "setuponly", "setupplan", "timeout", "count")


def steps_aside(config: pytest.Config) -> bool:
    """Whether this run must use the ordinary protocol for all items."""
    if any(config.getoption(name, default=None) for name in OTHERS):
        return True
    if any(_foreign(config, hook) for hook in ("setup", "call", "teardown")):
        return True
    for name in ("timeout", "reruns"):
        try:
            if config.getini(name):
                return True
        except (ValueError, KeyError):
            continue  # no such plugin, no such ini value
    return False


def _foreign(config: pytest.Config, when: str) -> bool:
    """Whether a conftest, or a plugin that is not known to leave questions alone, takes part in a phase."""
    found = getattr(config.hook, f"pytest_runtest_{when}").get_hookimpls()
    known = (
        "_pytest.",
        "xdist.",
        "pytest_html.",
        "pytest_cov.",
        "pytest_rerunfailures.",
        "pytest_timeout.",
        "anyio.",
        "_hypothesis_pytestplugin",
    )
    return not all(f"{impl.function.__module__}.".startswith(known) for impl in found)


def run(item: Question, nextitem: pytest.Item | None) -> None:
    """Asks, reports, and leaves the fixtures of neighbouring tests as the ordinary protocol would."""
    hook = item.ihook
    hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    # Plugins keep state on the item from its setup report on; nobody needs to see it logged.
    _report(item, "setup", lambda: None)
    hook.pytest_runtest_logreport(report=_report(item, "call", item.runtest))
    down = _report(item, "teardown", lambda: item.session._setupstate.teardown_exact(nextitem))
    hook.pytest_runtest_logreport(report=down)
    hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)


def _report(item: Question, when: Literal["setup", "call", "teardown"], function: Callable[[], None]) -> Any:
    call = pytest.CallInfo.from_call(function, when=when, reraise=(pytest.exit.Exception, KeyboardInterrupt))
    return item.ihook.pytest_runtest_makereport(item=item, call=call)


def attach(item: Question, report: pytest.TestReport) -> None:
    """Hands an item's records to its report, which carries them to the controller."""
    records, item.records = item.records, None
    if report.skipped and report.when == "setup" and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        records = item.skipped(reason.removeprefix("Skipped: "))
    elif report.when != "call" or records is None:
        return
    outcome, line = summary_of(records)
    right = sum(r.outcome == "correct" for r in records) / len(records)
    # Set on the item too: JUnit reads them off the teardown report, which is made from the item.
    item.user_properties[:] = [("outcome", outcome), ("right", right)]
    report.user_properties = list(item.user_properties)
    carried: dict[str, Any] = {"outcome": outcome, "line": line, "records": rows(records)}
    if hasattr(item.config, "workerinput"):
        # As ASCII: a lone surrogate in a reply would not pass xdist's channel.
        carried["records"] = json.dumps(carried["records"])
    report.codereason = carried  # type: ignore[attr-defined]


def carried_by(report: object) -> dict[str, Any] | None:
    """What :func:`attach` put on a report."""
    return getattr(report, "codereason", None)
