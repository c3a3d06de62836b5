"""The file of a store: processes that open and write it at once wait for each other, and its errors name it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.engine.storage.store import Store
from pytest_codereason.engine.storage.store_file import StoreFile, explain_failure
from pytest_codereason.errors import StoreError


@contextmanager
def hold(path: Path, *before: str) -> Iterator[sqlite3.Connection]:
    """Another connection, which is about to write."""
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        for statement in [*before, "BEGIN IMMEDIATE"]:
            other.execute(statement)
        yield other


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_a_store_that_another_process_is_making_is_waited_for(tmp_path: Path, mode: str) -> None:
    with hold(tmp_path / "answers.sqlite", f"PRAGMA journal_mode={mode}") as other, ThreadPoolExecutor(1) as threads:
        opening = threads.submit(Store, tmp_path)
        wait([opening], timeout=0.5)
        other.execute("COMMIT")
        with closing(opening.result()) as store:
            assert store._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_process_that_writes_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with (
        hold(path),
        pytest.raises(StoreError, match=r"the answer store .*answers\.sqlite fails: database is locked"),
    ):
        StoreFile(path, patience_s=0.01)


OPENER = """
import pathlib, sys
from pytest_codereason.engine.storage.store import Store
print("ready", flush=True)
for folder in sys.stdin:
    store = Store(pathlib.Path(folder.strip()))
    assert store.lease("k") in (True, False)
    store.close()
    print("done", flush=True)
"""


@pytest.mark.slow
def test_processes_that_open_new_stores_at_once_all_succeed(tmp_path: Path) -> None:
    openers = [
        subprocess.Popen([sys.executable, "-c", OPENER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    try:
        lines = [opener.stdout.readline() for opener in openers if opener.stdout]
        assert lines == ["ready\n"] * 3
        for number in range(30):
            for opener in openers:
                assert opener.stdin is not None
                opener.stdin.write(f"{tmp_path / str(number)}\n")
                opener.stdin.flush()
            lines = [opener.stdout.readline() for opener in openers if opener.stdout]
            assert lines == ["done\n"] * 3
    finally:
        for opener in openers:
            opener.communicate()
    assert [opener.returncode for opener in openers] == [0, 0, 0]


def test_each_error_names_the_file(tmp_path: Path) -> None:
    with closing(StoreFile(tmp_path / "answers.sqlite")) as file:
        calls: list[Callable[[str], Any]] = [file.execute, file.executescript, lambda sql: file.executemany(sql, [()])]
        for call in calls:
            with pytest.raises(StoreError, match=r"answers\.sqlite fails: no such table: absent"):
                call("DELETE FROM absent")


def test_an_error_is_one_line(tmp_path: Path) -> None:
    with closing(StoreFile(tmp_path / "answers.sqlite")) as file, pytest.raises(StoreError, match="a b") as error:
        file.execute('DELETE FROM "a\nb"')
    assert "\n" not in str(error.value)
    assert explain_failure(tmp_path / "answers.sqlite", error.value) == "no such table: a b"


def test_a_damaged_page_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with closing(StoreFile(path)) as file:
        file.execute("CREATE TABLE numbers (n INTEGER, text TEXT)")
        file.executemany("INSERT INTO numbers VALUES (?, ?)", [(n, "x" * 1000) for n in range(100)])
    content = bytearray(path.read_bytes())
    content[40 * 1024 : 60 * 1024] = b"\xff" * (20 * 1024)
    path.write_bytes(content)
    with closing(StoreFile(path)) as file:
        rows = file.execute("SELECT n FROM numbers")
        assert rows.fetchone() == (0,)
        with pytest.raises(StoreError, match=r"answers\.sqlite fails: database disk image is malformed"):
            rows.fetchall()


def is_open(path: Path) -> bool:
    """Whether this process has the file open. A process that has opened a sandbox cannot read its own ``/proc``."""
    wanted = os.stat(path)
    for number in range(4096):
        with suppress(OSError):
            if os.path.samestat(os.fstat(number), wanted):
                return True
    return False


@pytest.mark.parametrize(
    "fail",
    [
        lambda db: db.execute("INSERT INTO leases VALUES ('k', 'b')"),
        lambda db: db.executemany("INSERT INTO leases VALUES ('k', ?)", [("b",)]),
    ],
    ids=["execute", "executemany"],
)
def test_an_error_that_is_kept_keeps_no_file_open(tmp_path: Path, fail: Callable[[StoreFile], object]) -> None:
    """Python keeps the frames of an error that it tells, and what stands in them: on a full disk for instance."""
    path = tmp_path / "answers.sqlite"
    db = StoreFile(path)
    db.executescript("CREATE TABLE leases (key TEXT PRIMARY KEY, owner TEXT); INSERT INTO leases VALUES ('k', 'a');")
    with pytest.raises(StoreError) as kept:
        fail(db)
    assert is_open(path)
    db.close()
    assert not is_open(path)
    assert kept.value.__cause__ is not None
