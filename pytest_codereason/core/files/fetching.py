"""Fetches public files, checks them, and keeps them in the cache.

Two processes that want the same file at once fetch it once. A fetch that is cut short continues at the next try, where
the server can say that the file is still the same; else it leaves nothing behind.
Proxies and certificates are read from the environment.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path

from pytest_codereason.core.display import write_over
from pytest_codereason.core.files.caps import TooLarge
from pytest_codereason.core.files.locations import cache_folder, data_folders, shorten_path
from pytest_codereason.core.files.locks import lock
from pytest_codereason.errors import NotFetched, NotHere, UsageError

#: Called with the bytes that have arrived and the bytes in all.
Progress = Callable[[int, int], None]
CHUNK = 1 << 20
#: Bytes of a file whose size nobody knows beforehand.
MOST_DOWNLOAD = 256 << 20
#: A server that sends nothing for so many seconds counts as gone.
SILENCE_S = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Remote:
    """A public file. Its digest, if it is known, fixes its content."""

    name: str  #: its path below ``data/`` in the cache
    url: str
    sha256: str = ""  #: empty if the publisher gives none: then only the size is checked
    size: int = 0  #: in bytes, 0 if it is not known
    others: tuple[str, ...] = ()  #: files that serve as well, looked for first: the same rows in another form
    instead: str = ""  #: describes such a file to a user


def find_file(remote: Remote) -> Path:
    """The path of a file in a folder of ``CODEREASON_DATA``, else in the cache. A missing file is fetched.

    Raises:
        UsageError: the file is nowhere and cannot be fetched.
    """
    return locate(remote) or fetch(remote)


def locate(remote: Remote, folders: Sequence[Path] | None = None) -> Path | None:
    """The path of a file on this machine, ``None`` if it is nowhere.

    Args:
        remote: the file.
        folders: where it may lie; else the folders of ``CODEREASON_DATA``, then the cache.
    """
    known = data_folders() if folders is None else folders
    candidates = [folder / name for folder in known for name in (*remote.others, remote.name)]
    candidates += [cache_folder() / "data" / remote.name] if folders is None else []
    return next((path for path in candidates if path.is_file()), None)


def fetch(remote: Remote, progress: Progress | None = None) -> Path:
    """The path of a file in the cache. A file that is not there yet is fetched, so only the first call needs a network.

    Raises:
        UsageError: the file could not be fetched, or its size or digest is wrong.
    """
    path = cache_folder() / "data" / remote.name
    if path.is_file():
        return path
    try:
        return fetch_to(path, remote, progress or _make_reporter(remote))
    except NotFetched as error:
        raise _explain_missing(remote, str(error)) from error


def fetch_to(path: Path, remote: Remote, progress: Progress, is_made: Callable[[Path], bool] = Path.is_file) -> Path:
    """The path of a file, which is fetched unless it is there already; see :func:`make_once`.

    Raises:
        NotFetched: the file could not be fetched, or its size or digest is wrong.
        UsageError: the file cannot be written.
    """
    return make_once(path, lambda fresh: _download(remote, path, fresh, progress), is_made)


def make_once(path: Path, make: Callable[[Path], None], is_made: Callable[[Path], bool] = Path.is_file) -> Path:
    """Makes the file ``path`` unless it is there already, and returns the path.

    Of several processes one makes the file. The file is written whole or not at all.

    Args:
        path: the file.
        make: writes the file to the path that it gets. That path lies in a temporary folder.
        is_made: whether a file is there and whole.

    Raises:
        UsageError: the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _lock(path.parent / "lock"):
            if not is_made(path):  # another process may have made it while this one waited
                with tempfile.TemporaryDirectory(dir=path.parent) as folder:
                    fresh = Path(folder) / path.name
                    make(fresh)
                    os.replace(fresh, path)
    except OSError as error:
        raise UsageError(
            f"{path} cannot be written: {error.strerror or error}; set CODEREASON_CACHE to a writable folder "
            "with enough space"
        ) from error
    return path


def hash_content(path: Path) -> str:
    """The SHA-256 (hex) of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def show_progress(what: str, done: int, total: int) -> None:
    """Shows progress on stderr: on a terminal in one line that changes, else in one line at the start and the end."""
    line = f"fetching {what}: {done / 1e6:.0f} of {total / 1e6:.0f} MB"
    if sys.stderr.isatty():
        write_over(line, "\n" if done == total else "")
    elif done in (0, total):
        print(line, file=sys.stderr, flush=True)


def _make_reporter(remote: Remote) -> Progress:
    return lambda done, total: show_progress(Path(remote.name).name, done, total)


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Lets one process or thread at a time enter the ``with`` block. The system frees the lock of a dead process."""
    with path.open("w") as file:
        lock(file)
        yield


def _download(remote: Remote, path: Path, fresh: Path, progress: Progress) -> None:
    """Fetches a file to ``fresh``. What arrives lies beside ``path`` meanwhile, so that a fetch cut short continues.

    It continues only if the server names a version of the file (``ETag`` or ``Last-Modified``) and has it still.
    """
    part = _Part.find(path, remote.url)
    try:
        total = part.extend(progress, remote.size)
    except urllib.error.HTTPError as error:
        raise NotFetched(f"the server answers {error.code} {error.reason}") from error
    except TooLarge as error:
        part.remove()
        raise NotFetched(str(error)) from error
    except (urllib.error.URLError, HTTPException, TimeoutError, ConnectionError, ValueError) as error:
        raise NotFetched(f"{getattr(error, 'reason', None) or error}{part.words}") from error
    done = part.size
    if total and done < total:
        raise NotFetched(f"the connection ended after {done:,} of {total:,} bytes{part.words}")
    try:
        if remote.size and done != remote.size:
            raise NotFetched(f"it has {done:,} bytes and should have {remote.size:,}")
        if remote.sha256 and (sha256 := hash_content(part.path)) != remote.sha256:
            raise NotFetched(f"its sha256 is {sha256}, not {remote.sha256}")
        os.replace(part.path, fresh)
    finally:
        part.remove()
    progress(done, done)


class _Part:
    """The part of a file that has arrived, with the version that the server gave to the whole."""

    def __init__(self, path: Path, url: str, version: str) -> None:
        self.path, self._url, self._version = path, url, version
        self._note = _locate_note(path)

    @classmethod
    def find(cls, whole: Path, url: str) -> _Part:
        """The part of the file ``whole`` that an earlier fetch from ``url`` has left; else an empty one."""
        path = whole.with_name(f"{whole.name}.part")
        try:
            noted = json.loads(_locate_note(path).read_text("utf-8"))
            version = noted["version"] if noted["url"] == url and path.is_file() else ""
        except (OSError, ValueError, KeyError, TypeError):
            version = ""
        part = cls(path, url, version)
        if not version:
            part.remove()
        return part

    @property
    def size(self) -> int:
        """The bytes that have arrived."""
        return self.path.stat().st_size if self.path.is_file() else 0

    @property
    def words(self) -> str:
        """What the user may do about a part: words that follow a reason."""
        if not self._version or not self.size:
            self.remove()
            return ""
        return f" (the next try continues at {self.size / 1e6:.0f} MB)"

    def extend(self, progress: Progress, expected: int) -> int:
        """Fetches the bytes that are missing; gives the size of the whole, 0 if nobody knows it.

        Raises:
            OSError: the server cannot be reached, or answers with an error.
            HTTPException: the answer is none of HTTP.
            ValueError: the server announces or sends more than it should.
        """
        request = urllib.request.Request(self._url)
        if begun := self.size:
            request.add_header("Range", f"bytes={begun}-")
            request.add_header("If-Range", self._version)
        try:
            answer = urllib.request.urlopen(request, timeout=SILENCE_S)
        except urllib.error.HTTPError as error:
            if error.code != HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE or not begun:
                raise
            self.remove()
            return self.extend(progress, expected)
        with answer:
            continues = answer.status == HTTPStatus.PARTIAL_CONTENT
            done = begun if continues else 0
            length = answer.headers.get("Content-Length")
            total = done + _read_length(length) if length else expected
            if total > (expected or MOST_DOWNLOAD):
                raise TooLarge(f"the server announces {total:,} bytes, more than {expected or MOST_DOWNLOAD:,}")
            self._note_version(answer.headers.get("ETag") or answer.headers.get("Last-Modified") or "")
            progress(done, total)
            with self.path.open("ab" if continues else "wb") as file:
                while chunk := answer.read(CHUNK):
                    done += len(chunk)
                    if done > (total or MOST_DOWNLOAD):
                        raise TooLarge(f"the server sends more than {total or MOST_DOWNLOAD:,} bytes")
                    file.write(chunk)
                    progress(min(done, max(0, total - 1)), total)
        return total

    def _note_version(self, version: str) -> None:
        self._version = "" if version.startswith("W/") else version  # a weak version may stand for other bytes
        if self._version:
            self._note.write_text(json.dumps({"url": self._url, "version": self._version}), "utf-8")

    def remove(self) -> None:
        """Forgets the part."""
        self.path.unlink(missing_ok=True)
        self._note.unlink(missing_ok=True)


def _read_length(text: str) -> int:
    """The number of a header.

    Raises:
        ValueError: it is none.
    """
    if not re.fullmatch(r"[0-9]{1,15}", text):
        raise ValueError("the server announces no size")
    return int(text)


def _locate_note(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")


def _explain_missing(remote: Remote, why: str) -> NotHere:
    name, folders = Path(remote.name), ", ".join(map(shorten_path, data_folders()))
    put = f"Put it into {folders} (CODEREASON_DATA)" if folders else "Set CODEREASON_DATA to a folder that holds it"
    return NotHere(
        f"{name} is not here and could not be fetched from {remote.url}: {why}. {put}, or fetch it elsewhere and put "
        f"it at {cache_folder() / 'data' / name}{f'; {remote.instead} works too' if remote.instead else ''}"
    )
