# ruff: noqa: E501 (programs, a line each)
"""Dead code is inserted where a program does not notice it, and nowhere else."""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import types
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core import Dose
from pytest_codereason.core.execution import Run
from pytest_codereason.errors import Skip
from pytest_codereason.programs.sources.cruxeval_x import CruxEvalX
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.changes.perturbations.dead_programs import EVERYTHING, add_dead_code
from tests.languages.examples import EXAMPLES

SEEDS = range(25)


def value(source: str, call: str) -> Any:
    module = types.ModuleType("program")
    scope = module.__dict__
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()):
        patch.setitem(sys.modules, "program", module)
        exec(compile(source, "<program>", "exec", dont_inherit=True), scope)
        return eval(call, scope)


FUTURE = '"""Doc."""\nfrom __future__ import annotations\nimport math\n\ndef f(x: Missing) -> Missing:\n    return math.floor(x)\n'
#: Programs that the study's own code, or a careless one, would break; each with its entry call.
TRAPS = {
    "future": (FUTURE, "[f(3.5), f.__annotations__['x'], __doc__]"),
    "outer loop variable": ("i = 7\ndef f(x):\n    return i + x\n", "f(3)"),
    "builtin": ("def g(list):\n    return list\ndef f(x):\n    return g(list(x))\n", "f('ab')"),
    "function": ("def g(f):\n    return f\ndef f(x):\n    return g(x)\n", "f(3)"),
    "undefined": (
        "def g(y):\n    return y\ndef f(x):\n    try:\n        return y\n    except NameError:\n        return x\n",
        "f(3)",
    ),
    "class reads a global": (
        "def f(x):\n    try:\n        class A:\n            x = x\n    except NameError:\n        return 'none'\n    return A.x\n",
        "f(3)",
    ),
    "string": ("import sys\ndef f(x):\n    total = x\n    return hasattr(sys.modules[__name__], 'total')\n", "f(3)"),
    "nan": ("def f(x):\n    return [x == x, x != x]\n", "f(float('nan'))"),
    "no truth value": (
        "class A:\n    def __eq__(self, other):\n        raise ValueError\n    __ne__ = __bool__ = __str__ = __repr__ = __eq__\n"
        "def f(x):\n    y = x\n    return type(y).__name__\n",
        "f(A())",
    ),
    "deleted": ("def f(x):\n    y = x\n    del x\n    y += 1\n    return y\n", "f(3)"),
    "except as": (
        "def f(x):\n    try:\n        1 / 0\n    except ZeroDivisionError as x:\n        y = 1\n    return y\n",
        "f(3)",
    ),
    "print": ("said = []\ndef print(x):\n    said.append(x)\ndef f(x):\n    x += 1\n    return said\n", "f(3)"),
    "range": (
        "def range(n):\n    return [n] * 2\ndef f(x):\n    y = 0\n    for i in range(x):\n        y += i\n    return y\n",
        "f(3)",
    ),
    "captured": (
        "import io, contextlib\ndef f(x):\n    out = io.StringIO()\n    with contextlib.redirect_stdout(out):\n"
        "        print(x)\n    return out.getvalue()\n",
        "f(3)",
    ),
    "locals": ("def f(x):\n    y = x\n    return sorted(locals())\n", "f(3)"),
    "globals": ("def f(x):\n    y = x\n    return sorted(k for k in globals() if k[0] != '_')\n", "f(3)"),
    "dir": (
        "import sys\ndef g(x):\n    return x\ndef f(x):\n    y = g(x)\n    return len(dir(sys.modules[__name__]))\n",
        "f(3)",
    ),
    "frames": ("import sys\ndef f(x):\n    y = x\n    return sys._getframe().f_lineno\n", "f(3)"),
    "class block": (
        "import enum\nclass E(enum.Enum):\n    A = 1\n    if A:\n        B = 2\n        C = 3\n"
        "def f(x):\n    class F(enum.Enum):\n        A = x\n        if A:\n            B = 2\n            C = 3\n"
        "    return [len(E), len(F), x]\n",
        "f(3)",
    ),
    "slots": (
        "class A:\n    __slots__ = ('y',)\n    def __init__(self, y):\n        self.y = y\ndef f(x):\n    return A(x).y\n",
        "f(3)",
    ),
    "global": ("total = 1\ndef f(x):\n    global total\n    total += x\n    return total\n", "f(3)"),
    "nonlocal": (
        "def f(x):\n    def g(k):\n        nonlocal x\n        x += k\n        return x\n    return g(4) + x\n",
        "f(3)",
    ),
    "generator": (
        "def f(x):\n    def g(n):\n        while n:\n            yield n\n            n -= 1\n    return list(g(x))\n",
        "f(3)",
    ),
    "async": (
        "import asyncio\nasync def g(n):\n    await asyncio.sleep(0)\n    return n\ndef f(x):\n    return asyncio.run(g(x))\n",
        "f(3)",
    ),
    "match": (
        "def f(x):\n    match x:\n        case [y, *z]:\n            return z\n        case _:\n            return y\n",
        "f([1, 2])",
    ),
    "arity": (
        "import inspect\ndef g(a, b=1, *c, d):\n    return a\ndef f(x):\n    return str(inspect.signature(g))\n",
        "f(3)",
    ),
    "lives on": (
        "import weakref\nclass A:\n    pass\ndef g(a):\n    r = weakref.ref(a)\n    return r\ndef f(x):\n    return g(A())() is None\n",
        "f(3)",
    ),
    "lambda's parameter": ("def f(x):\n    g = lambda k: k + x\n    y = g(1)\n    return y\n", "f(3)"),
    "comprehension": ("def f(x):\n    y = [q for q in x]\n    return y\n", "f('ab')"),
    "tabs": ("def f(x):\r\n\tif x:\r\n\t\ty = 1\r\n\t\treturn y\r\n\treturn 2", "f(3)"),
    "keyword": ("def g(a, **k):\n    return k\ndef f(x):\n    return g(1, x=x, y=2)\n", "f(3)"),
}


@pytest.mark.parametrize("trap", TRAPS)
def test_traps(trap: str) -> None:
    source, call = TRAPS[trap]
    expected = value(source, call)
    for seed in SEEDS:
        try:
            padded = add_dead_code(source, call, seed)
        except Skip:
            assert trap == "frames"
            continue
        assert value(padded, call) == expected or trap == "nan", padded
        assert len(padded) > len(source)


def test_a_global_is_named_like_a_variable_and_stands_first() -> None:
    source = '"""Doc."""\nfrom __future__ import annotations\nimport os\ndef f(text, list):\n    count = text\n    return count\n'
    padded = add_dead_code(source, "f(3, 4)")
    top = padded[: padded.index("import os")].splitlines()[2:]
    assert {line.split(" = ")[0] for line in top if " = " in line and not line.startswith(" ")} == {"text", "count"}


def test_what_prints_runs_once() -> None:
    """Not in loops, nor in functions that something else calls, nor where a call is not known."""
    source = "def g(y):\n    y += 1\n    return y\ndef f(x):\n    for i in range(x):\n        g(i)\n    return x\n"
    prints_seen = 0
    for seed in range(200):
        lines = add_dead_code(source, seed=seed).splitlines()
        prints = [i for i, line in enumerate(lines) if "print(" in line]
        prints_seen += bool(prints)
        assert all(i > lines.index("def f(x):") and lines[i].startswith("    ") for i in prints)
        assert all(not lines[i].startswith("     ") for i in prints)
        assert "print(" not in add_dead_code(source, "", seed)
        assert "print(" not in add_dead_code("def f(x):\n    y = x\n    return f(x - 1) if x else y\n", seed=seed)
    assert prints_seen > 20


@pytest.mark.parametrize("lang", ["python", "javascript", "php", "java"])
def test_every_wording_is_used(lang: str) -> None:
    dialect = language(lang).dialect
    forms = dialect.dead_code
    assert forms is not None
    sources = {
        "python": "def f(x):\n    y = x\n    z = y\n    return z\n",
        "javascript": "function f(x) {\n    let y = x;\n    let z = y;\n    return z;\n}\n",
        "php": "<?php\nfunction f($x) {\n    $y = $x;\n    $z = $y;\n    return $z;\n}\n",
        "java": "class P {\n    static int f(int x) {\n        int y = x;\n        int z = y;\n        return z;\n    }\n}\n",
    }
    call = "P.f(3)" if lang == "java" else "f(3)"
    pairs = (*forms.parameter_conditions, forms.printing_condition)
    filled = {"p": f"{dialect.sigil}x"}
    for number, unknown in enumerate((call, "")):
        all_texts = "".join(add_dead_code(sources[lang], unknown, seed, lang=lang) for seed in range(150))
        texts = [*forms.constant_conditions, *forms.computed_conditions]
        texts += [pair[number] or pair[0] for pair in pairs if number == 0 or pair is not forms.printing_condition]
        for condition in texts:
            assert condition % filled in all_texts or (lang == "java" and number), condition
    conditions = (*forms.constant_conditions, *forms.computed_conditions, *forms.parameter_conditions)
    assert len(forms.functions) == 7
    assert len(forms.branches) == 4
    assert len(conditions) + 1 == 7


#: A program of each language with what is special to it, and the languages' own traps.
PROGRAMS = {
    "javascript": [
        ("'use strict';\nfunction f(x) {\n    if (x) {\n        let y = x;\n        { let x = y + 1; y = x; }\n        return y;\n    }\n"
         "    switch (x) {\n    case 0:\n        return [typeof q, Number.isNaN(x)];\n    }\n    return [NaN].map((q) => { return q; });\n}\n", "f(0)"),
        ("const f = (x) => {\n    const named = function g(k) { return k ? g(k - 1) : x; };\n    return named(2) !== x;\n};\n", "f(NaN)"),
        ("class A {\n    static #n = 1;\n    static { A.m = 2; }\n    *g(k) { yield k; yield this.z; }\n}\n"
         "function f(x) {\n    const console = { log: () => { throw x; } };\n    return [...new A().g(x)].length + A.m;\n}\n", "f(3)"),
        ("function g(module) { return module; }\nfunction f(name) {\n    try { return undeclared; } catch (e) { return g(name); }\n}\n"
         "function h(undeclared) { return undeclared; }\n", "f(3)"),
    ],
    "php": [
        ("<?php\ndeclare(strict_types=1);\nnamespace A;\nfunction f($x, &...$more) {\n    $y = $x;\n"
         "    $g = function ($k) use ($y) {\n        $z = $k + $y;\n        return $z;\n    };\n    unset($x);\n    return $g(2);\n}\n", r"\A\f(3)"),
        ("<?php\nfunction f($x) {\n    global $total;\n    $total = $x;\n    return [$GLOBALS['total'], is_nan($x)];\n}\n", "f(NAN)"),
        ("<?php\nfunction g($x) {\n    return $x;\n}\nfunction f($x) {\n    $y = g($x);\n    return array_keys(get_defined_vars());\n}\n", "f(3)"),
        ("<?php\nclass D { function __destruct() { $GLOBALS['gone'] = 1; } }\nfunction g($d) {\n    $d = null;\n    $e = 1;\n    return $e;\n}\n"
         "function f($x) {\n    g(new D);\n    return $GLOBALS['gone'] + $x;\n}\n", "f(3)"),
        ("<?php\nfunction f($x) {\n    ob_start();\n    echo $x;\n    $y = ob_get_clean();\n    return $y;\n}\n", "f(3)"),
    ],
    "java": [
        ("class P {\n    static int y = 5;\n    static boolean f(double x, int k) {\n        k++;\n        final int m = k;\n"
         "        Runnable r = () -> {\n            int z = m;\n        };\n        r.run();\n        while (true) {\n            if (m > 0) {\n"
         "                return x != x;\n            }\n        }\n    }\n    int g(int y) {\n        return this.y + y;\n    }\n}\n", "P.f(Double.NaN, 3)"),
        ("class A {\n    protected int n = 4;\n}\nclass B extends A {\n    int g(int k) {\n        return n + k;\n    }\n"
         "    static int h(int n) {\n        return n;\n    }\n}\nclass P {\n    static int f(int x) {\n        int q = 0;\n"
         "        switch (x) {\n            case 3:\n                q = 1;\n                break;\n            default:\n                throw new RuntimeException();\n"
         "        }\n        return new B().g(x) + q + B.h(1);\n    }\n}\n", "P.f(3)"),
    ],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("lang", PROGRAMS)
def test_other_languages(lang: str, sandbox: Sandbox) -> None:
    programs = PROGRAMS[lang]
    seeds = range(2 if lang == "java" else 3)
    variants = [(add_dead_code(source, call, seed, lang=lang), call) for source, call in programs for seed in seeds]
    runs = [Run.from_source(language=lang, source=source, call=call) for source, call in [*programs, *variants]]
    executions = list(sandbox.run_all(runs, 2))
    for execution, run in zip(executions, runs, strict=True):
        assert execution.returned, (execution.words, run.source)
    expected = executions[: len(programs)]
    for i, execution in enumerate(executions[len(programs) :]):
        assert language(lang).values.equal(execution.value, expected[i // len(seeds)].value), variants[i][0]


#: Functions within functions, which do not see all parameters of the function around them, or see them too early.
SCOPES = {
    "javascript": [
        "function f(a, b = (() => { const q = 1; return a + q; })(), c = b) {\n    const g = class { m(k) { const r = k; return r; } };\n"
        "    return [c].map(function (z) { const y = z; return y + a; }).concat(new g().m(2));\n}\n",
    ],
    "php": [
        "<?php\nfunction f($xs) {\n    $ys = array_map(function ($n) {\n        $m = $n;\n        return $m;\n    }, [$xs, 2]);\n"
        "    $zs = array_map(static function ($k) use (&$xs) {\n        return $k + $xs;\n    }, $ys);\n    return $zs;\n}\n",
        "<?php\nfunction f($xs, $more = 1) {\n    return array_map(fn($n) => (function () use ($n) {\n        $m = $n;\n        return $m;\n    })(), [$xs]);\n}\n",
        "<?php\nfunction f($xs) {\n    $make = function ($k) use ($xs) {\n        return array_map(function ($n) {\n            return $n;\n        }, [$k + $xs]);\n    };\n"
        "    function g($h) {\n        return $h;\n    }\n    return [g($make(1)), (new class {\n        function m() {\n            $q = 1;\n            return $q;\n        }\n    })->m()];\n}\n",
    ],
    "java": [
        "class P {\n    static int f(int a) {\n        java.util.function.IntUnaryOperator g = k -> {\n            int m = k;\n            return m;\n        };\n"
        "        class L {\n            int m(int k) {\n                int q = k;\n                return q;\n            }\n        }\n        Object o = new Object() {\n            int a = 1;\n            int b() {\n"
        "                Runnable r = () -> {\n                    int q = 1;\n                };\n                return a;\n            }\n        };\n        return g.applyAsInt(a) + new L().m(2);\n    }\n}\n",
    ],
    "python": [
        "def f(a):\n    def g(k=[1 for b in [a]], *, m=2):\n        n = k\n        return n\n    class A:\n        def h(self):\n"
        "            q = 1\n            return q\n    return [g(), A().h(), (lambda c: c)(a)]\n",
    ],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("lang", SCOPES)
def test_parameters_are_read_where_they_have_a_value(lang: str, sandbox: Sandbox) -> None:
    """The original says nothing on its output for errors, and neither does a program with dead code at every place."""
    call = "P.f(3)" if lang == "java" else "f(3)"
    for source in SCOPES[lang]:
        texts = {add_dead_code(source, call, seed, lang=lang): None for seed in range(2 if lang == "java" else 15)}
        runs = [Run.from_source(language=lang, source=text, call=call) for text in (source, *texts)]
        expected, *executions = sandbox.run_all(runs)
        assert expected.returned
        assert not expected.stderr
        for execution, text in zip(executions, texts, strict=True):
            assert execution.returned, (execution.words, text)
            assert not execution.stderr, (execution.stderr, text)
            assert language(lang).values.equal(execution.value, expected.value), text


def test_a_closure_of_php_reads_its_own_parameter_and_what_it_captures() -> None:
    source = SCOPES["php"][0]
    texts = "".join(add_dead_code(source, seed=seed, lang="php") for seed in range(60))
    own, capturing = texts.split("function ($n)")[1:], texts.split("static function ($k)")[1:]
    read = [set(re.findall(r"Temp_Var_\d+ = (?:\(.*?\) \? )?\$(\w+)", text.split("}, [")[0])) for text in own]
    assert set().union(*read) == {"n"}
    read = [set(re.findall(r"Temp_Var_\d+ = (?:\(.*?\) \? )?\$(\w+)", text.split("}, $ys")[0])) for text in capturing]
    assert set().union(*read) == {"k", "xs"}


@pytest.mark.parametrize("lang", EXAMPLES)
@given(seed=st.integers(0, 2**64 - 1), strength=st.integers(1, 9))
def test_more_strength_adds_to_less(lang: str, seed: int, strength: int) -> None:
    for source, call in EXAMPLES[lang]:
        try:
            variants = [add_dead_code(source, call, seed, Dose(strength=strength + more), lang) for more in (0, 1)]
        except Skip:
            continue
        assert variants[0] != source
        stronger = iter("".join(variants[1].split()))
        assert all(character in stronger for character in "".join(variants[0].split()))


@given(seed=st.integers(0, 2**64 - 1), density=st.floats(0, 1), place=st.integers(1, 4))
def test_density_and_place(seed: int, density: float, place: int) -> None:
    source, call = EXAMPLES["python"][1]
    whole = add_dead_code(source, call, seed)
    thin = add_dead_code(source, call, seed, Dose(strength=100, density=density))
    assert not set(thin.splitlines()) - set(whole.splitlines())
    assert add_dead_code(source, call, seed, Dose(density=0.0)) == source
    quarter = add_dead_code(source, call, seed, Dose(strength=100, place=place)).splitlines()
    source_lines = source.splitlines()
    first = (place - 1) * len(source_lines) // 4
    assert quarter[:first] == source_lines[:first]
    assert value(whole, call) == value(source, call)


def test_default_is_two_functions_three_branches_and_globals_for_half_of_the_parameters() -> None:
    source = "def f(x):\n    y = x\n    z = y\n    return z\n"
    for seed in SEEDS:
        padded = add_dead_code(source, seed=seed, dose=Dose())
        added = [line for line in padded.splitlines() if line not in source.splitlines()]
        assert sum(re.match(r"def [gh]\d", line) is not None for line in added) in {2, 3, 4}
        assert sum(line[0] in "xyz" for line in added) == 1
        assert (
            len(set(language("python").syntax.parse(padded, "f(3)").taken & {f"Temp_Var_{n}" for n in range(30)})) == 3
        )


def test_open_files_keep_their_top_level() -> None:
    """Others may get every name of a file: a module's through a star, a script's as it runs among theirs."""
    assert add_dead_code("def f(x):\n    y = x\n    return y\n", "").startswith("def f(x):\n")
    assert re.search(r"def g\d+\(", add_dead_code("__all__ = ['f']\ndef f(x):\n    y = x\n    return y\n", ""))
    assert add_dead_code("<?php\nfunction f($x) {\n    return $x;\n}\n", "", lang="php").startswith(
        "<?php\nfunction f($x) {\n"
    )


def test_nothing_to_do() -> None:
    with pytest.raises(Skip, match="lines"):
        add_dead_code("import inspect\ndef f(x):\n    return inspect.getsource(f)\n")
    with pytest.raises(Skip, match="no place"):
        add_dead_code("", "")


@pytest.mark.slow
@pytest.mark.skipif("CODEREASON_DATA" not in os.environ, reason="CODEREASON_DATA names no folder with cruxeval.jsonl")
def test_cruxeval() -> None:
    """Every program is perturbed, and returns what it did."""
    source = CruxEvalX.create({}, seed=0)
    for number, name in enumerate(source.names("python")):
        program = source.program("python", name, {})
        normal = language("python").syntax.normalise(program.source).text
        for dose in (Dose(), EVERYTHING):
            padded = add_dead_code(normal, program.call, number, dose)
            assert padded != normal
            assert language("python").values.equal(value(padded, program.call), program.facts["output"]), padded
