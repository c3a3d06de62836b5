"""Which names of JavaScript are one, and that renaming them changes nothing when node runs the program."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pytest_codereason.core.language.structure import Binding, Code
from tests.languages.javascript_programs import JAVASCRIPT, needs_node, outcomes, rename_all


def find_bindings(code: Code, name: str) -> list[Binding]:
    return [b for b in code.bindings if b.name == name]


#: Programs that return what they compute, each with the number of its names that are unsafe.
PROGRAMS = {
    "var-is-hoisted": ("a = 1; { var a; } return a;", 0),
    "let-shadows": ("let a = 1; { let a = 2; a++; } return a;", 0),
    "function-is-hoisted": ("return f(); function f() { return g; } var g;", 0),
    "closure": ("const a = (x) => () => x++; const b = a(3); b(); return b();", 0),
    "loop-scope": ("const a = []; for (let i = 0; i < 3; i++) a.push(() => i); return a.map((f) => f());", 0),
    "loop-var": ("const a = []; for (var i = 0; i < 3; i++) a.push(() => i); return a.map((f) => f());", 0),
    "for-in-head": ("let a = []; for (const a_ in { x: 1, y: 2 }) a.push(a_); return a;", 0),
    "for-of-reference": ("let a, b = []; for (a of [1, 2]) b.push(a); for ([a] of [[3]]) b.push(a); return [a, b];", 0),
    "shorthand": ("const a = 1, b = 2; return { a, b, c: a };", 0),
    "shorthand-proto": ("const __proto__ = { x: 1 }; const o = { __proto__ }; return [o.x, Object.keys(o)];", 0),
    "destructuring": ("const { a, b: { c = 5 } = {}, ...d } = { a: 1, e: 2 }; return [a, c, d];", 0),
    "destructuring-default": ("const { a = 1, b = a } = {}; return a + b;", 0),
    "destructuring-assignment": ("let a, b, c; "
                                 " ({ a, b: [c = 3], d: b } = { a: 1, b: [], d: 4 }); return [a, b, c];", 0),
    "destructuring-parameters": ("function f({ a, b = a }, [c, , d] = [3, 4, 5], ...e) { return [a, b, c, d, e]; }"
                                 " return f({ a: 1 }, undefined, 6);", 0),
    "computed-key": ("const k = 'x'; const { [k]: v } = { x: 7 }; return { [k]: v, k };", 0),
    "default-sees-outer": ("var x = 1; function f(a = () => x) { var x = 2; return [a(), x]; } return f();", 0),
    "default-sees-parameter": ("function f(a, b = () => a) { var a; const c = a; a = 2; return [b(), a, c]; }"
                               " return f(1);", 0),
    "parameter-and-var": ("function f(a) { var a; return a; } return f(3);", 0),
    "parameter-and-function": ("function f(a) { return typeof a; function a() {} } return f(3);", 0),
    "arguments-alias": ("function f(a) { arguments[0] = 9; return a; } return f(3);", 0),
    "arguments-as-name": ("function f() { var arguments; return arguments.length; } return f(1, 2);", 1),
    "named-function-expression": ("const f = function g(n) { return n ? n * g(n - 1) : 1; }; return f(5);", 0),
    "named-expression-shadowed": ("const f = function g() { var g = 1; return g; }; return f();", 0),
    "name-of-expression-not-outside": ("const f = function g() {}; return typeof g;", 0),
    "class": ("class A { static n = 2; m() { return A.n; } } const B = A; return new B().m();", 0),
    "class-expression": ("const A = class B { m() { return B === A; } }; return new A().m();", 0),
    "class-private": ("class A { #a = 1; get a() { return this.#a; } set a(a) { this.#a = a; } }"
                      " const a = new A(); a.a = 5; return a.a;", 0),
    "class-static-block": ("let a = 1; class A { static { var a = 2; A.b = a; } } return [a, A.b];", 0),
    "class-heritage": ("class A { m() { return 1; } } class B extends A { m() { return super.m() + 1; } }"
                       " return new B().m();", 0),
    "method-names": ("const m = 1; const o = { m() { return m; }, get n() { return m; } }; return [o.m(), o.n];", 0),
    "catch": ("let e = 1; try { throw 2; } catch (e) { e++; } try { throw [3]; } catch ([f]) { e += f; } return e;", 0),
    "catch-and-var": ("var e = 1; try { throw 2; } catch (e) { var e = 3; } return e;", 2),
    "label": ("let n = 0; a: for (const a of [1, 2]) { for (;;) { n += a; continue a; } } return n;", 0),
    "label-twice": ("let n = 0; a: { n++; break a; } a: { n++; break a; } return n;", 0),
    "switch-scope": ("let a = 1; switch (1) { case 0: let a; case 1: a = 5; return a; } return a;", 0),
    "block-function": ("{ function f() { return 1; } } return f();", 0),
    "block-function-strict": ("'use strict'; function f() { return 1; } { function f() { return 2; } } return f();", 0),
    "block-function-shadowed": ("{ let f = 1; { function f() {} } } return typeof f;", 2),
    "block-function-and-parameter": ("function g(f) { { function f() {} } return typeof f; } return g(1);", 0),
    "block-function-late": ("return typeof f; { function f() {} }", 0),
    "if-function": ("if (1) function f() { return 2; } return f();", 0),
    "async-in-block": ("var f = 1; { async function f() {} } return typeof f;", 0),
    "generator": ("function* g(n) { while (n) yield n--; } return [...g(3)];", 0),
    "with": ("var a = 1; with ({ a: 2 }) { return a; }", 1),
    "with-closure": ("var a = 1, b = 5; with ({ a: 2 }) { return (() => { let c = 3; return a + b + c; })(); }", 2),
    "eval": ("var a = 1; return eval('a');", 1),
    "eval-inside": ("var a = 1; "
                    "function f(b) { return eval('a + b'); } function g(c) { return c; } return f(2) + g(1);", 4),
    "function-constructor": ("var a = 1; return typeof new Function('return typeof a')();", 1),
    "template": ("const a = 1; return `a ${a} ${`${a + 1}`} \\${a}`;", 0),
    "tagged": ("const a = (s, b) => s[0] + b; return a`x${2}y`;", 0),
    "strings-and-regexes": ("const a = 'a', b = /a/; return [a, b.test(a), { 'a': a }['a']];", 0),
    "escaped-name": ("const \\u0061b = 1; return ab + \\u{61}b;", 0),
    "unicode": ("const é = '😀', ñ = é + é; return ñ.length + é.length;", 0),
    "undefined-as-name": ("return (function (undefined) { return undefined; })(3);", 0),
    "contextual-words": ("let async = 1, of = 2, get = 3; var let_ = async + of; return let_ + get;", 0),
    "typeof-undeclared": ("return typeof a; { let a; }", 0),
    "function-name-read": ("function f() {} const g = () => 1; return [f.name, g.name];", 2),
    "class-name-read": ("class A {} return new A().constructor.name;", 1),
    "assigned-name-read": ("let f; f = function () {}; return f['name'];", 1),
    "name-destructured": ("const f = () => 1; const { name } = f; return name;", 1),
    "optional-chain": ("const a = { b: null }, b = a?.b?.a; return [b, a?.['b']];", 0),
    "new-target": ("function F() { return new.target === F; } return [F(), typeof new F()];", 0),
    "this-in-constructor": ("function F(x) { this.x = x; } return new F(3).x;", 0),
    "nullish": ("let a = null; a ??= 4; a ||= 5; a &&= 6; return a ** 2;", 0),
    "sequence-and-comma": ("let a = 1, b = (a, a + 1); return b;", 0),
    "async": ("async function f(a) { for await (const b of [a]) return await b; } return f(1) instanceof Promise;", 0),
}  # fmt: skip


def test_only_what_is_not_understood_is_unsafe() -> None:
    unsafe = {
        name: [b.name for b in JAVASCRIPT.syntax.parse(source).bindings if b.unsafe]
        for name, (source, _) in PROGRAMS.items()
    }
    assert {k: len(v) for k, v in unsafe.items()} == {k: n for k, (_, n) in PROGRAMS.items()}, unsafe


@needs_node
def test_renaming_changes_nothing_that_runs() -> None:
    sources = [source for source, _ in PROGRAMS.values()]
    before = dict(zip(PROGRAMS, outcomes(sources), strict=True))
    after = dict(zip(PROGRAMS, outcomes([rename_all(source) for source in sources]), strict=True))
    assert after == before
    assert "SyntaxError" not in before.values()


@needs_node
def test_layout_changes_nothing_that_runs() -> None:
    sources = [source for source, _ in PROGRAMS.values()]
    assert outcomes([JAVASCRIPT.syntax.normalise(source).text for source in sources]) == outcomes(sources)


def test_uses_are_found_in_source_and_call() -> None:
    code = JAVASCRIPT.syntax.parse(
        "function f(a, { b }) { return a + b; }\nconst x = 1;", "f(x, { b: [1].map((a) => a + x) })"
    )
    uses = {(b.name, b.kind, b.function): b.uses for b in code.bindings}
    assert [(u.span.start, u.in_call) for u in uses["f", "function", ""]] == [(9, False), (0, True)]
    assert [(u.span.start, u.in_call) for u in uses["x", "variable", ""]] == [(45, False), (2, True), (29, True)]
    assert [u.template for u in uses["b", "parameter", "f"]] == ["b: {}", "{}"]
    assert [u.in_call for u in uses["a", "parameter", ""]] == [True, True]
    assert not any(u.in_call for u in uses["a", "parameter", "f"])


def test_imports_and_exports_keep_what_other_modules_see() -> None:
    source = """import d, { a, b as c } from "m";
import * as ns from "n";
const e = a + c + d + ns.x, f = 1, h = 3;
function k() {}
export { e, f as g };
export const i = 2, { j } = h;
export default function l() { return k; }
export { a as z } from "q";
"""
    code = JAVASCRIPT.syntax.parse(source)
    assert {b.name for b in code.bindings if b.unsafe} == {"i", "j"}
    assert {find_bindings(code, "i")[0].unsafe} == {"exported"}
    text = rename_all(source)
    assert 'import zz, { a as zz_1, b as zz_2 } from "m";' in text
    assert "import * as zz_3" in text
    assert "export { zz_4 as e, zz_5 as g };" in text
    assert 'export { a as z } from "q";' in text
    assert JAVASCRIPT.syntax.check(text) == ""


@pytest.mark.parametrize(
    ("source", "unsafe"),
    [
        ("var a = 1; globalThis.a;", {"a"}),
        ("var a = 1, b = 2; globalThis.a;", {"a"}),
        ("var a = 1; let b = 2; globalThis[x];", {"a"}),
        ("var a = 1; this.a;", {"a"}),
        ("function a() { return this; }", {"a"}),
        ("function a() { 'use strict'; return this; }", set()),
        ("class A { m() { return this.A; } }", set()),
        ("var a = 1; const m = require('m'); globalThis[x];", set()),
        ("import m from 'm'; var a = 1; this.a; window.a;", set()),
        ("var a = (self) => self.a;", set()),
        ("var module = 1, undefined, console, x;", {"module", "undefined", "console"}),
        ("const console = 1, process = 2;", set()),
        ("class A {} console.log(new A());", {"A"}),
        ("class A {} console.log('done');", set()),
    ],
)
def test_top_level_names_of_scripts_may_be_properties(source: str, unsafe: set[str]) -> None:
    assert {b.name for b in JAVASCRIPT.syntax.parse(source).bindings if b.unsafe} == unsafe


def test_a_name_goes_by_its_spelling_without_escapes() -> None:
    (binding,) = JAVASCRIPT.syntax.parse("var \\u0061 = 1; a;").bindings
    assert (binding.name, len(binding.uses)) == ("a", 2)


def test_taken_names_are_also_those_in_strings() -> None:
    code = JAVASCRIPT.syntax.parse("const a = 'b\\nc \\u0064e', x = `f ${g}`; // h", "k(l)")
    assert {"a", "b", "c", "de", "x", "f", "g", "h", "k", "l"} <= code.taken


def test_deep_programs_do_not_overflow_the_stack() -> None:
    source = "let a = 1; a = " + "(" * 3000 + "a" + ")" * 3000 + ";\na = " + "a + " * 5000 + "a;"
    code = JAVASCRIPT.syntax.parse(source)
    assert len(code.bindings[0].uses) == 5005
    assert code.sites
    assert code.insertions
    assert (
        JAVASCRIPT.syntax.normalise(JAVASCRIPT.syntax.normalise(source).text).text
        == JAVASCRIPT.syntax.normalise(source).text
    )


@pytest.mark.slow
@needs_node
def test_cruxeval_x_passes_its_own_tests_under_other_names() -> None:
    folder = os.environ.get("CODEREASON_DATA")
    if not folder:
        pytest.skip("CODEREASON_DATA names no folder with cruxeval-x/js.json")
    rows = json.loads((Path(folder) / "cruxeval-x" / "js.json").read_text())
    sources = [row["code"] for row in rows if "code" in row]
    variants = [rename_all(source) for source in sources]
    laid_out = [JAVASCRIPT.syntax.normalise(source).text for source in variants]
    assert outcomes(sources) == outcomes(variants) == outcomes(laid_out)
    assert not any(JAVASCRIPT.syntax.check(source) for source in variants[::10])
