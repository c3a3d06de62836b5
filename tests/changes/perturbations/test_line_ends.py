# ruff: noqa: E501 - a program stands on few lines
from __future__ import annotations

import pytest

from pytest_codereason.changes.perturbations.comments import Comments
from pytest_codereason.changes.perturbations.hint import Hint
from pytest_codereason.core import Dose, Facts, Program
from pytest_codereason.core.execution import Run
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox

#: Programs with lines that cannot end in a comment, or must not, each with what it returns for 3.
TRAPS = [
    (
        "python",
        "a string over several lines",
        "def f(n):\n    s = '''a\nb'''; t = \"\"\"c\n# d\"\"\"\n    return f'''{n}\n''' + s + t\n",
        "3\na\nbc\n# d",
    ),
    (
        "python",
        "a backslash",
        "def f(n):\n    s = 'a\\\nb'\n    if n > 1 and \\\n            s:\n        s += \\\n\\\n        'c'\n"
        "    for x in [1], \\\n            [2]: s += str(x)\n    return \\\n        s\n",
        "abc[1][2]",
    ),
    (
        "python",
        "several statements on one line",
        "def f(n):\n    a = 1; b = [n]; b.append(a)\n    if n: b = b; return b\n",
        [3, 1],
    ),
    (
        "python",
        "brackets over several lines",
        "def f(\n    n,\n):\n    a = [\n        n,\n    ]\n    return (\n        a\n    )\n",
        [3],
    ),
    ("python", "Windows", "def f(n):\r\n    if n:\r\n        n += 1\r\n    return n\r\n", 4),
    ("python", "no last newline", "def f(n):\n    for i in [1]: n += i\n    return n", 4),
    (
        "javascript",
        "template literals",
        "function f(n) {\n    const s = `a\n${n > 1 ? (() => {\n    return `b\n`;\n})() : ''}\n// c`; const t = `}\n`;\n    return s + t;\n}",
        "a\nb\n\n// c}\n",
    ),
    (
        "javascript",
        "no semicolons and no braces",
        "function f(n) {\n    let a = [n]\n    if (n > 1)\n        a.push(1)\n    else if (n)\n        a = 2\n    for (const x of [1]) a.push(x)\n"
        "    while (\n        a.length > 9\n    ) {\n        a.pop()\n    }\n    return a\n}",
        [3, 1, 1],
    ),
    (
        "javascript",
        "a string that goes on, a regular expression",
        "function f(n) {\n    let s = 'a\\\nb'; const r = /\"/; const t = `\n`; s += t.replace(r, '`')\n    return s + '\\\n'\n}",
        "ab\n",
    ),
    (
        "php",
        "a heredoc and strings",
        "<?php\nfunction f($n) {\n    $s = <<<T\n      a {$n}\n      // b\n      T;\n    $t = 'c\nd'; $u = \"e\n$n\n\";\n    return $s . <<<'T'\n      f\n      T . $t . $u;\n}\n",
        "a 3\n// bfc\nde\n3\n",
    ),
    (
        "php",
        "text outside",
        "<?php\nfunction f($n) {\n    if ($n > 1): ?>\n<b>\n<?php endif;\n    $n += 1 ?>\n text\n<?php foreach ([1] as $x): ?>\n"
        "<i><?= $x ?>\n<?php endforeach;\n    return $n ?>\n<?php\n}\n",
        4,
    ),
    (
        "java",
        "text blocks and one line",
        'class P {\n    static String f(int n) {\n        String s = """\n            a // b\n            c"""; s += """\n            d\n            """;\n'
        "        if (n > 1) s = s.toUpperCase(); else return s;\n        for (int i = 0;\n            i < 1;\n            i++) { s += i; }\n        return s;\n    }\n}\n",
        "A // B\nCD\n0",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("normal", [True, False], ids=["normalised", "as written"])
@pytest.mark.parametrize(("name", "what", "source", "value"), TRAPS, ids=[f"{t[0]}: {t[1]}" for t in TRAPS])
def test_a_comment_never_becomes_part_of_the_program(
    sandbox: Sandbox, name: str, what: str, source: str, value: object, normal: bool
) -> None:
    syntax = language(name).syntax
    text = syntax.normalise(source).text if normal else source
    call = "P.f(3)" if name == "java" else "f(3)"
    plain = Program.from_source(language=name, source=text, call=call, facts=Facts(output=value, input="3"))
    for kind in (Comments, Hint):
        variant = kind().apply(plain, Draws(1), Dose(strength=99), "output")
        assert variant.source != text
        assert syntax.check(variant.source) == ""
        assert syntax.normalise(variant.source).text == syntax.normalise(text).text
        execution = sandbox.run(Run.from_program(variant))
        assert execution.value == value, f"{execution.words}\n{variant.source}"
