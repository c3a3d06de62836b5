"""The suites that ship with the package."""

from __future__ import annotations

from pathlib import Path

import pytest_codereason
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import UsageError
from pytest_codereason.questions.suites.suite import SUFFIX

_PACKAGE = Path(pytest_codereason.__file__).parent
#: The folders of the shipped suites: in an installed wheel, and in a source tree.
SHIPPED = (_PACKAGE / "suites_shipped", _PACKAGE.parent / "suites")


def find_shipped_folder() -> Path:
    """The folder of the suites that ship."""
    return next(folder for folder in SHIPPED if folder.is_dir())


def list_shipped_suites() -> list[Path]:
    """The suite files that ship, by name."""
    return sorted(find_shipped_folder().glob(f"*{SUFFIX}"))


def find_suite(name: str | Path) -> Path:
    """The file of a suite: that of a shipped suite by its name, else the file itself.

    Raises:
        UsageError: there is neither.
    """
    path = Path(name)
    if path.name.endswith(SUFFIX) or path.exists():
        return path
    shipped = {each.name.removesuffix(SUFFIX): each for each in list_shipped_suites()}
    if str(name) not in shipped:
        hint = suggest_name(str(name), shipped)
        raise UsageError(f"no suite {str(name)!r} ships{hint}: name one that ships, or a file *{SUFFIX}")
    return shipped[str(name)]
