"""Programs with an edge of each kind."""

from __future__ import annotations

#: By kind and language: a program, an edge of it.
CASES = {
    ("constructor", "python"): ("class A:\n    def __init__(self): pass\nA()", "main -> main.A.__init__"),
    ("constructor", "javascript"): ("class A { constructor() {} }\nnew A();", "main -> main.A.constructor"),
    ("constructor", "java"): ("Main() {} static void f() { new Main(); }", "Main:f() -> Main:<init>()"),
    ("direct", "python"): ("def f(): pass\nf()", "main -> main.f"),
    ("direct", "javascript"): ("const f = () => 1;\nf();", "main -> main.f"),
    ("direct", "java"): ("static void g() {} static void f() { g(); }", "Main:f() -> Main:g()"),
    ("closure", "python"): ("def f():\n    def g(): pass\n    return g\nh = f()\nh()", "main -> main.f.g"),
    ("closure", "javascript"): ("function f() { return function g() {}; }\nf()();", "main -> main.f.g"),
    ("method", "python"): ("class A:\n    def m(self): pass\na = A()\na.m()", "main -> main.A.m"),
    ("method", "javascript"): ("class A { m() {} }\nnew A().m();", "main -> main.A.m"),
    ("method", "java"): ("void m() {} void f() { m(); }", "Main:f() -> Main:m()"),
    ("alias", "python"): ("def f(): pass\ntable = {'a': f}\ntable['a']()", "main -> main.f"),
    ("alias", "javascript"): ("function f() {}\nconst g = f;\ng();", "main -> main.f"),
    ("dispatch", "python"): (
        "class A:\n    def m(self): pass\nclass B(A):\n    def m(self): pass\ndef f(a): a.m()\nf(B())",
        "main.f -> main.B.m",
    ),
    ("dispatch", "javascript"): (
        "class A { m() { this.n(); } n() {} }\nclass B extends A { n() {} }\nnew B().m();",
        "main.A.m -> main.B.n",
    ),
    ("dispatch", "java"): (
        "interface S { int n(); } static class A implements S { public int n() { return 1; } }"
        " static void f(S s) { s.n(); }",
        "Main:f(Main$S) -> Main$A:n()",
    ),
    ("callback", "python"): ("def f(): pass\ndef g(call): call()\ng(f)", "main.g -> main.f"),
    ("callback", "javascript"): ("[1].map((x) => x);", "main -> main.<arrow1>"),
    ("callback", "java"): (
        "static void h() {} static void g(Runnable r) { r.run(); } static void f() { g(() -> h()); }",
        "Main:g(java.lang.Runnable) -> Main:h()",
    ),
    ("implicit", "python"): ("class A:\n    def __len__(self): return 1\nlen(A())", "main -> main.A.__len__"),
    ("implicit", "javascript"): ("class A { get v() { return 1; } }\nnew A().v;", "main -> main.A.v"),
    ("implicit", "java"): (
        'public String toString() { return ""; } static String f(Main m) { return "" + m; }',
        "Main:f(Main) -> Main:toString()",
    ),
    ("unknown", "python"): ("def f(): pass\neval('f()')", "main -> main.f"),
    ("unknown", "javascript"): ("function f() {}\neval('f()');", "main -> main.f"),
    ("unknown", "java"): (
        'static void f() { Main.class.getMethod("g").invoke(null); } static void g() {}',
        "Main:f() -> Main:g()",
    ),
}
