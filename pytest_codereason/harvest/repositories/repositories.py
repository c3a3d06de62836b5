"""Finds the repositories that a user names, and opens each: a folder, an archive, or an address for git."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from pytest_codereason.core.programs import derive_seed
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import UsageError
from pytest_codereason.harvest.repositories.archives import ENDINGS, unpack
from pytest_codereason.harvest.repositories.cloning import clone, is_address
from pytest_codereason.harvest.repositories.walking import SourceFile


class Repository(NamedTuple):
    """A place where code may be."""

    name: str  #: in names of programs: ``owner-project``, ``project``
    place: str  #: a path of this machine, or an address for git

    @property
    def title(self) -> str:
        """What a reader is told of its place: a path of this machine says nothing elsewhere."""
        return self.place if is_address(self.place) else self.name


class Checkout(NamedTuple):
    """The files of a repository."""

    folder: Path
    version: str = ""  #: the commit
    left_out: tuple[SourceFile, ...] = ()  #: files that were not unpacked


def locate(places: Iterable[str]) -> list[Repository]:
    """The repositories at these places, each once, with different names: ``tools``, and ``tools-2`` for another.

    Raises:
        UsageError: There is no such folder, and no such file.
    """
    names: dict[str, int] = {}
    repositories = []
    for place in dict.fromkeys(_resolve(place) for place in places):
        name = _choose_name(place)
        names[name] = number = names.get(name, 0) + 1
        repositories.append(Repository(name if number == 1 else f"{name}-{number}", place))
    return repositories


def draw_repositories(repositories: list[Repository], count: int, seed: int) -> list[Repository]:
    """So many of the repositories, each with the same chance; all of them for 0."""
    if not count or count >= len(repositories):
        return repositories
    drawn = Draws(derive_seed(seed, "repositories")).shuffle(sorted(repositories))[:count]
    return sorted(drawn)


def _resolve(place: str) -> str:
    if is_address(place):
        return place
    path = Path(place).expanduser()
    if path.is_dir() or (path.is_file() and path.name.endswith(ENDINGS)):
        return str(path.resolve())
    if path.is_file():
        raise UsageError(f"{place}: a file is no repository; name its folder, or an archive ({', '.join(ENDINGS)})")
    raise UsageError(f"{place}: there is no such folder; an address for git begins with https://")


def _choose_name(place: str) -> str:
    parts = re.split(r"[/:\\]", place.rstrip("/"))
    last = parts[-1].removesuffix(".git")
    if is_address(place):
        last = "-".join([*parts[-2:-1], last])
    else:
        last = next((last.removesuffix(ending) for ending in ENDINGS if last.endswith(ending)), last)
    # Ids of questions are written with it, which hold letters, digits, - and _ alone.
    return re.sub(r"[^A-Za-z0-9_-]", "-", last).strip("-_") or "repository"


@contextmanager
def check_out(repository: Repository, suffixes: Mapping[str, str]) -> Iterator[Checkout]:
    """The files of a repository, as long as the ``with`` block lasts.

    Args:
        repository: The repository.
        suffixes: The language of each suffix. Of an archive nothing else is unpacked but licences and manifests.

    Raises:
        CannotOpen: It cannot be fetched or unpacked.
    """
    path = Path(repository.place)
    if not is_address(repository.place) and path.is_dir():
        yield Checkout(path)
        return
    with tempfile.TemporaryDirectory(prefix="codereason-") as temporary:
        folder = Path(temporary) / "files"
        if is_address(repository.place):
            yield Checkout(folder, clone(repository.place, folder))
        else:
            left_out = unpack(path, folder, suffixes)
            inner = [*folder.iterdir()]
            if len(inner) == 1 and inner[0].is_dir():
                folder = inner[0]
                left_out = tuple(file._replace(path=file.path.removeprefix(f"{folder.name}/")) for file in left_out)
            yield Checkout(folder, _digest_file(path), left_out)


def describe_content(repository: Repository) -> str:
    """A digest that changes when a file of a local repository changes; empty if the repository is elsewhere."""
    if is_address(repository.place):
        return ""
    hashed = hashlib.sha256()
    for path in _list_paths(repository.place):
        status = os.lstat(path)
        hashed.update(f"{os.fsencode(path)!r} {status.st_size} {status.st_mtime_ns}\n".encode())
    return hashed.hexdigest()[:16]


def _list_paths(place: str) -> Iterator[str]:
    if os.path.isfile(place):
        yield place
    for root, folders, names in os.walk(place):
        folders[:] = sorted(name for name in folders if name != ".git")
        yield from (os.path.join(root, name) for name in sorted(names))


def _digest_file(path: Path) -> str:
    with path.open("rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()[:16]}"
