"""Unpacks the code of an archive, such as a release of a package: plain files only, within bounds."""

from __future__ import annotations

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from pytest_codereason.core.refusals import Refusal
from pytest_codereason.harvest.cloning import CannotOpen
from pytest_codereason.harvest.licences import concerns_licence
from pytest_codereason.harvest.walking import LARGEST, MOST_ENTRIES, SourceFile

ENDINGS = (".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar", ".zip", ".whl", ".jar")
#: Bytes of all files of an archive, as it states them.
MOST_BYTES = 2_000_000_000
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
    total = 0
    try:
        for number, member in enumerate(_list_members(archive)):
            path = PurePosixPath(member.path)
            language = suffixes.get(path.suffix)
            total += member.size
            if number >= MOST_ENTRIES or total > MOST_BYTES:
                raise CannotOpen(f"it has more than {MOST_ENTRIES:,} files or {MOST_BYTES:,} bytes")
            if language is None and not concerns_licence(path.name):
                continue
            refusal = _refuse(member, path)
            if refusal is None:
                _copy(member, folder / path)
            elif language is not None:
                shown = member.path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
                left_out.append(SourceFile(shown, language, refusal))
    except _DAMAGE as error:
        raise CannotOpen(f"it cannot be unpacked: {error}") from error
    return tuple(left_out)


def _list_members(archive: Path) -> Iterator[_Member]:
    """The members of an archive that are no folders, one by one."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as opened:
            for info in opened.infolist():
                if not info.is_dir():
                    kind = info.external_attr >> 28  # a link has 0o12 there
                    yield _Member(info.filename, info.file_size, kind in (0, 0o10), partial(opened.open, info))
        return
    with tarfile.open(archive, "r|*") as stream:  # a stream, so that a small archive cannot hide a large one
        for entry in stream:
            if not entry.isdir():
                yield _Member(entry.name, entry.size, entry.isreg(), partial(stream.extractfile, entry))


def _refuse(member: _Member, path: PurePosixPath) -> Refusal | None:
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
