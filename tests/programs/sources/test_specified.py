"""Programs with specifications: the fourth study's two public sets, and installed code."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Package, Source
from pytest_codereason.core.files import code_search_net as archives
from pytest_codereason.core.files.fetching import Remote
from pytest_codereason.errors import BadSetting, UsageError
from pytest_codereason.languages.javascript.packages import list_packages as list_javascript_packages
from pytest_codereason.languages.python.packages import list_packages
from pytest_codereason.programs.sources import code_instructions
from pytest_codereason.programs.sources.code_instructions import CodeInstructions
from pytest_codereason.programs.sources.code_search_net import CodeSearchNet
from pytest_codereason.programs.sources.installed import Installed
from pytest_codereason.registry import find, language
from tests.core.files.file_server import serve


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CODEREASON_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def python(lines: int, name: str = "f") -> str:
    """A function of that many lines."""
    return f"def {name}(n):\n" + "".join(f"    n += {i}\n" for i in range(lines - 2)) + "    return n"


ROW = {
    "instruction": "Write a function that adds up some numbers.",
    "input": "",
    "output": python(50),
    "prompt": "Below is an instruction.",
}


def write_rows(path: Path, *rows: Mapping[str, Any] | str) -> Path:
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return path


def test_an_instruction_is_the_specification_of_its_program(data: Path) -> None:
    with_input = {**ROW, "output": python(51), "input": "[1, 2, 3]"}
    without_input = {**ROW, "output": python(52), "input": "Not applicable"}
    write_rows(data / code_instructions.EXPORTED, ROW, with_input, without_input)
    source = CodeInstructions.create({}, seed=0)
    assert find(Source, "code-instructions") is CodeInstructions
    assert list(source.names("python")) == ["line-1", "line-2", "line-3"]
    programs = [source.program("python", name, {}) for name in source.names("python")]
    assert programs[0].source == python(50) + "\n"
    assert programs[0].origin == "iamtarun/python_code_instructions_18k_alpaca/line-1"
    assert [program.facts.specification for program in programs] == [
        ROW["instruction"],
        f"{ROW['instruction']}\n\nInput: [1, 2, 3]",
        ROW["instruction"],
    ]


def test_rows_that_give_no_question_are_left_out_with_reason_and_row(data: Path) -> None:
    rows: list[dict[str, Any] | str] = [
        {**ROW, "output": python(49)},
        {**ROW, "output": python(50) + ")"},
        {**ROW, "instruction": "Add up."},
        {**ROW, "instruction": None},
        "not json",
        ROW,
        ROW,
    ]
    write_rows(data / code_instructions.EXPORTED, *rows)
    source = CodeInstructions.create({}, seed=0)
    assert list(source.names("python")) == ["line-6"]
    told = "code-instructions, python: 1 left out:"
    assert [note.replace(told, "").strip() for note in source.notes("python")] == [
        "fewer than 50 lines (the first: line 1)",
        "no program of Python (the first: line 2)",
        "a specification of fewer than 3 words (the first: line 3)",
        "the text of another program (the first: line 7)",
        "no 'instruction' (the first: line 4)",
        "not valid JSON (the first: line 5: Expecting value: line 1 column 1 (char 0))",
    ]


def test_a_set_without_a_program_says_why(data: Path) -> None:
    write_rows(data / code_instructions.EXPORTED, {**ROW, "output": python(20)})
    with pytest.raises(UsageError, match=r"has no python program; .*1 left out: fewer than 50 lines"):
        list(CodeInstructions.create({}, seed=0).names("python"))


@pytest.mark.parametrize(
    ("sizes", "names"),
    [
        ({}, ["line-2", "line-3"]),
        ({"min_lines": 0}, ["line-1", "line-2", "line-3"]),
        ({"max_lines": 60}, ["line-2"]),
        ({"max_tokens": 500}, ["line-2"]),
        ({"min_lines": 0, "count": 1}, ["line-1"]),
    ],
)
def test_programs_are_chosen_by_lines_and_tokens(data: Path, sizes: dict[str, int], names: list[str]) -> None:
    write_rows(data / code_instructions.EXPORTED, *({**ROW, "output": python(lines)} for lines in (10, 50, 100)))
    source = CodeInstructions.create(sizes, seed=0)
    assert list(source.names("python")) == names


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"min_lines": -1}, "min_lines"),
        ({"max_lines": True}, "max_lines"),
        ({"max_tokens": "many"}, "max_tokens"),
        ({"max_lines": 40}, "max_lines"),
        ({"count": 0}, "count"),
        ({"path": 3}, "path"),
    ],
)
def test_a_wrong_setting_is_named(settings: dict[str, Any], key: str) -> None:
    with pytest.raises(BadSetting) as caught:
        CodeInstructions.create(settings, seed=0)
    assert caught.value.key == key


def test_the_hubs_file_is_fetched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.Table.from_pylist([ROW]), tmp_path / "rows.parquet")
    with serve((tmp_path / "rows.parquet").read_bytes()) as (url, paths):
        remote = Remote(name="set/train.parquet", url=f"{url}/train.parquet", instead="x")
        monkeypatch.setattr(code_instructions, "FILE", remote)
        for _ in range(2):
            assert list(CodeInstructions.create({}, seed=0).names("python")) == ["line-1"]
    assert paths == ["/train.parquet"]


METHOD = "public int add(int n) {\n" + "".join(f"    n += {i};\n" for i in range(48)) + "    return n;\n}"
JAVA = {
    "repo": "owner/name",
    "path": "src/Sum.java",
    "func_name": "Sum.add",
    "original_string": METHOD,
    "language": "java",
    "code": METHOD,
    "docstring": "Adds up some numbers.\n@return the sum",
    "partition": "test",
    "url": "https://example.org/Sum.java#L1",
}


def pack(path: Path, **parts: list[Mapping[str, Any]]) -> Path:
    """An archive as CodeSearchNet's authors make it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for part, rows in parts.items():
            text = "".join(json.dumps(row) + "\n" for row in rows)
            archive.writestr(f"java/final/jsonl/{part}/java_{part}_0.jsonl.gz", gzip.compress(text.encode()))
        archive.writestr("java_dedupe_definitions_v2.pkl", b"never read")
    return path


def test_a_method_of_code_search_net_is_a_program(data: Path) -> None:
    other = {**JAVA, "func_name": "Sum.other", "partition": "train", "code": METHOD.replace("add", "other")}
    short = {**JAVA, "func_name": "Sum.short", "code": "int one() {\n return 1;\n}"}
    silent = {**JAVA, "func_name": "Sum.silent", "docstring": ""}
    pack(data / "code-search-net/java.zip", test=[JAVA, short, silent], train=[other])
    source = CodeSearchNet.create({}, seed=0)
    assert list(source.names("java")) == ["owner-name-Sum-add"]
    program = source.program("java", "owner-name-Sum-add", {})
    assert program.source == f"class C {{\n{METHOD}\n}}\n"
    assert language("java").syntax.check(program.source) == ""
    assert program.facts.specification == JAVA["docstring"]
    assert program.origin == JAVA["url"]
    assert source.notes("java") == [
        "code-search-net, java: 1 left out: fewer than 50 lines (the first: row 2)",
        "code-search-net, java: 1 left out: no 'func_name', 'code' or 'docstring' (the first: row 3)",
    ]
    assert list(CodeSearchNet.create({"part": "train"}, seed=0).names("java")) == ["owner-name-Sum-other"]


def test_code_search_net_is_fetched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = pack(tmp_path / "java.zip", test=[JAVA]).read_bytes()
    with serve(body) as (url, paths):
        remote = Remote(name="code-search-net/java.zip", url=f"{url}/java.zip", size=len(body))
        monkeypatch.setitem(archives.ARCHIVES, "java", remote)
        for _ in range(2):
            assert list(CodeSearchNet.create({}, seed=0).names("java")) == ["owner-name-Sum-add"]
    assert paths == ["/java.zip"]


def test_a_part_that_is_not_there_is_named() -> None:
    with pytest.raises(BadSetting, match="'part' must be train, valid or test, not 'dev'"):
        CodeSearchNet.create({"part": "dev"}, seed=0)


def write_package(folder: Path) -> Path:
    """A package whose modules leave a mark when somebody imports or runs them."""
    mark = folder / "imported"
    module = (
        f'"""Sums of several kinds, with a mark."""\nopen({str(mark)!r}, "w").close()\n\n\n'
        'def double(n):\n    """Gives twice the number."""\n    return 2 * n\n\n\n'
        'class Sum:\n    def add(self, n):\n        """Adds a number to the sum.\n\n        Returns it.\n        """\n'
        "        self.n += n\n        return self.n\n\n    def silent(self):\n        return 0\n"
    )
    (folder / "sums").mkdir(parents=True)
    (folder / "sums/kinds.py").write_text(module)
    (folder / "sums/broken.py").write_text("def (")
    return mark


def test_functions_with_documentation_are_harvested_and_nothing_is_run(tmp_path: Path) -> None:
    mark = write_package(tmp_path / "code")
    settings = {"path": str(tmp_path / "code"), "min_lines": 0, "units": ["functions", "modules"]}
    source = Installed.create(settings, seed=0)
    assert list(source.names("python")) == [
        "code-sums-kinds",
        "code-sums-kinds-double",
        "code-sums-kinds-Sum-add",
    ]
    add = source.program("python", "code-sums-kinds-Sum-add", {})
    assert add.source == "def add(self, n):\n    self.n += n\n    return self.n\n"
    assert add.facts.specification == "Adds a number to the sum.\n\nReturns it."
    module = source.program("python", "code-sums-kinds", {})
    assert module.source.startswith("open(")
    assert module.facts.specification == "Sums of several kinds, with a mark."
    assert source.notes("python") == [
        "installed, python: 1 left out: a file that cannot be parsed (the first: code, sums/broken)"
    ]
    assert not mark.exists()


def test_a_changed_file_is_harvested_anew(tmp_path: Path) -> None:
    write_package(tmp_path / "code")
    settings = {"path": str(tmp_path / "code"), "min_lines": 0}
    first = Installed.create(settings, seed=0)
    assert len(list(first.names("python"))) == 2
    more = 'def triple(n):\n    """Gives three times the number."""\n    return 3 * n\n'
    (tmp_path / "code/sums/more.py").write_text(more)
    second = Installed.create(settings, seed=0)
    assert len(list(second.names("python"))) == 3
    assert first.identity != second.identity


@pytest.mark.slow
def test_installed_packages_are_found_by_name_with_their_licence() -> None:
    source = Installed.create({"packages": ["pluggy"], "min_lines": 5}, seed=0)
    names = list(source.names("python"))
    assert {name.partition("-")[0] for name in names} == {"pluggy"}
    program = source.program("python", names[0], {})
    assert (program.licence, program.origin.split()[0]) == ("MIT", "pluggy")
    assert program.facts.specification not in program.source
    with pytest.raises(UsageError, match=r"the Python package 'plugy' is not installed \(did you mean 'pluggy'\?\)"):
        list(Installed.create({"packages": ["plugy"]}, seed=0).names("python"))


def test_the_standard_library_is_a_package(tmp_path: Path) -> None:
    packages = {package.name: package for package in list_packages(tmp_path)}
    assert packages["python"].paths == (tmp_path,)
    assert packages["python"].licence == "PSF-2.0"


def test_packages_of_javascript_are_named_by_their_manifest(tmp_path: Path) -> None:
    for name, text in {"a": '{"name": "a", "version": "1.2", "license": "ISC"}', "@b/c": "{"}.items():
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "package.json").write_text(text)
    assert list_javascript_packages([tmp_path]) == [
        Package("a", "1.2", "ISC", tmp_path / "a", (tmp_path / "a",)),
        Package("c", "", "", tmp_path / "@b/c", (tmp_path / "@b/c",)),
    ]


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"packages": "pluggy"}, "packages"),
        ({"path": "/nowhere"}, "path"),
        ({"units": ["classes"]}, "units"),
        ({"units": []}, "units"),
    ],
)
def test_a_wrong_setting_of_installed_code_is_named(settings: dict[str, Any], key: str) -> None:
    with pytest.raises(BadSetting) as caught:
        Installed.create(settings, seed=0)
    assert caught.value.key == key


DOCUMENTED = {
    "python": ('def f(n):\n    """Adds one."""\n    return n + 1\n', '    """Adds one."""\n'),
    "javascript": ("/**\n * Adds one.\n */\nexport function f(n) { return n + 1; }\n", "/**\n * Adds one.\n */\n"),
    "php": ("<?php\n/** Adds one. */\nfunction f($n) { return $n + 1; }\n", "/** Adds one. */\n"),
    "java": (
        "class C {\n  /** Adds one. */\n  @Override\n  int f(int n) { return n + 1; }\n}\n",
        "  /** Adds one. */\n",
    ),
}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_documentation_is_read_in_every_language(name: str) -> None:
    source, text = DOCUMENTED[name]
    code = language(name).syntax.parse(source)
    found = code.find_documentation(code.functions[0])
    assert found is not None
    assert found.text == "Adds one."
    assert source[found.span.start : found.span.end] == text.strip()
    bare = language(name).syntax.parse(source.replace(text, "// one\n" if name != "python" else ""))
    assert bare.find_documentation(bare.functions[0]) is None
