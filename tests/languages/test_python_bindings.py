"""Names of Python programs: every use is found, and what cannot be renamed says why."""

from __future__ import annotations

import ast
import symtable
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pytest_codereason.core.language.structure import Binding
from pytest_codereason.languages.python import Python
from pytest_codereason.languages.python.syntax.scopes import PythonResolver
from pytest_codereason.languages.python.syntax.tree import parse
from tests.examples import examples
from tests.languages.examples import rename_all
from tests.languages.symbol_tables import draw_nest, list_moved, rename_each

PYTHON = Python()


def binding(source: str, name: str, call: str = "f()") -> Binding:
    bindings = [b for b in PYTHON.syntax.parse(source, call).bindings if b.name == name]
    assert len(bindings) == 1, bindings
    return bindings[0]


def outcome(source: str, call: str) -> Any:
    scope: dict[str, Any] = {"__name__": "program"}
    exec(source, scope)
    return eval(call, scope)


#: Programs in which every name is safe, and where a use that is missed changes the result or raises.
SAFE = {
    "comprehension": "def f(x):\n    x = [x for x in x if x]\n"
    "    return [y for x in [x] for y in x], {x: x for x in x}, x",
    "walrus-leaks": "def f(x):\n    any((y := z) > 1 for z in x)\n    return y",
    "walrus-twice": "def f(x):\n    return [[(y := a) for a in b] for b in [x]], y",
    "lambda": "def f(x):\n    return (lambda x, y=x, *z, w=x: (x, y, z, w))(3)",
    "default": "def f(x):\n    y = 1\n    def g(y=y, *, z=x):\n        return y, z\n    return g(2, z=5), g(y=4), y",
    "closure": "def f(x):\n    def g():\n        nonlocal n\n        n += len(x)\n        return n\n"
    "    n = 1\n    return g() + g()",
    "global": "n = 1\ndef f(x):\n    global n, m\n    n, m = n + 1, x\n    return n\ndef g():\n    return n, m",
    "global-only-in-functions": "def g():\n    global n\n    n = 1\ndef f(x):\n    g()\n    return n",
    "except": "def f(x):\n    try:\n        x[0] + ''\n    except (TypeError, IndexError) as e:\n"
    "        return str(e)\n"
    "    finally:\n        x = 1",
    "except-star": "def f(x):\n    try:\n        raise ExceptionGroup('a', [ValueError()])\n"
    "    except* ValueError as e:\n"
    "        n = len(e.exceptions)\n    return n",
    "with": "from contextlib import nullcontext as c\ndef f(x):\n"
    "    with c(x) as y, c((1, y)) as (z, [*w]):\n        pass\n"
    "    with (c(x) as a, c(a) as b,):\n        return y, z, w, a, b",
    "for": "def f(x):\n    d = {}\n    for i, (j, *d['k']) in enumerate([x, x]):\n        pass\n"
    "    else:\n        del x\n    return i, j, d",
    "match": "def f(x):\n    match x:\n        case []: return 0\n        case [1, *rest] if rest: return rest\n"
    "        case {'a': v, **more}: return v, more\n        case [int() | float() as n, m]: return n + m\n"
    "        case complex(real=r, imag=i): return r, i\n        case other: return other",
    "import": "import math, json as j\nfrom math import floor, ceil as c\ndef f(x):\n    import math as m\n"
    "    return math.pi, floor(1.5), c(1.5), m.e, j.dumps(1), str(x)",
    "f-string": "def f(x):\n    w = 9\n    return f'{x!r:>{w}}' f\"{[x for x in x]} {{x}}\"",
    "keyword": "def g(a, *b, c=1, **d):\n    return a, b, c, d\ndef f(x):\n    return g(x, c=2), g(a=x, z=3)",
    "positional-only": "def g(a, /, **a2):\n    return a, a2\ndef f(x):\n    return g(x, a=1)",
    "recursion": "def f(x, acc=()):\n    return acc if not x else f(x[1:], acc=(x[0], *acc))",
    "annotation": "def f(x: list[int], y: int | None = None) -> tuple:\n    z: int = 1\n    w: str\n    return x, y, z",
    "decorator": "import functools\ndef f(x):\n    @functools.lru_cache(maxsize=len(x))\n    def g(y):\n"
    "        return y + x[0]\n"
    "    return g(1), g(1)",
    "class": "class P:\n    n = 1\n    def m(self, k):\n        return self.n + k\n\ndef f(x):\n"
    "    p = P()\n    p.n = 5\n    return p.m(x[0])",
    "generator": "def f(x):\n    def g():\n        y = yield x\n        z = yield from [y]\n    it = g()\n"
    "    return next(it), it.send(3)",
    "augmented": "def f(x):\n    n = 0\n    n += len(x); n **= 2\n    (n) = n + 1\n    return n",
    "type-call": "def f(x):\n    class T: pass\n    t = T()\n    type(t).y = x\n    return t.y",
    "underscore": "def f(x):\n    for _ in x:\n        x = x[1:]\n    return [_ for _ in x], _",
    "unicode": "def f(x):\n    ﬁ = x\n    é, 变量 = fi, 2\n    return é, 变量, 'é 变量'",
    "star-args": "def f(*x, **k):\n    print(*x, **k)\n    return [*x], {**k}",
    "print-shadowed": "def f(x):\n    print = len\n    return print(x)",
    "line-continuation": "from math import \\\n    pi, \\\n    e as q\ndef f(x):\n    return pi + \\\n"
    "        q, (x  # c\n        .__len__())",
}


@pytest.mark.parametrize("name", SAFE)
def test_every_use_is_found(name: str) -> None:
    text, call = SAFE[name], "f([1, 2])"
    code = PYTHON.syntax.parse(text, call)
    assert not {b.name: b.unsafe for b in code.bindings if b.unsafe and b.kind != "class"}
    new, new_call = rename_all(PYTHON, code)
    assert new != text
    assert repr(outcome(new, new_call)) == repr(outcome(text, call))


@pytest.mark.parametrize(
    ("source", "name", "why"),
    [
        ("def f():\n    x = 1\n    return locals()", "x", "locals()"),
        ("def f():\n    x = 1\n    return eval('x')", "x", "eval()"),
        ("x = 1\ndef f():\n    exec('x')", "x", "exec()"),
        ("x = 1\ndef f():\n    return globals()['x']", "x", "globals()"),
        ("def f():\n    x = 1\n    return dir()", "x", "dir()"),
        ("x = 1\nimport sys\ndef f():\n    return getattr(sys.modules[__name__], 'x')", "x", "string"),
        ("def f():\n    x = 1\n    return f'{x = }'", "x", "f-string"),
        ("import os.path\ndef f():\n    return os.sep", "os", "dot"),
        ("from math import *\npi = 3\ndef f():\n    return pi", "pi", "star"),
        ("try:\n    str = unicode\nexcept NameError:\n    pass\ndef f():\n    return str(1)", "str", "builtin"),
        ("x = 1\nclass A:\n    x = x\ndef f():\n    return A.x", "x", "class"),
        ("class A(Exception): pass\ndef f():\n    return repr(A())", "A", "bases"),
        ("def g(a): pass\ndef f():\n    return g(**{'a': 1})", "a", "**"),
        ("def g(a): pass\ndef map(h, x): return h(a=x)\ndef f():\n    return map(g, 1)", "a", "by name"),
        ("def final(h): return lambda: h(a=1)\n@final\ndef g(a): pass\ndef f():\n    return g()", "a", "by name"),
        ("class E(Enum):\n    A = 1\ndef f():\n    return E.A", "E", "bases"),
        ("def g(a): pass\ndef f():\n    h = g\n    return h(a=1)", "a", "by name"),
        ("def f():\n    g = lambda a: a\n    return g(a=1)", "a", "by name"),
        ("class A:\n    def m(self, a): return a\ndef f():\n    return A().m(a=1)", "a", "by name"),
        ("@register\ndef g(a): pass\ndef f():\n    return g(1)", "a", "decorated"),
        ("def g(a): pass\ndef f():\n    return g.__code__.co_varnames", "a", "frames"),
        ("def g(): pass\ndef f():\n    return g.__name__", "g", "names of functions"),
        ("class A:\n    def m(self):\n        return __x\n__x = 1\ndef f(): pass", "__x", "classes"),
        ("def f(a: 'x'): pass\nx = 1", "x", "annotation"),
        ("__all__ = ['f']\ndef f(): pass", "__all__", "special"),
        (
            "def f():\n    def g(x): return x\n    return dict(x=1), list(map(h, [g]))\ndef h(k): return k(1)",
            "x",
            "by name",
        ),
        (
            "def f():\n    if 1:\n        def g(a): return a\n    else:\n        def g(a): return -a\n"
            "    return g(a=1)",
            "g",
            "",
        ),
    ],
)
def test_unsafe(source: str, name: str, why: str) -> None:
    bindings = [b for b in PYTHON.syntax.parse(source, "f()").bindings if b.name == name]
    assert all(why in b.unsafe for b in bindings)
    assert all(bool(b.unsafe) is bool(why) for b in bindings)


def test_a_keyword_of_the_entry_call_follows_its_parameter() -> None:
    x = binding("def f(x, y): return x", "x", "f(y=1, x='x')")
    assert [(use.in_call, use.span) for use in x.uses] == [(False, (6, 7)), (False, (20, 21)), (True, (7, 8))]


def test_members_of_classes_are_left_out() -> None:
    source = "class A:\n    n = 1\n    def m(self): return self.n, n\n    k = n\nn = 2"
    names = [(b.name, b.function) for b in PYTHON.syntax.parse(source, "A()").bindings]
    assert names == [("A", ""), ("self", "A.m"), ("n", "")]
    assert len(binding(source, "n", "A()").uses) == 2


def test_an_import_keeps_what_it_imports() -> None:
    code = PYTHON.syntax.parse("import json\nfrom math import pi\nfrom os import (path,)\nprint(json, pi, path)", "1")
    assert rename_all(PYTHON, code)[0] == (
        "import json as zz\nfrom math import pi as zz_1\nfrom os import (path as zz_2,)\nprint(zz, zz_1, zz_2)"
    )


def test_without_a_call_a_module_keeps_what_others_can_reach() -> None:
    source = (
        "import re\nn = 1\ndef g(a, /, b, *c):\n    d = a\n    def h(e): return e\n"
        "    return h(d), sorted(c, key=lambda s: s)\n"
        "class A:\n    def m(self, p): return p\n    def __eq__(self, q): return q"
    )
    safe = {b.name for b in PYTHON.syntax.parse(source).bindings if not b.unsafe}
    assert safe == {"a", "c", "d", "h", "e", "s", "self", "q"}


def test_without_a_call_operators_keep_what_they_can_do_without() -> None:
    """``Decimal.__format__(self, specifier, context=None)``: Python gives the one, others the other, by its name."""
    source = "class A:\n    def __format__(self, spec, context=None, *rest, strict, **more): return spec"
    assert {b.name for b in PYTHON.syntax.parse(source).bindings if b.unsafe} == {"A", "context", "strict"}
    closed = PYTHON.syntax.parse(source, "A()").bindings
    assert {b.name for b in closed if b.unsafe} == set()
    alone = "class A:\n    def __pow__(self, other, modulo: int = 1, *, fast): return other"
    assert {b.name for b in PYTHON.syntax.parse(alone).bindings if b.unsafe} == {"A", "modulo", "fast"}


def test_qualified_functions() -> None:
    code = PYTHON.syntax.parse("class A:\n    def m(self):\n        def g(k): return k\n        return g\n", "A()")
    assert {b.name: b.function for b in code.bindings} == {"A": "", "self": "A.m", "g": "A.m", "k": "A.m.g"}


def test_type_parameters_have_a_scope_of_their_own() -> None:
    source = "type X[T] = list[T]\nclass A[T](list[T]):\n    pass\ndef f[T: int](x: T) -> T:\n    return x"
    code = PYTHON.syntax.parse(source, "f(1)")
    assert [(b.name, len(b.uses)) for b in code.bindings if b.name == "T"] == [("T", 2), ("T", 2), ("T", 3)]
    assert all(b.unsafe for b in code.bindings if b.name in "TX")


def scopes(source: str) -> Counter[frozenset[str]]:
    """The names of each function's scope, as this package finds them."""
    walker = PythonResolver()
    walker.read(parse(source), in_call=False)
    names = walker.names
    return Counter(frozenset(s.names) for s in names.root.all() if s is not names.root and s not in names.classes)


def compiler_scopes(source: str) -> Counter[frozenset[str]]:
    """The same by CPython's compiler."""
    name_sets = Counter[frozenset[str]]()
    stack = [symtable.symtable(source, "<program>", "exec")]
    while stack:
        table = stack.pop()
        stack += table.get_children()
        if isinstance(table, symtable.Function):
            name_sets[frozenset(name for name in table.get_locals() if not name.startswith("."))] += 1
    return name_sets


@pytest.mark.parametrize("name", SAFE)
def test_scopes_are_those_of_the_compiler(name: str) -> None:
    assert scopes(SAFE[name]) == compiler_scopes(SAFE[name])


MODULES = ["argparse", "ast", "contextlib", "dataclasses", "difflib", "functools", "heapq", "statistics", "textwrap"]


@pytest.mark.parametrize("module", MODULES)
def test_scopes_of_real_modules_are_those_of_the_compiler(module: str) -> None:
    source = Path(ast.__file__).with_name(f"{module}.py").read_text()
    assert scopes(source) == compiler_scopes(source)


def test_the_comparison_sees_a_moved_name() -> None:
    before = "size = 1\ndef f(n):\n    def g():\n        return size\n    size = 2\n    return g()"
    after = before.replace("    size = 2", "    new = 2")
    assert list_moved(before, before.replace("size", "new")) == []
    assert list_moved(before, after) != []


@pytest.mark.parametrize("name", SAFE)
def test_a_renaming_moves_no_name(name: str) -> None:
    assert list_moved(SAFE[name], rename_each(SAFE[name], "f(1)")) == []


@pytest.mark.slow
def test_a_renaming_of_nested_scopes_moves_no_name() -> None:
    random = Random(7)
    for _ in range(examples(400)):
        source = draw_nest(random)
        assert list_moved(source, rename_each(source, "f(1)")) == [], source


@pytest.mark.parametrize("module", MODULES)
def test_a_renaming_of_real_modules_moves_no_name(module: str) -> None:
    source = Path(ast.__file__).with_name(f"{module}.py").read_text()
    assert list_moved(source, rename_each(source, "main()")) == []
