"""Files fetched once by their public address, checked, and kept in the cache.

Two processes that want the same file at once fetch it once; a fetch that is cut short leaves nothing
behind. Proxies and certificates are those that the environment names.
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

from pytest_codereason.errors import UsageError
from pytest_codereason.files.locations import cache_folder, data_folders, shown

#: Told the bytes that are here and the bytes there will be.
Progress = Callable[[int, int], None]
CHUNK = 1 << 20
#: Seconds without a byte after which a server counts as gone.
SILENCE_S = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Remote:
    """A file that anybody can fetch, fixed to the byte where its digest is known."""

    name: str  #: what it is kept as, below ``data/`` in the cache
    url: str
    sha256: str = ""  #: empty where its publisher gives none: then its size is all that can be checked
    size: int = 0  #: in bytes, 0 where it is not known
    instead: str = ""  #: another file that does as well, in words


def find(remote: Remote) -> Path:
    """The path of a file: below a folder that ``CODEREASON_DATA`` lists, else in the cache, fetched if need be.

    Raises:
        UsageError: it is nowhere and cannot be fetched.
    """
    found = (folder / remote.name for folder in data_folders())
    return next((path for path in found if path.is_file()), None) or fetch(remote)


def fetch(remote: Remote, progress: Progress | None = None) -> Path:
    """The path of a file, fetched if it is not there yet; the second call reaches nothing.

    Raises:
        UsageError: it is not here and could not be fetched, or is not what it should be.
    """
    path = cache_folder() / "data" / remote.name
    if path.is_file():
        return path
    return made_once(path, lambda fresh: _download(remote, fresh, progress or _report(remote)))


def made_once(path: Path, make: Callable[[Path], None], is_made: Callable[[Path], bool] = Path.is_file) -> Path:
    """``path``, made unless it is: by one process, and whole or not at all.

    ``make`` is given the path to write to, alone in a folder that goes away with all else in it.

    Raises:
        UsageError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _lock(path.parent / "lock"):
            if not is_made(path):  # else another process made it while this one waited
                with tempfile.TemporaryDirectory(dir=path.parent) as folder:
                    fresh = Path(folder) / path.name
                    make(fresh)
                    os.replace(fresh, path)
    except OSError as error:
        raise UsageError(
            f"{path} cannot be written: {error.strerror or error}; set CODEREASON_CACHE to a folder with space "
            "that can be written"
        ) from error
    return path


def told(what: str, done: int, total: int) -> None:
    """Shows progress on stderr: one line that changes on a terminal, else one at start and end."""
    line = f"fetching {what}: {done / 1e6:.0f} of {total / 1e6:.0f} MB"
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{line}" + ("\n" if done == total else ""))
    elif done in (0, total):
        sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _report(remote: Remote) -> Progress:
    return lambda done, total: told(Path(remote.name).name, done, total)


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Held by one process or thread at a time; the system lets go of it when its holder dies."""
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
        raise _missing(remote, f"the server answers {error.code} {error.reason}") from error
    except (urllib.error.URLError, HTTPException, TimeoutError, ConnectionError, ValueError) as error:
        raise _missing(remote, f"{getattr(error, 'reason', None) or error}") from error
    if total and done != total:
        raise _missing(remote, f"the connection ended after {done:,} of {total:,} bytes")
    if remote.size and done != remote.size:
        raise _missing(remote, f"it has {done:,} bytes and should have {remote.size:,}")
    if remote.sha256 and checksum.hexdigest() != remote.sha256:
        raise _missing(remote, f"its sha256 is {checksum.hexdigest()}, not {remote.sha256}")
    progress(done, done)


def _missing(remote: Remote, why: str) -> UsageError:
    name, folders = Path(remote.name), ", ".join(map(shown, data_folders()))
    put = f"Put it into {folders} (CODEREASON_DATA)" if folders else "Set CODEREASON_DATA to a folder that holds it"
    return UsageError(
        f"{name} is not here and could not be fetched from {remote.url}: {why}. {put}, or fetch it elsewhere and put "
        f"it at {cache_folder() / 'data' / name}{f'; {remote.instead} does as well' if remote.instead else ''}"
    )
