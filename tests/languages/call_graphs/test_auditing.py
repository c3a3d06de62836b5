"""Wrong edges are tagged by what text and run show; the third study's three examples are among them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core.execution import Run
from pytest_codereason.core.facts import Edges
from pytest_codereason.core.language.tracing import Trace
from pytest_codereason.languages.call_graphs.auditing import AuditedEdge, audit_graph
from pytest_codereason.languages.call_graphs.comparing import compare_graphs
from pytest_codereason.languages.call_graphs.resolving import resolve_calls
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.corpus.upkeep import list_folders, load
from tests.examples import take_every
from tests.languages.called import FILES


def audit(name: str, source: str, trace: Trace, named: Edges) -> list[AuditedEdge]:
    files = {FILES[name]: source}
    resolution = resolve_calls(language(name).calls.read(files, FILES[name]))
    return audit_graph(resolution, language(name).naming, files, trace.edges, named, trace.lines)


UNTAKEN = """\
function is_string(x) { return typeof x === 'string'; }
function is_array(x) { return Array.isArray(x); }
function inherit(target, defaults) { return defaults; }
function create_object() { return {}; }
function parse_simple(obj, tree) {
  if (is_string(obj) && is_array(tree))
    return [...tree, obj];
  return inherit(tree, create_object());
}
parse_simple('abc', ['x', 'yy']);
"""


def test_a_branch_that_is_not_taken() -> None:
    """The study's first example (flexsearch)."""
    truth = {"main": ["main.parse_simple"], "main.parse_simple": ["main.is_array", "main.is_string"]}
    ran = dict.fromkeys((1, 2, 6, 7, 10), 1)
    named = {**truth, "main.parse_simple": [*truth["main.parse_simple"], "main.inherit", "main.create_object"]}
    wrong = audit("javascript", UNTAKEN, Trace(truth, {"main.js": ran}), named)
    assert [(edge.callee, edge.tag, edge.line) for edge in wrong] == [
        ("main.inherit", "branch-not-taken", 8),
        ("main.create_object", "branch-not-taken", 8),
    ]
    assert wrong[0].code == "return inherit(tree, create_object());"


DECLARED = """\
class Main {
    interface Directory { void close(); }
    static class FileDirectory implements Directory { public void close() {} }
    static class ZipDirectory implements Directory { public void close() {} }
    static class ExtFile {
        private Directory directory;
        Directory open(boolean folder) { return directory = folder ? new FileDirectory() : new ZipDirectory(); }
        void close() {
            directory.close();
        }
    }
    public static void main(String[] args) {
        ExtFile file = new ExtFile();
        file.open(false);
        file.close();
    }
}
"""


def test_the_declared_type_for_the_type_at_run_time() -> None:
    """The study's second example (Apktool)."""
    closing = "Main$ExtFile:close()"
    truth = {
        "Main:main(java.lang.String[])": ["Main$ExtFile:open(boolean)", closing],
        closing: ["Main$ZipDirectory:close()"],
    }
    edges = audit("java", DECLARED, Trace(truth), {**truth, closing: ["Main$Directory:close()"]})
    assert edges == [
        AuditedEdge(
            closing, "Main$Directory:close()", "declared-type", "Main.java", 9, "directory.close();",
            "Main$ZipDirectory:close()",
        ),
        AuditedEdge(
            closing, "Main$ZipDirectory:close()", "named-otherwise", "Main.java", 9, "directory.close();",
            "Main$Directory:close()", "dispatch",
        ),
    ]  # fmt: skip


def test_a_class_for_its_constructor() -> None:
    """The study's third example (MVVMHabit): the class has no constructor, so nothing enters one."""
    source = "class Main {\n  void init() {}\n  static void go() {\n    Main m = new Main();\n    m.init();\n  }\n}\n"
    trace = Trace({"Main:go()": ["Main:init()"]})
    (edge,) = audit("java", source, trace, {"Main:go()": ["Main", "Main:init()"]})
    assert (edge.tag, edge.line, edge.code, edge.instead) == ("class-for-constructor", 4, "Main m = new Main();", "")
    (edge,) = audit("java", source, trace, {"Main:go()": ["Main:<init>()", "Main:init()"]})
    assert (edge.tag, edge.line) == ("unwritten-constructor", 4)
    wrong, missed = audit(
        "python",
        "class A:\n    def __init__(self): pass\nA()\n",
        Trace({"main": ["main.A.__init__"]}),
        {"main": ["main.A"]},
    )
    assert (wrong.tag, wrong.instead) == ("class-for-constructor", "main.A.__init__")
    assert (missed.tag, missed.kind, missed.instead) == ("named-otherwise", "constructor", "main.A")


PROGRAM = """\
import json

def outer(x):
    return x and inner()

def inner():
    return json.dumps(deep())

def deep():
    return 1

def lonely():
    return 2

class Shape:
    def area(self):
        return 1

class Other:
    def area(self):
        return 2

    def width(self):
        return 3

outer(1)
Shape().area()
"""
TRACE = Trace(
    {"main": ["main.Shape.area", "main.outer"], "main.inner": ["main.deep"], "main.outer": ["main.inner"]},
    {"main.py": dict.fromkeys((1, 3, 4, 6, 7, 9, 10, 12, 15, 16, 17, 19, 20, 23, 26, 27), 1)},
)


@pytest.mark.parametrize(
    ("caller", "callee", "tag", "line"),
    [
        ("main", "main.inner", "indirect", 4),
        ("main.outer", "main.lonely", "never-called", 12),
        ("main", "main.Other.area", "wrong-place", 27),
        ("main", "shapes.area", "wrong-place", 16),
        ("main", "Shape.area", "other-spelling", 27),
        ("main.inner", "json.dumps", "library", 0),
        ("main.inner", "main.nothing", "no-such-name", 0),
        ("main.inner", "main.outer", "other", 0),
        ("main", "main.Shape", "class-for-constructor", 27),
        ("main", "main.Shape.__init__", "unwritten-constructor", 27),
    ],
)
def test_each_tag(caller: str, callee: str, tag: str, line: int) -> None:
    named = {**TRACE.edges, caller: [*TRACE.edges[caller], callee]}
    (edge,) = audit("python", PROGRAM, TRACE, named)
    assert (edge.caller, edge.callee, edge.tag, edge.line) == (caller, callee, tag, line)


def test_a_call_that_its_line_leaves_out_is_a_branch_that_is_not_taken() -> None:
    trace = replace_edges(TRACE, {"main": ["main.Shape.area", "main.outer"], "main.outer": []})
    (edge,) = audit("python", PROGRAM, trace, {**trace.edges, "main.outer": ["main.inner"]})
    assert (edge.tag, edge.line) == ("branch-not-taken", 4)


def replace_edges(trace: Trace, edges: Edges) -> Trace:
    return trace._replace(edges=edges)


def test_a_call_that_entered_another_of_its_targets() -> None:
    source = "def f(): pass\ndef g(): pass\ndef run(call):\n    call()\nrun(f)\nif 0:\n    run(g)\n"
    trace = Trace({"main": ["main.run"], "main.run": ["main.f"]}, {"main.py": dict.fromkeys((1, 2, 3, 4, 5, 6), 1)})
    (edge,) = audit("python", source, trace, {"main": ["main.run"], "main.run": ["main.f", "main.g"]})
    assert (edge.tag, edge.line, edge.instead) == ("other-target", 4, "main.f")


def test_without_lines_no_branch_is_known_to_be_left_out() -> None:
    trace = Trace({"main": ["main.Shape.area", "main.outer"], "main.outer": []})
    (edge,) = audit("python", PROGRAM, trace, {**trace.edges, "main.outer": ["main.inner"]})
    assert edge.tag == "never-called"


def test_missed_edges_say_whether_anything_was_answered() -> None:
    named = {"main": ["main.outer"], "main.outer": []}
    edges = [(edge.callee, edge.tag, edge.kind) for edge in audit("python", PROGRAM, TRACE, named)]
    assert edges == [
        ("main.Shape.area", "left-out", "method"),
        ("main.deep", "caller-unanswered", "direct"),
        ("main.inner", "caller-unanswered", "direct"),
    ]


def test_the_right_answer_has_nothing_to_audit() -> None:
    assert audit("python", PROGRAM, TRACE, TRACE.edges) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["python", "javascript", "java"])
def test_every_callee_of_the_text_is_a_branch_not_taken_where_that_is_the_reason(name: str, sandbox: Sandbox) -> None:
    """A reader that takes every call that is written names what a static tool names."""
    sources = {
        "python": "def f(): pass\ndef g(): pass\ndef h(x):\n    if x:\n        f()\n    else:\n        g()\nh(0)\n",
        "javascript": UNTAKEN,
        "java": "class Main {\n static void f() {}\n static void g() {}\n static void h(boolean x) {\n  if (x) {\n"
        "   f();\n  } else {\n   g();\n  }\n }\n public static void main(String[] a) {\n  h(false);\n }\n}\n",
    }
    file, source = FILES[name], sources[name]
    execution = sandbox.run(replace(Run(language=name, files={file: source}, entry=file), witnessed="lines"))
    assert execution.trace
    resolution = resolve_calls(language(name).calls.read({file: source}, file))
    first, *others = audit(name, source, execution.trace, resolution.edges)
    assert {edge.tag for edge in (first, *others)} == {"branch-not-taken"}
    assert first.code == {"python": "f()", "javascript": "return inherit(tree, create_object());", "java": "f();"}[name]


MIXED = (
    "class A:\n    def __init__(self):\n        f()\n\n\ndef f():\n    pass\n\n\ndef g():\n    pass\n\n\nA()\nlen('')\n"
)
EDGES: Edges = {"main": ["main.A.__init__"], "main.A.__init__": ["main.f"]}
CALLEES = [
    "main.A",
    "main.A.__init__",
    "main.f",
    "main.g",
    "len",
    "builtins.len",
    "print",
    "main.B",
    "main.B.__init__",
    "g",
]


@given(st.fixed_dictionaries({caller: st.lists(st.sampled_from(CALLEES), max_size=5) for caller in EDGES}))
def test_strict_edges_are_all_and_normalised_ones_those_that_precision_and_recall_count(named: Edges) -> None:
    trace = Trace(EDGES, {"main.py": dict.fromkeys(range(1, 15), 1)})
    audited = audit("python", MIXED, trace, named)
    normalised, strict = compare_graphs(language("python").naming, EDGES, named)
    for counts, edges in ((strict, audited), (normalised, [edge for edge in audited if not edge.forgiven])):
        assert (counts.fp, counts.fn) == (sum(e.wrong for e in edges), sum(not e.wrong for e in edges))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["python", "javascript", "java"])
def test_every_edge_that_an_answer_can_name_in_the_corpus_has_a_reason(name: str) -> None:
    """An answer may say that each function calls each other one, each class, and what does not exist."""
    for folder in [folder for folder in list_folders() if folder.parent.name == name][:: take_every(3)]:
        program = load(folder)
        resolution = resolve_calls(language(name).calls.read(program.files, program.entry))
        truth = program.facts.edges
        known = (*resolution.evaluator.functions, *resolution.evaluator.classes, "nobody.knows")
        named = dict.fromkeys(truth, known)
        for lines in ({}, {file: {1: 1} for file in program.files}):
            audited = audit_graph(resolution, language(name).naming, program.files, truth, named, lines)
            wrong = [(edge.caller, edge.callee) for edge in audited if edge.wrong]
            assert wrong == [(caller, callee) for caller in truth for callee in known if callee not in truth[caller]]
