"""The suites that ship with the package."""

from __future__ import annotations

from pathlib import Path

import pytest_codereason
from pytest_codereason.core.files.locations import shorten_path
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
    if path.exists() or path.is_symlink():  # whoever reads a link that leads nowhere says so
        return path
    shipped = {each.name.removesuffix(SUFFIX): each for each in list_shipped_suites()}
    if str(name) in shipped:
        return shipped[str(name)]
    if path.name.removesuffix(SUFFIX) in shipped:
        raise UsageError(
            f"there is no file {name}: write {path.name.removesuffix(SUFFIX)} for the suite that ships, "
            "or copy all of them with codereason init"
        )
    hint = suggest_name(path.name.removesuffix(SUFFIX), shipped)
    raise UsageError(f"{str(name)!r} is no file, and no suite that ships{hint}: codereason suites lists them")


def find_only_suite(name: str | Path) -> Path:
    """The file of a suite, which may be the only one in a folder: what a harvest writes, for example.

    Raises:
        UsageError: there is no such file, or the folder holds several.
    """
    path = find_suite(name)
    if not path.is_dir():
        return path
    files = sorted(path.rglob(f"*{SUFFIX}"))
    if len(files) == 1:
        return files[0]
    if not files:
        raise UsageError(f"{shorten_path(path)} is a folder without a {SUFFIX[1:]} file")
    named = ", ".join(map(shorten_path, files[:5])) + (", ..." if len(files) > 5 else "")
    raise UsageError(f"{shorten_path(path)} is a folder with several suites; name one: {named}")
