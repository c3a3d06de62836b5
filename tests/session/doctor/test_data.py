"""Data as the doctor finds them, in folders that a test makes."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Source
from pytest_codereason.session.doctor.data import examine_data
from pytest_codereason.session.doctor.finding import Finding


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """The folder for data and the one for the cache; of the second only its parent is there."""
    data, cache = tmp_path / "data", tmp_path / "home" / "cache"
    data.mkdir()
    cache.parent.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CODEREASON_DATA", str(data))
    monkeypatch.setenv("CODEREASON_CACHE", str(cache))
    return data, cache


def examine() -> dict[str, Finding]:
    return {finding.subject: finding for finding in examine_data()}


def put(folder: Path, name: str, *languages: str) -> None:
    for language in languages:
        path = folder / registry.find(Source, name).files[language].name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"{}\n")


def test_a_machine_without_anything_is_told_what_to_type(folders: tuple[Path, Path]) -> None:
    _, cache = folders
    findings = list(examine_data())
    assert findings[0] == Finding("cache", "ok", str(cache)), "a cache that can be made is no trouble"
    assert {finding.state for finding in findings[1:]} == {"absent"}
    assert Finding("cruxeval", "absent", "not here", "codereason fetch cruxeval") in findings
    assert Finding("cruxeval-x", "absent", "not here", "codereason fetch cruxeval-x") in findings
    subjects = [finding.subject for finding in findings]
    assert len(subjects) == len(set(subjects)), "a line for each name, not for each language"


def test_a_folder_of_data_that_is_none_is_named(folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    data, _ = folders
    none = data / "nowhere"
    monkeypatch.setenv("CODEREASON_DATA", f"{data}{os.pathsep}{none}")
    named = [finding for finding in examine_data() if finding.subject == "data folder"]
    assert named == [
        Finding("data folder", "missing", f"{none} of CODEREASON_DATA is no folder", "unset CODEREASON_DATA")
    ]


def test_what_is_there_is_named_with_its_folders(folders: tuple[Path, Path]) -> None:
    data, cache = folders
    put(data, "cruxeval", "python")
    assert examine()["cruxeval"] == Finding("cruxeval", "ok", "data"), "below the current folder, so by its short name"
    others = [language for language in registry.find(Source, "cruxeval-x").files if language != "java"]
    put(data, "cruxeval-x", *others)
    assert examine()["cruxeval-x"] == Finding("cruxeval-x", "absent", "not here: java", "codereason fetch cruxeval-x")
    put(cache / "data", "cruxeval-x", "java")
    folder = Path(registry.find(Source, "cruxeval-x").files["java"].name).parent
    places = examine()["cruxeval-x"].words.split(", ")
    assert len(places) == len(set(places)), "a folder with several files is named once"
    assert str("home/cache/data" / folder) in places


def test_a_cache_that_is_a_file_cannot_be_written(folders: tuple[Path, Path]) -> None:
    _, cache = folders
    cache.write_text("no folder")
    remedy = "set CODEREASON_CACHE to a writable folder"
    assert examine()["cache"] == Finding("cache", "missing", f"{cache} cannot be written", remedy)


@pytest.mark.skipif(os.geteuid() == 0, reason="whoever is root may write everywhere")
def test_a_cache_below_a_folder_of_others_cannot_be_written(folders: tuple[Path, Path]) -> None:
    _, cache = folders
    cache.parent.chmod(stat.S_IRUSR | stat.S_IXUSR)
    assert examine()["cache"].state == "missing"
