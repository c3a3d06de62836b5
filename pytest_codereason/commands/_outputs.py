"""Where a command may write what is then frozen."""

from __future__ import annotations

from pathlib import Path

from pytest_codereason.errors import UsageError


def check_fresh(path: Path, what: str) -> None:
    """Whether a file can be written there, before anything is asked for it.

    Raises:
        UsageError: it is there already, or its folder is not.
    """
    if path.exists():
        raise UsageError(f"-o {path}: the file exists and is never overwritten; name another file")
    if not path.parent.is_dir():
        raise UsageError(f"-o {path}: there is no folder {path.parent}")
