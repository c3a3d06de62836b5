"""Stored runs by their path: run folders, and logs of other tools."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pytest_codereason import registry
from pytest_codereason.errors import UsageError, blame, describe_error, describe_file_error
from pytest_codereason.results.log_format import Log, LogFormat
from pytest_codereason.results.records.records import RecordSource
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import RECORDS, RUN, RunInfo, check_records, explain_unreadable, read_run


def open_run(path: Path) -> tuple[RunInfo, RecordSource]:
    """The description and the records of a run folder, or of a log of another tool.

    Raises:
        UsageError: there is neither, or the log cannot be read.
    """
    if not path.exists() or (path / RUN).is_file():
        info = read_run(path)
        check_records(path)
        return info, path / RECORDS
    try:
        for part in _list_formats():
            with blame(part):
                if part.recognise(path):
                    log = _read(part, path)
                    return log.info, log.rows
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {describe_file_error(error)}") from error
    titles = ", ".join(part.title for part in _list_formats())
    raise UsageError(
        f"{path} is not a run folder: it has no {RUN}. It is no log of another tool either; known are {titles}"
    )


def read_stored(path: Path) -> RunData:
    """The data of one stored run, named after its path.

    Raises:
        UsageError: as :func:`open_run`.
    """
    try:
        return RunData.build({str(path): open_run(path)})
    except OSError as error:
        raise explain_unreadable(error) from error


def _read(part: LogFormat, path: Path) -> Log:
    """The run of a log, whose content nobody has checked.

    Raises:
        UsageError: see :meth:`LogFormat.read`; or a value in the log is none that the format has.
    """
    try:
        return part.read(path)
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        raise UsageError(
            f"{path}: this is damaged, or {part.title} of a version that is not known: {describe_error(error)}"
        ) from error


def _list_formats() -> Iterator[LogFormat]:
    return (registry.find(LogFormat, name)() for name in registry.list_names(LogFormat))
