"""Walks the files of a repository, and refuses those that are no code of its own."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from pytest_codereason.core.refusals import Refusal
from pytest_codereason.harvest.repositories.generated import find_mark

#: Bytes of the largest file that is read.
LARGEST = 200_000
#: Files and folders of the largest repository that is walked.
MOST_ENTRIES = 200_000
#: Folders of code that others wrote.
_FOREIGN = frozenset(
    "node_modules bower_components vendor vendored _vendor third_party third-party thirdparty external extern"
    " site-packages dist-packages venv .venv .tox .eggs".split()
)
#: Folders of files that a tool writes.
_BUILT = frozenset("dist build out target generated __pycache__ .next".split())
_TEST_FOLDERS = frozenset("test tests testing __tests__ __mocks__ benchmarks e2e".split())
_TEST_FILE = re.compile(r"(?i:test_.*|.*[._-]tests?|.*[._-]spec|tests?|conftest|.*[._-]bench(mark)?)|\w*(Tests?|IT)")
#: Characters of the longest line, and of a line on average, that people write.
_LONGEST_LINE, _MEAN_LINE = 1000, 150


class SourceFile(NamedTuple):
    """A file whose name ends like those of a language that is harvested."""

    path: str  #: in the repository, with slashes; what is no text in it is escaped
    language: str
    refusal: Refusal | None = None
    licence: str = ""


def list_files(folder: Path, suffixes: Mapping[str, str]) -> Iterator[SourceFile]:
    """Every file of the languages, in the order of their paths. No file is opened, and no link is followed.

    Args:
        folder: The repository.
        suffixes: The language of each suffix.
    """
    entries = 0
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != ".git")
        links = [name for name in folders if os.path.islink(os.path.join(root, name))]
        for name in sorted([*names, *links]):
            entries += 1
            path = os.path.join(root, name)
            language = suffixes.get(os.path.splitext(name)[1])
            if language is not None:
                relative = os.path.relpath(path, folder)
                shown = relative.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
                file = _look_at(path, shown, language)
                crowded = Refusal("the repository is too large", f"it has more than {MOST_ENTRIES:,} files")
                yield file if entries <= MOST_ENTRIES else file._replace(refusal=crowded)


def _look_at(path: str, shown: str, language: str) -> SourceFile:
    """A file by its name and kind."""
    status = os.lstat(path)
    return SourceFile(shown, language, _refuse_name(shown) or _refuse_kind(path, status) or _refuse_place(shown))


def _refuse_name(shown: str) -> Refusal | None:
    if not shown.isprintable() or "\\" in shown:
        return Refusal("its name is no plain text", repr(shown))
    return None


def _refuse_kind(path: str, status: os.stat_result) -> Refusal | None:
    if stat.S_ISLNK(status.st_mode):
        return Refusal("is a symbolic link", f"to {os.readlink(path)!r}")
    if not stat.S_ISREG(status.st_mode):
        return Refusal("is no ordinary file", stat.filemode(status.st_mode))
    if status.st_size > LARGEST:
        return Refusal("is too large", f"{status.st_size:,} bytes, more than {LARGEST:,}")
    return None


def _refuse_place(shown: str) -> Refusal | None:
    *folders, name = shown.split("/")
    for folder in folders:
        if folder in _FOREIGN:
            return Refusal("is code of others", f"lies in {folder}/")
        if folder in _BUILT:
            return Refusal("is generated", f"lies in {folder}/")
    if _TEST_FOLDERS & {*folders} or _TEST_FILE.fullmatch(os.path.splitext(name)[0]):
        return Refusal("is a test")
    return None


def read_source(folder: Path, path: str) -> str | Refusal:
    """The text of a file that :func:`list_files` gives without a refusal."""
    try:
        text = (folder / path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return Refusal("is no text", f"byte {error.start} is no UTF-8")
    except OSError as error:
        return Refusal("cannot be read", error.strerror or str(error))
    if "\0" in text:
        return Refusal("is no text", "it holds a zero byte")
    lines = text.split("\n")
    longest = max(map(len, lines))
    if longest > _LONGEST_LINE or len(text) > _MEAN_LINE * len(lines):
        return Refusal("is minified", f"a line of {longest:,} characters")
    if mark := find_mark(path, text):
        return Refusal("is generated", f"says {mark!r}")
    return text.replace("\r\n", "\n")
