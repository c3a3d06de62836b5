"""What Java's structure says, with the compiler as the judge where there is one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from pytest_codereason.core.language.structure import Binding
from pytest_codereason.errors import DoesNotParse, Refused
from pytest_codereason.languages.java import Java
from tests.languages.java_programs import FLOW, rename_all

JAVA = Java()
needs_javac = pytest.mark.skipif(shutil.which("javac") is None, reason="no javac on this machine")


def inside(statements: str) -> str:
    return f"class A {{ void m(int p, Object o) {{ {statements} }} }}"


def find_bindings(source: str, name: str, call: str = "") -> list[Binding]:
    return [binding for binding in JAVA.syntax.parse(source, call).bindings if binding.name == name]


def only(source: str, name: str, call: str = "") -> Binding:
    [binding] = find_bindings(source, name, call)
    return binding


def compiled(folder: Path, source: str) -> str:
    """What javac says against a program."""
    path = folder / "Program.java"
    path.write_text(source)
    command = [
        "javac",
        "-J-XX:TieredStopAtLevel=1",
        "-J-XX:+UseSerialGC",
        "-proc:none",
        "-nowarn",
        "-encoding",
        "UTF-8",
        "-d",
        str(folder),
        str(path),
    ]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    return process.stderr if process.returncode else ""


@pytest.mark.parametrize(
    ("statements", "name", "count"),
    [
        ("int x = 1; x = x + 1; this.x = x; o.x(x); o.x.x = 1;", "x", 5),
        ("for (int i = 0, j = i; i < j; i++) { f(i); }", "i", 5),
        ("for (String s : s(s)) f(s);", "s", 2),
        ("Runnable r = () -> { int q = p; f(q); };", "q", 2),
        ("F f = a -> a.a(a); ", "a", 3),
        ("F f = (a, b) -> a.b(b); ", "b", 2),
        ("F f = (int a, final int b) -> { return a + b; }; ", "b", 2),
        ("try (R r = open(); r) { r.x(); } catch (E | F r2) { throw r2; }", "r", 3),
        ("try { } catch (E e) { throw e; } finally { f(); }", "e", 2),
        ("switch (p) { case 1: int k = 2; f(k); break; default: k = 3; }", "k", 3),
        ("int[] x = {1}, y[] = {x}; x[y[0][x.length]]++;", "x", 4),
        ("String s = x::f; F g = s::length;", "s", 2),
        ("int x = switch (p) { case 1 -> { int t = p; yield t; } default -> p; };", "p", 4),
        ("a: for (;;) { for (;;) { continue a; } }", "a", 2),
        ("class L { L() { } L self() { return L.this; } } L l = new L(); L.f(); g(L::new);", "L", 8),
        ("if (o instanceof A a && a.b) { a.c(); } else if (o instanceof B a) { f(a); }", "a", 5),
        ("switch (o) { case A a -> f(a); case B a -> g(a); default -> { } }", "a", 4),
        ("if (!(o instanceof P(int a, var b))) return; f(a, b);", "b", 2),
    ],
)
def test_every_use_of_a_local_name_is_found(statements: str, name: str, count: int) -> None:
    source = inside(statements)
    binding = only(source, name)
    assert len(binding.uses) == count
    assert all(source[use.span.start : use.span.end] == name for use in binding.uses)
    assert (binding.unsafe, binding.function) == ("", "A.m")


def test_type_parameters_are_bindings() -> None:
    source = "class A<T extends Comparable<T>> { <U> U m(T t, U u, Map.T x) { return (U) new Object(); } class T2 { } }"
    assert len(only(source, "T").uses) == 3
    assert len(only(source, "U").uses) == 4


def test_a_bound_may_name_a_type_parameter_that_follows() -> None:
    source = "class A<U> { <T extends List<U>, U> void m(U u) { } }"
    assert [len(binding.uses) for binding in find_bindings(source, "U")] == [1, 3]


def test_labels_of_one_name_are_apart() -> None:
    source = inside("a: for (;;) { break a; } a: for (;;) { continue a; }")
    assert [(binding.kind, len(binding.uses)) for binding in find_bindings(source, "a")] == [("label", 2), ("label", 2)]


def test_a_local_name_ends_where_a_field_or_another_local_begins() -> None:
    source = inside("{ int x = 1; f(x); } x = 2; { int x = 3; } new B() { int p; int g() { return p; } };")
    assert [len(binding.uses) for binding in find_bindings(source, "x")] == [2, 1]
    assert len(only(source, "p").uses) == 1  # the parameter; the other is a field


@pytest.mark.parametrize(
    ("source", "name", "reason"),
    [
        (inside("new Unknown() { int g() { return p; } };"), "p", "inherit a field"),
        ("class A { void m(int p) { new B() { int g() { return p; } }; } } class B { int p; }", "p", "inherit a field"),
        ("import x.Runnable; " + inside("new Runnable() { void g() { f(p); } };"), "p", "inherit a field"),
        (inside("final int K = 1; switch (p) { case K: }"), "K", "constant"),
        ("class A extends B { void m(Object o) { if (o instanceof C c) f(c); } }", "c", "field may have its name"),
        ("record R(int a) { R(int a) { this.a = a; } }", "a", "canonical"),
        (inside("class L extends Exception { }"), "L", "asked for"),
        (inside("record L() { }"), "L", "printed"),
        ("class A { public static void main(String[] a) { } }", "main", "by its name"),
        ("class A extends B { private void m() { } }", "m", "override or overload"),
        ("class A { private void toString(int x) { } }", "toString", "override or overload"),
        ("class A { @Test void m() { } }", "m", "annotation"),
        ("class A { private native void m(); }", "m", "native"),
        ('class A { void m() { find("m"); } }', "m", "string"),
        ("class A { void m(Object o) { o.f().m(); } }", "m", "type is not known"),
        ("class A { void m() { new B() { void g() { m(); } }; } }", "m", "inherit a method"),
        ("class A extends X { void m() { } } class C { void g() { FIRST.m(); } }", "m", "override"),
        ("class A { void m() { FIRST.m(); } }", "m", "type is not known"),
        ("class A { <T extends A> void m(T t) { t.m(null); } }", "m", "type is not known"),
    ],
)
def test_what_is_not_safe_says_why(source: str, name: str, reason: str) -> None:
    assert reason in only(source, name).unsafe


def list_fields(source: str, call: str = "") -> dict[str, tuple[int, str]]:
    bindings = JAVA.syntax.parse(source, call).bindings
    return {binding.name: (len(binding.uses), binding.unsafe) for binding in bindings if binding.kind == "field"}


@pytest.mark.parametrize(
    ("members", "count"),
    [
        ("void m() { n = n + 1; n++; }", 4),
        ("int k = n; { n = 2; } static { A.n = 3; }", 4),
        ("void m() { A.n = this.n; }", 3),
        ("void m(int n) { A.n = n; this.n = n; }", 3),
        ("void m() { int n = A.n; n(n); } int n(int n) { return n; }", 2),
        ("void m() { int n = 1; { f(n); } } void g() { f(n); }", 2),
        ("class B { int m() { return n + A.n; } }", 3),
        ("class B { int m() { return B.k + k; } private static int k = n; }", 2),
        ("void m() { Runnable r = () -> f(n); new Runnable() { public void run() { f(n); } }; }", 3),
        ('@SuppressWarnings("unused") private static final int m = n;', 2),
        ("void m(Object o) { switch (1) { default: f(n); } for (int i = n; i < n; i++) { } }", 4),
        ("int m() { return (n) + 1 - (n); } int[] k = new int[n];", 4),
        ('String s = "nn n"; /* n */ // n\n', 1),
        ("int k = System.n + n;", 2),
        ("int m(int[] a) { return a.n + f(a)[0].n + s.split(n).n; }", 2),
        ("A() { this(1); } int m(int[] a) { return a.n + this.k.n; }", 1),
        ("class C { int n(int[] a) { return a.n; } }", 1),
    ],
)
def test_every_use_of_a_private_static_field_is_found(members: str, count: int) -> None:
    source = f"class A {{ private static int n = 1; {members} }} class Other {{ int g(int n) {{ return n; }} }}"
    assert list_fields(source)["n"] == (count, "")
    field = next(b for b in find_bindings(source, "n") if b.kind == "field")
    assert all(source[use.span.start : use.span.end] == "n" for use in field.uses)
    assert field.function == ""


@pytest.mark.parametrize(
    "members",
    ["int n;", "static int n;", "private int n;", "public static int n;", "protected static final int n = 1;"],
)
def test_what_others_may_use_is_no_field_that_can_be_renamed(members: str) -> None:
    assert list_fields(f"class A {{ {members} }}") == {}
    assert list_fields("interface A { int n = 1; } enum B { n; } record C(int n) { }") == {}


@pytest.mark.parametrize(
    ("rest", "reason"),
    [
        ("} class B extends A { int m() { return new A().n; } ", "something else"),
        ("void m(A a) { a.n = 1; }", "something else"),
        ("A a; int m(int[] b) { return b.n; }", "something else"),
        ("Object m() { return this; } int k = m().n;", "something else"),
        ("int k = f(A::new).n;", "something else"),
        ("int m(int[] b) { return b.n + o.A.g(); }", "something else"),
        ("class B extends Unknown { int m(int[] b) { return b.n; } }", "something else"),
        ("class B extends Unknown { int m() { return System.n; } }", "something else"),
        ("class B { A A; int m() { return A.n; } }", "something else"),
        ("class B extends Unknown { int m() { return n; } }", "inherit a field"),
        ("class B extends Unknown { int m() { return A.n; } }", "something else"),
        ("void m() { new Unknown() { int g() { return n; } }; }", "inherit a field"),
        ("class C { int n; } class B extends C { int m() { return n; } }", "inherit a field"),
        ("} class B { int n; int m() { return n; } ", "something else"),
        ("void m(int p) { switch (p) { case n: } }", "constant"),
        ("void m(Object o) { if (!(o instanceof Integer n)) f(n); }", "variable of its name stays"),
        ("void m() { n: for (;;) { break n; } }", "something else"),
        ("class n { }", "something else"),
        ("void m() { f(A::n); }", "something else"),
        ("void m() { p.A.n = 1; }", "something else"),
        ("@K(n = 1) void m() { }", "something else"),
        ("Object o = A.class.getDeclaredFields();", "ask for its fields"),
        ("Object o = lookup.findStaticGetter(A.class, s, int.class);", "ask for its fields"),
        ("native void m();", "ask for its fields"),
        ('String s = "n";', "string"),
    ],
)
def test_a_field_stays_where_not_every_use_can_be_seen(rest: str, reason: str) -> None:
    assert reason in list_fields(f"class A {{ private static int n = 1; {rest} }}")["n"][1]


def test_a_field_of_an_enum_stays_where_its_constants_are_asked_for_it() -> None:
    assert "something else" in list_fields("enum A { X; private static int n = 1; int k = X.n; }")["n"][1]


def test_a_field_stays_for_its_name_its_annotation_and_the_entry_call() -> None:
    source = "class A { @Value private static int n; private static final long serialVersionUID = 1; int k() { } }"
    assert "annotation" in list_fields(source)["n"][1]
    assert "by its name" in list_fields(source)["serialVersionUID"][1]
    assert "entry call" in list_fields("class A { private static int n; }", "A.f(A.n)")["n"][1]
    assert list_fields("class A { private static int n; }", 'A.f("n")')["n"][1] == ""


def test_fields_of_one_name_are_apart() -> None:
    source = (
        "class A { private static int n = 1, k = n; int m() { return n + B.n; } "
        "static class B { private static int n = 2; int m() { return n + A.n + this.n; } } }"
    )
    assert [len(b.uses) for b in find_bindings(source, "n")] == [4, 4]
    assert not any(b.unsafe for b in find_bindings(source, "n"))


def test_an_interface_of_the_library_hides_nothing() -> None:
    source = inside("new Runnable() { public void run() { f(p); } };")
    assert (only(source, "p").unsafe, len(only(source, "p").uses)) == ("", 2)


@pytest.mark.parametrize("call", ["f(g(1))", "Problem.f(1)", "new Problem().f(1)"])
def test_a_method_is_renamed_with_its_overloads_its_calls_and_the_entry_call(call: str) -> None:
    source = (
        "class Problem { static int f(int x) { return f(x, 1); } static int f(int x, int y) { return Problem.f(y); }"
        " Problem p; int h(Problem q) { return this.f(1) + q.f(2) + p.f(3) + g(Problem::f) + list.f(); } List list; }"
    )
    binding = only(source, "f", call)
    assert binding.unsafe == ""
    assert [call[u.span.start : u.span.end] for u in binding.uses if u.in_call] == ["f"]
    assert len([use for use in binding.uses if not use.in_call]) == 8


def test_what_others_may_call_keeps_its_name() -> None:
    assert not find_bindings("package p; class A { static int f() { return 1; } }", "f")
    assert not find_bindings("interface A { int f(); }", "f")
    assert not find_bindings("class A { int f() { } } class B { int f() { } }", "f")
    assert only("package p; class A { private static int f() { return 1; } }", "f").unsafe == ""


def test_an_entry_call_that_is_no_expression_is_refused() -> None:
    with pytest.raises(DoesNotParse):
        JAVA.syntax.parse("class A { }", "f(")


@pytest.mark.parametrize(
    "source",
    [
        *["class A {", "int x = 1;", "void f() { }", "class A { // \\u000a }\n}", 'class A { String s = "\\u0022"; }'],
        *["class A {/* \\u002a\\u002f */ }", "class A \\u007b }", "class A { }\0", "x" * 2_000_001, "class A { int x"],
    ],
)  # fmt: skip
def test_no_program_is_refused(source: str) -> None:
    with pytest.raises(DoesNotParse):
        JAVA.syntax.parse(source)


def test_harmless_escapes_are_read() -> None:
    source = 'class A { /** \\u005c \\u0022 */ String s = "\\u00e9\\\\u000a"; }'
    assert JAVA.syntax.parse(source).source == source


def sites(source: str, kind: str) -> list[tuple[str, str, str]]:
    code = JAVA.syntax.parse(source)
    return [(s.form, s.holder, source[s.span.start : s.span.end]) for s in code.sites if s.kind == kind]


def test_conditions() -> None:
    source = inside(
        "if (p > 1) { } while (true) { } for (; f(p); ) { } do { } while (o == null); int k = p == 1 ? 2 : 3; "
        "assert p < 2; if (o instanceof A a) { } for (;;) { break; } final int c = 1; while (c < 2) { }"
    )
    assert sites(source, "condition") == [
        ("comparison", "if", "p > 1"),
        ("constant", "while", "true"),
        ("other", "for", "f(p)"),
        ("comparison", "do", "o == null"),
        ("comparison", "conditional", "p == 1"),
        ("comparison", "assert", "p < 2"),
    ]


@pytest.mark.parametrize(
    ("condition", "pure"),
    [
        *[(text, True) for text in ("p > 1", "o == null", "!(p / q == 0)", "o instanceof String", "-p < 2 || true")],
        *[(text, True) for text in ("a[p] > o.length", "this.x > (int) 'c'", "p == Integer.MAX_VALUE", 's != "a"')],
        *[(text, False) for text in ("f(p)", "o.f() > 1", "p++ > 1", "(p = 2) > 1", "new A() == o", "A.x > 1")],
    ],
)  # fmt: skip
def test_a_pure_condition_calls_and_assigns_nothing(condition: str, pure: bool) -> None:
    code = JAVA.syntax.parse(inside(f"if ({condition}) {{ }}"))
    assert [code.is_pure(site) for site in code.sites if site.kind == "condition"] == [pure]


def test_other_sites() -> None:
    source = inside("int x = 1, y; x += 2; x++; for (int i : a) list.add(a.get(x)); return x * -1L;")
    assert [form for form, _, _ in sites(source, "assignment")] == ["=", "+=", "++"]
    assert [text for _, _, text in sites(source, "operator")] == ["+=", "*", "-"]
    assert [form for form, _, _ in sites(source, "collection-operation")] == ["add", "get"]
    assert [form for form, _, _ in sites(source, "loop")] == ["for"]
    assert [text for _, _, text in sites(source, "return")] == ["return x * -1L;"]
    literals = inside("f(1, 2.5f, \"a\", 'c', true, null); switch (p) { case 7: }")
    assert [form for form, _, _ in sites(literals, "literal")] == ["int", "float", "str", "char", "bool", "null"]


def test_members_whose_classes_the_compiler_numbers_stay_in_order() -> None:
    source = (
        "class A {\n  Object a() { return new Object() { }; }\n  Object b() { class L { } return new L(); }\n"
        "  void c() { }\n  static class B { Object d() { return new Object() { }; } void e() { } }\n}\n"
    )
    assert [unit.name for unit in JAVA.syntax.parse(source).units] == ["A.c", "A.B", "A.B.d", "A.B.e"]


def test_functions_and_units_are_named_by_their_classes() -> None:
    source = (
        "class A {\n  int x;\n  // about A\n  A() { }\n\n  // no part of it\n\n  /** Doc. */\n  @Override\n"
        "  int m(int a, long... b) {\n    return new B() { void run() { } }.c;\n  }\n"
        "  abstract int n();\n  static class C { void m() { } }\n}"
    )
    code = JAVA.syntax.parse(source)
    assert [f.name for f in code.functions] == ["A.A", "A.m", "A.m.B.run", "A.C.m"]
    assert [f.parameters for f in code.functions] == [(), ("a", "b"), (), ()]
    units = {unit.name: source[unit.span.start : unit.span.end] for unit in code.units}
    assert units["A.A"] == "// about A\n  A() { }"
    assert units["A.m"].startswith("/** Doc. */\n  @Override\n  int m(")
    assert list(units) == ["A.A", "A.m", "A.m.B.run", "A.n", "A.C", "A.C.m"]


@needs_javac
@pytest.mark.slow
def test_the_compiler_takes_all_that_is_inserted_and_renamed(tmp_path: Path) -> None:
    texts = {"statement": 'System.out.println("x");', "member": "static int zz%d = 1;", "top": "class Zz%d { }"}
    code = JAVA.syntax.parse(FLOW)
    source = FLOW
    for place in reversed(code.insertions):
        text = texts[place.place].replace("%d", str(place.at))
        source = source[: place.at] + place.before + text + place.after + source[place.at :]
    assert len([place for place in code.insertions if place.place == "statement"]) > 70
    assert compiled(tmp_path, JAVA.syntax.normalise(rename_all(JAVA.syntax.parse(source))).text) == ""


NEWER = "class A { int f(int x) { return switch (x) { default -> 2; }; } }"


@pytest.mark.slow
@needs_javac
def test_javac_decides_where_javalang_is_too_old() -> None:
    assert JAVA.syntax.check(NEWER) == ""


@needs_javac
@pytest.mark.slow
def test_what_both_parsers_refuse_is_refused() -> None:
    assert JAVA.syntax.check(NEWER.replace("->", "=>")).startswith("javac: line 1")


def test_javalang_decides_alone_where_there_is_no_javac(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert JAVA.syntax.check("class A { int f() { return 1; } }") == ""
    assert " at " in JAVA.syntax.check(NEWER)
    assert JAVA.syntax.check('class A { String s = "abc; }') != ""
    assert JAVA.syntax.check("class A { int x = " + "(" * 3000 + "1" + ")" * 3000 + "; }") != ""


def test_comments() -> None:
    assert JAVA.dialect.comment("a\r\nb\n\nc */") == "// a\n// b\n//\n// c */"
    assert JAVA.dialect.comment("C:\\\\users") == "// C:\\\\users"
    for text in ("\\u000a int x", "C:\\users", "\\\\\\u0041", "\0", "\ud800"):
        with pytest.raises(Refused):
            JAVA.dialect.comment(text)


def test_prints_and_names() -> None:
    assert JAVA.dialect.print_statement('a "b"\n\\u') == 'System.out.println("a \\"b\\"\\n\\\\u");'
    assert JAVA.dialect.fresh("x", frozenset({"x", "x_1"})) == "x_2"
    assert JAVA.dialect.fresh("class", frozenset()) == "class_1"


LAYOUT = """\
@A(b = {1, 2}) public abstract class X<T extends B & C> extends D<T[]> implements E , F{ // gone
int x=- -1,y [ ]={ 1,2 };@Override public<U>void m(final int...a)throws E{if(x>1)return;else if(y==null){x++;}else --x;
for(int i=0 ;i<9;i++,x--){}for(;;);do x=(int)+y[0]; while(!b);l:while(true){switch(x){case 1:case 2:f();default:
break l;}}}/* gone */ enum G{A,B(1){int f(){return 1;}};int z;}
Runnable r=()->{f( a->b,(c,d)->c+ +d,Map.Entry<K,?>::<T>g);};
static{try(R r=new R();S s=t){x=a?b:c;}catch(P|Q e){throw e;}finally{ }} }
"""
LAID_OUT = """\
@A(b = {1, 2})
public abstract class X<T extends B & C> extends D<T[]> implements E, F {
    int x = - -1, y[] = {1, 2};

    @Override
    public <U> void m(final int... a) throws E {
        if (x > 1) return; else if (y == null) {
            x++;
        } else --x;
        for (int i = 0; i < 9; i++, x--) {}
        for (;;);
        do x = (int) +y[0]; while (!b);
        l: while (true) {
            switch (x) {
                case 1:
                case 2:
                    f();
                default:
                    break l;
            }
        }
    }

    enum G {
        A, B(1) {
            int f() {
                return 1;
            }
        };
        int z;
    }
    Runnable r = () -> {
        f(a -> b, (c, d) -> c + +d, Map.Entry<K, ?>::<T>g);
    };
    static {
        try (R r = new R(); S s = t) {
            x = a ? b : c;
        } catch (P | Q e) {
            throw e;
        } finally {}
    }
}
"""


def test_layout() -> None:
    assert JAVA.syntax.normalise(LAYOUT).text == LAID_OUT
    assert JAVA.syntax.normalise(LAID_OUT).text == LAID_OUT


def test_the_inside_of_a_string_is_no_layout() -> None:
    source = 'class A {\n    String s = """\n  a // b\n    c  """;\n}\n'
    assert JAVA.syntax.normalise(source).text == source
    assert JAVA.syntax.normalise("").text == JAVA.syntax.normalise("// nothing").text == ""
