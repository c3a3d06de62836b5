from __future__ import annotations

import os
import types
from pathlib import Path

import pytest

from pytest_codereason.core.files import locks
from pytest_codereason.core.files.locks import lock


def test_a_lock_is_given_once_and_again_when_the_file_is_closed(tmp_path: Path) -> None:
    with (tmp_path / "lock").open("w") as first, (tmp_path / "lock").open("w") as second:
        lock(first)
        with pytest.raises(BlockingIOError):
            lock(second, wait=False)
        first.close()
        lock(second, wait=False)


def test_windows_locks_a_byte_behind_the_content_and_leaves_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []

    def locking(number: int, mode: int, count: int) -> None:
        tries.append(os.lseek(number, 0, os.SEEK_CUR))
        if len(tries) % 3:
            raise PermissionError("the byte is locked")

    monkeypatch.setattr(locks, "_windows", types.SimpleNamespace(locking=locking, LK_NBLCK=2))
    monkeypatch.setattr(locks, "_PAUSE_S", 0)
    with (tmp_path / "lock").open("w+") as file:
        file.write("one")
        file.flush()
        with pytest.raises(BlockingIOError):
            lock(file, wait=False)
        lock(file)
        file.write(" two")
    assert (tmp_path / "lock").read_text() == "one two"
    assert tries == [locks._FAR] * 3
