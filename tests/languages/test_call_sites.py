"""What the text of a program shows of its calls."""

from __future__ import annotations

import pytest

from pytest_codereason.core.language.calls import CallFacts, CallSite
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.registry import language
from tests.languages.called import FILES, read_calls

PROGRAMS = {
    "python": read_calls("python"),
    "javascript": read_calls("javascript"),
    "java": read_calls("java", "Main:main(java.lang.String[])", "Main:"),
}


def read_facts(name: str, source: str) -> CallFacts:
    return language(name).calls.read({FILES[name]: source}, FILES[name])


def find_site(name: str, source: str, text: str) -> CallSite:
    """The site whose callee has this text."""
    [site] = [site for site in read_facts(name, source).sites if site.text == text]
    return site


def shorten(name: str) -> str:
    """A name without the types of parameters, whose full names are not in the text alone."""
    return name.partition("(")[0]


@pytest.mark.parametrize("name", PROGRAMS)
def test_functions_are_those_that_a_trace_may_name(name: str) -> None:
    for source, _ in PROGRAMS[name].values():
        facts = read_facts(name, source)
        bodies = language(name).tracer.list_bodies({FILES[name]: source}, FILES[name])
        named = {shorten(function.name) for function in facts.functions if not function.transparent}
        assert named == {shorten(body.name) for body in bodies if body.callable}
        callers = {site.caller for site in facts.sites} - {f.name for f in facts.functions if f.transparent}
        assert {shorten(caller) for caller in callers} <= {shorten(body.name) for body in bodies}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_text_that_is_no_program_is_refused(name: str) -> None:
    with pytest.raises(DoesNotParse, match=FILES[name]):
        read_facts(name, "class {{")


PYTHON = """\
class Cart:
    def total(self):
        return self.count() and sum(
            price(item)
            for item in self)

    def count(self): return 1
"""


def test_a_site_says_who_calls_and_where() -> None:
    site = find_site("python", PYTHON, "self.count")
    assert (site.caller, site.form, site.receiver) == ("main.Cart.total", "method", "self")
    assert (site.file, site.line, site.end_line, site.column) == ("main.py", 3, 3, 15)


def test_a_site_says_by_which_lines_a_trace_shows_it() -> None:
    site = find_site("python", PYTHON, "sum")
    assert (site.first_witness, site.last_witness, site.conditional) == (3, 5, True)
    assert not find_site("python", PYTHON, "self.count").conditional
    assert find_site("python", "if 0: f()\n", "f").conditional
    assert not find_site("python", "if 0:\n    f()\n", "f").conditional


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("a.total", "property"),
        ("a + 1", "operator"),
        ("a[0]", "operator"),
        ("for x in a: pass", "iteration"),
        ("len(a)", "conversion"),
        ("f'{a}'", "conversion"),
        ("with a: pass", "context"),
        ("@a.deco\ndef g(): pass", "decorator"),
        ("a()()", "expression"),
        ("a.m()", "method"),
        ("A()", "name"),
    ],
)
def test_forms_of_python(line: str, form: str) -> None:
    methods = ("add", "getitem", "iter", "len", "format", "enter")
    source = "class A:\n    @property\n    def total(self): pass\n"
    source += "".join(f"    def __{method}__(self, *a): pass\n" for method in methods)
    facts = read_facts("python", f"{source}a = A()\n{line}\n")
    assert form in {site.form for site in facts.sites if site.line > len(methods) + 4}


def test_a_site_of_javascript_is_shown_by_the_line_of_its_statement() -> None:
    source = "function f(x) {\n  return x\n    && g(x);\n}\nif (f(1)) f(2);\nfunction g() {}\n"
    site = find_site("javascript", source, "g")
    assert (site.caller, site.line, site.first_witness, site.last_witness) == ("main.f", 3, 2, 2)
    assert site.conditional
    first, second = (site for site in read_facts("javascript", source).sites if site.text == "f")
    assert (first.conditional, second.conditional) == (False, True)  # the second has no line of its own


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("a.total;", "property"),
        ("a.total = 1;", "property"),
        ("+a;", "operator"),
        ("for (const x of a) {}", "iteration"),
        ("[...a];", "iteration"),
        ("`${a}`;", "conversion"),
        ("tag`x`;", "decorator"),
        ("f()();", "expression"),
        ("a.m();", "method"),
        ("a?.m();", "method"),
        ("new A();", "constructor"),
        ("f();", "name"),
    ],
)
def test_forms_of_javascript(line: str, form: str) -> None:
    source = "class A { get total() {} set total(v) {} [Symbol.iterator]() {} toString() {} valueOf() {} }\n"
    assert form in {site.form for site in read_facts("javascript", f"{source}{line}\n").sites}


JAVA = """\
class Main {{
    static class A implements AutoCloseable, Iterable<A> {{
        public java.util.Iterator<A> iterator() {{ return null; }}
        public void close() {{}}
        public String toString() {{ return null; }}
    }}
    void f(A a) throws Exception {{ {} }}
}}
"""


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("for (A x : a) {}", "iteration"),
        ('String s = "" + a;', "conversion"),
        ("System.out.println(a);", "conversion"),
        ("try (A b = a) {}", "context"),
        ("a.close();", "method"),
        ("new A();", "constructor"),
        ("f(a);", "name"),
    ],
)
def test_forms_of_java(line: str, form: str) -> None:
    assert form in {site.form for site in read_facts("java", JAVA.format(line)).sites}


def test_types_of_java_are_erased_to_full_names() -> None:
    source = """import java.util.*;
class Main<T extends Comparable<T>> {
    static class Item {}
    <U> void f(T t, List<? extends U> xs, Map.Entry<T, U>[] e, Item i, int[]... n) {}
}
"""
    [function] = [function for function in read_facts("java", source).functions if not function.transparent]
    types = "java.lang.Comparable,java.util.List,java.util.Map$Entry[],Main$Item,int[][]"
    assert function.name == f"Main:f({types})"
