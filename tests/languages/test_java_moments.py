"""The moments of Java programs: each line in its order, and what variables held before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from pytest_codereason.core import Program
from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.core.language.moments import MOST_VISITS, TOO_LARGE, UNBOUND, LineProbe, Moments
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.questions.moments.probing import choose_probes
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.examples import mostly_slow, take_every
from tests.languages.java_corpus import list_corpus

FILE = "Main.java"
JAVA = language("java")


def wrap(body: str, before: str = "") -> str:
    """A class whose method ``f`` has these statements, the first one in line 2; behind it are other members."""
    return f"import java.util.*; class Main {{ static Object f() throws Throwable {{\n{body}\n}}\n{before}\n}}\n"


def watch(sandbox: Sandbox, source: str, *probes: tuple[int, str], call: str = "f()") -> Execution:
    """Runs a program of one file. A probe is a line, and names with blanks between them."""
    looks = tuple(LineProbe(FILE, line, tuple(names.split())) for line, names in probes)
    return sandbox.run(
        Run(language="java", files={FILE: source}, entry=FILE, call=call, witnessed="moments", probes=looks)
    )


def see(sandbox: Sandbox, source: str, *probes: tuple[int, str], call: str = "f()") -> Moments:
    execution = watch(sandbox, source, *probes, call=call)
    assert execution.trace is not None, execution.words
    assert execution.trace.moments is not None
    return execution.trace.moments


def pair(moments: Moments) -> list[tuple[int, int]]:
    return list(zip(moments.frames, moments.lines, strict=True))


RUN = """class Main {
  static int f(int... xs) {
    int best = 0, run = 0;
    for (int x : xs) {
      if (x > 3) {
        run = run + x;
      } else {
        run = 0;
      }
      best = Math.max(best, run);
    }
    return best;
  }
}
"""


def test_a_probe_sees_what_a_line_finds(sandbox: Sandbox) -> None:
    moments = see(sandbox, RUN, (10, "run best missing"), call="f(4, 9, 1, 5, 6, 8, 2)")
    expected = [[4, 0], [13, 4], [0, 13], [5, 13], [11, 13], [19, 13], [0, 19]]
    assert moments.list_seen() == [[[*row, UNBOUND] for row in expected]]
    assert moments.lines[:8] == (3, 4, 5, 6, 10, 5, 6, 10)
    assert moments.files == (FILE,)
    assert moments.whole


def test_each_call_of_a_method_has_a_frame_of_its_own(sandbox: Sandbox) -> None:
    source = "class Main {\n  static int f(int n) {\n    if (n > 0) {\n      f(n - 1);\n    }\n    return n;\n  }\n}\n"
    assert pair(see(sandbox, source, call="f(2)")) == [
        *[(0, 3), (0, 4), (1, 3), (1, 4), (2, 3), (2, 6), (1, 6), (0, 6)]
    ]


def test_constructors_fields_lambdas_and_classes_have_frames(sandbox: Sandbox) -> None:
    source = """class Main {
  static int made = 0;
  int k = 3;
  Main(int n) {
    super();
    k = n;
  }
  static int f(int n) {
    Runnable more = () -> {
      made++;
    };
    more.run();
    return new Main(n).k;
  }
}
"""
    assert pair(see(sandbox, source, call="f(2)")) == [
        *[(0, 2), (1, 9), (1, 12), (2, 10), (1, 13), (3, 5), (3, 3), (3, 6)]
    ]


ONCE = {
    "a finally": ("try {\nreturn g(1);\n} finally {\ng(2);\n}", [3, 5]),
    "an early end": (
        "for (int i = 0; i < 3; i++) {\ntry {\nif (i > 0)\nbreak;\n} finally {\ng(i);\n}\n}\nreturn 1;",
        [2, 4, 7, 4, 5, 7, 10],
    ),
    "resources": ("try (var r = new java.io.StringReader(\"a\")) {\nreturn r.read();\n}", [2, 3]),
    "two on a line": ("int a = 1, b = 2; a += b;\nreturn a;", [2, 3]),
    "a loop on a line": ("int n = 0; for (int i = 0; i < 9; i++) n += i;\nreturn n;", [2, 3]),
    "a switch": ("switch (g(2)) {\ncase 1: return 1;\ncase 2:\ng(3);\ndefault:\nreturn 3;\n}", [2, 5, 7]),
    "a switch of values": (
        "int n = switch (g(2)) {\ncase 1 -> 5;\ndefault -> {\ng(3);\nyield 4;\n}\n};\nreturn n;",
        [2, 5, 6, 9],
    ),
    "texts": ('switch ("b" + g(1)) {\ncase "b1":\nreturn 1;\ncase "b2":\nreturn 2;\n}\nreturn 3;', [2, 4]),
    "a pattern": ("Object o = g(7);\nif (o instanceof Integer n) {\nreturn n;\n}\nreturn 0;", [2, 3, 4]),
    "conditions": ("if (g(1) > 1) {\nreturn 1;\n} else if (g(2) > 1) {\nreturn 2;\n}\nreturn 3;", [2, 4, 5]),
    "a condition that is constant": (
        "final boolean no = false;\nif (no) {\ng(1);\n} else if (2 > 1) {\ng(2);\n}\n"
        "if (true) {\nreturn 1;\n}\nreturn 2;",
        [2, 3, 5, 6, 8, 9],
    ),
    "a lock": ("Object lock = 1;\nsynchronized (lock) {\ng(1);\n}\nreturn 1;", [2, 3, 4, 6]),
    "no code": ("int n;\nn = 3;\n;\nreturn n;", [3, 5]),
}  # fmt: skip


@pytest.mark.parametrize("name", mostly_slow(ONCE, 3))
def test_a_line_runs_when_its_first_statement_begins(name: str, sandbox: Sandbox) -> None:
    body, expected = ONCE[name]
    lines = see(sandbox, wrap(body, before="static int g(int n) { return n; }")).lines
    last = body.count("\n") + 2
    assert [line for line in lines if line <= last] == expected


def test_lines_behind_the_class_of_the_call_keep_their_numbers(sandbox: Sandbox) -> None:
    source = "class Main {\n  static int f() {\n    return Other.g();\n  }\n}\nclass Other {\n  static int g() {\n    int n = 3;\n    return n / 0;\n  }\n}\n"  # noqa: E501
    execution = watch(sandbox, source, (9, "n"))
    assert execution.trace is not None
    assert execution.trace.moments is not None
    assert execution.trace.moments.lines == (3, 8, 9)
    assert execution.trace.moments.list_seen() == [[[3]]]
    assert execution.raised_at == (FILE, 9)


def test_several_files_of_packages(sandbox: Sandbox) -> None:
    files = {
        "Main.java": "public class Main {\n  public static void main(String[] a) {\n    shop.Cart.add(3);\n  }\n}\n",
        "shop/Cart.java": "package shop;\npublic class Cart {\n  public static void add(int n) {\n"
        "    int[] a = new int[n];\n    a[n] = 1;\n  }\n}\n",
    }
    probes = (LineProbe("shop/Cart.java", 5, ("n", "a")),)
    execution = sandbox.run(Run(language="java", files=files, entry=FILE, witnessed="moments", probes=probes))
    assert execution.trace is not None, execution.words
    moments = execution.trace.moments
    assert moments is not None
    assert moments.files == (FILE, "shop/Cart.java")
    assert moments.list_seen() == [[[3, [0, 0, 0]]]]
    assert execution.raised_at == ("shop/Cart.java", 5)


def test_an_object_under_two_names_is_one(sandbox: Sandbox) -> None:
    body = "List<Integer> a = new ArrayList<>(List.of(1));\nvar b = a;\nvar c = new ArrayList<>(a);\nint d;\nreturn 1;"
    [[visit]] = see(sandbox, wrap(body), (6, "a b c d")).visits
    assert visit.same == (0, 0, 2, 3)
    assert visit.values == (0, 0, 0, UNBOUND)


PLAIN = {
    "List.of(1, \"a\")": [1, "a"],
    "new int[][] {{1}, {}}": [[1], []],
    "new String[] {null}": [None],
    "new TreeMap<>(Map.of(\"k\", List.of(2)))": {"map": [["k", [2]]]},
    "new LinkedHashSet<>(List.of(3, 1))": {"set": [3, 1]},
    "new ArrayDeque<>(List.of(1L))": [{"long": 1}],
    "new PriorityQueue<>(List.of(3, 1))": [1, 3],
    "Arrays.asList(1.5, 2.5f)": [{"double": "3ff8000000000000"}, {"float": "40200000"}],
    "Optional.of('x')": {"optional": [{"char": "x"}]},
    "new java.math.BigInteger(\"12\")": {"big": "c"},
    "(byte) 3": 3,
    "true": True,
    "\"\"": "",
}  # fmt: skip


def see_values(sandbox: Sandbox, values: Sequence[str], kind: str, before: str = "") -> Moments:
    """What a run sees of variables with these values: ``v0``, ``v1`` and so on."""
    body = "".join(f"{kind} v{place} = {value};\n" for place, value in enumerate(values))
    names = " ".join(f"v{place}" for place in range(len(values)))
    execution = watch(sandbox, wrap(f"{body}return 1;", before), (2 + len(values), names))
    assert execution.value == 1
    assert execution.trace is not None
    assert execution.trace.moments is not None
    return execution.trace.moments


def test_plain_data_is_written(sandbox: Sandbox) -> None:
    [[seen]] = see_values(sandbox, [*PLAIN], "var").list_seen()
    assert dict(zip(PLAIN, seen, strict=True)) == PLAIN


#: What they hold or do would run code of the program.
FOREIGN = """
static class L extends ArrayList<Integer> {
  public Object[] toArray() { throw new Error("it ran"); }
  public Iterator<Integer> iterator() { throw new Error("it ran"); }
  public int size() { throw new Error("it ran"); }
}
record R(int n) { public int n() { throw new Error("it ran"); } }
enum E { A }
static Object cyclic() { List<Object> a = new ArrayList<>(); a.add(a); return a; }
"""


HUGE_OR_FOREIGN = [
    *["new int[3000]", '"x".repeat(2001)', 'new java.math.BigInteger("9").pow(5000)', "cyclic()", "new Object()"],
    *["new L()", "List.of(new R(1))", "new R(1)", "E.A", "Collections.unmodifiableList(new L())", "Map.of(1, E.A)"],
    *["new ArrayList<>() {{ add(1); }}", "(Runnable) () -> { }", "new StringBuilder()", "new int[9][9][9][9]"],
    *["Set.of(List.of(1))", "Collections.nCopies(1_000_000_000, 1)", "new boolean[] {true}.clone().getClass()"],
]


def test_a_value_that_is_huge_cyclic_foreign_or_runs_code_is_marked(sandbox: Sandbox) -> None:
    values = [*HUGE_OR_FOREIGN, "7"]
    [[visit]] = see_values(sandbox, values, "Object", FOREIGN).visits
    assert [value for value, seen in zip(values, visit.values, strict=True) if seen != TOO_LARGE] == ["7"]


def test_all_values_together_are_limited(sandbox: Sandbox) -> None:
    body = "for (int i = 0; i < 300; i++) {\nint[] v = new int[450];\nArrays.fill(v, 100 + i);\nv[0]++;\n}\nreturn 1;"
    [seen] = see(sandbox, wrap(body), (5, "v")).visits
    assert len(seen) == MOST_VISITS
    assert seen[0].values == (0,)
    assert seen[-1].values == (TOO_LARGE,)


HELP = """
static int g(int n) { int[] a = {}; return a[n]; }
static class X extends RuntimeException { X(String s) { super(s); } }
static class Y extends RuntimeException { public StackTraceElement[] getStackTrace() { return null; } }
static class Z { static int n = g(3); }
"""


@pytest.mark.parametrize(
    ("body", "place"),
    mostly_slow([
        ("int n = 1;\nreturn n / (n - 1);", 3),
        ("int n = 1;\nreturn\nn / (n - 1);", 3),
        ("throw new X(\"\");", 2),
        ("return List.of(1).get(3);", 2),
        ("return Integer.parseInt(\"x\");", 2),
        ("int n = 0;\nreturn g(3);", -1),
        ("Object o = \"\";\nreturn (Integer) o;", 3),
        ("return Optional.empty().orElseThrow(() -> {\nreturn new X(\"\");\n});", None),
        ("try {\ng(3);\n} catch (RuntimeException e) {\n}\nreturn g(4) + 1;", -1),
        ("try {\ng(3);\n} catch (RuntimeException e) {\nthrow e;\n}\nreturn 1;", None),
        ("try {\ng(3);\n} catch (RuntimeException e) {\nthrow new X(\"\");\n}\nreturn 1;", 5),
        ("try {\ng(3);\n} catch (X e) {\n}\nreturn 1;", -1),
        ("try {\ng(3);\n} finally {\ng2();\n}\nreturn 1;", None),
        ("try (var r = new java.io.StringReader(\"\")) {\ng(3);\n}\nreturn 1;", None),
        ("return Z.n;", None),
        ("throw new Y();", None),
        ("var e = new X(\"\");\nthrow e;", None),
        ("return 1;", None),
    ], 3),
)  # fmt: skip
def test_an_exception_comes_from_a_line(body: str, place: int | None, sandbox: Sandbox) -> None:
    source = wrap(body, HELP + "static void g2() { }\n")
    line = 1 + next(n for n, text in enumerate(source.split("\n")) if "int g(int n)" in text)
    expected = None if place is None else (FILE, line if place < 0 else place)
    assert watch(sandbox, source).raised_at == expected


@pytest.mark.slow
def test_a_long_run_is_not_whole(sandbox: Sandbox) -> None:
    body = "int n = 0;\nfor (int i = 0; i < 1_000_000; i++) {\nn += 1;\nn -= 1;\n}\nreturn n;"
    long = see(sandbox, wrap(body))
    assert (long.whole, long.lines) == (False, ())


@pytest.mark.slow
def test_an_endless_run_is_stopped(sandbox: Sandbox) -> None:
    source = wrap("while (true) {\nf();\n}", "static int g() { return 1; }").replace("f();", "g();")
    run = Run(language="java", files={FILE: source}, entry=FILE, call="f()", witnessed="moments")
    assert sandbox.run(replace(run, limits=Limits(cpu_s=2, wall_s=5))).ending == "limit"


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        "final int n;\nif (true) {\nn = 1;\n}\nreturn n;",
        f"return {'1 + ' * 300}1;",
        "try {\nreturn f();\n} catch (StackOverflowError full) {\nreturn 1;\n}",
    ],
    ids=["a constant condition", "a long line", "a full stack"],
)
def test_a_program_whose_lines_cannot_be_told_has_no_moments(body: str, sandbox: Sandbox) -> None:
    assert sandbox.run(Run(language="java", files={FILE: wrap(body)}, entry=FILE, call="f()")).returned
    assert watch(sandbox, wrap(body)).ending == "tampered"


NEWLINE = "\n"
FORMS: Mapping[str, str] = {
    "constructors": """class A { final int n; A() { this(g(2)); } A(int n) { super(); this.n = n; } }
static int g(int n) { return n + 1; }
enum E { ONE(1) { int twice() { return 3; } }, TWO(2); final int n;
E(int n) { this.n = n; } int twice() { return 2 * n; } }
static int f() { return new Main().new A().n + E.ONE.twice() + E.TWO.twice() + E.valueOf("TWO").n; }
""",
    "an exception from a superclass": """static class A { A(int n) { if (n > 1) throw new RuntimeException("no"); } }
static class B extends A { B(int n) { super(n); } }
static String f() { try { new B(3); return ""; } catch (RuntimeException e) { return e.getMessage(); } }
""",
    "a switch in a table": """static int f() { int n = 0; for (int i = 0; i < 70; i++) switch (i) {
case 0: n++; break; case 1: n += 2; case 2: n += 3; break; case 60: n += 9; default: n--; } return n; }
""",
    "wide variables": f"""static String f() {{
{"".join(f"long v{i} = {i}; double w{i} = v{i} / 2.0;{NEWLINE}" for i in range(150))}return v149 + " " + w149; }}
""",
    "what it says of a null": """static String f() { String word = null; try { return "" + word.length(); }
catch (NullPointerException e) { return e.getMessage(); } }
""",
    "where it stands": """static String f() { try { throw new Error(); } catch (Error e) {
return e.getStackTrace()[0].toString() + e.getStackTrace().length; } }
""",
    "a record, generics and a stream": """record P<T extends Comparable<T>>(T one, T other) {
P { if (one == null) throw new IllegalArgumentException(); }
T most() { return one.compareTo(other) > 0 ? one : other; } }
static Object f() { return java.util.stream.Stream.of(3, 1, 2).map(n -> new P<>(n, 2)).map(P::most).sorted().toList(); }
""",
    "a pattern of types": """sealed interface S permits C, D { }
record C(int n) implements S { } record D(S s) implements S { }
static int g(S s) { if (s instanceof C c && c.n() > 1) return c.n(); if (!(s instanceof D d)) return 0;
return 1 + g(d.s()); }
static int f() { return g(new D(new D(new C(5)))); }
""",
    "labels": """static int f() { int n = 0;
outer: for (int i : new int[] {1, 2, 3}) { for (;;) { n += i; continue outer; } }
do { n--; } while (n > 4); return n; }
""",
    "a lock": """static synchronized int f() { Object o = 1;
synchronized (o) { synchronized (Main.class) { return 3; } } }
""",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMS)
def test_a_program_does_what_it_does_without_a_trace(name: str, sandbox: Sandbox) -> None:
    source = "class Main {\n" + FORMS[name] + "}\n"
    plain = Run(language="java", files={FILE: source}, entry=FILE, call="Main.f()")
    ended = sandbox.run(plain)
    assert ended.returned, ended.words
    lines = range(1, source.count("\n") + 1)
    probes = tuple(LineProbe(FILE, line, ("n", "o", "i", "e", "s", "c", "d", "w149", "v2")) for line in lines)
    for each in ((), probes):
        traced = sandbox.run(replace(plain, witnessed="moments", probes=each))
        assert traced.trace is not None, traced.words
        assert traced.ends_as(ended, JAVA.values.equal)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "program"),
    [*list_corpus()][:: take_every(16)],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_shipped_program_does_what_it_does_without_a_trace(name: str, program: Program, sandbox: Sandbox) -> None:
    plain = Run.from_program(program)
    ended, traced = sandbox.run(plain), sandbox.run(replace(plain, witnessed="moments"))
    assert traced.trace is not None, traced.words
    moments: Any = traced.trace.moments
    assert traced.ends_as(ended, JAVA.values.equal)
    probes = choose_probes(WitnessedRun(JAVA, program, traced, moments), Draws(0))
    looked = sandbox.run(replace(plain, witnessed="moments", probes=probes))
    assert looked.ends_as(ended, JAVA.values.equal)
    assert looked.trace is not None
    assert looked.trace.moments is not None
    assert looked.trace.moments.runs_like(moments)
