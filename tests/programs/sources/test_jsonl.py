"""A user's own programs, from JSON lines and from Parquet."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Facts
from pytest_codereason.errors import BadSetting, PartError, UsageError
from pytest_codereason.programs.sources._parquet import json_lines
from pytest_codereason.programs.sources.jsonl import Jsonl
from tests.programs.sources.own_programs import ROW, SHAPES


def source(folder: Path, *rows: Any, **settings: Any) -> Jsonl:
    path = folder / "mine.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows))
    return Jsonl.create({"path": str(path), **settings}, seed=0)


def test_one_file_has_programs_of_several_languages(tmp_path: Path) -> None:
    own = source(tmp_path, ROW, {**ROW, "language": "php", "code": "<?php function f($a, $b) { return $a; }"})
    assert own.languages == ("python", "php")
    assert [list(own.names(name)) for name in own.languages] == [["add"], ["add"]]
    program = own.program("python", "add", {})
    assert (program.source, program.call) == ("def f(a, b):\n    return a + b\n", "f(1, 2)")
    assert program.facts == Facts(input="1, 2")


@pytest.mark.parametrize(("output", "value"), [("[1, 'a']", [1, "a"]), ([1, "a"], [1, "a"]), (3, 3), (None, None)])
def test_an_output_is_a_literal_or_data(tmp_path: Path, output: object, value: object) -> None:
    facts = source(tmp_path, {**ROW, "output": output}).program("python", "add", {}).facts
    assert facts.get("output") == value
    assert ("output" in facts) == (output is not None)


def test_an_output_that_a_language_cannot_read_is_blamed_on_the_language(tmp_path: Path) -> None:
    row = {**ROW, "language": "tests.programs.sources.own_programs:Careless", "output": "3"}
    with pytest.raises(PartError, match=r"^the values .*CarelessValues raised RuntimeError: no value"):
        source(tmp_path, row)


def test_calls_of_one_text_belong_together(tmp_path: Path) -> None:
    calls = [{**ROW, "id": f"add-{number}", "call": f"f({number}, 2)"} for number in range(3)]
    other = {**ROW, "id": "own", "repository": "tools"}
    alone = {**ROW, "id": "alone", "code": "def f(a, b):\n    return b"}
    own = source(tmp_path, *calls, other, alone)
    repositories = {name: own.program("python", name, {}).repository for name in own.names("python")}
    assert repositories == {"add-0": "add-0", "add-1": "add-0", "add-2": "add-0", "own": "tools", "alone": ""}


def test_a_program_may_have_several_files(tmp_path: Path) -> None:
    program = source(tmp_path, SHAPES).program("python", "area", {})
    assert (program.entry, set(program.files)) == ("main.py", {"main.py", "lib.py"})


def test_a_single_file_is_the_entry(tmp_path: Path) -> None:
    row = {"id": "one", "language": "python", "files": {"lib.py": ROW["code"]}, "call": "f(1, 2)"}
    assert source(tmp_path, row).program("python", "one", {}).entry == "lib.py"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"call": "A().g(2)"},
            "'call' is not one call of a function by its name, such as f(1), Main.f(1) or obj.g(1): 'A()",
        ),
        ({"call": "f(1) + f(2)"}, "'call' is not one call of a function"),
        ({"language": "pyhton"}, "unknown language 'pyhton' (did you mean 'python'?)"),
        ({"ouput": "3"}, "unknown key 'ouput' (did you mean 'output'?)"),
        ({"output": "f("}, "'output' is no literal of Python"),
        ({"output": "two"}, "'output' is no literal of Python: not a literal: name; the text is written \"'two'\""),
        ({"files": {"a.py": ""}}, "'code' and 'files': a program is one of them; put the code into a file"),
        ({"licence": 3}, "'licence' is not text"),
        ({"id": "add"}, "an earlier python program is called 'add' too"),
        ({"code": None, "files": {"../a.py": ""}, "entry": "../a.py"}, "'files': '../a.py' is no path inside"),
        ({"code": None, "files": {"a.py": ""}, "entry": "b.py"}, "'entry' 'b.py' is none of 'files'"),
    ],
)
def test_a_row_that_cannot_be_used_is_left_out_and_counted(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    own = source(tmp_path, ROW, {**ROW, "id": "other", **change})
    assert list(own.names("python")) == ["add"]
    (note,) = own.notes("python")
    assert "mine.jsonl: 1 left out: " in note
    assert reason in note
    assert note.endswith("(the first: line 2)")


def test_a_file_without_a_program_is_a_mistake_that_names_the_line(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"mine.jsonl holds no program; .*no 'code' \(the first: line 1\)"):
        source(tmp_path, {**ROW, "code": None})


def test_columns_and_defaults_read_a_file_that_somebody_else_made(tmp_path: Path) -> None:
    row = {"task": "HumanEval/3", "func": ROW["code"], "args": "1, 2", "result": "3", "n": 7}
    columns = {"id": "task", "code": "func", "input": "args", "output": "result"}
    own = source(tmp_path, row, columns=columns, defaults={"language": "python", "function": "f"})
    program = own.program("python", "HumanEval-3", {})
    assert program.call == "f(1, 2)"
    assert program.facts == Facts(input="1, 2", output=3)


def test_rows_of_parquet(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "mine.parquet"
    parquet.write_table(pyarrow.Table.from_pylist([{**ROW, "output": "3"}]), path)
    assert Jsonl.create({"path": str(path)}, seed=0).program("python", "add", {}).facts["output"] == 3


def test_rows_of_parquet_are_measured_before_they_are_kept(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    same = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 500, pyarrow.int32()), pyarrow.array(["a" * 10**6]))
    parquet.write_table(pyarrow.table({"code": same}), tmp_path / "same.parquet", compression="zstd")
    data = (tmp_path / "same.parquet").read_bytes()
    assert len(data) < 100_000
    tracemalloc.start()
    try:
        with pytest.raises(UsageError, match="unpacks to more than 190 MiB"):
            json_lines(tmp_path / "same.parquet", data, 200_000_000)
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


HUB = {"task_id": "id", "lang": "language", "func": "code", "test_call": "call", "gold": "output"}
COLUMNS = {field: column for column, field in HUB.items()}


def read_hub(folder: Path, table: Any, **columns: str) -> Jsonl:
    """The programs of a real Parquet file whose columns have names of their own."""
    from pyarrow import parquet

    parquet.write_table(table, folder / "hub.parquet")
    return Jsonl.create({"path": str(folder / "hub.parquet"), "columns": columns or COLUMNS}, seed=0)


def test_parquet_with_columns_of_other_names_in_four_languages(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    rows: list[dict[str, Any]] = [
        {"lang": "python", "func": "def f(a):\n    return a", "test_call": "f([1])", "gold": "[1]"},
        {"lang": "javascript", "func": "function f(a) { return a; }", "test_call": "f(4)", "gold": "4"},
        {"lang": "php", "func": "<?php\nfunction f($a) { return $a; }", "test_call": 'f("a")', "gold": '"a"'},
        {"lang": "Java", "func": "class Main { static int f(int a) { return a; } }", "test_call": "f(4)", "gold": None},
    ]
    table = pyarrow.Table.from_pylist([{"task_id": number, **row} for number, row in enumerate(rows)])
    own = read_hub(tmp_path, table)
    assert own.languages == ("python", "javascript", "php", "java")
    facts = [own.program(name, next(own.names(name)), {}).facts for name in own.languages]
    assert [fact.get("output") for fact in facts] == [[1], 4, "a", None]
    assert not own.notes("python")


def test_parquet_with_types_of_other_tools(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    columns = {
        "task_id": pyarrow.array([1.0, 2.0]),  # as pandas writes whole numbers with gaps
        "lang": pyarrow.array(["python"] * 2).dictionary_encode(),
        "func": pyarrow.array(["def f(a):\n    return a"] * 2, pyarrow.large_string()),
        "test_call": pyarrow.array([b"f(1)", b"f(2)"], pyarrow.binary()),
        "gold": pyarrow.array([1, 2], pyarrow.int32()),
    }
    own = read_hub(tmp_path, pyarrow.table(columns))
    assert list(own.names("python")) == ["1", "2"]
    assert [own.program("python", name, {}).facts["output"] for name in ("1", "2")] == [1, 2]


def test_files_may_be_a_map_of_parquet(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    files = pyarrow.array([list(SHAPES["files"].items())], pyarrow.map_(pyarrow.string(), pyarrow.string()))
    table = pyarrow.table({"lang": ["python"], "texts": files, "entry": ["main.py"], "call": ["f(3)"]})
    own = read_hub(tmp_path, table, language="lang", files="texts")
    assert own.program("python", "line-1", {}).files == SHAPES["files"]


def test_a_column_that_no_row_has_is_a_mistake(tmp_path: Path) -> None:
    complaint = r"no row has 'fnc' for 'code' \(did you mean 'func'\?\): rows have id, func, "
    with pytest.raises(BadSetting, match=complaint):
        source(tmp_path, {"id": "a", "func": "", "call": "f()", "language": "php"}, columns={"code": "fnc"})


SCRIPT = {"id": "script", "language": "python", "code": "print(7)", "output": "7\n"}


def test_a_row_without_a_call_is_a_script_for_tasks_that_need_no_call(tmp_path: Path) -> None:
    own = source(tmp_path, ROW, SCRIPT)
    program = own.program("python", "script", {})
    assert (program.call, program.facts) == ("", Facts(output="7\n"))
    called = own.without_scripts("output-prediction")
    assert list(called.names("python")) == ["add"]
    (note,) = called.notes("python")
    assert "1 left out: no 'call': the task output-prediction asks about a call; put the lines of a script" in note
    assert note.endswith("(the first: line 2)")
    with pytest.raises(BadSetting, match=r"holds no program; .* no 'call'"):
        source(tmp_path, SCRIPT).without_scripts("output-prediction")


def test_another_file_or_mapping_has_another_identity(tmp_path: Path) -> None:
    first = source(tmp_path, ROW).identity
    assert source(tmp_path, {**ROW, "call": "f(2, 2)"}).identity != first
    assert source(tmp_path, ROW, defaults={"licence": "MIT"}).identity != first


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"colums": {}}, "unknown key 'colums' \\(did you mean 'columns'\\?\\)"),
        ({"columns": {"cod": "x"}}, "unknown field 'cod' \\(did you mean 'code'\\?\\)"),
        ({"columns": {"code": 3}}, "must be a name"),
        ({"count": 0}, "whole number from 1"),
    ],
)
def test_a_setting_that_cannot_be(tmp_path: Path, settings: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadSetting, match=complaint):
        source(tmp_path, ROW, **settings)


SPECIFIED = {**ROW, "id": "specified", "specification": "Adds two numbers."}


def test_rows_without_a_specification_are_left_out_where_the_task_needs_one(tmp_path: Path) -> None:
    own = source(tmp_path, ROW, SPECIFIED, {**ROW, "id": "blank", "specification": ""})
    assert "specification" not in own.facts
    assert own.with_facts(frozenset({"output"}), "output-prediction") is own
    specified = own.with_facts(frozenset({"specification"}), "trace-the-bug")
    assert "specification" in specified.facts
    assert list(specified.names("python")) == ["specified"]
    reason = "no 'specification', which the task trace-the-bug needs (the first: line 1)"
    assert [note.partition("2 left out: ")[2] for note in specified.notes("python")] == [reason]


def test_an_output_is_a_fact_of_the_file_if_every_row_has_it(tmp_path: Path) -> None:
    known = {**ROW, "id": "known", "output": "3"}
    assert source(tmp_path, known).facts == {"input", "output"}
    assert source(tmp_path, known, ROW).facts == {"input"}


def test_a_file_without_a_specification_is_refused_by_its_column(tmp_path: Path) -> None:
    own = source(tmp_path, {**ROW, "doc": ""}, columns={"specification": "doc"})
    with pytest.raises(
        BadSetting, match=r"1 left out: no 'doc', which the task t needs \(the first: line 1\)"
    ) as caught:
        own.with_facts(frozenset({"specification"}), "t")
    assert caught.value.key == "path"


def test_rows_without_a_call_or_a_specification_are_left_out_together(tmp_path: Path) -> None:
    script = {**SPECIFIED, "id": "script", "call": None}
    own = source(tmp_path, ROW, SPECIFIED, script).without_scripts("t").with_facts(frozenset({"specification"}), "t")
    assert list(own.names("python")) == ["specified"]


def test_rows_are_chosen_by_lines(tmp_path: Path) -> None:
    longer = {**ROW, "id": "longer", "code": "def f(a, b):\n    c = a\n\n    return c"}
    own = source(tmp_path, ROW, longer, min_lines=3)
    assert list(own.names("python")) == ["longer"]
    assert own.notes("python")[0].endswith("1 left out: fewer than 3 lines (the first: line 1)")
    assert own.identity != source(tmp_path, ROW, longer).identity
