"""Runs of pytest that ask a server of these tests, in the background, and waiting for what they do."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tests.servers import Server
from tests.session.conftest import Project


def args(server: Server, *more: str) -> list[str]:
    """The arguments of a run that asks this server."""
    return [f"--model={server.provider}:scripted", f"--model-url={server.url}", *more]


def background(project: Project, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.Popen(
        command, cwd=project.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )


class Waiter:
    """Waits for something to become true, without a fixed sleep."""

    def __init__(self, limit_s: float = 60) -> None:
        self._end = time.monotonic() + limit_s

    def until(self, true: Callable[[], bool]) -> None:
        while not true():
            assert time.monotonic() < self._end, "it did not come true"
            time.sleep(0.01)


def count_rows(table: str) -> int:
    """How many rows a table of the store has. 0 as long as there is no such table."""
    path = Path(os.environ["CODEREASON_CACHE"]) / "store/answers.sqlite"
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as db:
        try:
            return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
        except sqlite3.OperationalError:  # the run has only begun to make the store
            return 0


def count_outcomes(project: Project, folder: str = "reports/latest") -> Counter[str]:
    """How many answers of a run have each outcome."""
    return Counter(row["outcome"] for row in project.records(folder))


def list_forks(parent: int) -> list[int]:
    """The processes that a run has forked: what it has started otherwise has another command."""
    command = Path(f"/proc/{parent}/cmdline").read_bytes()
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(pid) for pid in children if Path(f"/proc/{pid}/cmdline").read_bytes() == command]


def await_forks(parent: int, many: int = 2) -> list[int]:
    """The processes that a run has forked, as soon as there are so many."""
    Waiter().until(lambda: len(list_forks(parent)) >= many)
    return list_forks(parent)
