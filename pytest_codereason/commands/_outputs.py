"""Where a command may write, and where it must not."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from pytest_codereason.errors import UsageError, describe_file_error


def check_fresh(path: Path, what: str) -> None:
    """Whether a file can be written there, before anything is asked for it.

    Raises:
        UsageError: it is there already, or its folder is not.
    """
    if path.exists():
        raise UsageError(f"-o {path}: the file exists and is never overwritten; name another file")
    if not path.parent.is_dir():
        raise UsageError(f"-o {path}: there is no folder {path.parent}")


def write_page(page: str, path: Path | None, folders: Sequence[Path]) -> None:
    """Writes a page into a file and prints the file's name, or prints the page.

    An earlier page is overwritten; a run folder never gets one.

    Raises:
        UsageError: the file lies in one of the run ``folders``, or cannot be written.
    """
    if path is None:
        sys.stdout.write(page)
        return
    check_outside(path, folders)
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"-o {path}: cannot be written: {describe_file_error(error)}") from error
    print(path)


def check_page(path: Path | None, folders: Sequence[Path]) -> None:
    """Whether an HTML page, and a folder with its texts beside it, can be written there.

    Raises:
        UsageError: there is no file to write, or it lies in one of the run ``folders``, or its folder does not exist.
    """
    if path is None:
        raise UsageError("an HTML page is written into a file; name it: -o page.html")
    check_outside(path, folders)
    if path.is_dir() or not path.parent.is_dir():
        raise UsageError(f"-o {path}: name a file in a folder that exists")


def check_outside(path: Path, folders: Sequence[Path]) -> None:
    """Checks that nothing will be written into a run folder that is only read.

    Raises:
        UsageError: ``path`` lies in one of ``folders``.
    """
    for folder in folders:
        if path.resolve().is_relative_to(folder.resolve()):
            raise UsageError(
                f"-o {path}: this lies in the run folder {folder}, which stays as it is; name another place"
            )
