"""The run folder: holds the records of a run on disk. Only the controller writes it."""

from __future__ import annotations

import itertools
import json
import os
import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from pytest_codereason.errors import UsageError, describe_file_error
from pytest_codereason.secrets import hide_inside

#: The files of a run folder.
RECORDS, RUN = "records.jsonl", "run.json"
#: The file of a folder with the answers of searches.
SEARCHES = "fuzz.jsonl"
#: How many records may wait in memory before they are written. Their answers are in the store already.
FLUSH_EVERY = 50


class RunFolder:
    """``reports/<date>-<suite>/`` with ``run.json`` and a growing ``records.jsonl``.

    Raises:
        UsageError: the folder cannot be written, or holds another run.
    """

    def __init__(self, path: Path, run: Mapping[str, Any]) -> None:
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
            if any(path.iterdir()) and not _continues(path, run):
                raise UsageError(
                    f"--eval-report {path}: the folder holds another run, or other files; name a new folder. "
                    f"A run that has ended is judged again by codereason judge {path}"
                )
            self._records: TextIO = (path / RECORDS).open("w", encoding="utf-8")
            write_run(path, run)
        except OSError as error:
            raise UsageError(
                f"the run folder {path} cannot be written: {describe_file_error(error)}; "
                "name another with --eval-report"
            ) from error
        self._unflushed = 0

    def add(self, row: Mapping[str, Any]) -> None:
        """Appends a record.

        Raises:
            OSError: the record cannot be written, for example because the disk is full.
        """
        self._records.write(json.dumps(hide_inside(row), ensure_ascii=True, separators=(",", ":")) + "\n")
        self._unflushed += 1
        if self._unflushed >= FLUSH_EVERY:
            self._records.flush()
            self._unflushed = 0

    def explain(self, error: OSError) -> str:
        """What to tell the user when the folder cannot be written any more."""
        return (
            f"the run folder {self.path} cannot be written: {describe_file_error(error)}; every answer is "
            "stored: free some space and run the same command again"
        )

    def close(self) -> None:
        """Closes the records, and links ``latest`` beside the folder to this folder."""
        self._records.close()
        latest = self.path.parent / "latest"
        if self.path.parent.name != "reports" or (latest.exists() and not latest.is_symlink()):
            return
        fresh = latest.with_name(f".latest-{os.getpid()}")
        fresh.symlink_to(self.path.name, target_is_directory=True)
        os.replace(fresh, latest)


def write_run(folder: Path, run: Mapping[str, Any]) -> None:
    """Writes ``run.json`` anew, whole or not at all."""
    part = folder / f"{RUN}.part"
    plain = json.loads(json.dumps(run, default=str))
    part.write_text(json.dumps(hide_inside(plain), indent=2) + "\n", encoding="utf-8")
    os.replace(part, folder / RUN)


def _continues(path: Path, run: Mapping[str, Any]) -> bool:
    """Whether a run continues the run in a folder: that run is incomplete, and asks the same of the same models."""
    try:
        before = json.loads((path / RUN).read_text(encoding="utf-8"))
        return before["complete"] is False and _describe_questions(before) == _describe_questions(run)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False


def _describe_questions(run: Mapping[str, Any]) -> Any:
    """What is asked, and of which models."""
    plans = {name: suite["plan"] for name, suite in run["suites"].items()}
    models = {label: model["identity"] for label, model in run["models"].items()}
    return json.loads(json.dumps(hide_inside([plans, models, run["selection"]]), default=str))


def new_folder(parent: Path, suites: list[str]) -> Path:
    """Makes a folder such as ``2026-11-21-100312-semtrace``. The names sort by time and suit every file system."""
    title = re.sub(r"[^A-Za-z0-9._-]", "_", suites[0] if len(suites) == 1 else f"{len(suites)}-suites")
    stem = f"{datetime.now():%Y-%m-%d-%H%M%S}-{title}"
    for number in itertools.count(1):
        path = parent / (stem if number == 1 else f"{stem}-{number}")
        try:
            path.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise UsageError(
                f"the run folder {path} cannot be made: {describe_file_error(error)}; name one with --eval-report"
            ) from error
        return path
    raise AssertionError("counting does not end")
