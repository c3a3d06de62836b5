"""The run folder: holds the records of a run on disk. Only the controller writes it."""

from __future__ import annotations

import itertools
import json
import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from pytest_codereason.core.files.locks import lock
from pytest_codereason.core.secrets import hide_inside, holds_secret
from pytest_codereason.engine.storage.seals import SEAL, Chain, Seal, write_seal
from pytest_codereason.errors import UsageError, describe_file_error

#: The files of a run folder.
RECORDS, RUN = "records.jsonl", "run.json"
#: How far a run is, while it runs.
PROGRESS = "progress.json"
#: The file of a folder with the answers of searches.
SEARCHES = "fuzz.jsonl"
#: How many records may wait in memory before they are written. Their answers are in the store already.
FLUSH_EVERY = 50


class RunFolder:
    """``reports/<date>-<suite>/`` with ``run.json`` and a growing ``records.jsonl``.

    While a command writes into the folder, it holds a lock on ``records.jsonl``, so that no second command does.

    Raises:
        UsageError: the folder cannot be written, holds another run, or is in use.
    """

    def __init__(self, path: Path, run: Mapping[str, Any]) -> None:
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
            if not (path / RECORDS).exists():
                _refuse_other(path, run)  # before a file is made in a folder that is not ours
            self._records: BinaryIO = (path / RECORDS).open("ab")
            try:
                _lock(self._records, path)
                _refuse_other(path, run)  # now that no other command can change it
                (path / SEAL).unlink(missing_ok=True)  # of an earlier session, whose records are written anew
                if os.fstat(self._records.fileno()).st_size:
                    self._records.truncate(0)
                write_run(path, run)
                self._held = os.fdopen(os.dup(self._records.fileno()), "ab")  # has the lock too
            except BaseException:
                self._records.close()
                raise
        except OSError as error:
            raise UsageError(
                f"the run folder {path} cannot be written: {describe_file_error(error)}; "
                "name another with --eval-report"
            ) from error
        self._unflushed = 0
        self._chain = Chain()

    def add(self, lines: bytes) -> None:
        """Appends the lines of records, as :func:`write_line` gives them.

        Raises:
            OSError: they cannot be written, for example because the disk is full.
        """
        self._records.write(lines)
        for line in lines.splitlines():
            self._chain.add(line)
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

    def seal(self, sign: Callable[[Seal], Seal] | None = None) -> None:
        """Seals the records that were added, and ``run.json`` as it is now.

        Raises:
            OSError: the seal cannot be written.
        """
        seal_folder(self.path, self._chain, sign)

    def release(self) -> None:
        """Lets other commands write into the folder."""
        self._records.close()
        self._held.close()

    def leave(self) -> None:
        """Lets go of the folder in a process that was forked from the one that writes it, which keeps its lock.

        What waits to be written is written by that one alone, so nothing is flushed here.
        """
        for file in (self._records, self._held):
            os.close(file.fileno())


def write_line(row: Mapping[str, Any]) -> bytes:
    """A record as a line of :data:`RECORDS`, without secrets."""
    line = _dump(row)
    if holds_secret(line):  # in a value, or as the name of a field, which stays
        line = _dump(hide_inside(row))
    return line.encode("ascii")


def _dump(row: object) -> str:
    return json.dumps(row, ensure_ascii=True, separators=(",", ":")) + "\n"


def write_run(folder: Path, run: Mapping[str, Any]) -> None:
    """Writes ``run.json`` anew, whole or not at all."""
    part = folder / f"{RUN}.part"
    plain = json.loads(json.dumps(run, default=str))
    part.write_text(json.dumps(hide_inside(plain), indent=2) + "\n", encoding="utf-8")
    os.replace(part, folder / RUN)


def seal_folder(folder: Path, chain: Chain, sign: Callable[[Seal], Seal] | None = None) -> None:
    """Seals a folder whose records are those of the chain, with a signature if ``sign`` gives one.

    Raises:
        OSError: the seal cannot be written.
    """
    seal = chain.seal(json.loads((folder / RUN).read_text(encoding="utf-8")))
    write_seal(folder, sign(seal) if sign else seal)


def _lock(records: BinaryIO, path: Path) -> None:
    """Locks the records of a folder until they are closed, also by the end of this process.

    Raises:
        UsageError: another command has locked them.
    """
    try:
        lock(records, wait=False)
    except BlockingIOError as error:
        raise UsageError(
            f"--eval-report {path}: another command writes into this folder now; "
            "name a new folder, or wait until that command has ended"
        ) from error
    except OSError:  # a file system without locks
        return


def _refuse_other(path: Path, run: Mapping[str, object]) -> None:
    """Checks that a folder is empty, or holds the very same run and that run is incomplete.

    Raises:
        UsageError: the folder holds something else; says what.
    """
    if all(each.name == RECORDS and not each.stat().st_size for each in path.iterdir()):
        return
    try:
        before = json.loads((path / RUN).read_text(encoding="utf-8"))
        ended = before["complete"] is not False or bool(before.get("stopped_early"))
        differences = list(_list_differences(before, json.loads(json.dumps(hide_inside(run), default=str))))
        command = shlex.join(before["argv"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(f"--eval-report {path}: the folder holds other files; name a new folder") from error
    if ended:
        raise UsageError(
            f"--eval-report {path}: the folder holds another run, which has ended; name a new folder. "
            f"A run that has ended is judged again by codereason judge {path}"
        )
    if differences:
        raise UsageError(
            f"--eval-report {path}: the folder holds another run, which is incomplete: {'; '.join(differences)}. "
            f"Name a new folder, or continue that run: {command}"
        )


def _list_differences(before: Mapping[str, Any], run: Mapping[str, Any]) -> Iterator[str]:
    """What two runs ask differently, a clause each. Gates and reports may differ: the same answers serve them."""
    for noun in ("suites", "models"):
        there, here = list(before[noun]), list(run[noun])
        if set(there) != set(here):
            yield f"it asks the {noun} {', '.join(there)}, and this command {', '.join(here)}"
    changed = [
        name
        for name, suite in run["suites"].items()
        if name in before["suites"] and suite["plan"] != before["suites"][name]["plan"]
    ]
    if changed:
        yield f"{', '.join(changed)} had another suite file, seed, or setting for all models"
    for label, model in run["models"].items():
        there = before["models"].get(label, model)
        if keys := sorted({*_list_changed(there, model, "sampling"), *_list_changed(there, model, "identity")}):
            yield f"{label} had another {', '.join(keys)}"
    if before["writer"] != run["writer"]:
        yield "its texts have another writer"
    if before.get("questions") != run["questions"]:
        yield f"it selects other questions ({before['selection'] or 'all'}; this command {run['selection'] or 'all'})"
    if before.get("repeat") != run.get("repeat"):
        yield "it has another --eval-repeat"


def _list_changed(before: Mapping[str, Any], model: Mapping[str, Any], part: str) -> list[str]:
    """The keys of a part of a model's description whose values differ."""
    there, here = before[part], model[part]
    return [key for key in {*there, *here} if there.get(key) != here.get(key)]


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
