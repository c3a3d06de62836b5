"""The names in call graphs: as the study compares them, and in questions."""

from __future__ import annotations

import pytest

from pytest_codereason import registry
from pytest_codereason.core.execution import Run
from pytest_codereason.core.language.tracing import Body
from pytest_codereason.sandbox import Sandbox

LANGUAGES = ("python", "javascript", "java", "php")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_worked_example_has_the_edges_that_run(language: str, sandbox: Sandbox) -> None:
    files, entry, edges = registry.language(language).naming.example
    execution = sandbox.run(Run(language=language, files=files, entry=entry, witnessed="calls"))
    assert execution.trace is not None
    assert {caller: tuple(callees) for caller, callees in execution.trace.edges.items()} == edges


@pytest.mark.parametrize(
    ("language", "name", "simple"),
    [
        ("python", "main.Foo.__init__", "main.Foo"),
        ("python", "main.Foo.run", "main.Foo.run"),
        ("javascript", "main.Foo.constructor", "main.Foo"),
        ("javascript", "main.<arrow1>", "main.<arrow1>"),
        ("php", "main.Foo.__construct", "main.Foo"),
        ("php", "main.Foo.run", "main.Foo.run"),
        ("java", "pkg.Foo:<init>(int,java.lang.String[])", "pkg.Foo"),
        ("java", "pkg.Outer$Inner:m()", "pkg.Inner:m()"),
        ("java", "Outer$Mid$Inner:m(pkg.Outer$Inner[])", "Inner:m(pkg.Inner[])"),
        ("java", "pkg.Outer$1:run()", "pkg.1:run()"),
    ],
)
def test_names_are_simplified_as_in_the_study(language: str, name: str, simple: str) -> None:
    assert registry.language(language).naming.simplify(name) == simple


@pytest.mark.parametrize(
    ("language", "name", "library"),
    [
        ("python", "len", True),
        ("python", "json.loads", True),
        ("python", "str.join", True),
        ("python", "<builtin>.print", True),
        ("python", "types.Kind.run", False),  # the program has a module of that name
        ("python", "main.print", False),
        ("javascript", "console.log", True),
        ("javascript", "Array.prototype.map", True),
        ("javascript", "node:fs.readFile", True),
        ("javascript", "types.run", False),
        ("php", "strlen", True),
        ("php", "array_map", True),
        ("php", "ArrayObject.count", True),
        ("php", "types.run", False),
        ("php", "Cart.run", False),
        ("java", "java.util.List:add(java.lang.Object)", True),
        ("java", "System.out.println", True),
        ("java", "List:run()", False),
        ("java", "javabean.Cart:run()", False),
    ],
)
def test_names_of_the_standard_library(language: str, name: str, library: bool) -> None:
    own = {"types", "types.run", "main", "List:run()"}
    assert registry.language(language).naming.is_library(name, own) is library


@pytest.mark.parametrize(
    ("language", "text", "name"),
    [
        ("python", "main.f()", "main.f"),
        ("python", "main.f(x, y)", "main.f"),
        ("javascript", "main.f(...)", "main.f"),
        ("php", "main.Cart::add($x)", "main.Cart.add"),
        ("php", "\\Shop\\f()", "Shop.f"),
        ("java", "Cart:add(int, String[])", "Cart:add(int,String[])"),
    ],
)
def test_names_of_replies_are_tidied(language: str, text: str, name: str) -> None:
    assert registry.language(language).naming.tidy(text) == name


def test_callers_in_the_words_of_a_question() -> None:
    bodies = [Body("lib", "lib/__init__.py", 1, callable=False), Body("lib.f", "lib/__init__.py", 2)]
    naming = registry.language("python").naming
    assert naming.describe("lib", bodies) == 'the module-level code of the file "lib/__init__.py"'
    assert naming.describe("lib.f", bodies) == 'the function "lib.f"'
    java = registry.language("java").naming
    assert java.describe("p.A:f(int)", []) == 'the method "p.A:f(int)"'
    assert java.describe("p.A:<clinit>()", []).startswith('the static initialisers of the class "p.A"')
