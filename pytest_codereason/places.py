"""Where things lie, and how a place is said to a user."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from pytest_codereason.errors import UsageError


def cache_folder() -> Path:
    """Where answers and weights are kept: ``CODEREASON_CACHE``, else the user's cache folder."""
    chosen = os.environ.get("CODEREASON_CACHE")
    return Path(chosen).expanduser() if chosen else platformdirs.user_cache_path("codereason")


def data_path(name: str) -> Path:
    """A file of benchmark data, by its name below one of the folders that ``CODEREASON_DATA`` lists.

    Raises:
        UsageError: it is in none of them; says where it was looked for.
    """
    folders = [Path(f).expanduser() for f in os.environ.get("CODEREASON_DATA", "").split(os.pathsep) if f]
    found = next((folder / name for folder in folders if (folder / name).is_file()), None)
    if found is None:
        where = f"looked in {', '.join(map(str, folders))}" if folders else "CODEREASON_DATA is not set"
        raise UsageError(f"there is no {name} ({where}): set CODEREASON_DATA to the folder that holds it")
    return found


def shown(path: Path) -> str:
    """A path as short as it can be said from here."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
