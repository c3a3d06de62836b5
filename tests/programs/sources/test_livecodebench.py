"""LiveCodeBench, execution: rows in the published format, over programs of our own."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import astuple, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Facts, Source
from pytest_codereason.core.execution import Run
from pytest_codereason.core.files.frozen import freeze
from pytest_codereason.engine.building.drafts import draft
from pytest_codereason.errors import BadSetting, NotHere, UsageError
from pytest_codereason.programs.sources import _imports, _parquet
from pytest_codereason.programs.sources._rows import Entry
from pytest_codereason.programs.sources._translations import COLUMNS
from pytest_codereason.programs.sources.cruxeval_x import CruxEvalX
from pytest_codereason.programs.sources.livecodebench import LiveCodeBench
from pytest_codereason.sandbox import Sandbox

SHARED = {"question_id": "2727", "contest_id": "weekly-contest-1", "contest_date": "2023-05-07T00:00:00"}
ROW = {
    **SHARED,
    "difficulty": "easy",
    "function_name": "mostFrequent",
    "code": "def mostFrequent(words: List[str], least: int = 2) -> Optional[str]:\n"
    "    counts = Counter(words)\n"
    "    found = [w for w, c in counts.items() if c >= least]\n"
    "    heapq.heapify(found)\n"
    "    return found[0] if found else None",
    "input": "mostFrequent(words = ['b', 'a', 'b', 'a', '('], least = 2)",
    "output": "'a'",
    "numsteps": 9,
    "problem_id": 2727,
    "id": "sample_0",
}
SUM = {
    **ROW,
    "id": "sample_1",
    "function_name": "total",
    "code": "def double(x):\n    return 2 * x\n\ndef total(nums: List[int]):\n    return sum(map(double, nums))\n",
    "input": "total(nums = [1, 2])",
    "output": "6",
}


def write_rows(folder: Path, *rows: Any, name: str = "livecodebench.jsonl") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return path


def source(folder: Path, *rows: Any, **settings: Any) -> LiveCodeBench:
    write_rows(folder, *rows)
    return LiveCodeBench.create({"path": str(folder), **settings}, seed=0)


def test_a_program_has_its_imports_call_and_facts(tmp_path: Path) -> None:
    assert registry.find(Source, "livecodebench") is LiveCodeBench
    program = source(tmp_path, ROW, SUM).program("python", "sample_0", {})
    head = "import heapq\nfrom collections import Counter\nfrom typing import List, Optional\n\n\ndef mostFrequent("
    assert program.source.startswith(head)
    assert program.call == "mostFrequent(words = ['b', 'a', 'b', 'a', '('], least = 2)"
    assert program.facts == Facts(input="words = ['b', 'a', 'b', 'a', '('], least = 2", output="a")
    assert program.origin == "livecodebench/sample_0"


def test_programs_return_what_is_recorded(tmp_path: Path, sandbox: Sandbox) -> None:
    bench = source(tmp_path, ROW, SUM)
    for name in bench.names("python"):
        program = bench.program("python", name, {})
        end = sandbox.run(Run.from_source(language="python", source=program.source, call=program.call))
        assert end.returned, end.words
        assert end.value == program.facts["output"]


def test_what_cannot_be_used_is_counted_and_named(tmp_path: Path) -> None:
    without = {k: v for k, v in SUM.items() if k != "input"}
    rows = [
        SUM,
        json.dumps(ROW)[:90],
        {**SUM, "id": "a", "code": "def total(nums:\n"},
        {**SUM, "id": "b", "input": "[1, 2]"},
        {**SUM, "id": "c", "input": "other(nums = [1])"},
        {**SUM, "id": "d", "code": "class Solution:\n    def total(self, nums):\n        return 1\n"},
        {**SUM, "id": "e", "code": "def total(nums):\n    return int(np.sum(nums))\n"},
        {**SUM, "id": "f", "output": "total([1])"},
        without,
    ]
    bench = source(tmp_path, *rows)
    assert list(bench.names("python")) == ["sample_1"]
    notes = bench.notes("python")
    for part in (
        "1 left out: not valid JSON (the first: line 2",
        "1 left out: its code is not Python (the first: line 3: ",
        "3 left out: its input is not a call of its function (the first: line 4)",
        "1 left out: it needs numpy (the first: line 7)",
        "1 left out: its output is not a literal (the first: line 8",
        "1 left out: no 'input' (the first: line 9)",
    ):
        assert any(f"livecodebench.jsonl: {part}" in line for line in notes), part


def test_imports_are_those_that_a_program_lacks() -> None:
    import ast

    code = (
        "import math\n\ndef gcd(a, b):\n    return a\n\ndef f(count, *repeat):\n    bisect = 1\n"
        "    try:\n        pass\n    except ValueError as chain:\n        pass\n"
        "    return math.gcd(count, gcd(bisect, repeat)), log(inf), Counter, chain, random, pow, g, bisect_left\n"
    )
    lacking = _imports.list_missing(ast.parse(code))
    assert _imports.write_imports(lacking) == (
        "import random\nfrom bisect import bisect_left\nfrom collections import Counter\nfrom math import inf, log\n"
    )
    for module, names in ((m, n) for n, m in _imports.MEMBERS.items()):
        exec(f"import {module}\nfrom {module} import {names}", {})
    assert _imports.write_imports(set()) == ""


@pytest.mark.parametrize(("perturbation", "call"), [("rename", "f([1, 2])"), ("vanilla", "total([1, 2])")])
def test_calls_by_keyword_can_be_renamed(tmp_path: Path, perturbation: str, call: str, sandbox: Sandbox) -> None:
    from pytest_codereason.questions.suites.reading import load

    write_rows(tmp_path, SUM)
    path = tmp_path / "a.suite.toml"
    path.write_text(
        'task = "input-prediction"\n'
        f'perturbation = "{perturbation}"\n[source]\nname = "livecodebench"\npath = "{tmp_path.as_posix()}"\n'
    )
    suite = load(path)
    instance = draft(suite, next(iter(suite.specs())))
    end = sandbox.run(Run.from_source(language="python", source=instance.program.source, call=instance.program.call))
    assert (end.value, instance.program.facts["output"]) == (6, 6)
    assert (instance.program.call.partition("(")[0] == "total") == (perturbation == "vanilla")


class Handler(BaseHTTPRequestHandler):
    body: bytes
    announced_length: int

    def do_GET(self) -> None:
        self.send_response(200 if self.body else 404)
        self.send_header("Content-Length", str(self.announced_length))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Serves one body in the place of the hub's file."""
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CODEREASON_DATA", raising=False)
    served = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=served.serve_forever, args=(0.02,), daemon=True)
    thread.start()

    def serve(body: bytes, *, announced_length: int | None = None, **known: Any) -> LiveCodeBench:
        Handler.body, Handler.announced_length = body, len(body) if announced_length is None else announced_length
        published = LiveCodeBench.files["python"]
        remote = replace(published, url=f"http://127.0.0.1:{served.server_port}/{published.name}", **known)
        monkeypatch.setattr(LiveCodeBench, "files", {"python": remote})
        return LiveCodeBench.create({}, seed=0)

    yield serve
    served.shutdown()
    served.server_close()
    thread.join()


def parquet(*rows: Any) -> bytes:
    pa = pytest.importorskip("pyarrow", reason="pyarrow reads Parquet: pip install 'pytest-codereason[parquet]'")
    import datetime
    import io

    from pyarrow import parquet as pq

    table = pa.Table.from_pylist([{**row, "contest_date": datetime.datetime(2023, 5, 7)} for row in rows])
    sink = io.BytesIO()
    pq.write_table(table, sink)
    return sink.getvalue()


def test_the_hubs_file_is_fetched_once_and_read(hub: Any, tmp_path: Path) -> None:
    bench = hub(parquet(ROW, SUM))
    assert list(bench.names("python")) == ["sample_0", "sample_1"]
    assert bench.program("python", "sample_1", {}).facts["output"] == 6
    assert bench.notes("python") == []
    again = hub(b"")  # gone: what was fetched is kept
    assert list(again.names("python")) == ["sample_0", "sample_1"]
    assert again.identity == bench.identity
    assert set(again.identity) == {"name", "version", "count", "sha256_python"}


def test_rows_without_a_field_are_left_out(hub: Any) -> None:
    bench = hub(parquet(SUM, {**ROW, "output": None}))
    assert list(bench.names("python")) == ["sample_1"]
    assert "no 'output' (the first: line 2)" in bench.notes("python")[0]


@pytest.mark.parametrize("rows", [[{"x": "y" * 5_000}], [{"x": "y" * 100}] * 50])
def test_a_file_that_unpacks_without_end_is_refused(rows: list[Any], tmp_path: Path) -> None:
    data = parquet(*rows)
    assert _parquet.json_lines(tmp_path, data, 20_000).count("\n") == len(rows)
    with pytest.raises(UsageError, match="unpacks to more than"):
        _parquet.json_lines(tmp_path, data, 4_000)


def test_a_damaged_file_is_said(hub: Any) -> None:
    with pytest.raises(UsageError, match=r"test-00000-of-00001\.parquet: damaged, or not Parquet"):
        hub(parquet(SUM)[:-40]).names("python")


@pytest.mark.parametrize(
    ("body", "known", "why"),
    [
        (b"", {}, "the server answers 404"),
        (b"PAR1", {"announced_length": 99}, "the connection ended after 4 of 99 bytes|IncompleteRead"),
        (b"PAR1", {"sha256": "0" * 64}, "its sha256 is .*, not 000"),
        (b"PAR1", {"size": 7}, "it has 4 bytes and should have 7"),
    ],
)
def test_what_is_not_whole_is_not_kept(hub: Any, tmp_path: Path, body: bytes, known: dict[str, Any], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        hub(body, **known).names("python")
    assert not list((tmp_path / "cache").rglob("*.parquet"))


def test_without_pyarrow_it_is_said_what_to_do(hub: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"needs pyarrow: pip install 'pytest-codereason\[parquet\]'"):
        hub(b"PAR1").names("python")


def test_lines_of_json_come_before_the_hubs_file(hub: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_rows(tmp_path / "data", SUM)
    monkeypatch.setenv("CODEREASON_DATA", str(tmp_path / "data"))
    assert list(hub(b"").names("python")) == ["sample_1"]


def test_an_absent_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"test-00000-of-00001\.parquet: cannot be read: No such file"):
        LiveCodeBench.create({"path": str(tmp_path)}, seed=0).names("python")


TRANSLATED = Entry("sample_1", "function total(nums) {\n    return 6;\n}\n", "total([1, 2])", "[1, 2]", "6")


def translated(folder: Path, language: str = "javascript", of: str = "livecodebench") -> Path:
    path = folder / f"{language}.jsonl"
    row = dict(zip(COLUMNS, astuple(TRANSLATED), strict=True))
    freeze(path, "translation", [row], source=of, language=language, writers=["openai:w"])
    return path


def test_translations_add_a_language(tmp_path: Path) -> None:
    bench = source(tmp_path, ROW, SUM, translations=str(translated(tmp_path)))
    assert list(bench.languages) == ["python", "javascript"]
    assert list(LiveCodeBench.languages) == ["python"]
    assert list(bench.names("javascript")) == ["sample_1"]
    program = bench.program("javascript", "sample_1", {})
    assert (program.call, program.facts) == ("total([1, 2])", Facts(input="[1, 2]", output=6))
    assert bench.notes("javascript") == []
    assert "sha256_javascript" in bench.identity
    assert [p.language for p in bench.shots("javascript", "sample_1", {}, 2)] == ["javascript"] * 2


def test_changed_translations_are_refused(tmp_path: Path) -> None:
    path = translated(tmp_path)
    path.write_text(path.read_text().replace("return 6", "return 7"))
    with pytest.raises(UsageError, match=r"javascript\.jsonl:1: the rows were changed"):
        source(tmp_path, SUM, translations=[str(path)]).names("javascript")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (3, "must be the path of a file, or a list, not 3"),
        ("{tmp}/livecodebench.jsonl", "livecodebench.jsonl:1: not a frozen file of kind translation"),
        (
            ["{tmp}/javascript.jsonl", "{tmp}/javascript.jsonl"],
            "adds javascript to livecodebench, which has it already",
        ),
        ("{tmp}/php.jsonl", "translations of 'cruxeval', not of livecodebench"),
        ("{tmp}/cobol.jsonl", "unknown language 'cobol'"),
    ],
)
def test_other_files_are_no_translations(tmp_path: Path, given: Any, why: str) -> None:
    translated(tmp_path), translated(tmp_path, "php", "cruxeval"), translated(tmp_path, "cobol")
    named = json.loads(json.dumps(given).replace("{tmp}", tmp_path.as_posix()))
    with pytest.raises(BadSetting, match=why):
        source(tmp_path, SUM, translations=named)


@pytest.mark.parametrize(
    ("name", "language"), [("lcb-javascript.jsonl", "javascript"), ("lcb-cobol.jsonl", "LANGUAGE"), ("x", "LANGUAGE")]
)
def test_translations_that_are_not_here_are_written_by_a_command(tmp_path: Path, name: str, language: str) -> None:
    command = f"'codereason translate livecodebench --to {language} --writer PROVIDER:NAME -o {name}'"
    with pytest.raises(NotHere, match=f"there are no translations at {name}: write them with {command}"):
        source(tmp_path, SUM, translations=name)


def test_programs_may_be_those_that_every_language_has(tmp_path: Path) -> None:
    path = str(translated(tmp_path))
    every, shared = (source(tmp_path, ROW, SUM, translations=path, common=common) for common in (False, True))
    assert [len(list(every.names(language))) for language in every.languages] == [2, 1]
    assert [list(shared.names(language)) for language in shared.languages] == [["sample_1"]] * 2
    assert every.identity != shared.identity
    with pytest.raises(BadSetting, match="'common' must be true or false, not 'yes'"):
        source(tmp_path, SUM, common="yes")


def test_a_language_that_is_there_is_not_translated(tmp_path: Path) -> None:
    path = translated(tmp_path, of="cruxeval-x")
    with pytest.raises(BadSetting, match="adds javascript to cruxeval-x, which has it already"):
        CruxEvalX.create({"translations": str(path)}, seed=0)
