"""The suites that a command is given."""

from __future__ import annotations

from pathlib import Path

import pytest_codereason
from pytest_codereason.errors import UsageError

_PACKAGE = Path(pytest_codereason.__file__).parent
#: The folders of the shipped suites: in an installed wheel, and in a source tree.
SHIPPED = (_PACKAGE / "suites_shipped", _PACKAGE.parent / "suites")


def find_shipped_folder() -> Path:
    """The folder of the suites that ship."""
    return next(folder for folder in SHIPPED if folder.is_dir())


def list_shipped_suites() -> list[Path]:
    """The suite files that ship, by name."""
    return sorted(find_shipped_folder().glob("*.suite.toml"))


def list_suite_files(path: Path) -> list[Path]:
    """The suite file, or all suite files below a folder.

    Raises:
        UsageError: There is none.
    """
    if not path.exists():
        raise UsageError(f"{path}: there is no such file or folder")
    if path.is_file() and path.suffix != ".toml":
        raise UsageError(f"{path}: is no suite: the name of a suite file ends with .suite.toml")
    files = sorted(path.rglob("*.suite.toml")) if path.is_dir() else [path]
    if not files:
        raise UsageError(f"{path}: the folder holds no *.suite.toml file")
    return files
