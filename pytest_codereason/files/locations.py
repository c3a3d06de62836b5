"""Where things lie, and how a place is said to a user."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def cache_folder() -> Path:
    """Where answers and weights are kept: ``CODEREASON_CACHE``, else the user's cache folder."""
    chosen = os.environ.get("CODEREASON_CACHE")
    return Path(chosen).expanduser() if chosen else platformdirs.user_cache_path("codereason")


def data_folders() -> list[Path]:
    """The folders of benchmark data that ``CODEREASON_DATA`` lists."""
    return [Path(f).expanduser() for f in os.environ.get("CODEREASON_DATA", "").split(os.pathsep) if f]


def shown(path: Path) -> str:
    """A path as short as it can be said from here."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
