"""Fetches public files, checks them, and keeps them in the cache.

Two processes that want the same file at once fetch it once. A fetch that is cut short leaves nothing behind.
Proxies and certificates are read from the environment.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

from pytest_codereason.errors import NotHere, UsageError
from pytest_codereason.files.locations import cache_folder, data_folders, shorten_path

#: Called with the bytes that have arrived and the bytes in all.
Progress = Callable[[int, int], None]
CHUNK = 1 << 20
#: A server that sends nothing for so many seconds counts as gone.
SILENCE_S = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Remote:
    """A public file. Its digest, if it is known, fixes its content."""

    name: str  #: its path below ``data/`` in the cache
    url: str
    sha256: str = ""  #: empty if the publisher gives none: then only the size is checked
    size: int = 0  #: in bytes, 0 if it is not known
    instead: str = ""  #: describes another file that serves as well


def find_file(remote: Remote) -> Path:
    """The path of a file in a folder of ``CODEREASON_DATA``, else in the cache. A missing file is fetched.

    Raises:
        UsageError: the file is nowhere and cannot be fetched.
    """
    candidates = (folder / remote.name for folder in data_folders())
    return next((path for path in candidates if path.is_file()), None) or fetch(remote)


def fetch(remote: Remote, progress: Progress | None = None) -> Path:
    """The path of a file in the cache. A file that is not there yet is fetched, so only the first call needs a network.

    Raises:
        UsageError: the file could not be fetched, or its size or digest is wrong.
    """
    path = cache_folder() / "data" / remote.name
    if path.is_file():
        return path
    return make_once(path, lambda fresh: _download(remote, fresh, progress or _make_reporter(remote)))


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


def show_progress(what: str, done: int, total: int) -> None:
    """Shows progress on stderr: on a terminal in one line that changes, else in one line at the start and the end."""
    line = f"fetching {what}: {done / 1e6:.0f} of {total / 1e6:.0f} MB"
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{line}" + ("\n" if done == total else ""))
    elif done in (0, total):
        sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _make_reporter(remote: Remote) -> Progress:
    return lambda done, total: show_progress(Path(remote.name).name, done, total)


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Lets one process or thread at a time enter the ``with`` block. The system frees the lock of a dead process."""
    import fcntl

    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _download(remote: Remote, target: Path, progress: Progress) -> None:
    checksum, done = hashlib.sha256(), 0
    try:
        with urllib.request.urlopen(remote.url, timeout=SILENCE_S) as answer, target.open("wb") as file:
            total = int(answer.headers.get("Content-Length") or remote.size)
            progress(0, total)
            while chunk := answer.read(CHUNK):
                checksum.update(chunk)
                file.write(chunk)
                done += len(chunk)
                progress(min(done, max(0, total - 1)), total)
    except urllib.error.HTTPError as error:
        raise _explain_missing(remote, f"the server answers {error.code} {error.reason}") from error
    except (urllib.error.URLError, HTTPException, TimeoutError, ConnectionError, ValueError) as error:
        raise _explain_missing(remote, f"{getattr(error, 'reason', None) or error}") from error
    if total and done != total:
        raise _explain_missing(remote, f"the connection ended after {done:,} of {total:,} bytes")
    if remote.size and done != remote.size:
        raise _explain_missing(remote, f"it has {done:,} bytes and should have {remote.size:,}")
    if remote.sha256 and checksum.hexdigest() != remote.sha256:
        raise _explain_missing(remote, f"its sha256 is {checksum.hexdigest()}, not {remote.sha256}")
    progress(done, done)


def _explain_missing(remote: Remote, why: str) -> NotHere:
    name, folders = Path(remote.name), ", ".join(map(shorten_path, data_folders()))
    put = f"Put it into {folders} (CODEREASON_DATA)" if folders else "Set CODEREASON_DATA to a folder that holds it"
    return NotHere(
        f"{name} is not here and could not be fetched from {remote.url}: {why}. {put}, or fetch it elsewhere and put "
        f"it at {cache_folder() / 'data' / name}{f'; {remote.instead} works too' if remote.instead else ''}"
    )
