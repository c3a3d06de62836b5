"""What JavaScript says about a program: functions, statements, sites, insertions, units, and its forms."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core.language.structure import Insertion, Site, Span
from pytest_codereason.errors import DoesNotParse, Refused
from pytest_codereason.languages.javascript import JavaScript

JAVASCRIPT = JavaScript()
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")


def sites(source: str, kind: str) -> list[Site]:
    return [site for site in JAVASCRIPT.syntax.parse(source).sites if site.kind == kind]


def texts(source: str, spans: list[Span]) -> list[str]:
    return [source[span.start : span.end] for span in spans]


def with_text(source: str, insertion: Insertion, text: str) -> str:
    lines = insertion.before + text.replace("\n", "\n" + insertion.indent) + insertion.after
    return source[: insertion.at] + lines + source[insertion.at :]


def test_functions_go_by_qualified_names() -> None:
    source = """function f(a, { b, c: [d] }, e = 1, ...g) {
    const h = () => 1; return [].map(function () { function i() {} }); }
class A { constructor() {} static async *m() {} get n() { return class B { o() {} }; } #p() {} p = () => 1 }
const q = function named() {}, r = { s() {}, t: x => { let u = y => y; } };
module.exports.v = async () => {};
"""
    functions = JAVASCRIPT.syntax.parse(source).functions
    assert [f.name for f in functions] == [
        "f", "f.h", "f.i", "A.constructor", "A.m", "A.n", "A.n.B.o", "A.#p", "A.p", "named", "r.s", "r.t", "r.t.u",
        "module.exports.v",
    ]  # fmt: skip
    assert functions[0].parameters == ("a", "b", "d", "e", "g")
    assert [f.name for f in functions if f.method] == ["A.constructor", "A.m", "A.n", "A.n.B.o", "A.#p", "r.s"]
    assert texts(source, [functions[1].body, functions[4].body]) == ["1", ""]


def test_statements_know_kind_depth_and_function() -> None:
    source = """let a = 1;
function f() {
    a = 2; a++; g();
    for (let i = 0; i < 2; i++) if (i) return; else if (a) throw 1; else { while (1) break; }
    switch (a) { case 1: continue; default: {} }
    try { ; } catch { debugger } finally { do x(); while (a) }
}
export const b = 1;
"""
    statements = [(s.kind, s.depth, s.function) for s in JAVASCRIPT.syntax.parse(source).statements]
    assert statements == [
        ("declaration", 0, ""), ("function", 0, ""), ("assignment", 0, "f"), ("assignment", 0, "f"),
        ("expression", 0, "f"),
        ("for", 0, "f"), ("if", 1, "f"), ("return", 2, "f"), ("if", 2, "f"), ("throw", 2, "f"), ("while", 2, "f"),
        ("break", 3, "f"), ("switch", 0, "f"), ("continue", 1, "f"), ("block", 1, "f"), ("try", 0, "f"),
        ("other", 1, "f"),
        ("other", 1, "f"), ("do", 1, "f"), ("expression", 2, "f"), ("export", 0, ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("condition", "form", "pure"),
    [
        ("a < 1", "comparison", True),
        ("a === b.c", "comparison", True),
        ("'x' in a", "comparison", True),
        ("true", "constant", True),
        ("(true)", "other", True),
        ("a && !b[0] || typeof c === 'x'", "other", True),
        ("a?.length + -a * ~b", "other", True),
        ("this.x", "other", True),
        ("f()", "other", False),
        ("a++ < 1", "comparison", False),
        ("a = 1", "other", False),
        ("delete a.b", "other", False),
        ("undeclared", "other", False),
        ("undeclared.x", "other", False),
        ("x => x", "other", False),
        ("/r/g", "other", False),
        ("a in new Proxy(b, c)", "comparison", False),
    ],
)
def test_conditions_and_their_purity(condition: str, form: str, pure: bool) -> None:
    source = f"function g(a, b, c, f) {{ if ({condition}) return; }}"
    code = JAVASCRIPT.syntax.parse(source)
    (site,) = code.sites_of("condition")
    assert source[site.span.start : site.span.end] == condition
    assert (site.form, code.is_pure(site), site.holder, site.function) == (form, pure, "if", "g")


@pytest.mark.parametrize(
    "source",
    [
        "class A { get x() { f(); } } if (a.x) b; var a;",
        "Object.defineProperty(a, 'x', { value: 1 }); if (a.x) b; var a;",
        "const a = { valueOf() { return f(); } }; if (a < 1) b;",
        "if (a) { with (b) c; } var b, c;",
    ],
)
def test_programs_with_hooks_have_no_pure_reads(source: str) -> None:
    code = JAVASCRIPT.syntax.parse(source)
    assert [code.is_pure(site) for site in code.sites_of("condition")] == [False]


def test_who_holds_a_condition() -> None:
    source = "if (a) b; while (a) b; do b; while (a); for (;a;) b; for (;;) b; x = a ? 1 : 2; for (b of a) ;"
    conditions = sites(source, "condition")
    assert [s.holder for s in conditions] == ["if", "while", "do", "for", "conditional"]
    assert texts(source, [s.span for s in conditions]) == ["a"] * 5
    assert [s.form for s in sites(source, "loop")] == ["while", "do", "for", "for", "for"]


def test_other_sites() -> None:
    source = """'use strict';
import x from 'm';
function f(a) {
    const b = [1, 2.5, 0x1f, 1e3, null, true, 'k', { k: 'v', 'l': 3 }];
    b.push(a); b?.slice(1).sort(); new Set().add(1); b[0].toUpperCase(); Math.max(1);
    a += b - -1; a = b >>> 1; a--;
    return a;
}
"""
    assert [source[s.span.start : s.span.end] for s in sites(source, "return")] == ["return a;"]
    assert [s.form for s in sites(source, "assignment")] == ["=", "+=", "=", "--"]
    assert [s.form for s in sites(source, "operator")] == ["+=", "-", "-", ">>>", "--"]
    literals = [s.form for s in sites(source, "literal")]
    assert literals == ["int", "float", "int", "float", "null", "bool", "str", "str", *["int"] * 7]
    methods = [s.form for s in sites(source, "collection-operation")]
    assert methods == ["push", "sort", "slice", "add", "toUpperCase"]
    assert {s.function for s in JAVASCRIPT.syntax.parse(source).sites} == {"f"}


INSERTABLE = [
    "function f(a) { 'use strict'; return a }",
    "function f(a) {\n    if (a) return 1; // one\n    else { a = 2 }\n    return a\n}\n",
    "var a = 1\nvar b = a\n;[b].map(f)\nfunction f(x) { switch (x) { case 1: x++; break; default: return x } }",
    "class A { a = 1\n b = 2; c() {} static { } }\nclass B {}\nclass C { *d() { yield* [1] } }",
    "for (;;) break; l: for (;;) { break l } do { } while (0) var z",
    "#!/usr/bin/env node\n// note\n'use strict'\nlet a = () => { }, b = () => 1\r\nlet c",
    "import a from 'a';\nimport b from 'b';\nexport function f() { return\n1 }\nexport default f",
    "{ }\n{ /* c */ }\nif (1) ; else ;",
    "// only\n",
    "",
]


@pytest.mark.parametrize("source", INSERTABLE)
@pytest.mark.parametrize("text", ["// note {", "if (true) {\n    (0);\n}", "var zz = 1;"])
def test_insertions_leave_the_rest_alone(source: str, text: str) -> None:
    code = JAVASCRIPT.syntax.parse(source)
    kinds = [s.kind for s in code.statements]
    assert code.insertions
    for insertion in code.insertions:
        if insertion.place == "member" and not text.startswith("//"):
            variant = with_text(source, insertion, "zz() {\n    return 1;\n}")
            assert len(JAVASCRIPT.syntax.parse(variant).functions) == len(code.functions) + 1
            continue
        variant = with_text(source, insertion, text)
        statement_kinds = [s.kind for s in JAVASCRIPT.syntax.parse(variant).statements]
        added = {"/": 0, "i": 2, "v": 1}[text[0]]
        assert len(statement_kinds) == len(kinds) + added, variant
        assert variant.startswith(source[: insertion.at])
        assert variant.endswith(source[insertion.at :])
    everywhere = source
    for insertion in reversed(code.insertions):
        everywhere = with_text(everywhere, insertion, "// note" if insertion.place == "member" else text)
    assert JAVASCRIPT.syntax.check(everywhere) == ""


def test_nothing_is_inserted_before_directives_and_imports() -> None:
    source = "'use strict';\nimport a from 'a';\nlet b;\n"
    assert [source[i.at :][:5] for i in JAVASCRIPT.syntax.parse(source).insertions] == ["let b", "\n"]


def test_what_follows_a_return_is_never_reached() -> None:
    source = """function f(a) {
    if (a) {
        return 1;
    } else {
        throw 2;
    }
    let b;
    function g() {
        return 3;
    }
}
"""
    insertions = [
        (i.function, i.reachable) for i in JAVASCRIPT.syntax.parse(source).insertions if i.place == "statement"
    ]
    assert insertions == [
        ("f", True), ("f", True), ("f", False), ("f", True), ("f", False), ("f", False), ("f", False),
        ("f.g", True), ("f.g", False), ("f", False),
    ]  # fmt: skip


def test_functions_and_methods_are_units() -> None:
    source = """'use strict';
/** Doc. */
// more
function f() { function g() {} { function h() {} } }

// apart

export async function i() {}
class A { a() {} b() {} get c() {} set c(v) {} [d]() {} static e() {} }
function j() {}
function j() {}
(function () { function k() {} })();
"""
    units = JAVASCRIPT.syntax.parse(source).units
    assert [(u.parent, u.name) for u in units] == [
        ("", "f"), ("f", "g"), ("", "i"), ("A", "a"), ("A", "b"), ("A", "e"), (f"@{source.index('{ function k')}", "k"),
    ]  # fmt: skip
    assert source[units[0].span.start :].startswith("/** Doc. */\n// more")
    assert source[units[2].span.start :].startswith("export async")


@pytest.mark.parametrize(
    ("source", "needs"),
    [
        ("class A {}\nclass B extends A {}\nfunction f() {}\nnew A();", {"A": set(), "B": {"A"}, "f": set()}),
        ("class A {}\nnew A();\nclass B {}", {}),
        ("let a = 1;\nclass A {}", {}),
        ("class A { static a = 1; }\nclass B {}", {}),
        ("class A extends f() {}\nfunction f() {}", {"f": set()}),
        ("class A extends Array {}\nclass B { m() { new A(); } }", {"A": set(), "B": set(), "m": set()}),
        ("class A { a = 1\n b() {} *c() {} }", {}),
    ],
)
def test_classes_are_units_where_their_order_is_free(source: str, needs: dict[str, set[str]]) -> None:
    units = {u.name: set(u.needs) for u in JAVASCRIPT.syntax.parse(source).units}
    assert units == needs


@given(st.text())
def test_comments_hide_any_text(text: str) -> None:
    try:
        comment = JAVASCRIPT.dialect.comment(text)
    except Refused:
        return
    code = JAVASCRIPT.syntax.parse(f"let a;\n{comment}\nlet b;")
    assert len(code.statements) == 2
    assert JAVASCRIPT.syntax.normalise(code.source).text == "let a;\nlet b;\n"


def test_comments_end_at_every_line_end() -> None:
    assert JAVASCRIPT.dialect.comment("a\u2028b\r\nc\rd") == "// a\n// b\n// c\n// d"
    with pytest.raises(Refused):
        JAVASCRIPT.dialect.comment("\ud800")


@needs_node
def test_prints_say_what_they_are_given() -> None:
    messages = ["plain", "%d %s %%", "'\"`${x}\\", "a\nb\u2028c", "\U0001f600é", "</script>\t\0"]
    program = "console.log = (...a) => process.stdout.write(JSON.stringify(a) + ',');"
    program += "".join(JAVASCRIPT.dialect.print_statement(text) for text in messages)
    assert JAVASCRIPT.syntax.check(program) == ""
    process = subprocess.run(["node", "-e", program], capture_output=True, text=True, check=True)
    assert json.loads(f"[{process.stdout[:-1]}]") == [[text] for text in messages]


def test_fresh_names_are_new_and_no_words() -> None:
    assert JAVASCRIPT.dialect.fresh("a", frozenset()) == "a"
    assert JAVASCRIPT.dialect.fresh("a", frozenset({"a", "a_1"})) == "a_2"
    assert JAVASCRIPT.dialect.fresh("let", frozenset()) == "let_1"
    assert JAVASCRIPT.dialect.fresh("console", frozenset({"console_1"})) == "console_2"


@pytest.mark.parametrize("source", ["let a = 1;", "async (x) => x", "import a from 'b'; a;", "export let a;"])
def test_check_accepts_programs(source: str) -> None:
    assert JAVASCRIPT.syntax.check(source) == ""


@pytest.mark.parametrize("source", ["let a = ;", "1 = a;", "a?.b = 1;", "import a from 'b'; a b;", "break;"])
def test_check_says_what_is_wrong(source: str) -> None:
    assert JAVASCRIPT.syntax.check(source)


@needs_node
@pytest.mark.parametrize("source", ["a?.b ?? 1n;", "class A { #a = 1; static {} }", "import a from 'b'; a ||= 1_000;"])
def test_check_asks_node_about_newer_syntax(source: str) -> None:
    assert JAVASCRIPT.syntax.check(source) == ""


def test_check_without_node_is_what_esprima_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert "Unexpected token" in JAVASCRIPT.syntax.check("let a = {async *f() {}};")
    assert JAVASCRIPT.syntax.check("a?.b; c ??= 1_000;") == ""


@pytest.mark.parametrize("call", ["f(", "f(1); g(2)", "let a", "", "<a/>"])
def test_an_entry_call_is_one_expression(call: str) -> None:
    if not call:
        assert JAVASCRIPT.syntax.parse("let a;", call).call == ""
        return
    with pytest.raises(DoesNotParse, match="entry call"):
        JAVASCRIPT.syntax.parse("let a;", call)
