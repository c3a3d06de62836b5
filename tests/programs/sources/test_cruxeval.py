"""Data sets that others wrote: what is whole is used, the rest is counted and named."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Facts, Program, Source
from pytest_codereason.core.execution import Run
from pytest_codereason.errors import BadSetting, UsageError
from pytest_codereason.programs.sources._cruxeval_tests import cut_java, cut_javascript, cut_php, find_closing
from pytest_codereason.programs.sources._examples import EXAMPLES, program
from pytest_codereason.programs.sources.cruxeval import CruxEval
from pytest_codereason.programs.sources.cruxeval_x import CruxEvalX
from pytest_codereason.sandbox import Sandbox
from tests.examples import take_every

DATA = Path(os.environ.get("CODEREASON_DATA", ""))
needs_data = pytest.mark.skipif(
    not (DATA / "cruxeval.jsonl").is_file(), reason="CODEREASON_DATA names no folder with cruxeval.jsonl"
)
ROW = {"id": "sample_7", "code": "def f(a, b):\n    return a + b", "input": "'x', b='y'", "output": "'xy'"}
JAVASCRIPT = """function f(a){
    return [a, "candidate(1)"];
}
const assert = require('node:assert');

function test() {
  let candidate = f;
  assert.deepEqual(candidate("it's ) \\" 1)", 2),["(", { "a": `)` }]);
}

test();"""
PHP = """<?php
function f($a) {
    return $a;
}
function candidate(...$args) {
    return f(...$args);
}

function test(): void {
    if (candidate(array(")" => 1)) !== array(")" => 1)) { throw new Exception("Test failed!"); }
}

test();"""
JAVA = """import java.util.*;
class Problem {
    public static long f(String a) {
        return a.length();
    }
    public static void main(String[] args) {
    assert(f((")) == (2l"))%s);
    }

}
"""


def write_rows(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows) + "\n")
    return path


def source(tmp_path: Path, *rows: Any, **settings: Any) -> CruxEval:
    write_rows(tmp_path / "cruxeval.jsonl", *rows)
    return CruxEval.create({"path": str(tmp_path), **settings}, seed=0)


def test_the_registry_knows_them() -> None:
    assert registry.find(Source, "cruxeval") is CruxEval
    assert registry.find(Source, "cruxeval-x") is CruxEvalX


def test_a_program_has_its_call_and_facts(tmp_path: Path) -> None:
    first = source(tmp_path, ROW).program("python", "sample_7", {})
    assert first.source == "def f(a, b):\n    return a + b\n"
    assert first.call == "f('x', b='y')"
    assert first.facts == Facts(input="'x', b='y'", output="xy")
    assert first.origin == "cruxeval/sample_7"


def test_what_cannot_be_used_is_counted_and_named(tmp_path: Path) -> None:
    rows = [
        ROW,
        "{cut",
        "[1]",
        {**ROW, "id": "b", "output": "f(1)"},
        {"id": "c"},
        {**ROW, "id": 5},
        ROW,
        {**ROW, "id": "../../x"},
    ]
    crux = source(tmp_path, *rows)
    names = list(crux.names("python"))
    assert names[0] == "sample_7"
    assert len(names) == 2
    assert "/" not in names[1]
    notes = "\n".join(crux.notes("python"))
    for part in ("not valid JSON (the first: line 2", "not a JSON object (the first: line 3)", "line 4, not a literal"):
        assert part in notes
    for part in ("no 'code' (the first: line 5)", "'id' is not text (the first: line 6)", "a second program sample_7"):
        assert part in notes


def test_a_file_without_a_program_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"holds no program; .*1 left out: no 'code' \(the first: line 1\)"):
        list(source(tmp_path, {"id": "x"}).names("python"))


@pytest.mark.parametrize("data", [pickle.dumps([ROW]), b"", b"\xff\xfe\0", b"!!python/object:os.system ['ls']"])
def test_other_formats_are_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "cruxeval.jsonl").write_bytes(data)
    with pytest.raises(UsageError, match=r"cruxeval\.jsonl"):
        list(CruxEval.create({"path": str(tmp_path)}, seed=0).names("python"))


@pytest.mark.parametrize(
    "make", [os.mkfifo, os.mkdir, partial(os.symlink, "/dev/zero")], ids=["pipe", "folder", "link to a device"]
)
def test_what_is_no_ordinary_file_is_refused(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "cruxeval.jsonl")
    with pytest.raises(UsageError, match=r"cruxeval\.jsonl: not an ordinary file"):
        list(CruxEval.create({"path": str(tmp_path)}, seed=0).names("python"))


def test_a_link_to_a_file_is_followed(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/cruxeval.jsonl").symlink_to(write_rows(tmp_path / "elsewhere", ROW))
    assert list(CruxEval.create({"path": str(tmp_path / "data")}, seed=0).names("python")) == ["sample_7"]


def test_an_absent_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cruxeval\.jsonl: cannot be read: No such file"):
        list(CruxEval.create({"path": str(tmp_path)}, seed=0).names("python"))


def test_count_takes_the_first_and_is_part_of_the_identity(tmp_path: Path) -> None:
    rows = [{**ROW, "id": f"sample_{i}"} for i in range(5)]
    few, all_ = source(tmp_path, *rows, count=2), source(tmp_path, *rows)
    assert list(few.names("python")) == ["sample_0", "sample_1"]
    list(all_.names("python"))
    assert few.identity != all_.identity
    assert few.identity["sha256_python"] == all_.identity["sha256_python"]


@pytest.mark.parametrize(("key", "value"), [("count", 0), ("count", True), ("path", 3), ("limit", 1)])
def test_settings_are_checked(key: str, value: object) -> None:
    with pytest.raises(BadSetting, match=key):
        CruxEval.create({key: value}, seed=0)


def test_an_unknown_name_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cruxeval has no python program 'sample_9'"):
        source(tmp_path, ROW).program("python", "sample_9", {})
    with pytest.raises(UsageError, match="has 2 worked examples in python, not 3"):
        source(tmp_path, ROW).shots("python", "sample_7", {}, 3)


def test_tests_are_cut_off() -> None:
    cut = cut_javascript(JAVASCRIPT)
    assert cut is not None
    assert cut.call == 'f("it\'s ) \\" 1)", 2)'
    assert cut.value == '["(", { "a": `)` }]'
    assert "assert" not in cut.source
    cut = cut_php(PHP)
    assert cut is not None
    assert (cut.call, cut.value) == ('f(array(")" => 1))', 'array(")" => 1)')
    assert "candidate" not in cut.source
    for test in (" == (2l)", ".equals((2l))"):
        cut = cut_java(JAVA % test)
        assert cut is not None
        assert cut.call == 'Problem.f((")) == (2l"))'
        assert cut.value.strip("()") == "2l"
        assert "main" not in cut.source
        assert cut.source.count("{") == cut.source.count("}")


@pytest.mark.parametrize("cutter", [cut_javascript, cut_php, cut_java])
def test_other_tests_are_not_cut(cutter: Any) -> None:
    whole = {cut_javascript: JAVASCRIPT, cut_php: PHP, cut_java: JAVA % " == (2l)"}[cutter]
    assert cutter(whole) is not None
    for end in range(0, len(whole) - 12, 7):
        cutter(whole[:end])  # at most ``None``
    assert cutter("") is None
    assert cutter("function f() {}") is None


def test_a_function_that_takes_a_reference_is_left_out() -> None:
    assert cut_php(PHP.replace("f($a)", "f(array &$a)")) is None


def test_closing_brackets() -> None:
    assert find_closing("a)", 0) == 1
    assert find_closing("')' [(1)]) b", 0) == 9
    assert find_closing("'\\')' )", 0) == 6
    assert find_closing("(", 0) is None


def test_a_cut_off_array_gives_the_rows_before_the_cut(tmp_path: Path) -> None:
    rows = json.dumps(
        [{"id": 3, "code": JAVASCRIPT}, {"id": 4, "code": None}, {"id": 5, "code": JAVASCRIPT}, {"id": "x"}]
    )
    write_rows(tmp_path / "cruxeval-x" / "js.json", rows[: rows.index('{"id": 5') + 30])
    crux = CruxEvalX.create({"path": str(tmp_path)}, seed=0)
    assert list(crux.names("javascript")) == ["sample_3"]
    notes = "\n".join(crux.notes("javascript"))
    assert "no 'code' (the first: row 1)" in notes
    assert "cut off from here on (the first: line 1, after 2 rows)" in notes
    assert crux.program("javascript", "sample_3", {}).facts["input"] == '"it\'s ) \\" 1)", 2'


def test_no_array_is_refused(tmp_path: Path) -> None:
    write_rows(tmp_path / "cruxeval-x" / "php.json", {"rows": []})
    with pytest.raises(UsageError, match=r"php\.json:1: not a JSON array"):
        list(CruxEvalX.create({"path": str(tmp_path)}, seed=0).names("php"))


def programs(kind: type[CruxEval | CruxEvalX], language: str) -> list[Program]:
    crux = kind.create({"path": str(DATA)}, seed=0)
    return [crux.program(language, name, {}) for name in crux.names(language)]


def disagreeing(candidates: list[Program], sandbox: Sandbox) -> list[str]:
    """The programs that do not return what is recorded for them."""
    runs = [Run.from_program(p) for p in candidates]
    ends = list(sandbox.run_all(runs))
    equal = registry.language(candidates[0].language).values.equal
    pairs = zip(candidates, ends, strict=True)
    return [p.origin for p, end in pairs if not (end.returned and equal(end.value, p.facts["output"]))]


@pytest.mark.parametrize("language", ["python", "javascript", "php", "java"])
def test_worked_examples_return_what_they_say(language: str, sandbox: Sandbox) -> None:
    assert disagreeing([program(example, language) for example in EXAMPLES], sandbox) == []


@needs_data
def test_all_of_cruxeval_is_read() -> None:
    assert [p.origin for p in programs(CruxEval, "python")] == [f"cruxeval/sample_{i}" for i in range(800)]


@needs_data
@pytest.mark.slow
def test_cruxeval_returns_what_is_recorded(sandbox: Sandbox) -> None:
    assert disagreeing(programs(CruxEval, "python")[:: take_every(4)], sandbox) == []


@needs_data
@pytest.mark.parametrize(("language", "count"), [("javascript", 743), ("php", 745), ("java", 698)])
def test_all_of_cruxeval_x_that_has_code_is_read(language: str, count: int) -> None:
    assert len(programs(CruxEvalX, language)) == count


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "known"),
    [
        # The translation returns text where the test, which compares loosely, has numbers, or the reverse.
        ("javascript", {85, 288, 429, 576, 630}),
        # 491 never ends; 748 gives back half of its pairs; the others are no PHP.
        ("php", {33, 149, 491, 581, 748}),
    ],
)
def test_cruxeval_x_returns_what_is_recorded(language: str, known: set[int], sandbox: Sandbox) -> None:
    expected = {f"cruxeval-x/sample_{i}" for i in known}
    all_programs = programs(CruxEvalX, language)
    # A few of the others will do: an interpreter is started for each.
    chosen = [p for i, p in enumerate(all_programs) if i % take_every(8) == 0 or p.origin in expected]
    assert set(disagreeing(chosen, sandbox)) == expected
