"""TypeScript: what is blanked, what is refused, which names belong together, and how it is laid out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_codereason.core.execution import Run
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.javascript.syntax.tree import parse_source as parse_javascript
from pytest_codereason.languages.typescript import TypeScript
from pytest_codereason.languages.typescript.blanking import blank
from pytest_codereason.languages.typescript.translating import translate
from pytest_codereason.sandbox import Sandbox
from tests.corpus.upkeep import CORPUS
from tests.examples import examples
from tests.languages.java_programs import rename_all

TYPESCRIPT = TypeScript()
FILES = sorted((CORPUS / "typescript").rglob("*.ts"))


def squeeze(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("let a: number = 1, b!: string;", "let a = 1, b ;"),
        ("function f<T>(this: A, a?: T, ...b: T[]): a is T {}", "function f ( a , ...b ) {}"),
        ("const f = async <T,>(x: T): Promise<T> => x!;", "const f = async (x ) => x ;"),
        ("f<A>(b as C, d satisfies E)[0]!.g;", "f (b , d )[0] .g;"),
        ("interface A { b: c }\ntype D = A;\ndeclare let e: D;", "; ; ;"),
        ("function f(a: string): void;\nfunction f(a) {}", "; function f(a) {}"),
        ("abstract class A<T> extends B<T> implements C {}", "class A extends B {}"),
        ("class A { private static readonly a?: b = 1; declare c: d; e!: f }", "class A { static a = 1; ; ; e ; }"),
        ("class A { b(): c; b() {} [d: string]: e; abstract f(): g }", "class A { ; ; b() {} ; ; ; }"),
        ("class A { b = 1\n private ['c'] = 2\n private *d() {} }", "class A { b = 1 ; ['c'] = 2 ; *d() {} }"),
        ("try {} catch (e: unknown) {}", "try {} catch (e ) {}"),
        # nothing is read on behind a type, and no line ends where it may not
        ("let a = b as string\nlet c", "let a = b ; let c"),
        ("class A { get: b\n c() {} }", "class A { get; c() {} }"),
        ("return_ = <\nT\n>(a: T): {\n b: T } => a", "return_ = ( a ) => a"),
        # what is imported as a type only
        ("import type { A } from 'a'; import { type B, c } from 'b'; c", "; import { c } from 'b'; c"),
        ("import { A, b } from 'a'; let c: A = b", "import { b } from 'a'; let c = b"),
        ("import A, { b } from 'a'; b; import * as C from 'c'; let d: C.E", "import { b } from 'a'; b; ; let d;"),
        ("import 'a'; export type { B } from 'c'; export { D } from 'e'", "import 'a'; ; export { D } from 'e'"),
        ("interface A {} const b = 1; export { A, b }", "; const b = 1; export { b }"),
        # what looks like a type
        ("a < b; c > (d); e ? f : g; ({ h: i, j: k as l })", "a < b; c > (d); e ? f : g; ({ h: i, j: k })"),
        ("const type = 1, as = type, of = as; `${a as b}: c`", "const type = 1, as = type, of = as; `${a }: c`"),
        ("declare enum A { b } let c", "; let c"),
    ],
)
def test_what_is_blanked(source: str, plain: str) -> None:
    blanked = blank(source)
    assert squeeze(blanked) == plain
    parse_javascript(blanked)


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("enum A { b }", "an enum"),
        ("const enum A { b }", "an enum"),
        ("namespace A { let b }", "a namespace"),
        ("class A { constructor(private b: c) {} }", "a parameter that declares a property"),
        ("class A { constructor(readonly b: c) {} }", "a parameter that declares a property"),
        ("let a = <b>c;", "a type in <> before a value"),
        ("import a = require('b')", "an import with ="),
        ("export = a;", "an export with ="),
        ("@a class B {}", "a decorator"),
    ],
)
def test_what_is_more_than_a_type_is_refused(source: str, what: str, sandbox: Sandbox) -> None:
    with pytest.raises(DoesNotParse, match=f"line 2: holds {what}"):
        TYPESCRIPT.syntax.parse(f"\n{source}")
    execution = sandbox.run(Run.from_source(language="typescript", source=source, call="1"))
    assert execution.ending == "rejected"
    assert what in execution.message


@pytest.mark.parametrize("source", ["let a = b as c\n(d)", "let a = b as c\n[d] = e", "f() satisfies g\n`h`"])
def test_a_type_that_the_grammar_reads_on_is_refused(source: str) -> None:
    with pytest.raises(DoesNotParse, match=r"a type ends a statement without a semicolon|'!' is missing"):
        blank(source)


def check_equal_offsets(source: str) -> str:
    """The program as JavaScript: of equal length, with equal line ends, and else the same but for blanks."""
    blanked = blank(source)
    assert len(blanked) == len(source)
    changed = {(a, b) for a, b in zip(source, blanked, strict=True) if a != b}
    assert {b for _, b in changed} <= set(" ;()")
    assert not any(a in "\r\n\u2028\u2029" for a, _ in changed)
    parse_javascript(blanked)
    return blanked


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_program_keeps_its_offsets(path: Path) -> None:
    blanked = check_equal_offsets(path.read_text())
    normal = TYPESCRIPT.syntax.normalise(path.read_text()).text
    assert TYPESCRIPT.syntax.normalise(normal).text == normal
    assert TYPESCRIPT.syntax.check(normal) == ""
    plain = [re.sub(r"[\s;]", "", TYPESCRIPT.syntax.normalise(text).text) for text in (blanked, blank(normal))]
    assert plain[0] == plain[1]


def nest(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Types of types."""
    pair = st.tuples(inner, inner)
    return st.one_of(
        *(inner.map(form.format) for form in ("{}[]", "Readonly<{}>", "(keyof {})", "Set<{}>", "({}) | null")),
        pair.map(lambda types: "Map<{},\n {}>".format(*types)),
        pair.map(lambda types: "{{ a: {}; b?: {} }}".format(*types)),
        pair.map(lambda types: "((x: {}) => {})".format(*types)),
        pair.map(lambda types: "[{}, /* of */ {}]".format(*types)),
    )


TYPES = st.recursive(st.sampled_from(["number", "string", "Item", "'a'", "é.T", "typeof x", "-1"]), nest, max_leaves=5)
#: Statements; what stands between the marks is blanked, and the sign in it is any type.
STATEMENTS = [
    "let a«: §» = b;",
    "const f = async «<U,>»(x«: §», y«?: §») => (x« as §»);",
    "function g«<U extends §>»(«this: §,» ...z«: §[]»)«: §» { return z[0]«!».k(z« satisfies §»); }",
    "class C«<U>» extends D«<§>» «implements I<§>» { p«?: §» = 1; «private» q«!: §»; m()«: §» {} }",
    "h«<§>»(1, new Map«<§, §>»());",
    "for (const k of (l« as (§)[]»)) { if (k«!» > 1 && 2 < m) n = k ? o : p; }",
    "({ a: b, c() { return `${d« as §»} : T`; } });",
]


@settings(max_examples=examples(30))
@given(st.lists(st.tuples(st.sampled_from(STATEMENTS), TYPES), min_size=1, max_size=4))
def test_all_but_types_stays_and_keeps_its_place(parts: list[tuple[str, str]]) -> None:
    marked = "\n".join(statement.replace("§", f"({words})") for statement, words in parts)
    pieces = re.split("[«»]", marked)
    blanked = [re.sub(r"[^\n]", " ", piece) if i % 2 else piece for i, piece in enumerate(pieces)]
    assert blank("".join(pieces)) == "".join(blanked)


@pytest.mark.parametrize(
    ("source", "renamed"),
    [
        # a class is a value that types name
        ("class A { b?: A }\nlet c: A[] = [new A()];", "class zz0 { b?: zz0 }\nlet zz1: zz0[] = [new zz0()];"),
        ("let a = 1; type B = typeof a;", "let zz0 = 1; type B = typeof zz0;"),
        ("function f(a: any): a is string {}", "function zz0(zz1: any): zz1 is string {}"),
        ("function f(a: any): asserts a {}", "function zz0(zz1: any): asserts zz1 {}"),
        ("import { A } from 'a'; let b: A;", "import { A as zz0 } from 'a'; let zz1: zz0;"),
        ("import type { A } from 'a'; let b: A.C;", "import type { A as zz0 } from 'a'; let zz1: zz0.C;"),
        (
            "function f<T extends A>(b = c<T>): T {} class A {}",
            "function zz0<T extends zz1>(zz2 = c<T>): T {} class zz1 {}",
        ),
        # a type has a name of its own
        ("interface A { b: A } let b: A = 1;", "interface A { b: A } let zz0: A = 1;"),
        ("interface A {} const A = 1; A;", "interface A {} const A = 1; A;"),
        ("function f<T>(T: T) { return T; }", "function zz0<T>(T: T) { return T; }"),
        ("type A<B> = { [K in keyof B]: B[K] }; let B, K;", "type A<B> = { [K in keyof B]: B[K] }; let B, K;"),
        # the parameters of what is a type name nothing else
        ("let a: (b: number) => void, b = 1;", "let zz0: (b: number) => void, zz1 = 1;"),
        ("let a: (b: any) => b is A, b;", "let zz0: (b: any) => b is A, zz1;"),
        ("let a: { [b: string]: typeof b }, b;", "let zz0: { [b: string]: typeof zz1 }, zz1;"),
        # signatures go with their function
        ("function f(a: A): B;\nfunction f(a) { f(a); }", "function zz0(a: A): B;\nfunction zz0(zz1) { zz0(zz1); }"),
        # another file has it
        ("declare const a: B; a; let b;", "declare const a: B; a; let zz0;"),
        (
            "class A { constructor(b: C) { this.b = b; } b: C }",
            "class zz0 { constructor(zz1: C) { this.b = zz1; } b: C }",
        ),
        ("function f(this: A, b?: C) {}", "function zz0(this: A, zz1?: C) {}"),
        ("try {} catch (e: unknown) { (e as A)!.b; }", "try {} catch (zz0: unknown) { (zz0 as A)!.b; }"),
    ],
)
def test_names_that_belong_together(source: str, renamed: str) -> None:
    assert rename_all(TYPESCRIPT.syntax.parse(source)) == renamed


def test_what_is_only_a_type_has_no_sites_and_no_functions() -> None:
    code = TYPESCRIPT.syntax.parse("type A = 'b' | -1;\ndeclare function c(): void;\nfunction d(): 1;\nlet e: 2 = 3;\n")
    assert [site.kind for site in code.sites] == ["assignment", "literal"]
    assert code.functions == ()


def test_nothing_is_put_between_signatures_and_their_function() -> None:
    source = "let a;\nfunction f(): void;\nfunction f() {}\nclass C {\n    m(): void;\n    m() {}\n    n() {}\n}\n"
    places = [place.at for place in TYPESCRIPT.syntax.parse(source).insertions]
    assert {source.index(text) for text in ("let", "function f():", "class", "m():", "n()")} <= set(places)
    assert not {source.index(text) for text in ("function f() {", "m() {")} & set(places)


def test_an_overloaded_function_stays_with_its_signatures() -> None:
    lines = ["function f(): void;", *(f"function {name}() {{}}" for name in "fgh"), "interface I {}"]
    source = "\n".join([*lines, "class C implements I {}", ""])
    assert [unit.name for unit in TYPESCRIPT.syntax.parse(source).units] == ["g", "h", "C"]


@pytest.mark.parametrize(
    ("source", "normal"),
    [
        ("let a:Map<string,Array<number>>=b as any", "let a: Map<string, Array<number>> = b as any;\n"),
        ("interface A{b?:c,d():e\n[f:string]:g}", "interface A {\n    b?: c,\n    d(): e;\n    [f: string]: g;\n}\n"),
        ("class A<T>{private b!:c[]; d<U>(e?:f):g{return this.b!}}", None),
        ("type A={b:c;d:e}|`f${g}`", "type A = { b: c; d: e; } | `f${g}`;\n"),
        ("function f(a):a is b;function f(a){return<c>(d:c):c=>d}", None),
        ("type A=B extends C?D:E", "type A = B extends C ? D : E;\n"),
        ("export type{A}from'b';declare const c:d;abstract class E{abstract f():g}", None),
    ],
)
def test_the_layout(source: str, normal: str | None) -> None:
    laid_out = TYPESCRIPT.syntax.normalise(source).text
    assert normal is None or laid_out == normal
    assert TYPESCRIPT.syntax.normalise(laid_out).text == laid_out
    assert re.sub(r"[\s;]", "", blank(laid_out)) == re.sub(r"[\s;]", "", blank(source))


def test_files_are_found_by_any_way_to_name_them() -> None:
    files = {
        "a/main.ts": "import '../b'; import './c.ts'; import './d.js'; export * from '../e'; import 'f'; import('./c')",
        **dict.fromkeys(("b.ts", "a/c.ts", "a/d.ts", "e/index.ts", "data.json"), ""),
    }
    translated = translate(files, "a/main.ts")
    assert translated.entry == "a/main.js"
    assert set(translated.files) == {"a/main.js", "b.js", "a/c.js", "a/d.js", "e/index.js", "data.json"}
    assert re.findall(r"'(.*?)'", translated.files["a/main.js"]) == [
        *("../b.js", "./c.js", "./d.js", "../e/index.js", "f", "./c.js")
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, 2] as number[]", [1, 2]),
        ("{ a: 'b' } satisfies Record<string, string>", {"a": "b"}),
        ("new Set<number>([1])", [1]),
        ("'<b> as c!'", "<b> as c!"),
    ],
)
def test_a_value_may_have_a_type(text: str, value: object) -> None:
    assert TYPESCRIPT.values.read_answer(text).value == value
    assert TYPESCRIPT.values.equal_arguments("1 as number, 'a'!", "1, 'a'")
