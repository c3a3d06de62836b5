"""The file that says which models are of one kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.results.measures.model_categories import ModelKind, find_kind, list_kinds, load_text, parse_kinds

TEXT = """
[[models]]
match = ["*GPT-4o*", "omni"]
categories = ["closed", "general"]
family = "gpt"
version = "4o"

[[models]]
match = ["*gpt*"]
"""


def test_entries_are_read_in_their_order() -> None:
    assert parse_kinds("kinds.toml", TEXT) == [
        ModelKind(("*gpt-4o*", "omni"), ("closed", "general"), "gpt", "4o", 1),
        ModelKind(("*gpt*",), (), "", "", 2),
    ]


@pytest.mark.parametrize(
    ("model", "spec", "place"),
    [("mine", "openai:GPT-4o-mini", 1), ("OMNI", "x", 1), ("gpt-3", "x", 2), ("x", "gpt-4", 2), ("llama", "x", None)],
)
def test_the_first_entry_that_fits_a_name_or_a_spec_counts(model: str, spec: str, place: int | None) -> None:
    kind = find_kind(model, spec, parse_kinds("kinds.toml", TEXT))
    assert (kind.place if kind else None) == place


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "models are missing: write [[models]]"),
        ("models = 3", "models are missing"),
        ("models = [3]", "models are missing"),
        ("model = 1\n[[models]]\nmatch = ['a']", "unknown key 'model' (did you mean 'models'?)"),
        ("[[models]]\nmatch = ['a']\n[[models]]\nmatch = ['a']\nfamly = 'x'", "number 2: unknown key 'famly' (did you"),
        ("[[models]]\nmatch = 'a'", "number 1: match must be a list of texts, such as [\"open\"], not 'a'"),
        ("[[models]]\nmatch = ['']", "match must be a list of texts"),
        ("[[models]]\nmatch = ['a']\ncategories = [1]", "categories must be a list of texts"),
        ("[[models]]\nmatch = ['a']\nfamily = 4", "family must be a text, not 4"),
        ("[[models]]\nmatch = ['a']\nversion = 4", "version must be a text, not 4"),
        ("[[models]]\ncategories = ['a']", "match is missing"),
        ("[[models]]\nmatch = []", "match is missing"),
        ("[[models]]\nmatch = ['a']\nversion = '4'", "a version needs a family"),
    ],
)
def test_a_mistake_is_named(text: str, complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_kinds("kinds.toml", text)
    assert complaint in str(caught.value)
    assert "kinds.toml" in str(caught.value)


def test_a_users_file_stands_for_the_shipped_one(tmp_path: Path) -> None:
    (tmp_path / "kinds.toml").write_text(TEXT)
    assert load_text(None) == {}
    texts = load_text(tmp_path / "kinds.toml")
    assert list(texts.values()) == [TEXT]
    assert len(list_kinds(texts)) == 2
    assert len(list_kinds({})) > 2
    with pytest.raises(UsageError):
        load_text(tmp_path / "none.toml")
