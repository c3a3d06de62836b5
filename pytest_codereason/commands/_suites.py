"""The suites that a command is given."""

from __future__ import annotations

from pathlib import Path

from pytest_codereason.errors import UsageError


def list_suite_files(path: Path) -> list[Path]:
    """The suite file, that of a shipped suite by its name, or all suite files below a folder.

    Raises:
        UsageError: There is none.
    """
    from pytest_codereason.questions.suites.shipped import find_suite

    path = find_suite(path)
    if path.is_file() and path.suffix != ".toml":
        raise UsageError(f"{path}: is no suite: the name of a suite file ends with .suite.toml")
    files = sorted(path.rglob("*.suite.toml")) if path.is_dir() else [path]
    if not files:
        raise UsageError(f"{path}: the folder holds no *.suite.toml file")
    return files
