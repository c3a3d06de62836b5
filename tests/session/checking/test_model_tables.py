"""Models that a user names in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.session.checking.model_tables import ModelSettings, ModelTables, load_tables

TABLE = """
[models.small]
spec = "openai:qwen3-4b"
url = "http://127.0.0.1:8001/v1"
concurrency = 4
temperature = 0.2
price_in = 1.5
body = {top_k = 20, mode = "fast"}
header.X-Team = "evals"

[models."a.b"]
spec = "local:tiny"
"""


def load(folder: Path, text: str, name: str = "models.toml") -> ModelTables:
    (folder / name).write_text(text)
    return load_tables(folder / name, folder)


def test_a_table_holds_the_settings_of_a_model(tmp_path: Path) -> None:
    tables = load(tmp_path, TABLE)
    assert "small" in tables
    assert "large" not in tables
    assert tables.read("small") == ModelSettings(
        spec="openai:qwen3-4b",
        url="http://127.0.0.1:8001/v1",
        concurrency=4,
        sampling={"temperature": 0.2},
        arguments={"price_in": "1.5", "body.top_k": "20", "body.mode": '"fast"', "header.X-Team": "evals"},
    )
    assert tables.read("small") == tables.read("small"), "a table is read as often as one likes"
    assert tables.read("a.b") == ModelSettings(spec="local:tiny")


def test_the_project_file_has_them_under_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.other]\nx = 1\n[tool.codereason.models.small]\nspec = "local:a"\n')
    assert load_tables(None, tmp_path).read("small").spec == "local:a"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "root").mkdir()
    elsewhere = load_tables(None, tmp_path / "root")
    assert "small" not in elsewhere
    assert elsewhere.explain_unknown("small").endswith("add --eval-models=pyproject.toml")
    assert elsewhere.explain_unknown("large") == ""
    assert load_tables(None, tmp_path).explain_unknown("smal") == "did you mean 'small'? pyproject.toml names small"
    assert load_tables(None, tmp_path).explain_unknown("gpt") == "pyproject.toml names small"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "[model.small]\nspec = 'a:b'",
            "1: unknown key model (did you mean 'models'?): a model is a table [models.NAME]",
        ),
        ("models = 3", "a model is a table: write [models.NAME]"),
        ("[models.'a:b']\nspec = 'a:b'", "the name 'a:b' cannot be"),
        ("[models]\nsmall = 3", "2: 'small' must be a table: write [models.small]"),
    ],
)
def test_a_file_that_names_no_models_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(tmp_path, text)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("url = 'x'", "1: [models.small] needs a key 'spec', such as spec = 'openai:gpt-x'"),
        ("spce = 'a:b'", "needs a key 'spec', not 'spce', such as"),
        ("spec = 'small'", "2: spec = 'small' is the name of a table: write PROVIDER:NAME"),
        ("spec = ''", "2: 'spec' must be text, not ''"),
        ("spec = 'a:b'\nurl = 3", "3: 'url' must be text, not 3"),
        ("spec = 'a:b'\nurl = []", "3: 'url' must be an address or a list of addresses, not []"),
        ("spec = 'a:b'\nurl = ['http://a/v1', 3]", "3: 'url' must be text, not 3"),
        ("spec = 'a:b'\nconcurrency = 0", "3: 'concurrency' must be a whole number from 1, not 0"),
        ("spec = 'a:b'\nconcurrency = true", "'concurrency' must be a whole number from 1, not True"),
        ("spec = 'a:b'\ntemperature = 'hot'", "3: "),
        ("spec = 'a:b'\nstop = 2026-11-21", "3: 'stop' must be text, a number, true, false, a list or a table"),
        ("spec = 'a:b'\nbody = {x = inf}", "3: 'body.x' must be text, a number"),
        ("spec = 'a:b'\napi_key = 'env:NOT_SET_ANYWHERE'", "3: "),
        ("spec = 'a:b'\nurl = 'env:NOT_SET_ANYWHERE'", "3: "),
    ],
)
def test_a_mistake_in_a_table_names_its_line(tmp_path: Path, text: str, complaint: str) -> None:
    tables = load(tmp_path, f"[models.small]\n{text}\n")
    with pytest.raises(UsageError) as caught:
        tables.read("small")
    assert "models.toml:" in str(caught.value)
    assert complaint in str(caught.value)


def test_a_later_error_points_at_its_key(tmp_path: Path) -> None:
    tables = load(tmp_path, TABLE)
    for key, line in (("url", 4), ("body.top_k", 8), ("", 2), ("nothing", 2)):
        assert f"models.toml:{line}: [models.small]: wrong" in str(tables.fail("wrong", "small", key))
    assert '[models."a.b"]: wrong' in str(tables.fail("wrong", "a.b"))
