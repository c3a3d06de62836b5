"""Finds files that look like suites but are not collected, because their names end in another way."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.questions.suites.suite import SUFFIX, explain_ending

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


def is_in_folder(path: Path, config: pytest.Config) -> bool:
    """Whether a file lies in a folder of the command line. pytest also looks at files beside those that are named."""
    here = config.invocation_params.dir
    return any(folder.is_dir() and folder in path.parents for folder in (here / argument for argument in config.args))


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
