"""Calls are resolved from the text as a simple static tool does."""

from __future__ import annotations

from textwrap import dedent

import pytest

from pytest_codereason.core.facts import Edges
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.call_graphs import evaluation
from pytest_codereason.languages.call_graphs.resolving import resolve_calls
from pytest_codereason.registry import language
from tests.languages.called import FILES, read_calls

MAIN = "Main:main(java.lang.String[])"
PROGRAMS = {
    "python": read_calls("python"),
    "javascript": read_calls("javascript"),
    "java": read_calls("java", MAIN, "Main:"),
}
#: How many of the programs are resolved exactly. The others evaluate code, leave branches out, wait for an event loop.
EXACT = {"python": 46, "javascript": 65, "java": 26}


def resolve(name: str, source: str, **others: str) -> Edges:
    files = {FILES[name]: dedent(source), **{file.replace("__", "/"): dedent(text) for file, text in others.items()}}
    return resolve_calls(language(name).calls.read(files, FILES[name])).edges


@pytest.mark.parametrize("name", PROGRAMS)
def test_small_programs_have_the_edges_that_a_reader_finds(name: str) -> None:
    exact = [title for title, (source, edges) in PROGRAMS[name].items() if resolve(name, source) == edges]
    assert len(exact) >= EXACT[name], sorted(PROGRAMS[name].keys() - set(exact))


def test_a_static_tool_takes_the_branch_that_does_not_run() -> None:
    assert resolve("python", "def f(): pass\nif 0:\n    f()\n") == {"main": ["main.f"]}


def test_imports_between_files() -> None:
    files = {
        "main.py": "from lib.shapes import Square as S\nimport lib.tools as t\nfrom lib import tools\n"
        "S(2).area()\nt.show()\ntools.hide()\n",
        "lib/__init__.py": "",
        "lib/shapes.py": "from .tools import show\nclass Square:\n    def __init__(self, n): show()\n"
        "    def area(self): pass\n",
        "lib/tools.py": "def show(): pass\ndef hide(): pass\n",
    }
    assert resolve_calls(language("python").calls.read(files, "main.py")).edges == {
        "lib.shapes.Square.__init__": ["lib.tools.show"],
        "main": ["lib.shapes.Square.__init__", "lib.shapes.Square.area", "lib.tools.hide", "lib.tools.show"],
    }


def test_imports_between_files_of_javascript() -> None:
    files = {
        "main.js": "const { Square: S } = require('./lib/shapes');\nconst t = require('./lib/tools.js');\n"
        "new S(2).area(); t.show(); t();\n",
        "lib/shapes.js": "const { show } = require('./tools');\nclass Square {\n  constructor(n) { show(); }\n"
        "  area() {}\n}\nmodule.exports = { Square };\n",
        "lib/tools.js": "module.exports = function whole() {};\nmodule.exports.show = () => 1;\n",
    }
    assert resolve_calls(language("javascript").calls.read(files, "main.js")).edges == {
        "lib.shapes.Square.constructor": ["lib.tools.show"],
        "main": ["lib.shapes.Square.area", "lib.shapes.Square.constructor", "lib.tools.show", "lib.tools.whole"],
    }
    files = {
        "main.mjs": "import tool, { show as s, hide } from './tools.mjs';\nimport * as all from './tools.mjs';\n"
        "tool(); s(); hide(); all.show();\n",
        "tools.mjs": "export default function () {}\nexport const show = () => 1;\nfunction secret() {}\n"
        "export { secret as hide };\n",
    }
    assert resolve_calls(language("javascript").calls.read(files, "main.mjs")).edges == {
        "main": ["tools.default", "tools.secret", "tools.show"]
    }


def test_packages_of_java() -> None:
    files = {
        "app/Main.java": "package app;\nimport lib.*;\nimport java.util.*;\nimport static lib.Tools.help;\n"
        "public class Main {\n    public static void main(String[] a) {\n        List<Shape> all = new ArrayList<>();\n"
        "        all.add(new Square(2));\n        for (Shape s : all) help(s, List.of());\n    }\n}\n",
        "lib/Shape.java": "package lib;\npublic interface Shape { int area(); }\n",
        "lib/Square.java": "package lib;\npublic class Square implements Shape {\n    public Square(int n) {}\n"
        "    public int area() { return 4; }\n}\n",
        "lib/Tools.java": "package lib;\nimport java.util.List;\npublic class Tools {\n"
        "    public static void help(Shape s, List<String> names) { s.area(); }\n    static void help(Shape s) {}\n}\n",
    }
    help_ = "lib.Tools:help(lib.Shape,java.util.List)"
    assert resolve_calls(language("java").calls.read(files, "app/Main.java")).edges == {
        "app.Main:main(java.lang.String[])": ["lib.Square:<init>(int)", help_],
        help_: ["lib.Square:area()"],
    }


def test_overloads_of_java_are_chosen_by_number_and_types() -> None:
    source = """
        class Main {
            static class A {} static class B extends A {}
            static void f(int n) {} static void f(String s) {} static void f(A a) {} static void f(A a, int... n) {}
            static void g(A a) {} static void g(B b) {}
            public static void main(String[] args) { f("x"); f(new B(), 1, 2); g(new B()); B b = null; f(b); }
        }
    """
    assert resolve("java", source)[MAIN] == [
        "Main:f(Main$A)", "Main:f(Main$A,int[])", "Main:f(java.lang.String)", "Main:g(Main$B)",
    ]  # fmt: skip


def test_the_declared_type_of_java_counts() -> None:
    source = """
        class Main {
            static class A { void m() {} } static class B extends A { void m() {} }
            public static void main(String[] args) { A a = new B(); a.m(); var b = new B(); b.m(); }
        }
    """
    assert resolve("java", source) == {MAIN: ["Main$A:m()", "Main$B:m()"]}


def test_the_only_method_of_a_name_is_guessed_where_nothing_is_known_of_the_receiver() -> None:
    source = """
        import json
        class A:
            def area(self): pass
            def dumps(self): pass
        def f(x): x.area()
        json.dumps({})
        """
    assert resolve("python", source) == {"main.f": ["main.A.area"]}
    assert resolve("python", source + "class B:\n            def area(self): pass\n") == {}


def test_a_function_that_a_library_keeps_is_not_called() -> None:
    source = "def f(): pass\nxs = []\nxs.append(f)\nsorted(xs, key=f)\n"
    assert resolve("python", source) == {"main": ["main.f"]}
    assert resolve("python", "def f(): pass\nxs = []\nxs.append(f)\n") == {}


def test_a_method_without_a_body_stands_for_those_below() -> None:
    source = """
        from abc import abstractmethod
        class Shape:
            @abstractmethod
            def area(self): ...
        class Square(Shape):
            def area(self): pass
        class Circle(Shape):
            def area(self): pass
        def show(shape: Shape): shape.area()
    """
    assert resolve("python", source) == {"main.show": ["main.Circle.area", "main.Square.area"]}


def test_a_program_that_defines_itself_in_a_circle_ends() -> None:
    assert resolve("python", "f = g = lambda: f\nf = g()()\nf()\na = [a for a in [a]]\n") == {
        "main": ["main.<lambda1>"]
    }


def test_long_chains_of_calls_end() -> None:
    source = "class A:\n    def m(self): return self\nA()"
    assert resolve("python", source + ".m()" * 120)["main"] == ["main.A.m"]
    with pytest.raises(DoesNotParse, match=r"main\.py: nested too deeply"):
        resolve("python", source + ".m()" * 400)


def test_a_program_of_any_size_is_resolved_in_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "_BUDGET", 200)
    source = "def f(x): return x\n" + "".join(f"def g{i}(x): return f(g{i - 1})(x)\n" for i in range(1, 60)) + "f(1)\n"
    evaluator = resolve_calls(language("python").calls.read({"main.py": source}, "main.py")).evaluator
    assert evaluator.exhausted
    assert len(evaluator._known) <= 200  # all that a round has worked out
