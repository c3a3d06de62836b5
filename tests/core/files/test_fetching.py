"""Files fetched from a real server: whole, checked, once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core.files.fetching import CHUNK, Remote, fetch, find_file
from pytest_codereason.errors import UsageError
from tests.core.files.file_server import Versions, serve, serve_versions

BODY = bytes(range(256)) * 5000
SHA = hashlib.sha256(BODY).hexdigest()


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, list[str]]]:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CODEREASON_DATA", raising=False)
    with serve(BODY) as served:
        yield served


def test_a_file_is_fetched_once_and_kept(server: tuple[str, list[str]]) -> None:
    url, paths = server
    remote = Remote(name="set/rows.jsonl", url=f"{url}/rows", sha256=SHA, size=len(BODY))
    progress: list[tuple[int, int]] = []
    path = fetch(remote, lambda byte_count, total: progress.append((byte_count, total)))
    assert path.read_bytes() == BODY
    assert fetch(remote) == path
    assert paths == ["/rows"]
    assert progress[0] == (0, len(BODY))
    assert progress[-1] == (len(BODY), len(BODY))
    assert len(progress) >= len(BODY) // CHUNK + 2
    assert [byte_count for byte_count, _ in progress] == sorted(byte_count for byte_count, _ in progress)


def test_two_at_once_fetch_it_once(server: tuple[str, list[str]]) -> None:
    url, paths = server
    remote = Remote(name="rows", url=f"{url}/rows", sha256=SHA)
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(lambda _: fetch(remote), range(8)))) == 1
    assert paths == ["/rows"]


@pytest.mark.parametrize(
    ("path", "known", "why"),
    [
        ("/absent", {}, "the server answers 404"),
        ("/cut", {}, "the connection ended after|IncompleteRead"),
        ("/rows", {"sha256": "0" * 64}, f"its sha256 is {SHA}, not 000"),
        ("/rows", {"size": 7}, "the server announces 1,280,000 bytes, more than 7"),
        ("/unsaid", {"size": 7}, "the server sends more than 7 bytes"),
    ],
)
def test_what_is_not_whole_or_not_the_same_leaves_nothing(
    server: tuple[str, list[str]], tmp_path: Path, path: str, known: dict[str, Any], why: str
) -> None:
    remote = Remote(name="rows", url=server[0] + path, **known)
    with pytest.raises(UsageError, match=why) as error:
        fetch(remote)
    assert "Set CODEREASON_DATA" in str(error.value)
    assert "\n" not in str(error.value)
    assert [p.name for p in (tmp_path / "cache" / "data").iterdir()] == ["lock"]


def test_a_fetch_that_was_cut_short_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path))
    file = Versions(BODY, '"first"', cut=500_000)
    with serve_versions(file) as url:
        remote = Remote(name="rows", url=url, sha256=SHA)
        for megabytes in ("0", "1"):
            with pytest.raises(UsageError, match=rf"the next try continues at {megabytes} MB"):
                fetch(remote)
        assert fetch(remote).read_bytes() == BODY
    assert file.begun == [0, 500_000, 1_000_000]
    assert sorted(p.name for p in (tmp_path / "data").iterdir()) == ["lock", "rows"]


@pytest.mark.parametrize("weak", [False, True])
def test_another_version_is_fetched_from_its_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, weak: bool
) -> None:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path))
    file = Versions(BODY[::-1], 'W/"x"' if weak else '"first"', cut=500_000)
    with serve_versions(file) as url:
        remote = Remote(name="rows", url=url, sha256=SHA)
        with pytest.raises(UsageError, match=r"the connection ended|IncompleteRead"):
            fetch(remote)
        file.body, file.cut = BODY, len(BODY)
        file.version = file.version if weak else '"second"'
        assert fetch(remote).read_bytes() == BODY
    assert file.begun == [0, 0]


def test_a_part_that_is_longer_than_the_file_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path))
    file = Versions(BODY, '"first"', cut=500_000)
    with serve_versions(file) as url:
        remote = Remote(name="rows", url=url, sha256=SHA)
        with pytest.raises(UsageError, match="continues"):
            fetch(remote)
        (tmp_path / "data" / "rows.part").write_bytes(BODY + b"more")
        file.cut = len(BODY)
        assert fetch(remote).read_bytes() == BODY


def test_nobody_there_is_said_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path))
    with pytest.raises(UsageError, match=r"could not be fetched from http://127.0.0.1:9/rows: .*refused"):
        fetch(Remote(name="rows", url="http://127.0.0.1:9/rows"))


def test_where_a_file_may_lie_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CODEREASON_DATA", str(tmp_path / "data"))
    with pytest.raises(UsageError) as error:
        find_file(Remote(name="rows", url="http://127.0.0.1:9/rows", instead="a file lines.jsonl"))
    assert f"Put it into {tmp_path / 'data'} (CODEREASON_DATA), or fetch it elsewhere" in str(error.value)
    assert str(error.value).endswith("; a file lines.jsonl works too")


def test_a_cache_that_cannot_be_written_is_named(server: tuple[str, list[str]], tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    with pytest.raises(UsageError, match=r"cannot be written: .*CODEREASON_CACHE"):
        fetch(Remote(name="rows", url=f"{server[0]}/rows"))
