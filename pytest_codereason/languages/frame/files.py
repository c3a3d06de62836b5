"""Puts the files of a program where a harness finds them, and reads the harness."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, MutableMapping
from functools import cache
from pathlib import Path
from typing import cast

#: The folder of a program of several files. Its name keeps the files apart from those of the harness.
FOLDER = "program"


def lay_out_files(files: Mapping[str, str], entry: str) -> dict[str, str]:
    """The files of a program under :data:`FOLDER`, and a file ``entry`` with the path of the one that is run."""
    return {"entry": f"{FOLDER}/{entry}", **{f"{FOLDER}/{path}": text for path, text in files.items()}}


def add_file(files: Mapping[str, str], path: str, text: str) -> Mapping[str, str]:
    """The files with one more. None of them is read for this, as a repository may read its files one by one."""
    return ChainMap({path: text}, cast("MutableMapping[str, str]", files))


@cache
def read_beside(module: str, name: str) -> str:
    """The text of a file that lies beside a module, whose ``__file__`` this is. It is read once."""
    return Path(module).with_name(name).read_text(encoding="utf-8")
