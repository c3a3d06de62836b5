from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_codereason.changes.perturbations._messages import read_messages
from pytest_codereason.changes.perturbations.prints import Prints
from pytest_codereason.core import Dose, Program
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import Skip
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.changes.perturbations.calls import CALLS
from tests.changes.perturbations.programs import PROGRAMS
from tests.examples import examples

SAID = {message for messages in read_messages().values() for message in messages}


def printing(name: str, source: str, call: str = "f(3)", dose: Dose = Dose()) -> Program:
    return Prints().apply(Program.from_source(language=name, source=source, call=call), Draws(5), dose, "output")


def run(sandbox: Sandbox, program: Program) -> Execution:
    return sandbox.run(Run.from_program(program))


TRAPS: list[tuple[str, str, str, Any]] = [
    (
        "python",
        "a __future__ import and a docstring",
        '"""Doc."""\nfrom __future__ import annotations\n\ndef f(n):\n    """In."""\n    return __doc__ + f.__doc__\n',
        "Doc.In.",
    ),
    (
        "python",
        "a generator that is never run to its end",
        "def g(n):\n    while True:\n        n += 1\n        yield n\n\ndef f(n):\n    return next(g(n))\n",
        4,
    ),
    (
        "python",
        "global and nonlocal",
        "t = 1\ndef f(n):\n    global t\n    t += n\n    def g():\n        nonlocal n\n"
        "        n += 1\n    g()\n    return t + n\n",
        8,
    ),
    (
        "python",
        "try, with, match and decorators",
        "import contextlib\n\n@contextlib.contextmanager\ndef g():\n    yield 1\n\ndef f(n):\n"
        "    try:\n        with g() as k:\n"
        "            match n:\n                case 3:\n                    return k\n    finally:\n        n = 4\n",
        1,
    ),
    ("python", "one line of many statements", "def f(n):\n    a = 1; b = 2\n    if n: a += 1; return a + b\n", 4),
    ("python", "a text that says print", "def f(n):\n    s = 'print = 1'\n    return s\n", "print = 1"),
    (
        "javascript",
        "directives, no semicolons, bodies without braces",
        "'use strict'\nfunction f(n) {\n    'use strict'\n    let a = n\n    if (a > 2) a += 1\n    else a = 0\n"
        "    for (const x of [1]) a += x\n    return (() => this === undefined && a)()\n}\n",
        5,
    ),
    (
        "javascript",
        "switch and generators",
        "function* g(n) {\n    for (;;) {\n        n++;\n        yield n;\n    }\n}\n"
        "function f(n) {\n    switch (n) {\n        case 3:\n            return g(n).next().value;\n        default:\n"
        "            return 0;\n    }\n}\n",
        4,
    ),
    (
        "javascript",
        "a text that says console",
        "function f(n) {\n    const s = 'consoles';\n    return s;\n}\n",
        "consoles",
    ),
    (
        "php",
        "strict types, a namespace, an alternative syntax",
        "<?php\ndeclare(strict_types=1);\nnamespace A;\nfunction g($n) {\n    if ($n):\n"
        "        $n += 1;\n    elseif (!$n):\n"
        "        $n = 2;\n    endif;\n    return $n;\n}\nfunction f($n) {\n    return g($n);\n}\n",
        4,
    ),
    (
        "php",
        "text outside and a generator",
        "<?php function g($n) { while (true) { yield $n; } } ?>\ntext\n<?php\nfunction f($n) {\n"
        "    foreach (g($n) as $x) {\n        return $x;\n    }\n}\n",
        3,
    ),
    (
        "java",
        "what javac calls unreachable or unset",
        "class A {\n    int n;\n    A(int n) {\n        this();\n        this.n = n;\n    }\n"
        "    A() {\n    }\n    static int f(int n) {\n        final int k;\n"
        "        while (true) {\n"
        "            if (n > 2) {\n                k = n;\n                break;\n"
        "            }\n            n++;\n        }\n"
        "        switch (k) {\n            case 3:\n                return new A(k).n;\n"
        "            default:\n                throw new IllegalStateException();\n        }\n"
        "    }\n}\n",
        3,
    ),
    (
        "java",
        "a main method, fields and a lambda",
        "class A {\n    static int t = 1;\n    public static void main(String[] args) {\n        t = 2;\n    }\n"
        "    static int f(int n) {\n        java.util.function.IntUnaryOperator g = x -> {\n"
        "            int y = x + t;\n            return y;\n        };\n"
        "        return g.applyAsInt(n);\n    }\n}\n",
        4,
    ),
]


@pytest.mark.parametrize(("name", "what", "source", "value"), TRAPS, ids=[f"{t[0]}: {t[1]}" for t in TRAPS])
def test_the_result_stays(sandbox: Sandbox, name: str, what: str, source: str, value: Any) -> None:
    call = "A.f(3)" if name == "java" else "f(3)"
    plain, variant = Program.from_source(language=name, source=source, call=call), printing(name, source, call)
    assert language(name).syntax.check(variant.source) == ""
    before, after = run(sandbox, plain), run(sandbox, variant)
    assert before.value == after.value == value
    assert {*after.stdout.splitlines()} - {*before.stdout.splitlines()} <= SAID
    assert len(after.stdout) > len(before.stdout)


@pytest.mark.parametrize(
    ("name", "source", "reason"),
    [
        ("python", "def print(x): pass\ndef f(n):\n    return n\n", "print of its own"),
        ("python", "def f(n, print=len):\n    return n\n", "print of its own"),
        ("python", "from rich import print\ndef f(n):\n    return n\n", "print of its own"),
        ("python", "def f(n):\n    global print\n    print = n\n    return n\n", "print of its own"),
        ("python", "import io, sys\ndef f(n):\n    sys.stdout = io.StringIO()\n    return n\n", "may read"),
        ("python", "def f(n):\n    with redirect_stdout(x):\n        return n\n", "may read"),
        ("python", "import builtins\ndef f(n):\n    builtins.print = n\n    return n\n", "may read"),
        ("javascript", "function f(console) {\n    return 1;\n}\n", "may read|of its own"),
        ("javascript", "function f(n) {\n    console.log = n;\n    return 1;\n}\n", "may read"),
        ("javascript", "function f(n) {\n    const { log } = console;\n    return 1;\n}\n", "may read"),
        ("javascript", "function f(n) {\n    process.stdout.write = n;\n    return 1;\n}\n", "may read"),
        ("php", "<?php\nfunction f($n) {\n    ob_start();\n    return ob_get_clean();\n}\n", "may read"),
        ("java", "class System {\n    static int f(int n) {\n        return n;\n    }\n}\n", "may read"),
        (
            "java",
            "class A {\n    static int f(int n) {\n        System.setOut(null);\n        return n;\n    }\n}\n",
            "may read",
        ),
    ],
)
def test_where_a_print_would_be_noticed_there_is_none(name: str, source: str, reason: str) -> None:
    with pytest.raises(Skip, match=reason):
        printing(name, source)


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("python", "def f(n):\n    print(n)\n    import sys\n    sys.stdout.write('x')\n    return n == 3\n"),
        ("javascript", "function f(n) {\n    console.log(n);\n    process.stdout.write('x');\n    return n;\n}\n"),
        ("php", "<?php\nfunction f($n) {\n    echo $n;\n    return 1;\n}\n"),
        (
            "java",
            "class A {\n    static int f(int n) {\n        System.out.println(n);\n"
            "        return System.lineSeparator().length();\n    }\n}\n",
        ),
    ],
)
def test_a_program_that_prints_may_print_more(name: str, source: str) -> None:
    assert printing(name, source).source != source


def test_nothing_is_printed_two_loops_deep(sandbox: Sandbox) -> None:
    source = (
        "def f(n):\n    t = 0\n    for i in range(300):\n"
        "        for j in range(300):\n            t += 1\n    return t\n"
    )
    variant = printing("python", source)
    lines = [line.strip() for line in variant.source.splitlines()]
    assert not lines[lines.index("for j in range(300):") + 1].startswith("print")
    assert lines[lines.index("for j in range(300):") - 1].startswith("print")
    assert run(sandbox, variant).value == 90_000


def test_a_loop_and_a_branch_print_first_inside() -> None:
    source = "def f(n):\n    for i in range(n):\n        if i:\n            n = i\n    return n\n"
    kinds = {message: kind for kind, messages in read_messages().items() for message in messages}
    lines = [line.strip() for line in printing("python", source).source.splitlines()]
    assert [kinds[line[7:-2]] if line.startswith("print") else line for line in lines] == [
        "def f(n):",
        "function",
        "for i in range(n):",
        "for",
        "if i:",
        "if",
        "assignment",
        "n = i",
        "return",
        "return n",
    ]


@pytest.mark.parametrize("name", PROGRAMS)
@settings(max_examples=examples(15))
@given(seed=st.integers(0, 2**64 - 1), density=st.floats(0, 1))
def test_nothing_but_prints_is_added(name: str, seed: int, density: float) -> None:
    lang, plain = language(name), language(name).syntax.normalise(PROGRAMS[name]).text
    program = Program.from_source(language=name, source=plain, call=CALLS.get(name, "f([])"))
    variant = Prints().apply(program, Draws(seed), Dose(density=density), "output").source
    prints = {lang.dialect.print_statement(message) for message in SAID}
    lines = [line for line in variant.splitlines() if line.strip() not in prints]
    assert lines == plain.splitlines()
