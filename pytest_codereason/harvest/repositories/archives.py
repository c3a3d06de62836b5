"""Unpacks the code of an archive, such as a release of a package: plain files only, within bounds."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import partial
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import IO, Any, NamedTuple, cast

from pytest_codereason.core.files.caps import check_zip
from pytest_codereason.core.refusals import Refusal
from pytest_codereason.harvest.licences.licences import concerns_licence
from pytest_codereason.harvest.repositories.cloning import CannotOpen
from pytest_codereason.harvest.repositories.walking import LARGEST, MOST_ENTRIES, SourceFile

ENDINGS = (".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar", ".zip", ".whl", ".jar")
#: Bytes of all files of an archive, as it states them.
MOST_BYTES = 2_000_000_000
#: Bytes of the headers of one member of a tar archive, which are read at once.
MOST_HEADER = 1 << 20
#: Folders that its files lie in. They cost as much as files, and one path may name hundreds.
MOST_FOLDERS = 20_000
#: Characters of the longest path.
LONGEST_PATH = 1000
#: How compressed archives begin.
_OPENERS: Mapping[bytes, Callable[[Path], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ": lzma.open,
}
#: What readers raise for damaged archives. Encrypted ones are a ``RuntimeError``.
_DAMAGE = (
    OSError,
    EOFError,
    ValueError,
    RuntimeError,
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
)


class _Member(NamedTuple):
    """A file of an archive."""

    path: str
    size: int
    plain: bool
    open: Callable[[], IO[bytes] | None]


def unpack(archive: Path, folder: Path, suffixes: Mapping[str, str]) -> tuple[SourceFile, ...]:
    """Unpacks source files, licences and manifests into a folder; gives the source files that stayed out.

    Args:
        archive: The archive.
        folder: The folder, which does not exist.
        suffixes: The language of each suffix.

    Raises:
        CannotOpen: It is no archive, is damaged, or is too large.
    """
    folder.mkdir()
    left_out: list[SourceFile] = []
    total, known, folders = 0, set[str](), set[PurePosixPath]()
    try:
        for number, member in enumerate(_list_members(archive)):
            path = PurePosixPath(member.path)
            language = suffixes.get(path.suffix)
            total += member.size
            if number >= MOST_ENTRIES or total > MOST_BYTES:
                raise CannotOpen(f"it has more than {MOST_ENTRIES:,} files or {MOST_BYTES:,} bytes")
            if member.path in known:
                raise CannotOpen(f"it has two files {member.path[:100]!r}, and nobody can say which is meant")
            known.add(member.path)
            if language is None and not concerns_licence(path.name):
                continue
            refusal = _refuse(member, path)
            if refusal is None:
                folders.update(takewhile(lambda parent: parent not in folders, path.parents))
                if len(folders) > MOST_FOLDERS:
                    raise CannotOpen(f"it has more than {MOST_FOLDERS:,} folders")
                _copy(member, folder / path)
            elif language is not None:
                shown = (
                    member.path[:LONGEST_PATH].encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
                )
                left_out.append(SourceFile(shown, language, refusal))
    except _DAMAGE as error:
        raise CannotOpen(f"it cannot be unpacked: {error}") from error
    return tuple(left_out)


def _list_members(archive: Path) -> Iterator[_Member]:
    """The members of an archive that are no folders, one by one."""
    if zipfile.is_zipfile(archive):
        check_zip(archive)
        with zipfile.ZipFile(archive) as opened:
            for info in opened.infolist():
                if not info.is_dir():
                    kind = info.external_attr >> 28  # a link has 0o12 there
                    yield _Member(info.filename, info.file_size, kind in (0, 0o10), partial(opened.open, info))
        return
    with (
        _open_tar(archive) as plain,
        tarfile.open(fileobj=cast(IO[bytes], file := _Metered(plain)), mode="r:") as opened,
    ):
        for number, entry in enumerate(iter(opened.next, None)):
            if number >= MOST_ENTRIES:
                raise CannotOpen(f"it has more than {MOST_ENTRIES:,} files and folders")
            file.left = MOST_HEADER
            if not entry.isdir():
                yield _Member(entry.name, entry.size, entry.isreg(), partial(opened.extractfile, entry))


def _open_tar(archive: Path) -> IO[bytes]:
    with archive.open("rb") as file:
        beginning = file.read(6)
    opener = next((opener for mark, opener in _OPENERS.items() if beginning.startswith(mark)), None)
    return cast(IO[bytes], opener(archive)) if opener else archive.open("rb")


class _Metered:
    """A tar archive, of which only so much may be read between two members: a header states its own size.

    What is skipped does not count, as nobody keeps it.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self.left = file, MOST_HEADER

    def read(self, size: int = -1) -> bytes:
        self.left -= size
        if size < 0 or self.left < 0:
            raise CannotOpen("a header of it is too large")
        return self._file.read(size)

    def seek(self, place: int) -> int:
        return self._file.seek(place)

    def tell(self) -> int:
        return self._file.tell()


def _refuse(member: _Member, path: PurePosixPath) -> Refusal | None:
    if len(member.path) > LONGEST_PATH:
        return Refusal("its path is too long", f"{len(member.path):,} characters, more than {LONGEST_PATH:,}")
    if path.is_absolute() or ".." in path.parts or "\\" in member.path or "\0" in member.path:
        return Refusal("leads out of the archive", repr(member.path[:100]))
    if not member.path.isprintable():
        return Refusal("its name is no plain text", ascii(member.path[:100]))
    if not member.plain:
        return Refusal("is no ordinary file")
    if member.size > LARGEST:
        return Refusal("is too large", f"{member.size:,} bytes, more than {LARGEST:,}")
    return None


def _copy(member: _Member, target: Path) -> None:
    """Writes a file, whose size an archive may have misstated."""
    source = member.open()
    assert source is not None  # it is plain
    with closing(source):
        content = source.read(LARGEST + 1)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
