"""Each rung of ``docs/languages-own.md`` holds: the language of its example meets the real interpreter."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_codereason import registry
from pytest_codereason.changes.stages.perturbation import NAMED, parse, perturb
from pytest_codereason.core import Facts, FaultOperator, Language, Perturbation, Program
from pytest_codereason.core.execution import Run
from pytest_codereason.core.language.structure import Insertion
from pytest_codereason.errors import Skip
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.session.doctor.running import _try_language
from tests.changes.faults.programs import list_injections, plant
from tests.languages import test_tables

PACKAGE = Path(__file__).parents[2] / "docs" / "examples" / "codereason-lua"
PAGE = PACKAGE.parents[1] / "languages-own.md"
#: A language that only reads answers.
VALUES_ALONE = """
import json

from pytest_codereason.core import Language, Value, Values
from pytest_codereason.errors import NotALiteral


class LuaValues(Values):
    def read(self, text):
        try:
            return Value(json.loads(text))
        except ValueError:
            raise NotALiteral(f"not a value: {text[:100]}") from None

    def write(self, value):
        return json.dumps(value)

    def equal(self, left, right):
        return left == right

    def decode(self, payload):
        return payload

    def assertion(self, call):
        return f"assert({call} == ", ")"


class Lua(Language):
    name, fence, title, suffixes = "lua", "lua", "Lua", (".lua",)
    values = LuaValues()
"""
ROW = (
    '{"id": "double", "language": "alone:Lua", "code": "function f(n) return n * 2 end", "call": "f(3)", "output": "6"}'
)
SUITE = """
task = "output-prediction"
languages = ["alone:Lua"]

[source]
name = "jsonl"
path = "rows.jsonl"
check = false
"""
NAME = "codereason_lua:Lua"
CALL = "f({1, 5, 2, 7})"
PROGRAM = """\
-- Adds up what is above a limit.
local limit = 2

local function keep(n)
    return n > limit
end

local Sum = {}
Sum.__index = Sum

function Sum.new()
    return setmetatable({ total = 0, seen = {} }, Sum)
end

function Sum:add(n)
    if not keep(n) then
        return false
    end
    self.total = self.total + n
    table.insert(self.seen, n)
    return true
end

function f(numbers)
    local sum, missed = Sum.new(), 0
    for i, n in ipairs(numbers) do
        local limit = i
        if not sum:add(n) and limit > 0 then
            missed = missed + 1
        end
    end
    repeat
        local done = missed <= 10
        missed = missed - 1
    until done
    return { sum.total, missed, #sum.seen }
end
"""
VALUE = [12, 1, 2]

needs_lua = pytest.mark.skipif(shutil.which("lua5.4") is None, reason="lua5.4 is not installed: apt install lua5.4")


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of the package, with ``syntax_before.py``: what ``syntax.py`` is before there are scopes."""
    pytest.importorskip("tree_sitter_lua")
    site = tmp_path_factory.mktemp("site")
    folder = site / "codereason_lua"
    shutil.copytree(PACKAGE / "codereason_lua", folder)
    text = (folder / "syntax.py").read_text()
    before = re.sub(r"    @cached_property\n    def bindings.*?\n\n", "    bindings = ()\n\n", text, flags=re.DOTALL)
    assert before != text
    (folder / "syntax_before.py").write_text(before.replace("from codereason_lua.bindings import Resolver\n", ""))
    sys.path.insert(0, str(site))
    importlib.invalidate_caches()
    yield folder
    sys.path.remove(str(site))


def test_the_page_shows_every_file_of_the_package() -> None:
    shown = re.findall(r'^--8<-- "codereason-lua/(.+)"$', PAGE.read_text("utf-8"), re.MULTILINE)
    files = [path for path in PACKAGE.rglob("*") if path.suffix in (".py", ".lua", ".toml")]
    assert sorted(shown) == sorted(str(path.relative_to(PACKAGE)) for path in files)


@pytest.fixture
def lua() -> Language:
    return registry.language(NAME)


def make_program() -> Program:
    facts = Facts(output=VALUE, input=CALL[2:-1])
    return Program.from_source(language=NAME, source=PROGRAM, call=CALL, facts=facts)


def check_same(sandbox: Sandbox, source: str, call: str = CALL) -> None:
    execution = sandbox.run(Run.from_source(language=NAME, source=source, call=call))
    assert execution.returned, (execution.words, source)
    assert execution.value == VALUE, source


def put(place: Insertion, text: str) -> str:
    return PROGRAM[: place.at] + place.before + text + place.after + PROGRAM[place.at :]


@pytest.mark.slow
def test_values_alone_are_a_language(tmp_path: Path) -> None:
    for name, text in {"alone.py": VALUES_ALONE, "rows.jsonl": ROW, "own.suite.toml": SUITE}.items():
        (tmp_path / name).write_text(text)
    command = [sys.executable, "-m", "pytest", "own.suite.toml", "--model=baseline:truth", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout, done.stdout + done.stderr
    assert "sandbox: none (no code is run)" in done.stdout, "the language has no runner, and needs none"


@pytest.mark.parametrize(
    "text", ["1", "-2.5", '"a\\"b\\n"', "true", "nil", "{}", '{1, "a", nil}', '{["a b"] = {1.5}, [3] = false}']
)
def test_values_are_read_as_they_are_written(lua: Language, text: str) -> None:
    value = lua.values.read(text).value
    assert lua.values.equal(lua.values.read(lua.values.write(value)).value, value)


@needs_lua
@pytest.mark.parametrize(
    ("source", "call", "value"),
    [
        ("local function f(n) return {n, n / 2, 'x'} end", "f(3)", [3, 1.5, "x"]),
        ("function f(n) return {a = {n}, [2] = nil} end", "f(true)", {"a": [True]}),
        ("function f() return ('a'):rep(2, '\"\\n') end", "f()", 'a"\na'),
        ("function f() return 1 / 0, 2 end", "f()", float("inf")),
    ],
)
def test_programs_run(lua: Language, sandbox: Sandbox, source: str, call: str, value: object) -> None:
    execution = sandbox.run(Run.from_source(language=NAME, source=source, call=call))
    assert execution.returned, execution.words
    assert execution.value == value


@needs_lua
@pytest.mark.parametrize(
    ("source", "ending"),
    [("function f(", "rejected"), ("error('no')", "raised"), ("os.exit(0)", "tampered")],
)
def test_programs_end_in_other_ways(lua: Language, sandbox: Sandbox, source: str, ending: str) -> None:
    assert sandbox.run(Run.from_source(language=NAME, source=source, call="1")).ending == ending


@needs_lua
def test_the_doctor_runs_its_example(lua: Language, sandbox: Sandbox) -> None:
    finding = _try_language(NAME, sandbox)
    assert (finding.state, finding.words) == ("ok", "an example runs and returns what it should")


def test_its_tables_have_the_names_of_the_grammar(lua: Language) -> None:
    test_tables.test_every_type_of_node_is_one_of_the_grammar(NAME)
    test_tables.test_every_field_is_one_of_the_grammar(NAME)


def test_without_scopes_the_rest_is_the_same(lua: Language) -> None:
    before = importlib.import_module("codereason_lua.syntax_before").LuaSyntax().parse(PROGRAM, CALL)
    after = lua.syntax.parse(PROGRAM, CALL)
    assert before.bindings == ()
    assert (before.sites, before.insertions, before.functions) == (after.sites, after.insertions, after.functions)


@needs_lua
def test_each_place_takes_a_comment_and_a_print(lua: Language, sandbox: Sandbox) -> None:
    places = lua.syntax.parse(PROGRAM, CALL).insertions
    assert len(places) > 20
    for place in places[::3]:
        check_same(sandbox, put(place, lua.dialect.comment("here")))
        check_same(sandbox, put(place, lua.dialect.print_statement("here")))


@needs_lua
@pytest.mark.parametrize("name", [*registry.list_shipped(Perturbation), *NAMED])
def test_a_perturbed_program_does_the_same(lua: Language, sandbox: Sandbox, name: str) -> None:
    if name == "function-order":
        with pytest.raises(Skip, match="no definition can be moved"):
            perturb(make_program(), parse(name), 0, "x", "output")
        return
    changed = [perturb(make_program(), parse(name), seed, "x", "output") for seed in range(3)]
    assert name == "vanilla" or all(program.source != PROGRAM for program in changed)
    for program in changed:
        check_same(sandbox, program.source, program.call)


@needs_lua
def test_faults_are_planted(lua: Language, sandbox: Sandbox) -> None:
    program, seen = make_program(), []
    for name in registry.list_shipped(FaultOperator):
        for injection in list_injections(name, program)[:2]:
            run = Run.from_source(language=NAME, source=plant(program, injection).text, call=CALL)
            execution = sandbox.run(run)
            assert execution.ending in ("returned", "raised", "limit"), execution.words
            seen.append(execution.value != VALUE)
    assert sum(seen) >= 8


@pytest.mark.parametrize(
    ("source", "renamed"),
    [
        ("local a = 1; local a = a + 1", "local V0 = 1; local V1 = V0 + 1"),
        ("local function a(b) return a(b) end", "local function V0(V1) return V0(V1) end"),
        ("local a = {a = b, [b] = a}; a.a = a", "local V0 = {a = b, [b] = a}; V0.a = V0"),
        ("repeat local a = 1 until a; a = 2", "repeat local V0 = 1 until V0; a = 2"),
        ("for a = a, 3 do local b <const> = a end", "for V0 = a, 3 do local V1 <const> = V0 end"),
        ("for a, b in a(b) do b = a end", "for V0, V1 in a(b) do V1 = V0 end"),
        ("function a.b:c(d) self.d = d end local a", "function a.b:c(V0) self.d = V0 end local V1"),
        ("function a() return _G.a end", "function a() return _G.a end"),
        ("goto a ::a:: local a", "goto a ::a:: local V0"),
    ],
)
def test_names_that_belong_together(lua: Language, source: str, renamed: str) -> None:
    uses = []
    for number, binding in enumerate(b for b in lua.syntax.parse(source).bindings if not b.unsafe):
        uses += [(use.span, use.template.format(f"V{number}")) for use in binding.uses]
    for span, text in sorted(uses, reverse=True):
        source = source[: span.start] + text + source[span.end :]
    assert source == renamed


@needs_lua
def test_calls_are_witnessed(lua: Language, sandbox: Sandbox) -> None:
    example = lua.naming.example
    run = Run(language=NAME, files=example.files, entry=example.entry, witnessed="calls")
    execution = sandbox.run(run)
    assert execution.trace is not None, execution.words
    assert {a: tuple(b) for a, b in execution.trace.edges.items()} == dict(example.edges)
    run = Run(language=NAME, files={"main.lua": PROGRAM}, entry="main.lua", call=CALL, witnessed="calls")
    execution = sandbox.run(run)
    assert execution.value == VALUE
    assert execution.trace is not None
    assert execution.trace.edges == {
        "main": ["main.f"],
        "main.Sum.add": ["main.keep"],
        "main.f": ["main.Sum.add", "main.Sum.new"],
    }
