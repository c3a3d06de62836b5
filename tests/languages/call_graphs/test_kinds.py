"""Each edge has one kind: what a reader has to follow to find it. Every kind is shown in three languages."""

from __future__ import annotations

from textwrap import dedent

import pytest

from pytest_codereason.languages.call_graphs.kinds import KINDS, sort_edges
from pytest_codereason.languages.call_graphs.resolving import resolve_calls
from pytest_codereason.registry import language
from tests.languages.call_graphs.edge_kinds import CASES
from tests.languages.called import FILES


def find_kind(name: str, source: str, edge: str) -> str:
    text = f"class Main {{ {source} }}" if name == "java" else source
    resolution = resolve_calls(language(name).calls.read({FILES[name]: dedent(text)}, FILES[name]))
    caller, callee = edge.split(" -> ")
    return sort_edges(resolution, {caller: [callee]})[caller, callee].kind


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_each_kind_in_each_language(kind: str, name: str) -> None:
    assert find_kind(name, *CASES[kind, name]) == kind


def test_every_kind_has_an_example_in_each_language_that_has_it() -> None:
    without = {("closure", "java"), ("alias", "java")}  # functions of Java stand in classes, and no variable is called
    read = [name for name in FILES if language(name).has("calls")]
    assert {*CASES} == {(kind, name) for kind in KINDS for name in read} - without


def test_the_easiest_site_says_the_kind() -> None:
    source = "def f(): pass\ndef g(call):\n    call()\n    f()\ng(f)"
    assert find_kind("python", source, "main.g -> main.f") == "direct"


@pytest.mark.parametrize(
    ("source", "edge", "kind"),
    [
        ("class A:\n    def m(self): pass\nclass B(A): pass\nB().m()", "main -> main.A.m", "method"),
        ("class A:\n    def m(self): pass\nclass B:\n    def m(self): pass\nA().m()", "main -> main.A.m", "method"),
        ("class A:\n    def m(self): pass\ndef f(a): a.m()", "main.f -> main.A.m", "dispatch"),  # a may be anything
        ("class A:\n    @staticmethod\n    def m(): pass\nA.m()", "main -> main.A.m", "direct"),
        ("class A:\n    def m(self): pass\nclass B(A):\n    def m(self): super().m()", "main.B.m -> main.A.m",
         "method"),
        ("def d(f): return f\n@d\ndef f(): pass", "main -> main.d", "implicit"),
        ("def f(): pass\nclass A:\n    def __init__(self, go): self.go = go\n    def run(self): self.go()\nA(f).run()",
         "main.A.run -> main.f", "callback"),
        ("import threading\nclass T(threading.Thread):\n    def run(self): pass\nT().start()", "main -> main.T.run",
         "callback"),
    ],
)  # fmt: skip
def test_borders_between_kinds(source: str, edge: str, kind: str) -> None:
    assert find_kind("python", source, edge) == kind
