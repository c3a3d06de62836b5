"""A language finds its capabilities by the files of its folder."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import pytest

from pytest_codereason.core import Language
from pytest_codereason.errors import MissingCapability

IDENTITY = """
from pytest_codereason.languages.frame.language import TableLanguage

class Pebble(TableLanguage):
    name = fence = "pebble"
    title = "Pebble"
    suffixes = (".pebble",)
"""
DIALECT = """
from pytest_codereason.core import Dialect
from pytest_codereason.core.language.dialects import CommentForms

class PebbleDialect(Dialect):
    comments = CommentForms(mark=";")
    words = frozenset({"stone"})
    ignores_case = True

    def print_statement(self, text):
        return f"say {text}"
"""


@pytest.fixture
def pebble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Language:
    folder = tmp_path / "pebble_language"
    folder.mkdir()
    (folder / "__init__.py").write_text(IDENTITY)
    (folder / "dialect.py").write_text(DIALECT)
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.startswith(folder.name)]:
        monkeypatch.delitem(sys.modules, name)
    language: Language = importlib.import_module(folder.name).Pebble()
    return language


def test_it_has_what_its_folder_has_the_file_of(pebble: Language) -> None:
    assert pebble.has("dialect")
    assert not pebble.has("values")
    assert "pebble_language.dialect" not in sys.modules
    assert type(pebble.dialect).__name__ == "PebbleDialect"
    assert pebble.dialect is pebble.dialect
    with pytest.raises(MissingCapability, match=re.escape("the language pebble has no values")):
        _ = pebble.values
    assert pebble.examples() == ()


def test_a_dialect_writes_comments_and_names_by_its_data(pebble: Language) -> None:
    dialect = pebble.dialect
    assert dialect.comment("one\r\ntwo \n") == "; one\n; two\n;"
    assert dialect.fresh("Stone", frozenset({"STONE_1"})) == "Stone_2"
    assert dialect.fresh("pebble", frozenset()) == "pebble"
