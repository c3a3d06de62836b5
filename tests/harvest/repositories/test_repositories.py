"""Where repositories come from: folders, archives, addresses for git."""

from __future__ import annotations

import io
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.harvest.repositories import archives
from pytest_codereason.harvest.repositories.cloning import CannotOpen, is_address
from pytest_codereason.harvest.repositories.repositories import Repository, check_out, draw_repositories, locate
from tests.harvest.code import write_repository

SUFFIXES = {".py": "python"}


def list_content(place: Path | str) -> dict[str, str]:
    with check_out(Repository("x", str(place)), SUFFIXES) as checkout:
        files = {
            p.relative_to(checkout.folder).as_posix(): p for p in checkout.folder.rglob("*") if ".git/" not in str(p)
        }
        refused = {file.path: file.refusal.reason for file in checkout.left_out if file.refusal}
        return {name: path.read_text() for name, path in files.items() if path.is_file()} | refused


def make_tar(path: Path, *members: tuple[str, bytes] | tarfile.TarInfo) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for member in members:
            if isinstance(member, tarfile.TarInfo):
                archive.addfile(member)
            else:
                info = tarfile.TarInfo(member[0])
                info.size = len(member[1])
                archive.addfile(info, io.BytesIO(member[1]))
    return path


def make_link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


@pytest.mark.parametrize(
    ("place", "address"),
    [
        ("https://github.com/owner/project", True),
        ("git@github.com:owner/project.git", True),
        ("file:///srv/project", True),
        ("ext::sh -c 'touch x'", False),
        ("--upload-pack=touch x", False),
        ("src/project", False),
    ],
)
def test_what_is_an_address(place: str, address: bool) -> None:
    assert is_address(place) is address


def test_repositories_have_names_that_differ(tmp_path: Path) -> None:
    for name in ("a/tools", "b/tools", "b/my tools"):
        (tmp_path / name).mkdir(parents=True)
    places = [str(tmp_path / name) for name in ("a/tools", "b/tools", "a/../a/tools", "b/my tools")]
    addresses = ["https://github.com/owner/tools.git", "git@host:owner/tools"]
    names = [repository.name for repository in locate([*places, *addresses])]
    assert names == ["tools", "tools-2", "my-tools", "owner-tools", "owner-tools-2"]


def test_a_name_can_stand_in_an_id(tmp_path: Path) -> None:
    places = [tmp_path / name for name in ("boltons-25.0.0", "_a.b c", "...")]
    for place in places:
        place.mkdir()
    names = [repository.name for repository in locate(map(str, places))]
    assert names == ["boltons-25-0-0", "a-b-c", "repository"]


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("nowhere", "there is no such folder; an address for git begins with https://"),
        ("a.py", "a file is no repository"),
    ],
)
def test_a_place_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, message: str) -> None:
    (tmp_path / "a.py").write_text("")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=f"^{place}: {message}"):
        locate([place])


def test_repositories_are_drawn_by_the_seed() -> None:
    repositories = [Repository(f"r{i}", f"/r{i}") for i in range(20)]
    assert draw_repositories(repositories, 5, 1) == draw_repositories(repositories[::-1], 5, 1)
    assert draw_repositories(repositories, 5, 1) != draw_repositories(repositories, 5, 2)
    assert draw_repositories(repositories, 0, 1) == repositories


def test_of_an_archive_code_and_licences_are_unpacked(tmp_path: Path) -> None:
    members = [(f"tools-1.0/{name}", name.encode()) for name in ("a.py", "lib/b.py", "LICENSE", "PKG-INFO", "logo.png")]
    expected = {name: name for name in ("a.py", "lib/b.py", "LICENSE", "PKG-INFO")}
    assert list_content(make_tar(tmp_path / "tools-1.0.tar.gz", *members)) == expected
    with zipfile.ZipFile(tmp_path / "tools.zip", "w") as archive:
        for name, content in members:
            archive.writestr(name, content)
    assert list_content(tmp_path / "tools.zip") == expected


def test_nothing_leads_out_of_an_archive(tmp_path: Path) -> None:
    members = [
        ("ok.py", b"x = 1\n"),
        ("../out.py", b""),
        ("/out.py", b""),
        ("a/../../out.py", b""),
        ("a\\b.py", b""),
        ("new\nline.py", b""),
        ("large.py", b" " * 200_001),
    ]
    links = [
        make_link("link.py", "/etc/passwd"),
        make_link("hard.py", "../out.py", tarfile.LNKTYPE),
        make_link("d", "/"),
    ]
    inside = tmp_path / "inside"
    inside.mkdir()
    assert list_content(make_tar(inside / "x.tar.gz", *members, *links, ("d/out.py", b"x = 2\n"))) == {
        "ok.py": "x = 1\n",
        "d/out.py": "x = 2\n",
        "../out.py": "leads out of the archive",
        "/out.py": "leads out of the archive",
        "a/../../out.py": "leads out of the archive",
        "a\\b.py": "leads out of the archive",
        "new\nline.py": "its name is no plain text",
        "large.py": "is too large",
        "link.py": "is no ordinary file",
        "hard.py": "is no ordinary file",
    }
    assert [path.name for path in tmp_path.iterdir()] == ["inside"]


def test_archives_that_cannot_be_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = make_tar(tmp_path / "whole.tar.gz", *[(f"{i}.py", bytes(range(256)) * 20) for i in range(50)])
    (tmp_path / "cut.tar.gz").write_bytes(whole.read_bytes()[:300])
    (tmp_path / "text.zip").write_text("no archive")
    for name in ("cut.tar.gz", "text.zip"):
        with pytest.raises(CannotOpen, match=r"^it cannot be unpacked: "):
            list_content(tmp_path / name)
    monkeypatch.setattr(archives, "MOST_BYTES", 100_000)
    with pytest.raises(CannotOpen, match="it has more than 200,000 files or 100,000 bytes"):
        list_content(whole)


@pytest.mark.slow
def test_the_last_commit_is_fetched_and_nothing_of_it_runs(tmp_path: Path) -> None:
    source = write_repository(tmp_path / "project", {"a.py": "x = 1\n", ".gitattributes": "*.py filter=evil\n"})
    (source / "link.py").symlink_to("/etc/passwd")

    def git(*arguments: str) -> str:
        settings = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
        ended = subprocess.run(["git", *settings, *arguments], cwd=source, check=True, capture_output=True, text=True)
        return ended.stdout.strip()

    git("init", "-q")
    with pytest.raises(CannotOpen, match="it has no commit"):
        list_content(source.as_uri())
    for text in ("x = 1\n", "x = 2\n"):
        (source / "a.py").write_text(text)
        git("add", "-A")
        git("commit", "-qm", "c")
    with check_out(Repository("x", source.as_uri()), SUFFIXES) as checkout:
        assert checkout.version == git("rev-parse", "HEAD")
        assert (checkout.folder / "a.py").read_text() == "x = 2\n"
        assert not (checkout.folder / "link.py").is_symlink()
    assert not checkout.folder.exists()
    with pytest.raises(CannotOpen, match=r"git cannot fetch it: .*nowhere"):
        list_content("file:///nowhere")
