"""No secret leaves a process in what pytest writes."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pytest_codereason.core import secrets
from pytest_codereason.session.secrecy import HidingStream, Secrecy

KEY = "sk-0123456789"


@pytest.fixture(autouse=True)
def _process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process with one secret, whose logs are as before after the test."""
    monkeypatch.setattr(secrets, "_shown", {KEY: "[hidden]"})
    before = logging.getLogRecordFactory()
    yield
    logging.setLogRecordFactory(before)


def make_secrecy() -> tuple[Secrecy, list[Any], list[str]]:
    """Hooks in a made-up configuration, what ends them, and what --debug writes."""
    cleanups: list[Any] = []
    debug: list[str] = []
    root = SimpleNamespace(_writer=debug.append)
    root.setwriter = lambda writer: setattr(root, "_writer", writer)
    config = SimpleNamespace(add_cleanup=cleanups.append, trace=SimpleNamespace(root=root))
    secrecy = Secrecy(cast(pytest.Config, config))
    root._writer(f"debug {KEY}")
    return secrecy, cleanups, debug


def test_a_stream_hides_what_is_written_and_is_else_the_stream() -> None:
    stream = io.StringIO()
    hiding = HidingStream(stream)
    assert hiding.write(f"a {KEY} b") == len("a [hidden] b")
    assert stream.getvalue() == hiding.getvalue() == "a [hidden] b"


def test_logs_hide_secrets_in_messages_and_tracebacks_while_the_run_lasts() -> None:
    before = logging.getLogRecordFactory()
    _, cleanups, debug = make_secrecy()
    assert debug == ["debug [hidden]"]
    stream = io.StringIO()
    logger, handler = logging.getLogger("tests.secrecy"), logging.StreamHandler(stream)
    logger.addHandler(handler)
    logger.propagate = False
    try:
        logger.error("sent %s to %s", KEY, "somebody")
        logger.error("plain %s", "text")
        try:
            raise ValueError(KEY)
        except ValueError:
            logger.exception("broken")
    finally:
        logger.removeHandler(handler)
        for cleanup in cleanups:
            cleanup()
    text = stream.getvalue()
    assert text.startswith("sent [hidden] to somebody\nplain text\nbroken\nTraceback")
    assert KEY not in text
    assert "ValueError: [hidden]" in text
    assert logging.getLogRecordFactory() is before


def hide_report(report: Any) -> Any:
    """What the hook makes of a report."""
    hook = make_secrecy()[0].pytest_runtest_makereport()
    next(hook)
    with pytest.raises(StopIteration) as ended:
        hook.send(report)
    return ended.value.value


def test_reports_hide_secrets_wherever_they_stand() -> None:
    def fail() -> None:
        password = KEY
        assert password == f"not {KEY}"

    call = pytest.CallInfo.from_call(fail, when="call")
    assert call.excinfo is not None
    shown = call.excinfo.getrepr(showlocals=True)
    assert KEY in str(shown)
    report = pytest.TestReport(
        nodeid="a", location=("a", 0, "a"), keywords={}, outcome="failed", longrepr=shown, when="call"
    )
    report.sections = [("Captured stdout call", f"printed {KEY}")]
    report.user_properties = [("sent", KEY), ("n", 1)]
    hidden = hide_report(report)
    assert hidden is report
    assert KEY not in str(hidden.longrepr)
    assert "[hidden]" in str(hidden.longrepr)
    assert hidden.sections == [("Captured stdout call", "printed [hidden]")]
    assert hidden.user_properties == [("sent", "[hidden]"), ("n", 1)]


@pytest.mark.parametrize("longrepr", [None, f"one line {KEY}", ("file.py", 3, f"Skipped: {KEY}")])
def test_short_reports_hide_secrets_too(longrepr: Any) -> None:
    report = pytest.TestReport(
        nodeid="a", location=("a", 0, "a"), keywords={}, outcome="skipped", longrepr=longrepr, when="setup"
    )
    hidden = hide_report(report)
    assert KEY not in str(hidden.longrepr)
    assert type(hidden.longrepr) is type(longrepr)
