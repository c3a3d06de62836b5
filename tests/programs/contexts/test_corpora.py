"""Pools made of a corpus: CodeSearchNet as it is packed, files as they lie around."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core.files import code_search_net
from pytest_codereason.core.files.fetching import Remote
from pytest_codereason.errors import UsageError
from pytest_codereason.programs.contexts.corpora import load
from pytest_codereason.programs.contexts.functions import cut_functions, find_installed_code


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CODEREASON_DATA", str(tmp_path / "data"))
    return tmp_path


def row(i: int, **changes: Any) -> dict[str, Any]:
    source = f"def g{i}(a):\n    return a + {'1' * (i + 1)}"
    return {"repo": "o/r", "path": "m.py", "func_name": f"C.g{i}", "original_string": source, **changes}


def packed(folder: Path, rows: list[Any]) -> None:
    """An archive as CodeSearchNet's authors make it."""
    (folder / "data" / "code-search-net").mkdir(parents=True)
    text = "".join(f"{r if isinstance(r, str) else json.dumps(r)}\n" for r in rows)
    with zipfile.ZipFile(folder / "data" / "code-search-net" / "python.zip", "w") as archive:
        archive.writestr("python/final/jsonl/train/python_train_0.jsonl.gz", gzip.compress(text.encode()))
        archive.writestr("python_dedupe_definitions_v2.pkl", b"never read")


def test_code_search_net_is_read_from_its_archive(folders: Path) -> None:
    packed(folders, [*(row(i) for i in range(8)), row(3), "not json", {"func_name": "x"}, row(50, original_string="")])
    pool = load("code-search-net", "python")
    assert sorted(f.name for f in pool.functions) == [f"g{i}" for i in range(1, 6)]
    assert pool.functions[0].origin == "o/r/m.py"
    (folders / "data" / "code-search-net" / "python.zip").write_bytes(b"gone")
    assert load("code-search-net", "python").sha == pool.sha  # from the cache
    assert load("auto", "python").name == "code-search-net"


@pytest.mark.parametrize("name", ["python.jsonl", "python.jsonl.gz"])
def test_code_search_net_is_read_from_its_rows(folders: Path, name: str) -> None:
    path = folders / "data" / "code-search-net" / name
    path.parent.mkdir(parents=True)
    text = "".join(json.dumps(row(i)) + "\n" for i in range(8)).encode()
    path.write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    assert len(load("code-search-net", "python").functions) == 5


@pytest.mark.parametrize("data", [b"PK\x03\x04 cut off", b""])
def test_an_archive_cut_off_is_named(folders: Path, data: bytes) -> None:
    packed(folders, [])
    (folders / "data" / "code-search-net" / "python.zip").write_bytes(data)
    with pytest.raises(UsageError, match=r"python\.zip: cannot be read"):
        load("code-search-net", "python")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ((" " * 9_999 + "\n") * 4_000, "unpacks to more than 100 times its size"),
        ("[" * 20_000_000, "a line is longer than 16 Mi"),
    ],
    ids=["many lines", "one line"],
)
def test_a_bomb_is_refused(folders: Path, text: str, complaint: str) -> None:
    path = folders / "data" / "code-search-net" / "python.jsonl.gz"
    path.parent.mkdir(parents=True)
    path.write_bytes(gzip.compress(text.encode(), 9))
    with pytest.raises(UsageError, match=rf"python\.jsonl\.gz: {complaint}"):
        load("code-search-net", "python")


def test_a_corpus_without_a_function_is_refused(folders: Path) -> None:
    packed(folders, ["{}"])
    with pytest.raises(UsageError, match="the pool code-search-net holds no python functions"):
        load("code-search-net", "python")


def test_what_is_not_there_says_where_it_was_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = Remote(name="code-search-net/python.zip", url="http://127.0.0.1:9/python.zip")
    monkeypatch.setitem(code_search_net.ARCHIVES, "python", nowhere)
    with pytest.raises(UsageError, match=r"could not be fetched from http://127\.0\.0\.1:9"):
        load("code-search-net", "python")
    with pytest.raises(UsageError, match=r"has no java code for distractors.*code-search-net"):
        find_installed_code("java")


SOURCES = {
    "a.py": "import os\n\n\ndef one(a):\n    def inner(): pass\n    return a\n\n\nclass C:\n    @property\n"
    "    def two(self):\n        return 2\n",
    "b.js": "function one(a) {\n  return a;\n}\nclass C {\n  two() { return 2; }\n}\n",
    "c.php": "<?php\nfunction one($a) {\n  return $a;\n}\nclass C {\n  public static function two() { return 2; }\n}\n",
    "D.java": "class D {\n  static int one(int a) {\n    return a;\n  }\n  int two() { return 2; }\n}\n",
}


@pytest.mark.parametrize(
    ("language", "sources"),
    [
        ("python", ["def one(a):\n    def inner(): pass\n    return a", "@property\ndef two(self):\n    return 2"]),
        ("javascript", ["function one(a) {\n  return a;\n}"]),
        ("php", ["function one($a) {\n  return $a;\n}", "function two() { return 2; }"]),
        ("java", ["static int one(int a) {\n  return a;\n}", "int two() { return 2; }"]),
    ],
)
def test_functions_are_cut_out_as_they_stand(folders: Path, language: str, sources: list[str]) -> None:
    code = folders / "code"
    (code / "tests").mkdir(parents=True)
    for name, text in SOURCES.items():
        (code / name).write_text(text)
        (code / "tests" / name).write_text(text.replace("one", "tested"))
    (code / "broken.py").write_text("def (")
    (code / "latin.py").write_bytes(b"# \xff\n")
    functions = list(cut_functions([code], language))
    assert [f.source.rstrip() for f in functions] == sources
    assert [f.name for f in functions] == ["one", "two"][: len(sources)]


@pytest.mark.slow
def test_the_standard_library_is_pool_enough() -> None:
    pool = load("installed", "python")
    assert len(pool.functions) > 2_000
    lengths = [len(f.source) for f in pool.functions]
    assert max(lengths) < 10 * min(lengths)
