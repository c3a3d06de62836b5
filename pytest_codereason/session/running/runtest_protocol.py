"""Runs and reports one question, faster than pytest's ordinary protocol.

The ordinary protocol makes three reports for each item and sets up fixtures, which a question does
not have. With 100,000 questions this takes most of the time. :class:`Protocol` makes one ``call``
report. It also makes a ``teardown`` report if JUnit, HTML reports or xdist need one. If another
plugin or option decides how items run, the ordinary protocol is used; it calls
:meth:`~pytest_codereason.session.collecting.items.Question.runtest`, which needs nothing of this file.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict

import pytest

from pytest_codereason.engine.tallies import Answered, sum_up

if TYPE_CHECKING:
    from pytest_codereason.session.collecting.items import Question


class Carried(TypedDict):
    """What the report of a question carries to the controller."""

    outcome: str
    line: str  #: explains the outcome
    #: the answers, pickled on their way from a worker; taken off the report by the controller
    answered: NotRequired[Answered | bytes | None]


#: The outcome of an item that adaptive asking did not need.
UNNEEDED = "unneeded"
#: Marks by which another plugin decides how an item runs.
MARKS = frozenset({"skip", "skipif", "xfail", "flaky", "timeout"})
#: Options under which another plugin decides how an item runs.
OTHERS = ("reruns", "only_rerun", "usepdb", "trace", "setupshow", "setuponly", "setupplan", "timeout", "count")
#: Plugins that leave questions alone in the phases of an item.
BYSTANDERS = (
    "_pytest.",
    "xdist.",
    "pytest_html.",
    "pytest_cov.",
    "pytest_rerunfailures.",
    "pytest_timeout.",
    "anyio.",
    "_hypothesis_pytestplugin.",
)
#: Plugins that see a report being made, but keep no state on the item from its setup report on.
STATELESS = ("_pytest.", "pytest_codereason.", "pytest_html.", "_hypothesis_pytestplugin.")
#: What xdist is called in the process that the user started, and in a worker.
_XDIST = ("xdist.", "__channelexec__.")
#: Plugins that see a report, but ignore the teardown report of an item whose teardown succeeded. xdist is among them
#: because the process that it tells says itself what its own plugins hear: :func:`list_heard`.
INDIFFERENT = (
    "_pytest.cacheprovider.",
    "_pytest.logging.",
    "_pytest.main.",
    "_pytest.stepwise.",
    "_pytest.terminal.",
    "pytest_codereason.",
    "pytest_rerunfailures.",
    *_XDIST,
)
#: Plugins that ignore that an item starts or has ended, unless ids are shown (``-v``).
INATTENTIVE = ("_pytest.logging.", "_pytest.terminal.", "pytest_codereason.", *_XDIST)


def steps_aside(config: pytest.Config) -> bool:
    """Whether this run must use the ordinary protocol for all items."""
    if any(config.getoption(name, default=None) for name in OTHERS):
        return True
    if any(_is_foreign(config, phase, BYSTANDERS) for phase in ("setup", "call", "teardown")):
        return True
    for name in ("timeout", "reruns"):
        try:
            if config.getini(name):
                return True
        except (ValueError, KeyError):
            continue  # no such plugin, no such ini value
    return False


def _is_foreign(config: pytest.Config, when: str, known: tuple[str, ...]) -> bool:
    """Whether a conftest or an unknown plugin takes part in a phase or a report."""
    hooks = getattr(config.hook, f"pytest_runtest_{when}").get_hookimpls()
    return not all(f"{hook.function.__module__}.".startswith(known) for hook in hooks)


def list_heard(config: pytest.Config) -> frozenset[str]:
    """What some plugin of this process hears of an item beside its one report: ``teardown``, ``start``."""
    closes = _is_foreign(config, "logreport", INDIFFERENT)
    starts = config.get_verbosity() > 0 or any(
        _is_foreign(config, when, INATTENTIVE) for when in ("logstart", "logfinish")
    )
    return frozenset({"teardown"} if closes else ()) | frozenset({"start"} if starts else ())


class Protocol:
    """Runs the questions of one session. Makes only the reports that some plugin reads.

    Made when every plugin and conftest is there.

    Args:
        told: what plugins of the process that started this one hear; ``None`` in that process itself. Each message to
            it is written, sent and read, which takes longer than to ask a question.
    """

    def __init__(self, config: pytest.Config, told: Collection[str] | None = None) -> None:
        heard = list_heard(config).union(told or ())
        self._opens = _is_foreign(config, "makereport", STATELESS)
        self._closes = "teardown" in heard
        self._starts = told is None or "start" in heard

    def run(self, item: Question, nextitem: pytest.Item | None) -> None:
        """Asks, reports, and leaves the fixtures of neighbouring tests as the ordinary protocol would."""
        hook, state = item.ihook, item.session._setupstate
        if self._starts:
            hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        if self._opens:
            _report(hook, item, "setup", lambda: None)
        hook.pytest_runtest_logreport(report=_report(hook, item, "call", item.runtest))
        if self._closes or state.stack:
            down = _report(hook, item, "teardown", lambda: state.teardown_exact(nextitem))
            hook.pytest_runtest_logreport(report=down)
        if self._starts:
            hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)


def _report(hook: Any, item: Question, when: Literal["setup", "call", "teardown"], function: Callable[[], None]) -> Any:
    call = pytest.CallInfo.from_call(function, when=when, reraise=(pytest.exit.Exception, KeyboardInterrupt))
    return hook.pytest_runtest_makereport(item=item, call=call)


def attach(item: Question, report: pytest.TestReport) -> None:
    """Hands an item's answers to its report, which carries them to the controller."""
    answered, item.answered = item.answered, None
    if report.skipped and report.when == "setup" and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        answered = sum_up(item.record_skip(reason.removeprefix("Skipped: ")))
    elif item.unneeded and report.when == "call":
        item.user_properties[:] = [("outcome", UNNEEDED)]
        report.user_properties = list(item.user_properties)
        put_on_report(report, UNNEEDED, item.unneeded, None)
        return
    elif report.when != "call" or answered is None:
        return
    tally = answered.tally
    # Set on the item too: JUnit reads them off the teardown report, which is made from the item.
    item.user_properties[:] = [("outcome", tally.outcome), ("right", tally.right)]
    report.user_properties = list(item.user_properties)
    put_on_report(report, tally.outcome, tally.line, answered, travels=hasattr(item.config, "workerinput"))


def put_on_report(
    report: pytest.TestReport, outcome: str, line: str, answered: Answered | None, *, travels: bool = False
) -> None:
    """Puts an item's outcome, the line that explains it, and its answers on a report.

    A report that ``travels`` goes through xdist's channel, which takes plain values only.
    """
    carried: Carried = {"outcome": outcome, "line": line, "answered": answered}
    if travels:
        carried["answered"] = pickle.dumps(answered)
    report.codereason = carried  # type: ignore[attr-defined]  # xdist sends whatever a report has


def find_carried(report: object) -> Carried | None:
    """What :func:`put_on_report` has put on a report; ``None`` for the report of an ordinary test."""
    return getattr(report, "codereason", None)
