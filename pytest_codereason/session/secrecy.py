"""Keeps secrets out of everything that pytest writes: reports, logs, the terminal, the file of ``--debug``."""

from __future__ import annotations

import logging
from collections.abc import Generator
from typing import Any

import pytest

from pytest_codereason.core.secrets import hide, hide_inside


class Secrecy:
    """Hooks at the places where text leaves a process. Made once the secrets of a run are known."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        before = logging.getLogRecordFactory()
        logging.setLogRecordFactory(lambda *args, **kwargs: _hide_record(before(*args, **kwargs)))
        config.add_cleanup(lambda: logging.setLogRecordFactory(before))
        root = config.trace.root
        if writer := root._writer:  # --debug
            root.setwriter(lambda text: writer(hide(text)))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Hides what the terminal shows."""
        if self._config.pluginmanager.has_plugin("terminalreporter"):
            writer = self._config.get_terminal_writer()
            stream = writer._file
            writer._file = HidingStream(stream)

            def restore() -> None:
                writer._file = stream

            self._config.add_cleanup(restore)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Hides what a report holds, before it goes to another process or into a file."""
        report = yield
        _hide_report(report)
        return report

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_make_collect_report(self) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """The same for the report of a collector."""
        report = yield
        _hide_report(report)
        return report


class HidingStream:
    """A text stream that writes no secret."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> Any:
        """Writes a text without secrets."""
        return self._stream.write(hide(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _hide_report(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.longrepr:
        report.longrepr = _hide_object(report.longrepr)
    if report.sections:
        report.sections = hide_inside(report.sections)
    properties = getattr(report, "user_properties", None)
    if properties and (hidden := hide_inside(properties)) != properties:  # else no copy is kept: there are 100,000
        report.user_properties = hidden  # type: ignore[union-attr]


def _hide_object(value: Any) -> Any:
    """A traceback as pytest shows it, without secrets: texts in objects in lists."""
    if isinstance(value, list | tuple) and not isinstance(value, str):
        return type(value)(map(_hide_object, value)) if type(value) in (list, tuple) else value
    if type(value).__module__.startswith("_pytest."):
        for name, inside in list(getattr(value, "__dict__", {}).items()):
            object.__setattr__(value, name, _hide_object(inside))
        return value
    return hide_inside(value)


def _hide_record(record: logging.LogRecord) -> logging.LogRecord:
    """A log record without secrets, in whatever format it is written later."""
    try:
        message = record.getMessage()
    except Exception:  # the caller's mistake: logging reports it where the line is formatted
        return record
    if (shown := hide(message)) != message:
        record.msg, record.args = shown, ()
    if record.exc_info:
        record.exc_text = hide(logging.Formatter().formatException(record.exc_info))
    return record
