"""Programs in every language whose structure is known."""

from __future__ import annotations

from pytest_codereason.core import Language
from pytest_codereason.core.language.structure import Code, Insertion, Span
from tests.languages.renaming import list_renamed_uses

#: A few small programs of each language, each with its entry call (empty for a whole file).
EXAMPLES: dict[str, list[tuple[str, str]]] = {
    "python": [
        ("def f(x, y=2):\n    total = x + y\n    return total\n", "f(1, y=3)"),
        (
            "import math\n\n\ndef g(xs):\n    '''Doc.'''\n    if not xs: return None\n    for i, x in enumerate(xs):\n"
            "        while x > 1:\n            x = math.floor(x / 2)\n        xs[i] = [x * n for n in range(3) if n]\n"
            "    return {k: v for k, v in zip('ab', xs)}\n",
            "g([5, 7])",
        ),
        ("class A:\n    def m(self, k):\n        return (lambda k: k + self.n)(k)\n\n    n = 3\n", "A().m(4)"),
        ("def f(é):\r\n\tif é:\r\n\t\tprint('ß', é)\r\n\treturn f'{é!r:>4}'", "f('ü')"),
        ("", ""),
    ],
    "javascript": [
        ("function f(x, y = 2) {\n    const total = x + y;\n    return total;\n}\n", "f(1, 3)"),
        (
            "'use strict';\n\n/** Doc. */\nfunction g(xs) {\n    if (!xs) return null;\n"
            "    for (let [i, x] of xs.entries()) {\n"
            "        while (x > 1) x = Math.floor(x / 2)\n        xs[i] = [1].map((n) => x * n)\n    }\n"
            "    const a = `a${xs[0]}`, { b: [c = 1] = [] } = {};\n    return { a, 'b': c };\n}\n",
            "g([5, 7])",
        ),
        (
            "class A {\n    n() {}\n\n    static m(k) {\n        const f = function g() { return g && k + 1; };\n"
            "        switch (k) { case 1: return 2; default: }\n        return f(k);\n    }\n}\n",
            "A.m(4)",
        ),
        ("const f = (é) => {\r\n\tif (é) { console.log('ß', é) }\r\n\treturn `${é}\r\n😀`}", "f('ü')"),
        ("import a, { b as c } from 'm'\nexport { a as d, c }\nexport default class E extends a { }", ""),
        ("var f = (a) => a\n;(function () { return f })()", "[1].map((f) => f)"),
        ("", ""),
    ],
    "php": [
        ("function f($x, $y = 2) {\n    $total = $x + $y;\n    return $total;\n}\n", "f(1, y: 3)"),
        (
            "<?php\n\n/** Doc. */\nfunction g(array $xs) {\n    if (!$xs) return null;\n    foreach ($xs as $i => &$x) {\n"
            "        while ($x > 1): $x = floor($x / 2); endwhile;\n        $xs[$i] = array_map(fn($n) => $x * $n, [1]);\n"
            '    }\n    return ["a$x" => "{$xs[0]}", \'b\' => $i ?? 0];\n}\n',
            "g([5, 7])",
        ),
        (
            "class A {\n    public $n = 3;\n\n    function m($k) {\n        $f = function ($k) use (&$f) { return $k + $this->n; };"
            "\n        switch ($k) { case 1: return 2; default: }\n        return $f($k);\n    }\n}\n",
            "(new A)->m(4)",
        ),
        ("function f($é) {\r\n\tif ($é) {\r\n\t\techo 'ß', $é;\r\n\t}\r\n\treturn <<<E\r\n  $é\r\n  E;}", "f('ü')"),
        ("<p>\n<?php if ($a = 1): ?>\n  <b><?= $a ?></b>\n<?php endif ?>\n", ""),
        ("", ""),
    ],
    "java": [
        (
            "class Problem {\n    public static int f(int x, int y) {\n        int total = x + y;\n        return total;\n"
            "    }\n}\n",
            "f(1, 3)",
        ),
        (
            "package p;\n\nimport java.util.*;\n\n/** Doc. */\npublic class A<T> {\n\tprivate int n = 3; // three\n\n"
            '\tA(int n) { super(); this.n = n; }\n\n\t// counts\n\t@SuppressWarnings("x")\n'
            "\tprivate <U> long count(List<U> xs, long... ys) {\n\t\tlong k = 0;\n\t\touter:\n"
            "\t\tfor (U x : xs) {\n\t\t\tfor (int i = 0, j = 9; i < j; i++) {\n\t\t\t\tif (x == null) continue outer;\n"
            "\t\t\t\telse if (i > 3 && k++ < 5) break;\n\t\t\t\tswitch (i) {\n\t\t\t\tcase 1:\n\t\t\t\tcase 2:\n"
            "\t\t\t\t\tk += i; break;\n\t\t\t\tdefault:\n\t\t\t\t}\n\t\t\t}\n\t\t}\n"
            "\t\tRunnable r = new Runnable() { public void run() { xs.clear(); } };\n"
            "\t\tComparator<T> c = (a, b) -> { return a.hashCode() - b.hashCode(); };\n"
            "\t\tdo { k--; } while (k > 0);\n\t\twhile (true) { k = -k; if (k > 7) return k; }\n\t}\n"
            '\n\tlong go() throws Exception { try (Scanner s = new Scanner("é")) { return count(null) + s.nextInt(); }'
            " catch (Exception e) { throw e; } finally { } }\n}\n",
            "",
        ),
        (
            "class Problem {\r\n  interface S { int K = 1; }\r\n  enum P implements S { A, B { } ; static int n; }\r\n"
            "  static int f(Object ö) {\r\n    if (ö instanceof P && K > 1) { return 1; }\r\n"
            "    /* ß */ int[] t = {1, -2}, u;\r\n    synchronized (ö) { ö = (P) ö; ; }\r\n"
            '    assert t[0] == 1 : "ß";\r\n    return t.length > 1 ? t[1] : - -3;\r\n  }\r\n}',
            'Problem.f("ü")',
        ),
        ("", ""),
    ],
}


def replaced(text: str, changes: list[tuple[Span, str]]) -> str:
    """``text`` with other words at spans that do not overlap."""
    for span, words in sorted(changes, reverse=True):
        text = text[: span.start] + words + text[span.end :]
    return text


def inserted(source: str, insertion: Insertion, text: str) -> str:
    """``source`` with ``text`` put where an insertion says."""
    lines = text.replace("\n", "\n" + insertion.indent)
    return source[: insertion.at] + insertion.before + lines + insertion.after + source[insertion.at :]


def rename_all(speaker: Language, code: Code) -> tuple[str, str]:
    """Source and call with every safe binding under a new name."""
    names: frozenset[str] = code.taken
    source, call = [], []
    for binding in code.bindings:
        if not binding.unsafe:
            name = speaker.dialect.fresh("zz", names)
            names |= {name}
            source += list_renamed_uses(binding, name)
            call += [(use.span, use.template.format(name)) for use in binding.uses if use.in_call]
    return replaced(code.source, source), replaced(code.call, call)
