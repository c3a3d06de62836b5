"""What comes from outside is capped before it is read: each of these filled the memory, or took minutes."""

from __future__ import annotations

import io
import os
import struct
import tarfile
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pytest_codereason.core.files import caps, fetching
from pytest_codereason.core.files.fetching import Remote
from pytest_codereason.core.files.toml_files import parse_toml, read_toml
from pytest_codereason.core.refusals import Refusal
from pytest_codereason.core.text.settings import parse_dollars
from pytest_codereason.errors import NotHere, UsageError
from pytest_codereason.harvest.repositories.archives import MOST_HEADER, unpack
from pytest_codereason.harvest.repositories.cloning import CannotOpen
from pytest_codereason.models.local.gguf import read_header
from pytest_codereason.reports.exchange.inspect_ai import MOST_JSON, MOST_PART, InspectLog
from tests.models.gguf_files import text


def fill(path: Path, size: int, beginning: bytes = b"") -> Path:
    """A file that takes no room on the disk."""
    with path.open("wb") as file:
        file.write(beginning)
        file.truncate(size)
    return path


def test_a_file_is_measured_before_it_is_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"a\.toml: larger than 16 MiB"):
        read_toml(fill(tmp_path / "a.toml", 1 << 40))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="not an ordinary file"):
        caps.read_capped(tmp_path / "pipe")


def test_a_line_is_measured_too() -> None:
    assert [*caps.read_lines(io.BytesIO(b"ab\nc"), 3)] == [b"ab\n", b"c"]
    with pytest.raises(caps.TooLarge):
        [*caps.read_lines(io.BytesIO(b"abcde\n"), 3)]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (f"{'a.' * 20_000}a = 1", "a.toml:1: not valid TOML: a key has more than 32 parts"),
        (f"x = 1\n[{'a . ' * 20_000}a]", "a.toml:2: not valid TOML: a key has more than 32 parts"),
        ("x = { " + '"a".' * 40 + "a = 1 }", "a.toml:1: not valid TOML: a key has more than 32 parts"),
        (f"x = {'[' * 5_000}{']' * 5_000}", "nested too deep"),
        (f"x = {'9' * 5_000}", "a.toml:1: not valid TOML: a number is longer than 256 characters"),
        (f"x = 1\ny = [\n  -0x{'f' * 5_000},\n]", "a.toml:3: not valid TOML: a number is longer than 256 characters"),
        (f"x = {{a = 1_{'1_' * 5_000}1}}", "a number is longer than 256 characters"),
        (f"x = 0x{'f' * 100}", "a whole number has more than 64 bits"),
        ("\n".join(f"k{number}.a.b.c.d = 1" for number in range(21_000)), "it has more than 100,000 keys and tables"),
        (f"x = [[1, {{ y = {1 << 63} }}]]", "a whole number has more than 64 bits"),
        ("#" * (caps.MOST_TOML + 1), "more than 4 Mi characters"),
    ],
)
def test_settings_are_shallow_and_short(content: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_toml(Path("a.toml"), content)
    assert words in str(caught.value)


def test_texts_with_many_dots_are_settings_like_others() -> None:
    ruler, sentences, digits = "." * 200, "So it is. " * 20, "1" * 500
    content = f'x = "{ruler}"\ny = "{sentences}"\nz = "{digits}"'
    assert parse_toml(Path("a.toml"), content).table == {"x": ruler, "y": sentences, "z": digits}


def test_numbers_of_absurd_length_are_no_settings() -> None:
    assert caps.parse_json(f"[{'9' * 32}, 0.5]") == [int("9" * 32), 0.5]
    for number in ("9" * 33, f"0.{'1' * 400}", "-" + "1" * 5_000):
        with pytest.raises(caps.TooLarge):
            caps.parse_json(number)
    with pytest.raises(UsageError, match="must be an amount in US dollars"):
        parse_dollars("9" * 400)


def write_tar(path: Path, *members: tuple[tarfile.TarInfo, bytes], mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for info, content in members:
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def name(path: str, kind: bytes = tarfile.REGTYPE) -> tarfile.TarInfo:
    info = tarfile.TarInfo(path)
    info.type = kind
    return info


@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE])
@pytest.mark.parametrize("ending", ["gz", "bz2", "xz", ""])
def test_a_header_of_a_tar_archive_is_small(tmp_path: Path, kind: bytes, ending: str) -> None:
    large = (name("././@LongLink", kind), bytes(MOST_HEADER + 1))
    archive = write_tar(tmp_path / "a.tar", large, (name("a.py"), b"x = 1\n"), mode=f"w:{ending}")
    with pytest.raises(CannotOpen, match="a header of it is too large"):
        unpack(archive, tmp_path / "out", {".py": "python"})


def test_folders_count_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_codereason.harvest.repositories.archives.MOST_ENTRIES", 3)
    folders = [(name(f"d{number}", tarfile.DIRTYPE), b"") for number in range(4)]
    with pytest.raises(CannotOpen, match="more than 3 files and folders"):
        unpack(write_tar(tmp_path / "a.tar.gz", *folders), tmp_path / "out", {".py": "python"})


def test_folders_of_paths_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_codereason.harvest.repositories.archives.MOST_FOLDERS", 100)
    paths = [f"x/{number}/{'d/' * 30}a.py" for number in range(10)]
    fine = write_tar(tmp_path / "fine.tar.gz", *((name(path), b"") for path in paths[:3]))
    assert unpack(fine, tmp_path / "fine", {".py": "python"}) == ()
    with pytest.raises(CannotOpen, match="more than 100 folders"):
        unpack(write_tar(tmp_path / "a.tar.gz", *((name(path), b"") for path in paths)), tmp_path / "out", {".py": "p"})
    assert len([*(tmp_path / "out").rglob("*.py")]) == 3


def test_a_path_is_short(tmp_path: Path) -> None:
    archive = write_tar(tmp_path / "a.tar.gz", (name("d/" * 2_000 + "a.py"), b""), (name("d/b.py"), b"x = 1\n"))
    (left_out,) = unpack(archive, tmp_path / "out", {".py": "python"})
    assert left_out.refusal == Refusal("its path is too long", "4,004 characters, more than 1,000")
    assert (tmp_path / "out/d/b.py").is_file()


def test_long_names_and_skipped_members_are_fine(tmp_path: Path) -> None:
    long = f"{'folder/' * 30}a.py"
    members = [(name(long), b"x = 1\n"), (name("data.bin"), bytes(8 << 20)), (name("b.py"), b"y = 2\n")]
    for ending in ("gz", "bz2", "xz", ""):
        out = tmp_path / f"out{ending}"
        unpack(write_tar(tmp_path / f"a{ending}.tar", *members, mode=f"w:{ending}"), out, {".py": "python"})
        assert {path.name: path.read_text() for path in out.rglob("*.py")} == {"a.py": "x = 1\n", "b.py": "y = 2\n"}


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    tar = write_tar(tmp_path / "a.tar.gz", (name("LICENSE"), b"MIT"), (name("LICENSE"), b"GPL"))
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.py", "x = 1")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.py", "x = 2")
    for number, path in enumerate((tar, tmp_path / "a.zip")):
        with pytest.raises(CannotOpen, match="it has two files"):
            unpack(path, tmp_path / f"out{number}", {".py": "python"})


def test_an_entry_of_a_zip_archive_has_one_name(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("good.py", "x = 1")
    content = (tmp_path / "a.zip").read_bytes()
    (tmp_path / "a.zip").write_bytes(content.replace(b"good.py", b"evil.py", 1))
    with pytest.raises(CannotOpen, match="differ"):
        unpack(tmp_path / "a.zip", tmp_path / "out", {".py": "python"})


@pytest.mark.parametrize("large", [False, True])
def test_the_directory_of_a_zip_archive_is_small(tmp_path: Path, large: bool) -> None:
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 9, 9, 0xFFFFFFFF if large else 1 << 30, 0, 0)
    record = struct.pack("<4sQ2H2I4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 9, 9, 1 << 40, 0)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, 0, 1)
    path = tmp_path / "a.zip"
    path.write_bytes(record + locator + end if large else end)
    with pytest.raises(caps.TooLarge):
        caps.check_zip(path)
    with pytest.raises(CannotOpen, match="its directory is larger than 32 MiB"):
        unpack(path, tmp_path / "out", {".py": "python"})


def test_a_log_of_inspect_is_measured_before_it_is_read(tmp_path: Path) -> None:
    beginning = b'{"version": 2, "status": "success"'
    with pytest.raises(UsageError, match="inspect log convert"):
        InspectLog().read(fill(tmp_path / "a.json", MOST_JSON + 1, beginning))
    with zipfile.ZipFile(tmp_path / "a.eval", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", bytes(MOST_PART + 1))
    with pytest.raises(UsageError, match="a part of it to more than 64 MiB"):
        InspectLog().read(tmp_path / "a.eval")


class Endless(BaseHTTPRequestHandler):
    """Announces what its path says, and sends without an end."""

    sent = 0

    def do_GET(self) -> None:
        self.send_response(200)
        if announced := self.path.strip("/"):
            self.send_header("Content-Length", announced)
        self.end_headers()
        try:
            while True:
                type(self).sent += self.wfile.write(bytes(1 << 16))
        except OSError:
            return

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.slow
@pytest.mark.parametrize(
    ("announced", "size", "words"),
    [
        ("", 3_000_000, "the server sends more than 3,000,000 bytes"),
        ("5000000", 3_000_000, "the server announces 5,000,000 bytes, more than 3,000,000"),
        ("99999999999999", 0, "the server announces 99,999,999,999,999 bytes, more than 268,435,456"),
        ("9" * 5_000, 0, "the server announces no size"),
    ],
)
def test_a_download_ends(
    announced: str, size: int, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path))
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endless)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with pytest.raises(NotHere) as caught:
            fetching.fetch(Remote(name="a.bin", url=f"http://127.0.0.1:{server.server_port}/{announced}", size=size))
    finally:
        server.shutdown()
        server.server_close()
    assert words in str(caught.value)
    assert not [path for path in (tmp_path / "data").iterdir() if "part" in path.name]


@pytest.mark.slow
def test_a_download_of_unknown_size_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "MOST_DOWNLOAD", 2_000_000)
    test_a_download_ends("", 0, "the server sends more than 2,000,000 bytes", tmp_path, monkeypatch)


def array(*inner: bytes, kind: int = 9, count: int | None = None) -> bytes:
    return struct.pack("<IQ", kind, len(inner) if count is None else count) + b"".join(inner)


def nest(depth: int) -> bytes:
    value = array(kind=0)
    for _ in range(depth):
        value = array(value)
    return value


@pytest.mark.parametrize(
    "value",
    [
        struct.pack("<I", 9) + nest(5_000),
        struct.pack("<I", 9) + nest(5),
        struct.pack("<I", 9) + array(kind=0, count=1 << 62),
        struct.pack("<I", 9) + array(bytes(1 << 10), kind=0, count=17_000_000),
        struct.pack("<IQ", 8, 1 << 50),
        struct.pack("<I", 77),
        struct.pack("<I", 9) + array(*[text("a" * 1_000_000)] * 70, kind=8),
    ],
)
def test_a_header_of_weights_is_shallow_and_short(tmp_path: Path, value: bytes) -> None:
    path = fill(tmp_path / "a.gguf", 1 << 40, b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("key") + value)
    with pytest.raises(UsageError, match="damaged GGUF file"):
        read_header(path)


def test_a_header_of_weights_has_few_keys(tmp_path: Path) -> None:
    pairs = b"".join(text(f"k{number}") + struct.pack("<IB", 0, 1) for number in range(10_001))
    path = tmp_path / "a.gguf"
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, 10_001) + pairs)
    with pytest.raises(UsageError, match="damaged GGUF file: it has 10,001 keys"):
        read_header(path)


def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"one\n" + b"x" * 25 + b"\n\nlast\n" + b"y" * 8)
    with caps.open_ordinary(path) as file:
        lines = list(caps.list_lines(file, most=8))
    assert lines == [(0, 4, b"one\n"), (4, 26, None), (30, 1, b"\n"), (31, 5, b"last\n"), (36, 8, b"y" * 8)]


@pytest.mark.parametrize("size", [7, 8, 9, 17, 18])
def test_the_end_of_a_line_counts(tmp_path: Path, size: int) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"x" * (size - 1) + b"\nend")
    with caps.open_ordinary(path) as file:
        first, end = caps.list_lines(file, most=8)
    assert first == (0, size, b"x" * (size - 1) + b"\n" if size <= 8 else None)
    assert end == (size, 3, b"end")


def test_what_is_no_ordinary_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, tmp_path / "a\0b"):
        with pytest.raises(OSError, match=r"not an ordinary file|embedded null"):
            caps.open_ordinary(path)
        with pytest.raises(UsageError, match=r"not an ordinary file|embedded null|Invalid"):
            caps.read_capped(path)
