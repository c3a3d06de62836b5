"""An edge that no call in the text explains is found; edges of ordinary programs are all explained."""

from __future__ import annotations

import pytest

from pytest_codereason.languages.call_graphs.checking import list_unexplained
from pytest_codereason.languages.call_graphs.resolving import resolve_calls
from pytest_codereason.registry import language
from tests.languages.call_graphs.edge_kinds import CASES
from tests.languages.called import FILES

#: By language: a program whose function ``a`` calls nothing and whose ``c`` calls what the text leaves open.
IDLE = {
    "python": "def a(): pass\ndef b(): pass\ndef c(table, key): table[key]()\na()\n",
    "javascript": "function a() {}\nfunction b() {}\nfunction c(table, key) { table[key](); }\na();\n",
    "java": "class Main { void a() {} void b() {} void c(java.lang.reflect.Method m) { m.invoke(this); } }",
}
NAMES = {"java": "Main:{}()"}


def check(name: str, source: str, caller: str, callee: str) -> list[tuple[str, str]]:
    facts = language(name).calls.read({FILES[name]: source}, FILES[name])
    return list_unexplained(resolve_calls(facts), {caller: [callee]})


@pytest.mark.parametrize("name", IDLE)
def test_an_edge_needs_a_call(name: str) -> None:
    a, b = (NAMES.get(name, "main.{}").format(letter) for letter in "ab")
    assert check(name, IDLE[name], a, b) == [(a, b)]


@pytest.mark.parametrize("name", IDLE)
def test_a_call_that_the_text_leaves_open_explains_an_edge(name: str) -> None:
    b = NAMES.get(name, "main.{}").format("b")
    caller = "Main:c(java.lang.reflect.Method)" if name == "java" else "main.c"
    assert check(name, IDLE[name], caller, b) == []


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_edges_of_every_kind_are_explained(kind: str, name: str) -> None:
    source, edge = CASES[kind, name]
    whole = source if name != "java" or "class Main" in source else f"class Main {{ {source} }}"
    caller, callee = edge.split(" -> ")
    assert check(name, whole, caller, callee) == []
