"""Modules of Python's standard library."""

from __future__ import annotations

import ast
from pathlib import Path

LIBRARY = Path(ast.__file__).parent


MODULES = [
    *[
        "tomllib",
        "argparse",
        "bisect",
        "calendar",
        "configparser",
        "copy",
        "csv",
        "dataclasses",
        "difflib",
        "fractions",
    ],
    *["functools", "graphlib", "heapq", "json", "shlex", "statistics", "textwrap", "colorsys", "fnmatch"],
]


def sources(module: str) -> list[Path]:
    folder = LIBRARY / module
    return sorted(folder.glob("*.py")) if folder.is_dir() else [LIBRARY / f"{module}.py"]
