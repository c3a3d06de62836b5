"""Finds the folders for caches and data, and shortens paths for messages."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def cache_folder() -> Path:
    """The folder for answers and weights: ``CODEREASON_CACHE``, else the user's cache folder."""
    chosen = os.environ.get("CODEREASON_CACHE")
    return Path(chosen).expanduser() if chosen else platformdirs.user_cache_path("codereason")


def data_folders() -> list[Path]:
    """The folders of benchmark data that ``CODEREASON_DATA`` lists."""
    return [Path(f).expanduser() for f in os.environ.get("CODEREASON_DATA", "").split(os.pathsep) if f]


def is_there(path: Path) -> bool:
    """Whether there is a file or folder. A text that is no path, such as one that is too long, names none."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def expand_path(text: str) -> Path:
    """The path of a text, in which ``~`` stands for the user's folder; ``~nobody`` stays as it is."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def shorten_path(path: Path) -> str:
    """A path for a message: relative to the current folder if it lies below it."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
