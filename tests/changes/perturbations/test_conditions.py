# ruff: noqa: E501 - a program stands on few lines
from __future__ import annotations

import re
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.changes.perturbations.conditions import Conditions
from pytest_codereason.core import Dose, Program
from pytest_codereason.core.execution import Run
from pytest_codereason.core.language.dialects import ConditionForms
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import Skip
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox

SEEDS = range(40)


def rewritten(name: str, source: str, call: str = "", seed: int = 0, **dose: float) -> str:
    program = Program.from_source(language=name, source=source, call=call)
    return Conditions().apply(program, Draws(seed), Dose(**dose), "output").source  # type: ignore[arg-type]


def variants(name: str, source: str, call: str = "") -> list[str]:
    """Every text that some seeds give."""
    return list(dict.fromkeys(rewritten(name, source, call, seed) for seed in SEEDS))


def shape(template: str) -> re.Pattern[str]:
    """What a template looks like once it is filled in."""
    text = re.escape(template.replace("{{", "{").replace("}}", "}"))
    return re.compile(re.sub(r"@|\\\{\w+\\\}", ".+", text))


#: A comparison, a boolean constant, and another condition, all pure, of a parameter.
PLAIN = {
    "python": ["if x > 3:", "if True:", "if x:"],
    "javascript": ["if (x > 3) {", "if (true) {", "if (x) {"],
    "php": ["if ($x > 3) {", "if (true) {", "if ($x) {"],
    "java": ["if (x > 3) {", "if (true) {", "if (x > 3 || x < 0) {"],
}
AROUND = {
    "python": "def f(x):\n    y = 2\n    @\n        y = 1\n    return y\n",
    "javascript": "function f(x) {\n    let y = 2;\n    @\n        y = 1;\n    }\n    return y;\n}\n",
    "php": "function f($x) {\n    $y = 2;\n    @\n        $y = 1;\n    }\n    return $y;\n}\n",
    "java": "class Problem {\n    static int f(int x) {\n        int y = 2;\n        @\n            y = 1;\n        }\n"
    "        return y;\n    }\n}\n",
}


def forms_of(name: str) -> ConditionForms:
    forms = language(name).dialect.conditions
    assert forms is not None
    return forms


@pytest.mark.parametrize(
    ("name", "form", "number"),
    [(name, form, n) for name in PLAIN for form, n in (("comparison", 6), ("constant", 6), ("other", 4))],
)
def test_every_template_is_used(name: str, form: str, number: int) -> None:
    """Six of seven for comparisons, six of seven for constants, four for the rest."""
    source = AROUND[name].replace("@", PLAIN[name][("comparison", "constant", "other").index(form)])
    templates = [template for template in forms_of(name).templates if form in template.forms]
    assert len(templates) == number
    call = "Problem.f(3)" if name == "java" else "f(3)"
    texts = variants(name, source, call)
    for template in templates:
        usable = [text for text in (template.published, *template.safe) if "obsolete" not in text.demands]
        if name == "java" and form == "constant":  # which stays one the compiler knows
            usable = usable[-1:]
        assert any(shape(usable[0].text).search(text) for text in texts), usable[0]
    assert all(language(name).syntax.check(text) == "" for text in texts)


def test_no_bool_is_inverted() -> None:
    """Python 3.12 warns of ``~True``, and Python 3.16 refuses it."""
    texts = [
        text for plain in PLAIN["python"] for text in variants("python", AROUND["python"].replace("@", plain), "f(3)")
    ]
    assert any("bool(-~int(x > 3)) == (x > 3)" in text for text in texts)
    assert not any(re.search(r"~(?!int\()", text) for text in texts)


SAFE = {
    # a class of its own, whose comparisons may give anything; the name ``_``
    "python": ("class A: _ = 1\n" + AROUND["python"], "f(3)"),
    "javascript": (AROUND["javascript"].replace("let y", "x = 1; let y"), "f(3)"),
    "php": (AROUND["php"].replace("$y = 2", "$x = 1; $y = 2"), "f(3)"),
    "java": (AROUND["java"].replace("int x", "double x"), "Problem.f(3.0)"),
}


@pytest.mark.parametrize("name", SAFE)
def test_a_safe_text_stands_where_the_published_one_is_unsafe(name: str) -> None:
    source, call = SAFE[name]
    texts = variants(name, source.replace("@", PLAIN[name][0]), call)
    templates = [template for template in forms_of(name).templates if template.safe and "comparison" in template.forms]
    assert templates
    variable = "$x" if name == "php" else "x"
    for template in templates:
        published, safe = (
            re.compile(
                re.sub(
                    r"\\\{\w+\\\}",
                    ".+",
                    re.escape(text.text.replace("@", f"{variable} > 3").replace("{copy}", f"{variable} > 3")).replace(
                        r"\{p\}", "x"
                    ),
                )
            )
            for text in (template.published, template.safe[-1])
        )
        assert not any(map(published.search, texts)), template.published
        assert any(map(safe.search, texts)), template.safe[-1]


#: A parameter that may differ from itself, may be an object of a class, or is no parameter of a known call.
UNEQUAL = {
    "NaN": ("def f(x):\n    if x > 3:\n        return x\n", "f(float('nan'))"),
    "a float": ("def f(x, y=0.5):\n    if x > y:\n        return x\n", "f(3)"),
    "division": ("def f(x):\n    x = x / 2\n    if x > 3:\n        return x\n", "f(3)"),
    "a class": ("class A:\n    pass\ndef f(x):\n    if x > 3:\n        return x\n", "f(3)"),
    "an import": ("import numpy\ndef f(x):\n    if x > 3:\n        return x\n", "f(numpy.array([1]))"),
    "two imports": ("import re, numpy\ndef f(x):\n    if x > 3:\n        return x\n", "f(3)"),
    "a star": ("from math import *\ndef f(x):\n    if x > 3:\n        return x\n", "f(3)"),
    "no call": ("def f(x):\n    if x > 3:\n        return x\n", ""),
    "deleted": ("def f(x, y):\n    del y\n    if x > 3:\n        return x\n", "f(3, 4)"),
}


@pytest.mark.parametrize("name", UNEQUAL)
def test_a_parameter_is_compared_with_itself_where_it_is_surely_equal(name: str) -> None:
    compared = re.compile(r"\((\w+) [!=]= \1\)")
    plain = "def f(x):\n    if x > 3:\n        return x\n"
    assert any(compared.search(text) for text in variants("python", plain, "f(3)"))
    found = {match[1] for text in variants("python", *UNEQUAL[name]) if (match := compared.search(text))}
    assert not found & {"x", "y"}


@pytest.mark.parametrize(
    ("name", "source", "call"),
    [
        ("javascript", "function f(x) { if (x > 3) { return 1; } @ return x; }", "f(3)"),
        ("php", "<?php function f($x) { if ($x > 3) { return 1; } @ return $x; }", "f(3)"),
    ],
)
def test_a_parameter_that_gets_another_value_may_become_nan(name: str, source: str, call: str) -> None:
    ways = {
        "javascript": ["", "x = NaN;", "[x] = [NaN];", "({x} = {x: NaN});", "x++;", "for (x of [NaN]) {}",
                       "arguments[0] = NaN;", "x -= 'a';"],
        "php": ["", "$x = NAN;", "[$x] = [NAN];", "$x **= 2;", "foreach ([NAN] as $x) {}", "g($x);", "$y = &$x;",
                "$$n = NAN;", "$g = function () { if ($x > 2) { return 1; } };"],
    }  # fmt: skip
    compared = re.compile(r"\((\$?x) [!=]== \1\)")
    seen = [way for way in ways[name] if any(map(compared.search, variants(name, source.replace("@", way), call)))]
    assert seen == [""]
    nan = {"javascript": "f(NaN)", "php": "f(NAN)"}[name]
    assert not any(map(compared.search, variants(name, source.replace("@", ""), nan)))


def test_places_are_counted_by_their_form() -> None:
    source = "def f(x):\n    if x > 3:\n        return 1 if x else 2\n    while x != 3:\n        x += 1\n    return x\n"
    own = "class A:\n    _ = 1\n" + source
    replaced = 0
    for seed in SEEDS:
        for text, low in ((source, 3), (own, 0)):
            program = Program.from_source(language="python", source=text, call="f(3)")
            changed = Conditions().apply(program, Draws(seed), Dose(), "output")
            published, safe = changed.facts["forms"]["conditions"]
            assert published + safe == 3
            assert published + changed.source.count("-~int(") >= low, "one template is obsolete"
            replaced += safe
    assert replaced > 0


def test_seven_templates_of_which_each_kind_has_one_of_its_own() -> None:
    for name in PLAIN:
        fit: list[frozenset[str]] = [
            template.forms for template in forms_of(name).templates if "other" not in template.forms
        ]
        assert len(fit) == 7
        assert fit.count(frozenset({"comparison"})) == fit.count(frozenset({"constant"})) == 1


# Each returns another value, raises or does not compile under a rewriting that takes no care.
PYTHON = {
    "evaluated once": "def f(x):\n    return 'a' if x.pop() > 2 else 'b', x\n",
    "an iterator is consumed": "def f(x):\n    it = iter(x)\n    if 2 in it:\n        return list(it)\n",
    "not a number": "def f(x, nan=float('nan')):\n    return 1 if x == [nan] else 2 if nan == nan else 3\n",
    "compares element by element": "class A(list):\n    def __eq__(self, other):\n        return A(other)\n"
    "    def __bool__(self):\n        raise ValueError\ndef f(x, a=A()):\n    if len(x) > 2:\n        return 1\n",
    "a truth that is no bool": "class A:\n    def __lt__(self, other):\n        return 'yes'\n    def __gt__(self, other):\n"
    "        return []\ndef f(x, a=A()):\n    return (1 if a < 2 else 2), (3 if a > 1 else 4)\n",
    "deleted": "def f(x, y=1):\n    del y\n    if x > [1]:\n        return 1\n    return 2\n",
    "gone behind except": "def f(x, e=1):\n    try:\n        x.y\n    except AttributeError as e:\n        pass\n"
    "    if x != 2:\n        return 1\n",
    "not assigned": "def f(x):\n    try:\n        if y > 1:\n            return 1\n    except UnboundLocalError as e:\n"
    "        return 2\n    y = 1\n",
    "underscore": "def f(x):\n    _ = 3\n    if x:\n        return _\n    while x != _:\n        return _ + 1\n",
    "a walrus": "def f(x):\n    if (n := len(x)) > 2:\n        return n\n    if m := x:\n        return m\n    return n\n",
    "a class body": "def f(x):\n    class A:\n        n = 3\n        if n > 2:\n            m = n\n"
    "        x = 4 if n == 3 else 5\n        z = [k for k in x if k > 1] if n < 2 else n\n    return A.m, A.x, sorted(vars(A))[-2:]\n",
    "a comprehension": "def f(x):\n    return [k for k in x if k > 1 if k], {k: k for k in (x if x != 3 else []) if k in [2, 5]}\n",
    "a generator's first iterable": "def f(x):\n    return list(k for k in (x if len(x) > 1 else [0]))\n",
    "a lambda": "def f(x):\n    g = lambda n, m=(1 if x == 2 else 3): m if n > 2 else n\n    return g(1), g(4)\n",
    "default values": "def f(x, y=1 if 2 > 1 else 3):\n    def g(z, w=4 if x != 3 else 5):\n        return w if z > 1 else y\n"
    "    return g(1), g(2)\n",
    "conditions within conditions": "def f(x):\n    if (1 if x == 3 else 0 if x > [5] else 2) > 1:\n"
    "        return [y for y in x if (y > 1 if y < 4 else y == 5)]\n",
    "an assertion": "def f(x):\n    assert len(x) > 2, 'short'\n    assert x\n    try:\n        assert x == 3, 'other'\n"
    "    except AssertionError as e:\n        return str(e)\n",
    "a guard": "def f(x):\n    match x:\n        case [a, *_] if a > 4:\n            return 1\n        case [a, b, *c] if c:\n"
    "            return a, b, c\n",
    "locals": "def f(x):\n    if x != 3:\n        y = 1\n    while x:\n        return sorted(locals())\n",
    "names of builtins": "def f(x, bool=None, int=1, str=2):\n    while True:\n        if x != 3:\n            return bool, int, str\n",
    "builtins defined": "def eval(x):\n    return False\ndef int(x):\n    return 0\ndef f(x):\n    if True:\n        return 1 if 2 > 1 else 0\n",
    "yield": "def g(x):\n    while (yield x) == 2:\n        x = 3 if (yield) else 4\n    if (yield 5):\n        return\n"
    "def f(x):\n    i = g(x)\n    return next(i), i.send(2), i.send(0), i.send(3)\n",
    "await": "import asyncio\nasync def g(x):\n    return x\nasync def h(x):\n    if await g(x):\n        return 1 if await g(2) > 1 else 2\n"
    "def f(x):\n    return asyncio.run(h(x))\n",
    "nonlocal and global": "n = 0\ndef f(x):\n    global n\n    def g():\n        nonlocal x\n        if x != 1:\n            x = 5\n"
    "    g()\n    if n < 1:\n        n = 7\n    return x, n\n",
    "chains": "def f(x):\n    return 1 if 0 < len(x) < 4 else 2 if x is not None is not False else 3\n",
    "top level": "n = [1]\nif n == [1]:\n    m = 2\nwhile n:\n    n.pop()\ndef f(x):\n    return n, m, 'Temp_Var_1' in globals()\n",
    "other expressions": "def f(x):\n    if not x or x and len(x) < 9 if x else lambda: 0:\n        return 1\n    return 2\n",
}  # fmt: skip


@pytest.mark.parametrize("name", PYTHON)
def test_python_means_the_same(name: str) -> None:
    def value(text: str) -> object:
        scope: dict[str, object] = {}
        exec(text, scope)
        return eval("f([3, 2, 5])", scope)

    source = PYTHON[name]
    expected = value(source)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for text in variants("python", source, "f([3, 2, 5])"):
            assert value(text) == expected, text
            assert "_ :=" not in text or not re.search(r"\b_\b", source)


#: Each prints, so that what is warned of, and how often, is seen too.
OTHERS = {
    ("javascript", "f(3)"): [
        "function f(x) {\n    let n = 0;\n    const g = () => ++n;\n    if (g() > 0) { n += 10; }\n    while (g() < 13) {}\n"
        "    return n;\n}\n",
        "function f(x) {\n    const nan = NaN;\n    if (x != nan) { let x = 4; if (x === 4) { return [nan === nan ? 1 : 2, x]; } }\n}\n",
        "function f(x) {\n    if (x > 2) { { if (x !== 4) { } } }\n    for (let x = 0; x < 2; x++) { if (x) { const y = x; return y; } }\n}\n",
        "function f(x) {\n    function* g(y) { while ((yield y) === 2) { y = (yield) ? 3 : 4; } }\n    const i = g(x);\n"
        "    return [i.next().value, i.next(2).value, i.next(0).value, i.next(3).done];\n}\n",
        "function f(x, y = x > 2 ? 1 : 2, z = y === 1 ? x : y) {\n    return this === undefined ? 0 : arguments.length > 1 ? y : z;\n}\n",
        "function f(x) {\n    let y;\n    if ((y = x) === 3) { y += 1; }\n    if (y = 0, x) { y = x > 2 ? x < 4 ? 5 : 6 : 7; }\n"
        "    do { y++; } while (false);\n    for (;true;) { return x => x > 1 ? 'a' in {a: 1} ? y : 2 : 3, y; }\n}\n",
        "var String = () => 'false', JSON = { parse: () => false };\nfunction f(x) { while (true) { return 1; } }\n",
        "function f(x) { const o = { valueOf() { return x++; } }; if (o > 2) { return x; } return -x; }\n",
    ],
    ("php", "f(3)"): [
        "<?php\nfunction f($x) {\n    $n = 0;\n    $g = function() use (&$n) { return ++$n; };\n    if ($g() > 0) { $n += 10; }\n"
        "    while ($g() < 13) {}\n    return $n;\n}\n",
        "<?php\nfunction f($x, ...$r) {\n    if ($missing == 1) { return 1; }\n    if (@$x['a'] === 2 or $x > 2 and !$r) { return $y ? 1 : 2; }\n}\n",
        "<?php\nfunction f($x, $n = NAN) {\n    unset($x);\n    if ($n !== 2) { return $n == $n ? 1 : 2; }\n}\n",
        "<?php\nfunction f($x) {\n    if (func_num_args() === 1): return array_map(fn($y) => $y > 1 ? $x : 2, [1, 2]);\n"
        "    elseif (count(func_get_args()) > 1): return 3; endif;\n}\n",
        "<?php\nfunction f($x) {\n    if ($y = $x) { $y += 1; }\n    for ($i = 0; $i < 2; $i++) { if (TRUE) { $y++; } }\n"
        "    do { $y = ($x > 2 ? $x < 4 ? 5 : 6 : 7) + $y; } while (false);\n    if ([$a, $b] = [1, 2]) { return [$a, $b, $y]; }\n}\n",
        "<?php\nfunction f($x) {\n    if ($x === 3) { return count(get_defined_vars()) > 1 ? 1 : compact('x'); }\n}\n",
    ],
    ("java", "Problem.f(3)"): [
        "class Problem {\n    static int n = 0;\n    static int g() { return ++n; }\n    static int f(int x) {\n"
        "        if (g() > 0) { n += 10; }\n        while (g() < 13) {}\n        return n;\n    }\n}\n",
        "class Problem {\n    static int f(int x) {\n        int y, z;\n        if (true) { y = 1; }\n        if (x > 1 && (z = x) > 2) { y += z; }\n"
        "        while (true) { if (y > 3) { break; } y++; }\n        return y;\n    }\n}\n",
        "class Problem {\n    static final int K = 4;\n    static int f(int x) {\n        final int y;\n        if (K > 3) { y = 1; } else { y = 2; }\n"
        "        int z;\n        if (K == 4) { z = y; }\n        return z;\n    }\n}\n",
        "import java.util.*;\nclass Problem {\n    static List<Integer> f(int x) {\n        x += 1;\n        int k = x;\n        List<Integer> found = new ArrayList<>();\n"
        "        Runnable r = () -> { int x1 = k > 3 ? 1 : 2; if (k != 5) { found.add(x1); } };\n        r.run();\n"
        "        for (int i = 0; i < x; i++) { if (i == x - 1) { found.add(i); } }\n        return found;\n    }\n}\n",
        "class Problem {\n    static int f(double x) {\n        double n = Double.NaN;\n        Boolean b = x > 2;\n        if (b) { return n == n ? 1 : 2; }\n"
        "        do { n++; } while (false);\n        return \"x\".equals(\"x\") ? 3 : 4;\n    }\n}\n",
    ],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("name", "call"), OTHERS)
def test_the_others_mean_the_same(name: str, call: str, sandbox: Sandbox) -> None:
    count = 8 if name == "php" else 4
    texts = [
        (source, text) for source in OTHERS[name, call] for text in [source, *variants(name, source, call)[:count]]
    ]
    runs = [Run.from_source(language=name, source=text, call=call) for _, text in texts]
    executions = [*sandbox.run_all(runs)]
    known = {text: execution for (source, text), execution in zip(texts, executions, strict=True) if source == text}
    for (source, text), execution in zip(texts, executions, strict=True):
        expected = known[source]
        assert expected.returned, f"{expected.words}\n{source}"
        assert (execution.ending, execution.value) == ("returned", expected.value), f"{execution.words}\n{text}"
        assert warned(execution.stdout) == warned(expected.stdout), text


def warned(text: str) -> str:
    """What was printed, without the places."""
    return re.sub(r" in \S+ on line \d+", "", text)


def test_java_keeps_loops_that_have_no_end() -> None:
    source = (
        "class Problem {\n    static int f(int x) {\n        while (true) {\n            x++;\n        }\n    }\n}\n"
    )
    with pytest.raises(Skip, match="no condition"):
        rewritten("java", source)


NESTED = "def f(a, b):\n    while a > 1 if b == 2 else a:\n        a -= 1 if b != 4 else [c for c in a if c if c < 3]\n    assert a\n"


@given(st.integers(0, 2**64 - 1), st.integers(1, 8), st.integers(1, 8))
def test_strength_is_the_number_of_conditions(seed: int, one: int, other: int) -> None:
    fewer, more = (rewritten("python", NESTED, seed=seed, strength=strength) for strength in sorted((one, other)))
    rest = iter(more)
    assert all(character in rest for character in fewer), "a condition is rewritten alike at every strength"
    assert (fewer == more) == (min(one, 6) == min(other, 6))


def test_no_condition_no_question() -> None:
    with pytest.raises(Skip, match="no condition"):
        rewritten("python", "def f(x):\n    return x\n")
