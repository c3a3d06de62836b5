"""Which data sets lie on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator

from pytest_codereason.core.files.locations import cache_folder, data_folders, shorten_path
from pytest_codereason.session.doctor.finding import Finding
from pytest_codereason.session.doctor.public_files import WEIGHTS, list_public_files


def examine_data() -> Iterator[Finding]:
    """The folders for data, then every data set by name."""
    for folder in data_folders():
        if not folder.is_dir():
            yield Finding(
                "data folder", "missing", f"{folder} of CODEREASON_DATA is no folder", "unset CODEREASON_DATA"
            )
    cache = cache_folder()
    above = next(folder for folder in (cache, *cache.parents) if folder.exists())
    if above.is_dir() and os.access(above, os.W_OK):
        yield Finding("cache", "ok", str(cache))
    else:
        yield Finding("cache", "missing", f"{cache} cannot be written", "set CODEREASON_CACHE to a writable folder")
    files = [file for file in list_public_files() if file.part != WEIGHTS]
    for name in dict.fromkeys(file.name for file in files):
        parts = [file for file in files if file.name == name]
        absent = [file.part for file in parts if file.here is None]
        if absent:
            words = "not here" if len(absent) == len(parts) else f"not here: {', '.join(absent)}"
            yield Finding(name, "absent", words, f"codereason fetch {name}")
        else:
            places = dict.fromkeys(shorten_path(file.here.parent) for file in parts if file.here)
            yield Finding(name, "ok", ", ".join(places))
