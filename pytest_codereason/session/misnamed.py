"""Finds files that look like suites but are not collected, because their names end in another way."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from pytest_codereason.errors import UsageError
from pytest_codereason.files.locations import shorten_path
from pytest_codereason.suites.suite import SUFFIX

ENDINGS = (".toml", ".yaml", ".yml", ".suite")
#: Characters of a file that are looked at.
MOST_LOOKED_AT = 100_000


def check_endings(arguments: Sequence[str], folder: Path) -> None:
    """Checks the files that a user names on the command line.

    Raises:
        UsageError: a file holds a suite, but pytest would not collect it.
    """
    for argument in arguments:
        path = folder / argument.partition("::")[0]
        if looks_like_suite(path):
            raise UsageError(explain_ending(path))


def looks_like_suite(path: Path) -> bool:
    """Whether a file has a task and a source, as a suite has, but not the name of a suite file."""
    if path.name.endswith(SUFFIX) or path.suffix not in ENDINGS or not path.is_file():
        return False
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            text = file.read(MOST_LOOKED_AT)
    except OSError:
        return False
    return all(re.search(rf"^\s*\[?\s*[\"']?{key}\b", text, re.MULTILINE) for key in ("task", "source"))


def explain_ending(path: Path) -> str:
    """``x.toml: a suite file is TOML, and its name ends with .suite.toml: rename it to x.suite.toml``."""
    name = path.name.removesuffix(path.suffix).removesuffix(".suite") + SUFFIX
    return f"{shorten_path(path)}: a suite file is TOML, and its name ends with {SUFFIX}: rename it to {name}"
