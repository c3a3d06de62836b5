"""Sites, insertions, units and layout of Python programs."""

from __future__ import annotations

import ast

import pytest

from pytest_codereason.core.language.structure import Site
from pytest_codereason.errors import DoesNotParse, Refused
from pytest_codereason.languages.python import Python
from tests.languages.examples import inserted

PYTHON = Python()


def sites(source: str, kind: str) -> list[Site]:
    return [site for site in PYTHON.syntax.parse(source).sites if site.kind == kind]


@pytest.mark.parametrize(
    ("source", "holder", "form", "pure"),
    [
        ("if x > 1: pass", "if", "comparison", True),
        ("if a < b <= c: pass", "if", "comparison", True),
        ("if 0: pass\nelif (not x): pass", "if", "other", True),
        ("while True: break", "while", "constant", True),
        ("while (x := 1): pass", "while", "other", False),
        ("y = 1 if (x == 2) else 3", "conditional", "comparison", True),
        ("y = [x for x in z if x % 2]", "comprehension", "other", True),
        ("assert x is not None, 'm'", "assert", "comparison", True),
        ("match x:\n    case y if y > 1: pass", "case", "comparison", True),
        ("if f(x): pass", "if", "other", False),
        ("if x.y: pass", "if", "other", False),
        ("if x[0] == 1: pass", "if", "comparison", False),
        ("if x in it: pass", "if", "comparison", False),
        ("if x in (1, 2): pass", "if", "comparison", True),
        ("if f'{x}': pass", "if", "other", False),
    ],
)
def test_conditions(source: str, holder: str, form: str, pure: bool) -> None:
    code = PYTHON.syntax.parse(source)
    site = code.sites_of("condition")[-1]
    assert (site.holder, site.form, code.is_pure(site)) == (holder, form, pure)


def test_operators_are_the_words_themselves() -> None:
    source = "def f(a):\n    return a + 1 if a not  in b and c is not None or a < b ** -2 else -a"
    operators = sites(source, "operator")
    assert [site.form for site in operators] == ["+", "not in", "and", "is not", "or", "<", "**"]
    assert source[slice(*operators[1].span)] == "not  in"


def test_of_sites_that_begin_together_the_outer_one_comes_first() -> None:
    source = "while x.pop().pop() if 'a'.join(y).split() else z: ''.join(s).lower().upper()[0] = 1"
    spans = [site.span for site in PYTHON.syntax.parse(source).sites]
    assert len({span.start for span in spans}) < len(spans)
    assert spans == sorted(spans, key=lambda span: (span.start, -span.end))


def test_a_clause_belongs_to_its_own_statement_after_blocks_within_it() -> None:
    source = "if a:\n    def g():\n        b = 1\nelif c > 2:\n    d = 3\n"
    site = sites(source, "operator")[-1]
    assert site.function == ""
    assert source[slice(*site.statement)].startswith("if a:")


def test_literals() -> None:
    source = (
        "'''doc'''\nx: 'T' = {'a': 1, b'b': 2.5, f'{3}': None, 'c' 'd': [True, 1j, ...]}\nmatch x:\n    case 7: pass"
    )
    assert [(s.form, source[slice(*s.span)]) for s in sites(source, "literal")] == [
        *[("str", "'a'"), ("int", "1"), ("float", "2.5"), ("null", "None"), ("str", "'c' 'd'"), ("bool", "True")]
    ]


def test_statements_with_their_kinds() -> None:
    source = (
        "import a\n@d\ndef f():\n    x = 1; x += 1\n    y: int\n    for i in x:\n        continue\n    return x\n"
        "class A:\n    pass\nmatch x:\n    case 1:\n        g()\n"
    )
    assert [(s.kind, s.function, s.depth) for s in PYTHON.syntax.parse(source).statements] == [
        *[("import", "", 0), ("function", "", 0), ("assignment", "f", 0), ("assignment", "f", 0)],
        *[("declaration", "f", 0), ("for", "f", 0), ("continue", "f", 1), ("return", "f", 0)],
        *[("class", "", 0), ("pass", "", 0), ("match", "", 0), ("expression", "", 1)],
    ]


def test_functions() -> None:
    source = "class A:\n    @staticmethod\n    def m(a, *, b: int = 1, **c):\n        def g(): pass\n        return g\n"
    functions = [
        (f.name, f.method, f.parameters, source[slice(*f.span)].count("\n"))
        for f in PYTHON.syntax.parse(source).functions
    ]
    assert functions == [("A.m", True, ("a", "b", "c"), 3), ("A.m.g", False, (), 0)]


def test_collection_operations_assignments_and_loops() -> None:
    source = "def f(x):\n    x.append(1)\n    y = ','.join(x.pop())\n    x.count(1)\n    while y: y += x"
    assert [s.form for s in sites(source, "collection-operation")] == ["append", "join", "pop"]
    assert [s.form for s in sites(source, "assignment")] == ["=", "+="]
    assert [s.form for s in sites(source, "loop")] == ["while"]


def lines_before(source: str) -> list[str]:
    """What stands after each place where something can be inserted."""
    return [source[i.at :].partition("\n")[0].strip() for i in PYTHON.syntax.parse(source).insertions if i.after]


def test_a_method_may_stand_far_behind_its_point() -> None:
    source = "xs = (a. # .pop(\n  append(1), a.\\\n  pop(), [b .lower() if c.upper(d.add) else '.sort()' for b in c])\n"
    found = sites(source, "collection-operation")
    assert [site.form for site in found] == ["append", "pop", "lower", "upper"]
    assert [source[slice(*site.span)].split(maxsplit=1)[0] for site in found] == ["a.", "a.\\", "b", "c.upper(d.add)"]


def test_nothing_is_put_where_it_changes_meaning() -> None:
    source = (
        "#!/usr/bin/python\n'''Doc.'''\nfrom __future__ import annotations\nx = 1; y = 2\n"
        "@d\n# c\ndef f():\n    '''Doc.'''\n"
        "    if x: y; z\n    a = '''\n  b\n'''\n    c = 1; \\\n    d = 2\n    return (1,\n      2)\n"
    )
    assert lines_before(source) == ["x = 1; y = 2", "@d", "if x: y; z", "a = '''", "c = 1; \\", "return (1,"]
    for insertion in PYTHON.syntax.parse(source).insertions:
        new = inserted(source, insertion, "pass")
        assert len(list(ast.walk(ast.parse(new)))) == len(list(ast.walk(ast.parse(source)))) + 1
        assert ast.get_docstring(ast.parse(new)) == "Doc."


def test_what_follows_a_return_is_not_reached() -> None:
    source = (
        "def f(x):\n    if x:\n        return 1\n        y = 2\n    else:\n        raise E\n"
        "    for z in x:\n        continue\n"
    )
    insertions = [(i.function, i.reachable) for i in PYTHON.syntax.parse(source).insertions if i.function]
    reached = [True, True, False, False, True, False, False, False, False, False]
    assert [reachable for _, reachable in insertions] == reached


def test_places() -> None:
    source = "class A:\n    x = 1\n    if x:\n        y = 2\nif A:\n    z = 3"
    places = [(i.place, len(i.indent)) for i in PYTHON.syntax.parse(source).insertions if i.after]
    assert places == [("top", 0), ("member", 4), ("member", 4), ("statement", 8), ("top", 0), ("statement", 4)]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("end", ["", "\n", "  # c", ";\n\n", "\n\f\n"])
def test_inserting_keeps_line_ends(newline: str, end: str) -> None:
    source = ("def f():\n\tif x:\n\t\ty = 1\n\tz = 'é'" + end).replace("\n", newline)
    for insertion in PYTHON.syntax.parse(source).insertions:
        new = inserted(source, insertion, "pass")
        assert new.count("\n") == source.count("\n") + 1
        assert new.count("\r\n") == (new.count("\n") if newline == "\r\n" else 0)
        assert PYTHON.syntax.check(new) == ""


def test_units_come_with_comments_and_decorators() -> None:
    source = (
        "import a\n\n# About f.\n# More.\n@cache\ndef f(): pass  # end\n\n\n"
        "class B(A): pass\n\n# Apart.\n\ndef g(x=B): pass\n"
    )
    units = PYTHON.syntax.parse(source).units
    assert [(u.name, source[slice(*u.span)].partition("\n")[0], set(u.needs)) for u in units] == [
        *[("f", "# About f.", set()), ("B", "class B(A): pass", set()), ("g", "def g(x=B): pass", {"B"})]
    ]


def test_units_stay_on_their_side_of_a_statement() -> None:
    source = (
        "def a(): pass\ndef b(): return a()\nx = b()\ndef c(): pass\n"
        "class D:\n    def m(self): pass\n    def n(self): pass"
    )
    assert [(u.name, u.parent) for u in PYTHON.syntax.parse(source).units] == [
        *[("a", ""), ("b", ""), ("m", "D"), ("n", "D")]
    ]


def test_a_function_needs_no_function_that_only_its_body_calls() -> None:
    source = "def g(): pass\ndef f(): return g()\nLIMIT = 3\nimport os\ndef h(): return f()\n"
    assert [(u.name, set(u.needs)) for u in PYTHON.syntax.parse(source).units] == [
        *[("g", set()), ("f", set()), ("h", set())]
    ]


def test_definitions_stay_behind_a_constant_or_import_that_they_read_at_once() -> None:
    source = "def a(): pass\nLIMIT = 3\ndef f(n=LIMIT): pass\ndef g(): pass\ndef h(): pass\n"
    assert [u.name for u in PYTHON.syntax.parse(source).units] == ["f", "g", "h"]
    source = "def a(): pass\nimport abc\nclass B(abc.ABC): pass\ndef g(): pass\n"
    assert [u.name for u in PYTHON.syntax.parse(source).units] == ["B", "g"]
    source = "def a(): pass\nfrom abc import *\nclass B(ABC): pass\ndef g(): pass\n"
    assert [u.name for u in PYTHON.syntax.parse(source).units] == ["B", "g"]


def test_a_class_whose_base_may_run_its_methods_at_once_needs_all_that_they_call() -> None:
    source = (
        "import enum\ndef f(): pass\nclass E(enum.Enum):\n    A = 1\n    def __init__(self, v): f()\n"
        "class F(E):\n    def m(self): f()\nclass G(ValueError):\n    def m(self): f()\n"
    )
    needs = {unit.name: unit.needs for unit in PYTHON.syntax.parse(source).units if not unit.parent}
    assert needs == {"f": set(), "E": {"f"}, "F": {"f", "E"}, "G": set()}


def test_what_a_class_body_calls_is_needed_with_all_that_it_calls() -> None:
    source = "def g(): return 1\ndef h(): return g()\nclass A:\n    x = h()\n"
    assert PYTHON.syntax.parse(source).units[-1].needs == {"g", "h"}


@pytest.mark.parametrize(
    ("source", "normal"),
    [
        ("x=1;y =2 # c", "x = 1\ny = 2\n"),
        ("if x:return 1\nelif(y):pass\nelse : z", "if x:\n    return 1\nelif (y):\n    pass\nelse:\n    z\n"),
        ("def f ( a , b=1,*,c:int=2,**d )->int:\n\t'''Doc'''\n\n\treturn - a", None),
        ("f(a,\n  b = 1, # c\n  *c,\n  **d,\n)", "f(a, b=1, *c, **d)\n"),
        (
            "x = [1,\n\n2,]\ny = (1,)\nz = x [ 1 : 2, ::3 ]\nw=x[1,]",
            "x = [1, 2]\ny = (1,)\nz = x[1:2, ::3]\nw = x[1,]\n",
        ),
        ("from  . import (a,\n b as c,)\nfrom .. x.y import *", "from . import a, b as c\nfrom ..x.y import *\n"),
        ("x = 1 .real+a . b\nprint((yield))", "x = 1 .real + a.b\nprint((yield))\n"),
        ("s = 'a' \\\n  \"b\"\nt = f'{ x  = }'", "s = 'a' \"b\"\nt = f'{ x  = }'\n"),
        ("x = not-a**-b if(a)else[b]", "x = not -a ** -b if (a) else [b]\n"),
        ("@ d . e\nclass A ( B ):\n  x:int=1", "@d.e\nclass A(B):\n    x: int = 1\n"),
        ("lambda:0\nlambda x,*y:(x)", "lambda: 0\nlambda x, *y: (x)\n"),
        ("x = '''a\r\n  b'''\r\nif x:\r\n  pass\r\n", "x = '''a\n  b'''\nif x:\n    pass\n"),
        (
            "f(a, b)[0].c(d)(e )\nx = 0x1F.real\n-f(a)+g(b)[ i ]\n@f(a)\ndef g(a, b): h(*f(a), k=f(a,b))",
            "f(a, b)[0].c(d)(e)\nx = 0x1F .real\n-f(a) + g(b)[i]\n@f(a)\ndef g(a, b):\n    h(*f(a), k=f(a, b))\n",
        ),
        ("type(x).y = 1\nf(i for i in x)\nassert(x)", "type(x).y = 1\nf(i for i in x)\nassert (x)\n"),
    ],
)
def test_normalise(source: str, normal: str | None) -> None:
    text = PYTHON.syntax.normalise(source).text
    assert normal is None or text == normal
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(source.replace("\r\n", "\n")))
    assert PYTHON.syntax.normalise(text).text == text


@pytest.mark.parametrize(
    "source", ["x = = 1", "def f(:", "print 'x'", "exec 'x'", "x\0", "x = '\ud800'", "a = 1\rb = 2", "x = (1"]
)
def test_what_does_not_parse(source: str) -> None:
    with pytest.raises(DoesNotParse):
        PYTHON.syntax.parse(source)


def test_the_line_to_blame() -> None:
    with pytest.raises(DoesNotParse, match="line 2"):
        PYTHON.syntax.parse("x = 1\ny = = 2\n")
    assert PYTHON.syntax.check("x = 1\nreturn") == "line 2: 'return' outside function"


@pytest.mark.parametrize("call", ["x = 1", "f(", "f(); g()", "import os"])
def test_an_entry_call_is_an_expression(call: str) -> None:
    with pytest.raises(DoesNotParse):
        _ = PYTHON.syntax.parse("def f(): pass", call).bindings


def test_deep_nesting_is_no_matter() -> None:
    chain = "x = " + " + ".join(["1"] * 5000)
    code = PYTHON.syntax.parse(chain)
    assert len(code.sites) == 10000
    assert len(code.bindings) == 1
    assert PYTHON.syntax.normalise(chain).text == f"{chain}\n"
    with pytest.raises(DoesNotParse, match="levels"):
        PYTHON.syntax.parse("\n".join(" " * i + "if x:" for i in range(200)) + "\n" + " " * 200 + "y")


def test_comments_and_prints() -> None:
    assert PYTHON.dialect.comment("a\n\nb\u2028c") == "# a\n#\n# b\n# c"
    assert PYTHON.dialect.print_statement("it's\n\\") == 'print("it\'s\\n\\\\")'
    for text in ("a\0", "\ud800", "-*- coding: latin-1 -*-"):
        with pytest.raises(Refused):
            PYTHON.dialect.comment(text)


def test_fresh_names() -> None:
    assert PYTHON.dialect.fresh("x", frozenset()) == "x"
    assert PYTHON.dialect.fresh("x", frozenset({"x", "x_1"})) == "x_2"
    assert [PYTHON.dialect.fresh(word, frozenset()) for word in ("list", "for", "match")] == [
        "list_1",
        "for_1",
        "match_1",
    ]
    assert {"ab", "cd", "ef"} <= PYTHON.syntax.parse("x = 'ab' # cd", "ef").taken
