from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core.language.structure import Insertion, Site
from pytest_codereason.errors import DoesNotParse, MissingInterpreter, Refused
from pytest_codereason.languages.php import PHP
from pytest_codereason.languages.php.syntax import check as compiler

LANGUAGE = PHP()


def sites(source: str, kind: str) -> list[tuple[str, str, str, bool]]:
    """Text, form, holder and purity of each site of a kind."""
    code = LANGUAGE.syntax.parse(source)
    of_kind: list[Site] = [site for site in code.sites if site.kind == kind]
    return [(source[s.span.start : s.span.end], s.form, s.holder, code.is_pure(s)) for s in of_kind]


def inserted(source: str, insertion: Insertion, text: str) -> str:
    words = text.replace("\n", "\n" + insertion.indent)
    return source[: insertion.at] + insertion.before + words + insertion.after + source[insertion.at :]


@pytest.mark.parametrize(
    ("statement", "readable"),
    [
        ("return 1;", "p q"),
        ("$y = array_map(function ($n, ...$m) { HERE; }, $p);", "n m"),
        ("$y = array_map(static function ($n) use (&$p, $y) { HERE; }, $p);", "n p"),
        ("$y = array_map(fn($n) => (function () use ($n, $q) { HERE; })(), $p);", "n q"),
        ("$g = function ($m) use ($p) { return array_map(function ($n) use ($m, $p) { HERE; }, []); };", "n m"),
        ("$o = new class { function m($k) { HERE; } };", "k"),
        ("$o = new class { public $x { get { HERE; } } };", ""),
        ("function g($k) { HERE; }", "k"),
    ],
)
def test_a_closure_reads_its_own_parameters_and_those_that_it_captures(statement: str, readable: str) -> None:
    source = f"<?php function f($p, $q) {{ {statement.replace('HERE', 'return 1')} }}"
    code = LANGUAGE.syntax.parse(source)
    at = source.index("return 1")
    function = next(f for f in reversed(code.functions) if f.span.start < at < f.span.end)
    assert code.list_parameters(function, at) == tuple(readable.split())


class TestReading:
    @pytest.mark.parametrize(
        ("source", "offset"),
        [("$é = 1; $x = 2;", 9), ("<?php $é = 1; $x = 2;", 15), ("<b>é</b><?php $x = 2;", 15), ("\ufeff<?= $x ?>", 6)],
    )
    def test_offsets_count_characters_with_a_tag_or_without(self, source: str, offset: int) -> None:
        offsets = {b.name: b.uses[0].span.start for b in LANGUAGE.syntax.parse(source).bindings}
        assert offsets["x"] == offset

    @pytest.mark.parametrize(
        "source", ["echo '<?php';", "if (1) { ?> <b> <?php }", "<?= 1 ?>", "#!/usr/bin/php\n<?php 1;"]
    )
    def test_finds_out_whether_a_tag_is_there(self, source: str) -> None:
        assert LANGUAGE.syntax.check(source) == ""
        LANGUAGE.syntax.parse(source)

    def test_text_alone_is_a_program(self) -> None:
        code = LANGUAGE.syntax.parse("<p>Hello</p>\n")
        assert (code.statements, code.insertions, code.bindings) == ((), (), ())

    @pytest.mark.parametrize(
        ("source", "line"), [("function f( {", 1), ("$x = 1;\n$y = ;\n", 2), ("<?php\n\nclass {}", 3), ("a\0b", 1)]
    )
    def test_says_where_it_does_not_parse(self, source: str, line: int) -> None:
        with pytest.raises(DoesNotParse) as caught:
            LANGUAGE.syntax.parse(source)
        assert caught.value.line == line
        assert LANGUAGE.syntax.check(source) != ""

    def test_an_entry_call_must_parse(self) -> None:
        with pytest.raises(DoesNotParse):
            LANGUAGE.syntax.parse("function f() {}", "f(")

    @pytest.mark.parametrize("deep", ["(" * 3000 + "1" + ")" * 3000, "1" + " . 1" * 5000, "[" * 2000 + "]" * 2000])
    def test_depth_does_no_harm(self, deep: str) -> None:
        code = LANGUAGE.syntax.parse(f"$x = {deep};")
        assert len(code.statements) == 1
        assert len(code.bindings) == 1
        assert LANGUAGE.syntax.normalise(code.source).text.startswith("$x = ")

    @pytest.mark.slow
    def test_many_definitions_are_no_trouble(self) -> None:
        source = "\n".join(f"/** f */\nfunction f{i}($x) {{ return f{i}($x - 1) . 'a'; }}" for i in range(2000))
        code = LANGUAGE.syntax.parse(source)
        assert len(code.bindings) == 4000
        assert len(code.insertions) == 2 * 2000 + 2 * 2001
        assert len(code.units) == 2000

    def test_functions(self) -> None:
        code = LANGUAGE.syntax.parse(
            "namespace N; class A { function m(int $x, &...$rest) { return 1; } abstract function n(); }\n"
            "function f() { $g = fn($y) => $y; function h() {} return function () { return 2; }; }"
        )
        assert [(f.name, f.parameters, f.method) for f in code.functions] == [
            ("A.m", ("x", "rest"), True),
            ("f", (), False),
            ("f.g", ("y",), False),
            ("f.h", (), False),
        ]
        returns = [(s.function, s.kind) for s in code.statements if s.kind == "return"]
        assert returns == [("A.m", "return"), ("f", "return"), ("f", "return")]

    def test_statements(self) -> None:
        source = "if ($a): $x = 1; elseif ($b): f(); else: { throw new E; } endif; for (;;) echo 1;"
        statements = [(s.kind, s.depth) for s in LANGUAGE.syntax.parse(source).statements]
        assert statements == [
            *[
                ("if", 0),
                ("assignment", 1),
                ("expression", 1),
                ("block", 1),
                ("throw", 2),
                ("for", 0),
                ("expression", 1),
            ]
        ]


class TestSites:
    def test_conditions(self) -> None:
        source = (
            "if ($a == 1) {} elseif (!$b) {} while (true) {} do {} while (f()); for (; $i < 3;) {}"
            "$x = ($a and $b) ? 1 : 2; $x ?: 1; assert($x > 1); for (; $i, $j;) {} if (($a != $b)) {}"
        )
        assert sites(source, "condition") == [
            ("$a == 1", "comparison", "if", True),
            ("!$b", "other", "if", True),
            ("true", "constant", "while", True),
            ("f()", "other", "do", False),
            ("$i < 3", "comparison", "for", True),
            ("($a and $b)", "other", "conditional", True),
            ("$x > 1", "comparison", "assert", True),
            ("($a != $b)", "comparison", "if", True),
        ]

    @pytest.mark.parametrize(
        ("condition", "pure"),
        [
            *[("$a + 1 > $b * -2", True), ("count($a) > 1", True), ("isset($a['x'], $b)", True), ("$o->x", True)],
            *[("$a % 2 == 0", True), ("$a % $b == 0", False), ("1 / 0", False), ("1 << $n", False), ("(int) $a", True)],
            *[
                ("$a = 1", False),
                ("$a++", False),
                ("f($a)", False),
                ("new A", False),
                ("A::$x", False),
                ("$f()", False),
            ],
            *[
                ("array_pop($a)", False),
                ('"{$f()}"', False),
                ('"$a"', True),
                ("in_array(f(), $a)", False),
                ("$$a", False),
            ],
            *[("$a ? $b : $c", True), ("$a ?? 1", True), ("print 1", False), ("match(1) { 1 => 2 }", False)],
        ],
    )
    def test_purity(self, condition: str, pure: bool) -> None:
        assert [s[3] for s in sites(f"if ({condition}) {{}}", "condition")][:1] == [pure]

    def test_methods_that_php_calls_by_itself_are_noticed(self) -> None:
        source = "class A { function __get($n) {} function __toString() { return f(); } } if ($a->b) {} if ($a . 1) {}"
        assert [s[3] for s in sites(source, "condition")] == [False, False]
        assert sites("function count($x) { echo 1; } if (count($x)) {}", "condition")[0][3] is False

    def test_the_other_kinds(self) -> None:
        source = 'foreach ($a as $b) { $x = 1.5; $x .= \'a\'; $x++; $x =& $y; return [null, TRUE, "b", "$x"]; }'
        assert [s[:2] for s in sites(source, "loop")] == [(source, "for")]
        assert [s[1] for s in sites(source, "assignment")] == ["=", ".=", "++", "="]
        assert [s[:2] for s in sites(source, "literal")] == [
            *[("1.5", "float"), ("'a'", "str"), ("null", "null"), ("TRUE", "bool"), ('"b"', "str")]
        ]
        assert [s[0] for s in sites(source, "return")] == ['return [null, TRUE, "b", "$x"];']
        assert [s[0] for s in sites("$a + $b <=> $c instanceof D;", "operator")] == ["+", "<=>", "instanceof"]

    def test_collection_operations(self) -> None:
        source = "Array_Push($a, 1); \\count($a); $o->count(); sort($a);"
        assert [s[1] for s in sites(source, "collection-operation")] == ["array_push", "count", "sort"]
        assert sites("function count($x) {} count(1);", "collection-operation") == []


class TestInsertions:
    def test_headers_stay_first(self) -> None:
        source = "<?php declare(strict_types=1);\nnamespace A;\nuse B;\n$x = 1;\n"
        places = [
            source[i.at :].split("\n", maxsplit=1)[0]
            for i in LANGUAGE.syntax.parse(source).insertions
            if i.place == "statement"
        ]
        assert places == ["use B;", "$x = 1;", ""]
        assert LANGUAGE.syntax.parse("<?php namespace A;").insertions == ()
        assert {i.place for i in LANGUAGE.syntax.parse("namespace A { $x = 1; }").insertions} == {"statement"}

    @pytest.mark.parametrize(
        "source",
        [
            "<?php if ($a): ?>x<?php else: ?>y<?php endif ?>z\n",
            "<?= $x ?>\n<b>",
            "<?php echo 1 ?>",
            "switch (1) { case 1: case 2: return 3; default: }",
            "function f() { return 1; } // end",
            "function f() {} class A {} interface B {}",
            "if (1) return 1; else return 2;",
            "class A { use B; const C = 1;\n\n    public $x; function f() {} }",
            "for (;;): echo 1; endfor; while (1): endwhile;",
            "enum S: string { case A = 'a'; function f() { return 1; } }",
        ],
    )
    @pytest.mark.parametrize("text", ["// a\n// b", "echo 'a';"])
    def test_any_place_takes_what_belongs_there(self, source: str, text: str) -> None:
        for insertion in LANGUAGE.syntax.parse(source).insertions:
            if insertion.place == "statement" or text.startswith("//"):
                new = inserted(source, insertion, text)
                assert LANGUAGE.syntax.check(new) == "", new
                LANGUAGE.syntax.parse(new)

    def test_what_follows_a_jump_is_not_reached(self) -> None:
        insertions = LANGUAGE.syntax.parse("function f() { $x = 1; throw new E; $y = 2; }").insertions
        assert [i.reachable for i in insertions if i.function == "f"] == [True, True, False, False]

    def test_units(self) -> None:
        source = "// about f\nfunction f() {}\nclass A extends B {\n  /** m */\n  function m() {}\n}\nclass B {}\n"
        units = LANGUAGE.syntax.parse(source).units
        assert [(u.name, u.parent, set(u.needs)) for u in units] == [
            *[("f", "", set()), ("A", "", {"B"}), ("m", "A", set()), ("B", "", set())]
        ]
        assert source[units[0].span.start :].startswith("// about f")
        assert source[units[2].span.start :].startswith("/** m */")

    def test_a_class_that_php_declares_late_is_no_unit_among_statements(self) -> None:
        names = [
            u.name for u in LANGUAGE.syntax.parse("class A implements B {} new A; class C {} function f() {}").units
        ]
        assert names == ["C", "f"]


class TestForms:
    def test_comments(self) -> None:
        assert LANGUAGE.dialect.comment("a\nb") == "// a\n// b"
        assert LANGUAGE.dialect.comment("a\rb ?> c") == "// a\n/* b ?> c */"
        for text in ("?> */", "a\0"):
            with pytest.raises(Refused):
                LANGUAGE.dialect.comment(text)

    @given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
    def test_a_comment_is_nothing_but_a_comment(self, text: str) -> None:
        try:
            comment = LANGUAGE.dialect.comment(text)
        except Refused:
            return
        code = LANGUAGE.syntax.parse(f"$x = 1; {comment}\n$y = 2;")
        assert len(code.statements) == 2
        assert LANGUAGE.syntax.normalise(code.source).text == "$x = 1;\n$y = 2;\n"

    def test_prints(self) -> None:
        text = 'it\'s $x {$y} "q" ?> é\n\\n'
        process = subprocess.run(
            ["php", "-n", "-r", LANGUAGE.dialect.print_statement(text)], capture_output=True, timeout=60, check=True
        )
        assert process.stdout.decode() == text + "\n"

    def test_fresh_names_differ_by_more_than_case(self) -> None:
        assert LANGUAGE.dialect.fresh("Var", frozenset()) == "Var_1"  # `var` is a word
        assert LANGUAGE.dialect.fresh("item", frozenset({"ITEM", "item_1"})) == "item_2"
        assert LANGUAGE.dialect.fresh("count", frozenset()) == "count_1"
        assert LANGUAGE.dialect.fresh("total", frozenset()) == "total"

    def test_check_compiles(self) -> None:
        assert LANGUAGE.syntax.check("function f($x) {}") == ""
        assert LANGUAGE.syntax.check("function f($x, $x) {}") == "line 1: Redefinition of parameter $x"
        assert "line 2" in LANGUAGE.syntax.check("$x = 1;\n$y = ;")
        assert "surrogate" in LANGUAGE.syntax.check("'\ud800';")

    @pytest.mark.parametrize(
        "source",
        [
            *["<?php f();", "", "text", "<?php return;", "<?php /* a", "<?php break;", "<?php 'a\nb' 1;", "<?php {"],
            *["<?php function f() {} function f() {}", "<?php class A { abstract function f(); }", "<?php 1;\n\n}"],
            *["<?php namespace A; function f() {}", "<?php namespace A; function f() {}", "<?php function strlen() {}"],
        ],
    )
    def test_the_lasting_process_says_what_a_fresh_one_says(self, source: str) -> None:
        fresh = compiler._read(compiler._lint("php", source.encode()))
        assert compiler._find_complaint(source.encode()) == fresh

    def test_checks_from_many_threads(self) -> None:
        sources = [f"$x = {n};{'}' * (n % 2)}" for n in range(40)]
        with ThreadPoolExecutor(4) as pool:
            assert [not complaint for complaint in pool.map(LANGUAGE.syntax.check, sources)] == [
                n % 2 == 0 for n in range(40)
            ]

    def test_a_process_that_dies_is_missed_by_nobody(self) -> None:
        LANGUAGE.syntax.check("1;")
        assert compiler._process is not None
        compiler._process._php.kill()
        assert LANGUAGE.syntax.check("1;") == ""
        assert LANGUAGE.syntax.check("}") != ""
        assert compiler._process is not None
        assert compiler._process.works

    def test_a_missing_php_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "")
        with pytest.raises(MissingInterpreter, match="php-cli"):
            LANGUAGE.syntax.check("1;")


TOKENS = """
$out = [];
foreach (token_get_all(stream_get_contents(STDIN)) as $t) {
    if (!is_array($t)) { $out[] = $t; continue; }
    if (in_array($t[0], [T_WHITESPACE, T_COMMENT, T_DOC_COMMENT])) continue;
    $out[] = token_name($t[0]) . ($t[0] === T_INLINE_HTML ? $t[1] : preg_replace('/\\s+/', ' ', trim($t[1])));
}
echo json_encode($out);
"""


class TestLayout:
    def test_one_statement_a_line(self) -> None:
        source = (
            "function  f( $x,$y=1 ){ // sums\nif($x>1)return -$x;else{$z=[1,2 , 'a  b'] ;}\n\n\n"
            "  switch($x){case 1:return $x ++ ;default:}\n return fn( $a )=>$a?:! $x; }\n"
            "function g():?int{return null;}"
        )
        assert LANGUAGE.syntax.normalise(source).text == (
            "function f($x, $y = 1) {\n    if ($x > 1)\n        return -$x;\n    else {\n"
            "        $z = [1, 2, 'a  b'];\n    }\n"
            "    switch ($x) {\n        case 1:\n            return $x++;\n        default:\n    }\n"
            "    return fn($a) => $a ?: !$x;\n}\n\nfunction g(): ?int {\n    return null;\n}\n"
        )

    @pytest.mark.parametrize(
        "source",
        [
            "<p>\n\n<?php  $x=1 ;  ?>\n\n  <b><?=$x?></b> <?php if(1): ?> a <?php endif ?>  \n",
            "\n\n<?php\necho 1;",
            "$x=<<<A\n   a  $b\n   A;\n$y = <<<'B'\n  c\nB . 'x';",
            "$a- -$b; $a - --$b; $a+ +1; - - $c; !!$d; $e & $f; f(...$g); $h =& $i; (int) - 1; @ $j[0]->k::l();",
            "#[A(x: 1)] final class B extends C implements D, E { use F, G { F::h insteadof G; } public ?J $k; }",
            "use A\\{B, function c}; declare(ticks = 1); goto d; d: echo 1, 2; $e->{'f'}; ${'g'}; $$h;",
            "class A { const I = 1; } new class (1) {};",
            "function f() { match(true) { 1, 2 => 3, default => throw new E }; yield from f(); }",
            "static fn(int|A $x): A&B => $x ?? 1;",
            "for (;;) for ($i = 0, $j = 1; $i < 2; $i++): endfor; do $i--; while ($i);",
            "try { } catch (A | B) { } finally { }",
            "switch (1): case 1; break; endswitch; if (1): else: endif; if (1) { } elseif (2) { } else if (3) ; else ;",
            "namespace A { enum B: int { case C = 1; } } namespace { function &d(?array &...$x) {} }",
            "`ls $x`; print(\"a\" . 'b'); exit; exit(1); list(, $a) = [1, 2]; isset($a [1]); clone $b;",
            "$c ? 1 : ($d ? : 2);",
        ],
    )
    def test_keeps_every_token(self, source: str) -> None:
        normal = LANGUAGE.syntax.normalise(source).text
        assert LANGUAGE.syntax.check(normal) == LANGUAGE.syntax.check(source)
        assert LANGUAGE.syntax.normalise(normal).text == normal
        texts = [t if t.lstrip().startswith("<") else f"<?php {t}" for t in (source, normal)]
        command = ["php", "-n", "-d", "extension=tokenizer", "-r", TOKENS]
        before, after = (
            subprocess.run(command, input=t.encode(), capture_output=True, timeout=60, check=True).stdout for t in texts
        )
        assert before == after

    def test_layout_and_comments_leave_no_trace(self) -> None:
        one = "function f($x){return $x+1;}"
        two = "/** f */\nfunction f(\n\t$x # x\n)\n{\n\n  return /* sum */ $x\n    + 1 ;\n}\n"
        assert LANGUAGE.syntax.normalise(one).text == LANGUAGE.syntax.normalise(two).text


def test_an_inserted_if_never_takes_the_elseif_of_a_block_without_braces() -> None:
    source = "<?php\nfunction f($x) {\n    if ($x > 1):\n        $x = 1;\n    elseif ($x):\n        $x = 2;\n    else:\n    endif;\n    return $x;\n}\n"  # noqa: E501
    places = [i for i in LANGUAGE.syntax.parse(source).insertions if i.place == "statement"]
    assert len(places) > 5
    for place in places:
        assert LANGUAGE.syntax.check(inserted(source, place, "if (0) {\n    $y = 1;\n}")) == ""
