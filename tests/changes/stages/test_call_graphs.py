"""The names of a call graph follow a change of the text."""

from __future__ import annotations

import pytest

from pytest_codereason.changes.stages._call_graphs import follow_call_graph
from pytest_codereason.core import Facts, Program
from pytest_codereason.errors import MissingCapability, Skip

JAVA = """\
package shop;
class Cart {
    static class Item { }
    void add(Item item, java.util.List<Item[]> more, int n) { class Local { int k() { return 1; } } }
    void add(int n) { } Cart(Item[] items) { } }
"""


def follow(language: str, before: str, after: str, edges: dict[str, list[str]], file: str) -> dict[str, list[str]]:
    program = Program.from_source(language=language, source=before, entry=file, facts=Facts(edges=edges))
    moved = follow_call_graph(program, program.replace_source(after))
    return {caller: list(callees) for caller, callees in moved.facts.edges.items()}


def test_classes_and_methods_of_java_follow_also_among_types() -> None:
    after = JAVA.replace("Cart", "Basket").replace("Item", "Thing").replace("void add(int", "void put(int")
    edges = {
        "shop.Cart:add(shop.Cart$Item,java.util.List,int)": ["shop.Cart:add(int)", "shop.Cart$1Local:k()"],
        "shop.Cart:<init>(shop.Cart$Item[])": ["shop.Cart$Item:<clinit>()"],
    }
    assert follow("java", JAVA, after, edges, "shop/Cart.java") == {
        "shop.Basket:add(shop.Basket$Thing,java.util.List,int)": ["shop.Basket:put(int)", "shop.Basket$1Local:k()"],
        "shop.Basket:<init>(shop.Basket$Thing[])": ["shop.Basket$Thing:<clinit>()"],
    }


def test_what_encloses_a_function_follows() -> None:
    before = "def f():\n    def g(): return h()\n    return (lambda: g())()\ndef h(): return 1\n"
    after = before.replace("def f", "def k").replace("g()", "m()")
    edges = {"lib.f": ["lib.f.<lambda1>"], "lib.f.<lambda1>": ["lib.f.g"], "lib.f.g": ["lib.h"]}
    assert follow("python", before, after, edges, "lib/__init__.py") == {
        "lib.k": ["lib.k.<lambda1>"],
        "lib.k.<lambda1>": ["lib.k.m"],
        "lib.k.m": ["lib.h"],
    }


def test_a_function_is_called_as_the_variable_that_holds_it() -> None:
    before = "const f = () => 1;\nconst shop = { price() { return f(); } };\nshop.price();\n"
    after = before.replace("f", "Var_1").replace("shop", "Var_2")
    edges = {"main": ["main.shop.price"], "main.shop.price": ["main.f"]}
    assert follow("javascript", before, after, edges, "main.js") == {
        "main": ["main.Var_2.price"],
        "main.Var_2.price": ["main.Var_1"],
    }


def test_functions_that_come_leave_the_names_of_the_others() -> None:
    edges = {"main": ["main.f"]}
    assert follow("python", "def f(): pass\nf()\n", "def g(): pass\ndef f(): pass\nf()\n", edges, "main.py") == edges
    with pytest.raises(Skip, match=r"the call graph names main\.f"):
        follow("python", "def f(): pass\nf()\n", "def g(): pass\ndef h(): pass\nh()\n", edges, "main.py")


def test_two_functions_of_one_name_that_part_are_told() -> None:
    before = "if 1:\n    def f(): pass\nelse:\n    def f(): pass\n"
    with pytest.raises(Skip, match=r"two functions are called main\.f, and now main\.f and main\.g"):
        follow(
            "python", before, "if 1:\n    def f(): pass\nelse:\n    def g(): pass\n", {"main": ["main.f"]}, "main.py"
        )


def test_a_language_without_a_tracer_has_no_call_graphs() -> None:
    with pytest.raises(MissingCapability, match=r"the language tests\.toy:Toy has no tracer"):
        follow("tests.toy:Toy", "1", "2", {"f": ["f"]}, "main.toy")
