"""Opens a repository: a folder of this machine."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from pytest_codereason.errors import CodereasonError, UsageError


class CannotOpen(CodereasonError):
    """A repository cannot be read. The other repositories go on."""


class Repository(NamedTuple):
    """A place where code may be."""

    name: str  #: in names of programs: ``owner-project``, ``project``
    place: str  #: a path of this machine, or an address for git

    @property
    def title(self) -> str:
        """What a reader is told of its place: a path of this machine says nothing elsewhere."""
        return self.place if "://" in self.place else self.name


class Checkout(NamedTuple):
    """The files of a repository."""

    folder: Path
    version: str = ""  #: the commit


def locate(places: list[str]) -> list[Repository]:
    """The repositories of what a user typed, each once, with different names.

    Raises:
        UsageError: There is no such folder.
    """
    unique = dict.fromkeys(_resolve(place) for place in places)
    return give_names(unique)


def give_names(places: dict[str, None]) -> list[Repository]:
    """Repositories with names that differ: ``tools``, and ``tools-2`` for another of this name."""
    names: dict[str, int] = {}
    repositories = []
    for place in places:
        name = _choose_name(place)
        names[name] = number = names.get(name, 0) + 1
        repositories.append(Repository(name if number == 1 else f"{name}-{number}", place))
    return repositories


def _resolve(place: str) -> str:
    path = Path(place).expanduser()
    if not path.is_dir():
        raise UsageError(f"{place}: there is no such folder")
    return str(path.resolve())


def _choose_name(place: str) -> str:
    stem = Path(place).name
    return "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "-" for c in stem).strip(".-") or "repository"


@contextmanager
def check_out(repository: Repository) -> Iterator[Checkout]:
    """The files of a repository, as long as the ``with`` block lasts."""
    yield Checkout(Path(repository.place))


def describe_content(repository: Repository) -> str:
    """A digest that changes when a file of a local repository changes; empty if the repository is elsewhere."""
    hashed = hashlib.sha256()
    for root, folders, names in os.walk(repository.place):
        folders[:] = sorted(name for name in folders if name != ".git")
        for name in sorted(names):
            path = os.path.join(root, name)
            status = os.lstat(path)
            hashed.update(f"{os.fsencode(path)!r} {status.st_size} {status.st_mtime_ns}\n".encode())
    return hashed.hexdigest()[:16]
