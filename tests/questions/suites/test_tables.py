"""The tables of a suite file: each mistake is named with its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_codereason.core.files.toml_files import read_toml
from pytest_codereason.errors import NotHere, UsageError
from pytest_codereason.questions.suites.tables import SuiteTables

TEXT = 'task = "output-prediction"\nprefill = "no"\nlayout = 3\n[source]\nname = "semtrace"\nhere = "a.txt"\n'


def read(folder: Path, text: str = TEXT) -> SuiteTables:
    path = folder / "a.suite.toml"
    path.write_text(text)
    return SuiteTables(read_toml(path))


def test_a_key_that_every_suite_has_is_missing_or_of_the_wrong_type(tmp_path: Path) -> None:
    tables = read(tmp_path)
    assert tables.require("task", str, "a name") == "output-prediction"
    with pytest.raises(UsageError, match=re.escape("the key 'tasks' is missing (is it 'task'?): it must be a name")):
        tables.require("tasks", str, "a name")
    with pytest.raises(UsageError, match=r"a\.suite\.toml:1: 'task' must be a table, not 'output-prediction'"):
        tables.require("task", dict, "a table")


def test_a_table_may_be_missing_and_must_be_one(tmp_path: Path) -> None:
    tables = read(tmp_path)
    assert tables.read_table("matrix") == {}
    assert tables.read_table("source")["name"] == "semtrace"
    assert [tables.is_table(key) for key in ("source", "layout", "matrix")] == [True, False, False]
    with pytest.raises(UsageError, match=r"a\.suite\.toml:3: 'layout' must be a table \[layout\], not 3"):
        tables.read_table("layout")


def test_a_switch_is_true_or_false(tmp_path: Path) -> None:
    tables = read(tmp_path)
    assert tables.read_switch("check", True, "source") is True
    with pytest.raises(UsageError, match=r"a\.suite\.toml:2: 'prefill' must be true or false, not 'no'"):
        tables.read_switch("prefill", True)
    with pytest.raises(UsageError, match=r"a\.suite\.toml:5: 'name' must be true or false"):
        tables.read_switch("name", True, "source")


def test_a_file_counts_from_the_folder_of_the_suite(tmp_path: Path) -> None:
    tables = read(tmp_path, 'template = "own"\nhints = 3\n')
    assert tables.find_file("texts", "file of texts") is None
    with pytest.raises(
        UsageError, match=rf"a\.suite\.toml:1: there is no template 'own' \(looked for {tmp_path}/own; x"
    ):
        tables.find_file("template", "template", "; x")
    (tmp_path / "own").mkdir()
    assert tables.find_file("template", "template") == (tmp_path / "own").resolve()
    with pytest.raises(UsageError, match=r"a\.suite\.toml:2: 'hints' must be the path of a file of hints, not 3"):
        tables.find_file("hints", "file of hints")


def test_what_goes_wrong_at_a_key_is_said_at_its_line(tmp_path: Path) -> None:
    tables = read(tmp_path)
    with pytest.raises(UsageError, match=r"a\.suite\.toml:5: it is broken") as caught, tables.at("source", "name"):
        raise UsageError("it is broken")
    assert not isinstance(caught.value, NotHere)
    with pytest.raises(NotHere, match=r"a\.suite\.toml:4: not on this machine"), tables.at("source"):
        raise NotHere("not on this machine")


def test_a_text_with_the_character_nul_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"a\.suite\.toml:2: 'name' has the character NUL"):
        read(tmp_path, '[source]\nname = "a\\u0000b"\n')
