"""The one layout of JavaScript: what it looks like, and that esprima reads the same program off it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.javascript import JavaScript
from tests.examples import examples

JAVASCRIPT = JavaScript()


def syntax(source: str) -> Any:
    """What esprima reads, without where it stands."""
    import esprima

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(item) for key, item in value.items() if key not in ("range", "loc")}
        return [plain(item) for item in value] if isinstance(value, list) else str(value)

    return plain(esprima.parseScript(source).toDict())


@pytest.mark.parametrize(
    ("source", "normal"),
    [
        ("", ""),
        ("// nothing\n", ""),
        ("#!/usr/bin/env node\nf ( )", "f();\n"),
        ("a=1;b=2", "a = 1;\nb = 2;\n"),
        ("function f(a,b=1,...c){return a+b}", "function f(a, b = 1, ...c) {\n    return a + b;\n}\n"),
        ("if(a)b;else if(c){d}else e", "if (a)\n    b;\nelse if (c) {\n    d;\n} else\n    e;\n"),
        ("if(a)if(b)c;else d", "if (a)\n    if (b)\n        c;\n    else\n        d;\n"),
        ("do a++;while(a<3)\nb", "do\n    a++;\nwhile (a < 3);\nb;\n"),
        ("do{a}while(b)", "do {\n    a;\n} while (b);\n"),
        ("for(;;);", "for (;;)\n    ;\n"),
        ("for(let i=0,j;i<2;i++){}", "for (let i = 0, j; i < 2; i++) {}\n"),
        ("for(const[a]of b)c:for(;;)break c", "for (const [a] of b)\n    c: for (;;)\n        break c;\n"),
        ("switch(a){case 1:case 2:b;break\ndefault:{c}}",
         "switch (a) {\n    case 1:\n    case 2:\n        b;\n        break;\n"
         "    default:\n        {\n            c;\n        }\n}\n"),
        ("try{a}catch{b}finally{c}", "try {\n    a;\n} catch {\n    b;\n} finally {\n    c;\n}\n"),
        ("x={a,b:1,[c]:2,...d,e(){},get f(){return 1},*g(){}}",
         "x = { a, b: 1, [c]: 2, ...d, e() {}, get f() {\n    return 1;\n}, *g() {} };\n"),
        ("a=b?c:d;a=-(-b)+ +c- -d-(--e);!a;typeof a;void 0",
         "a = b ? c : d;\na = -(-b) + +c - -d - (--e);\n!a;\ntypeof a;\nvoid 0;\n"),
        ("a=1 .b+1..c+a . b?.[c]?.(d)", "a = 1 .b + 1..c + a.b?.[c]?.(d);\n"),
        ("a=(b,c)=>d=>({e:f});g(async(h)=>{await h},function(){})",
         "a = (b, c) => d => ({ e: f });\ng(async (h) => {\n    await h;\n}, function () {});\n"),
        ("class A extends B{#a=1\nstatic b;c(){}static{d}get[e](){return super.f}}",
         "class A extends B {\n    #a = 1;\n    static b;\n    c() {}\n    static {\n        d;\n    }\n"
         "    get [e]() {\n        return super.f;\n    }\n}\n"),
        ("a=`x ${b+/* c */d} ${function(){e}} y\n  z`", "a = `x ${b + d} ${function () {\n    e;\n}} y\n  z`;\n"),
        ("a=tag`x`+/[/\"]/g.test(b)/c", "a = tag`x` + /[/\"]/g.test(b) / c;\n"),
        ("function*f(){yield*a;yield b}", "function* f() {\n    yield* a;\n    yield b;\n}\n"),
        ("import a,{b as c}from'd';export default class{};export{a};export*from'e'",
         "import a, { b as c } from 'd';\nexport default class {};\nexport { a };\nexport * from 'e';\n"),
        ("'use strict'\nvar a\n/* b */\nreturn\na", "'use strict';\nvar a;\nreturn;\na;\n"),
        ("a /* b\n */ = // c\n 1", "a = 1;\n"),
        ("new A;new A(b)(c);new(a())", "new A;\nnew A(b)(c);\nnew (a());\n"),
        ("if(a){}else{}", "if (a) {} else {}\n"),
    ],
)  # fmt: skip
def test_layout(source: str, normal: str) -> None:
    assert JAVASCRIPT.syntax.normalise(source).text == normal
    assert JAVASCRIPT.syntax.normalise(normal).text == normal
    assert JAVASCRIPT.syntax.check(normal) == JAVASCRIPT.syntax.check(source) == ""


@pytest.mark.parametrize(
    "source",
    [
        "a = b\n++c",
        "a\n(b)",
        "var a = 1\nvar b = a\n/c/d",
        "return_: for (;;) { break\nreturn_ }",
        "function f() { return\n1 }",
        "let a\nlet_\nb",
        "a = function () {}\nb = 1",
        "if (a) b\nelse c",
        "for (a in b) c\nd",
        "a\n;[b].c",
        "x = { async: 1, get: 2, of: 3 }\ny",
        "a = /=/ / b\n/c/d",
        "a = b\n// c\n`d`",
        "({}).a\n;({})",
        "async\nfunction f() {}",
        "while (a --> b) c",
        "throw a\nb",
        "do ; while (a) b",
        "var a\nfunction f() {}\n;(1)",
        "'use strict'\n'other'\na",
        "('use strict')",
        "while (a) if (b) c; else for (;;) d",
        "a - -b + +c - --d + ++e",
    ],
)
def test_the_meaning_of_line_ends_is_kept(source: str) -> None:
    assert syntax(JAVASCRIPT.syntax.normalise(source).text) == syntax(source)


@pytest.mark.parametrize(
    "source",
    [
        "function f( {",
        "<a></a>",
        "a = <b/>",
        "1 = ;",
        "a <!--b",
        "a\n--> b",
        "a = () => { b }\n[c].d",
        "a = () => {}\n(c)",
        "a\0b",
        "'\ud800'",
    ],
)
def test_what_is_no_program_is_refused(source: str) -> None:
    with pytest.raises(DoesNotParse):
        JAVASCRIPT.syntax.normalise(source)


NAMES = st.sampled_from(["a", "b", "c1", "$d", "async", "of", "get"])
ATOMS = NAMES | st.sampled_from(
    ["1", "1.5", ".5", "0x1f", "'s'", '"t\\n"', "/r\\//g", "`u`", "null", "this", "[]", "({})"]
)


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(
            inner, st.sampled_from(["+", "-", "*", "/", "%", "==", "<", "&&", "||", "in", ",", ">>>"]), inner
        ).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(st.sampled_from(["- ", "+ ", "! ", "typeof ", "void ", "new ", "- - ", "+ + "]), inner).map("".join),
        st.tuples(inner, NAMES).map(lambda t: f"({t[0]}).{t[1]}"),
        st.tuples(inner, inner).map(lambda t: f"({t[0]})({t[1]})[{t[1]}]"),
        st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} ?{t[1]}:{t[2]})"),
        st.tuples(NAMES, inner).map(lambda t: f"(({t[0]})=>({t[1]}))"),
        st.tuples(NAMES, inner).map(lambda t: f"function {t[0]}(){{return {t[1]}}}").map(lambda t: f"({t})"),
        st.tuples(inner, inner).map(lambda t: f"`x${{{t[0]}}}y${{{t[1]}}}`"),
        st.tuples(NAMES, inner).map(lambda t: f"({{{t[0]}:{t[1]},{t[0]}}})"),
        st.lists(inner, max_size=3).map(lambda t: f"[{','.join(t)}]"),
    )


EXPRESSIONS = st.recursive(ATOMS, _larger, max_leaves=6)


def _nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    blocks = st.lists(inner, max_size=3).map(lambda statements: "{" + "\n".join(statements) + "}")
    return st.one_of(
        blocks,
        st.tuples(EXPRESSIONS, blocks | inner).map(lambda t: f"if({t[0]}){t[1]}"),
        st.tuples(EXPRESSIONS, blocks, inner).map(lambda t: f"if({t[0]}){t[1]}else {t[2]}"),
        st.tuples(EXPRESSIONS, blocks | inner).map(lambda t: f"while({t[0]}){t[1]}"),
        st.tuples(inner, EXPRESSIONS).map(lambda t: f"do {t[0]} while({t[1]})"),
        st.tuples(NAMES, EXPRESSIONS, blocks).map(lambda t: f"for(var {t[0]} in {t[1]}){t[2]}"),
        st.tuples(NAMES, blocks).map(lambda t: f"try{t[1]}catch({t[0]}){t[1]}"),
        st.tuples(EXPRESSIONS, inner).map(lambda t: f"switch({t[0]}){{case 1:{t[1]}\ndefault:}}"),
    )


SIMPLE = st.one_of(
    st.tuples(EXPRESSIONS, st.sampled_from([";", "\n", "// c\n", "/* d */;"])).map(lambda t: f"x={t[0]}{t[1]}\n"),
    st.tuples(NAMES, EXPRESSIONS).map(lambda t: f"var {t[0]}={t[1]}\n"),
    st.just(";"),
    EXPRESSIONS.map(lambda e: f"throw {e}\n"),
)
PROGRAMS = st.lists(st.recursive(SIMPLE, _nested, max_leaves=5), max_size=4).map("\n".join)


def assert_same(source: str) -> None:
    import esprima

    try:
        before = syntax(source)
    except esprima.Error:
        return  # such as a loop that ends where no statement may
    normal = JAVASCRIPT.syntax.normalise(source).text
    assert syntax(normal) == before
    assert JAVASCRIPT.syntax.normalise(normal).text == normal


@settings(max_examples=examples(30), deadline=None)
@given(PROGRAMS)
def test_esprima_reads_the_same_program(source: str) -> None:
    assert_same(source)


@pytest.mark.slow
@settings(max_examples=350, deadline=None)
@given(PROGRAMS)
def test_esprima_reads_the_same_of_many_programs(source: str) -> None:
    assert_same(source)
