"""What a writer may add to a file, in each language: calls, stubs and definitions of its own, and nothing else."""

from __future__ import annotations

import pytest

from pytest_codereason.errors import Refused
from pytest_codereason.registry import language

#: A file of each language.
FILES = {
    "python": """\
'''Doc.'''





def ring(prices):
    '''D.'''
    return money.show(add(prices)) + r

class Till:
    def open(self): return len(self.items)

def add(prices):
    return sum(prices)
""",
    "javascript": """\
"use strict";
const money = require("money");


export function ring(prices) {
  // c
  return money.show(add(prices)) + r;
}
class Till { open() { return this.items.length; } }
function add(prices) { let sum = 0; for (const p of prices) sum += p; return sum; }
const helper = (x) => fetch(x);
module.exports = { ring };
""",
    "java": """\
package shop;





public class Till<T extends Base> implements Runnable {
    private int total = 0;
    static int count;
    int add(int a, int b) {
        return twice(a) + b + Money.of(a); // c
    }
    int twice(int a) { return a + a; }
    public void run() { exitNow(); }
    enum Kind { A, B(1); int x; }
}
""",
}
#: What a writer changes of it: what the file imports and exports, and which class is public.
REPLACED = {
    "python": [],
    "javascript": [("export function", "function"), ("module.exports = { ring };\n", "")],
    "java": [("package shop;\n", ""), ("public class", "class")],
}
STUBS = {
    "python": "",
    "javascript": "",
    "java": "class Money { static int of(int a) { return a; } }\nabstract class Base { abstract int x(); }\n",
}


def keep(name: str) -> str:
    """What a writer keeps of a file, with stubs."""
    text = FILES[name]
    for before, after in REPLACED[name]:
        assert before in text
        text = text.replace(before, after)
    return text + STUBS[name]


KEPT = {name: keep(name) for name in FILES}
HONEST = [
    ("python", "print(ring([1]))"),
    (
        "python",
        "def main():\n    for i in range(3):\n        print(ring([i]))\nif __name__ == '__main__':\n    main()",
    ),
    (
        "python",
        "class Fake(Till):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.items = []\n"
        "t = Fake()\n"
        "t.items = [3]\n"
        "try:\n"
        "    print(t.size, type(t).__name__)\n"
        "except Exception as e:\n"
        "    print(type(e).__name__, e)",
    ),
    (
        "python",
        "from collections import deque\n"
        "import asyncio, json\n"
        "print(json.dumps([ring([x]) for x in deque([1])]))\n"
        "print(asyncio.run(ring([1])))if 0 else 0",
    ),
    ("javascript", "console.log(ring([1]));"),
    ("javascript", "function main() { for (const i of [1,2]) { console.log(ring([i])); } }\nmain();"),
    (
        "javascript",
        "class Fake extends Till { constructor() { super();\n"
        "this.items = [];\n"
        "} }\n"
        "const t = new Fake();\n"
        "t.items = [3];\n"
        "t.more = [1][0];\n"
        "try { console.log(t.open());\n"
        "} catch (e) { console.log(e.message);\n"
        "}",
    ),
    ("javascript", "(async () => { console.log(await ring([1])); })();"),
    (
        "javascript",
        "const sum = add([1, 2]);\n"
        "let n = 0;\n"
        "n += sum;\n"
        "n++;\n"
        "console.log(Object.entries({a: 1, 'b c': sum}).map(([k, v]) => k + v));",
    ),
    (
        "java",
        "Till<Base> t = new Till<>();\n"
        "System.out.println(t.add(3, 4));\n"
        "for (int i = 0;\n"
        "i < 3;\n"
        "i++) {\n"
        "System.out.println(List.of(i));\n"
        "} Runnable r = () -> t.run();\n"
        "Function<Integer, Integer> f = x -> x + 1;\n"
        "List.of(1).forEach(System.out::println);\n"
        "try {\n"
        "t.run();\n"
        "} catch (RuntimeException e) {\n"
        "System.out.println(e.getMessage());\n"
        "}",
    ),
]
#: Each hides, patches or reaches something, or says what is not needed.
DISHONEST = [
    ("python", "sys.setprofile(None)"),
    ("python", "import gc"),
    ("python", "add = len"),
    ("python", "def sum(x): return 1"),
    ("python", "ring.__code__ = add.__code__"),
    ("python", "Till.open = lambda s: 1"),
    ("python", "(lambda eval: 0); eval('1')"),
    ("python", "class D:\n    def __get__(s, a, b): pass"),
    ("python", "getattr(ring,'x')"),
    ("python", "__import__('sys')"),
    ("python", "json = 1\nimport json"),
    ("python", "print((sum := 1))"),
    ("python", "import json\njson.loads = 1"),
    ("python", "x = type('A', (), {})"),
    ("python", "(x for x in []).gi_frame"),
    ("python", "global add"),
    ("python", "import asyncio\nasyncio.sys"),
    ("python", "(lambda Till: 0)\nTill.z = 1"),
    ("python", "from os import *"),
    ("python", "import os as len"),
    ("python", "t=Till()\nt.open = 1"),
    ("python", "def f(__builtins__): pass"),
    ("python", "class A(metaclass=Till): pass"),
    ("python", "exec('1')"),
    ("python", "match add:\n    case len: pass"),
    ("python", "for print in [1]: pass"),
    ("python", "globals()['x']=1"),
    ("python", "compile.__self__"),
    ("python", "with open('/proc/self/mem'): pass"),
    ("python", "@(sum := add)\ndef q(): pass"),
    ("python", "lambda w=w: w"),
    ("python", "[w for w in w.x]"),
    ("python", "class A:\n    w = 1\n    def f(self): return w"),
    ("python", "(lambda w: 0); w.x()"),
    ("python", "def f(w=w.x): pass"),
    ("python", "[1 for w in []]; w.x"),
    ("javascript", "process.exit(0)"),
    ("javascript", "console.log = () => {};"),
    ("javascript", "function add() { return 1; }"),
    ("javascript", "const fetch = 1;"),
    ("javascript", "add = ring;"),
    ("javascript", "Till.prototype.open = () => 1;"),
    ("javascript", "[].map['constr' + 'uctor']('return process')()"),
    ("javascript", "[].map['constructor']('return process')()"),
    ("javascript", "(() => 0).constructor('x')()"),
    ("javascript", "const {constructor: c} = add;"),
    ("javascript", "(eval) => 0; eval('1');"),
    ("javascript", "globalThis.x = 1"),
    ("javascript", "(function () { return this; })()"),
    ("javascript", "require('inspector')"),
    ("javascript", "import('inspector')"),
    ("javascript", "const t = new Till(); t.open = () => 1;"),
    ("javascript", "Object.defineProperty(Till, 'x', {})"),
    ("javascript", "({ ['x' + 1]: 1 })"),
    ("javascript", "with (add) { ring }"),
    ("javascript", "add.c\\u006fnstructor"),
    ("javascript", "[].map['c\\u006fnstructor']"),
    ("javascript", "new Function('x')"),
    ("javascript", "Reflect.ownKeys(add)"),
    ("javascript", "label: for (;;) break label;"),
    ("javascript", "if (1) { var add = 3; }"),
    ("javascript", "for (var console of [1]) {}"),
    ("javascript", "new Proxy(add, {})"),
    ("javascript", "const money2 = require('fs')"),
    ("javascript", "[add] = [1]"),
    ("javascript", "for (add of [1]) {}"),
    ("javascript", "for (Till.x of [1]) {}"),
    ("javascript", "({a: add} = {a: 1})"),
    ("javascript", "const x = {__proto__: add}"),
    ("javascript", "delete Till.open"),
    ("javascript", "var {a: console2 = process} = {}"),
    ("javascript", "`${process.exit()}`"),
    ("javascript", "w => 0; w.x()"),
    ("javascript", "{ let w = 1 } w.x()"),
    ("javascript", "(function w(){}); w.x()"),
    ("javascript", "for (const w of []) {} w.x()"),
    ("javascript", "undefined = 1"),
    ("java", "System.exit(0);"),
    ("java", "new Till().getClass();"),
    ("java", "Till.class.getName();"),
    ("java", "Runtime.getRuntime();"),
    ("java", "java.lang.System.out.println();"),
    ("java", "Thread t = new Thread();"),
    ("java", "Till.count = 3;"),
    ("java", "int Runtime = 1; Runtime.getRuntime();"),
    ("java", "CodereasonWitness.add();"),
    ("java", "System.setOut(null);"),
    ("java", "var s = System.out; label: s.println();"),
    ("java", "synchronized (args) {}"),
    ("java", "Class<?> c = null;"),
    ("java", "ClassLoader.getSystemClassLoader();"),
    ("java", "Object o = \\u0053ystem.exit(0);"),
    ("java", "Files.x();"),
    ("java", "int CodereasonX = 1; "),
    ("java", "Foo x = null;"),
    ("java", "class Money { native int x(); }"),
    ("java", "class Integer { }"),
    ("java", "class List { }"),
    ("java", "class Till2 { static { System.exit(1); } }"),
    ("java", "import java.lang.reflect.*;"),
    ("java", "import java.lang.System.*;"),
]


def check(name: str, added: str) -> None:
    if name == "java" and not added.startswith(("class ", "import ")):
        added = f"class Main {{ public static void main(String[] args) throws Exception {{ {added} }} }}"
    texts = [added, KEPT[name]] if added.startswith("import java") else [KEPT[name], added]
    language(name).drivers.check_additions(FILES[name], "\n".join([*texts, ""]))


@pytest.mark.parametrize(("name", "added"), HONEST)
def test_calls_and_definitions_of_its_own_are_taken(name: str, added: str) -> None:
    check(name, added)


@pytest.mark.parametrize(("name", "added"), DISHONEST)
def test_what_is_more_than_calls_is_refused(name: str, added: str) -> None:
    with pytest.raises(Refused, match=r"^line \d+ "):
        check(name, added)


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("python", "return sum", "return 1 + sum"),
        ("python", "def add(prices):\n    return sum(prices)\n", ""),
        ("javascript", "sum = 0", "sum = 1"),
        ("javascript", "class Till", "class Bill"),
        ("javascript", '"use strict"', '"use"'),
        ("java", "a + a", "a + 1"),
        ("java", " implements Runnable", ""),
        ("java", "total = 0", "total = 1"),
        ("java", "B(1)", "B(2)"),
    ],
)
def test_a_changed_statement_is_refused(name: str, before: str, after: str) -> None:
    kept = KEPT[name]
    assert before in kept
    with pytest.raises(Refused, match="a statement of the file is missing"):
        language(name).drivers.check_additions(FILES[name], kept.replace(before, after))


MEMBERS = [
    "int sub(int a) { return a; }",
    "static int twice(short a) { return 0; }",
    "static { }",
    "static int other = 3;",
    "static void exitNow() {}",
]


@pytest.mark.parametrize("member", MEMBERS)
def test_a_member_that_could_change_a_call_is_refused(member: str) -> None:
    with pytest.raises(Refused):
        _check_member(member)


def test_a_method_that_runs_a_class_may_stand_in_it() -> None:
    _check_member("public static void main(String[] args) { System.out.println(new Till<Base>().add(1, 2)); }")


def _check_member(member: str) -> None:
    text = KEPT["java"].replace("    int twice", f"    {member}\n    int twice")
    language("java").drivers.check_additions(FILES["java"], text)


def test_a_language_that_cannot_judge_refuses_all() -> None:
    from pytest_codereason.core.language.driving import Drivers

    with pytest.raises(Refused, match="nobody can judge"):
        Drivers.check_additions(language("python").drivers, "x = 1", "x = 1\nprint(x)")


@pytest.mark.parametrize(
    "added",
    [
        "class money:\n    pass\nmoney.show = add",
        "class money:\n    show = add",
        "class money:\n    def show(x): return add([x])",
        "class money:\n    pass\nmoney.show = lambda x: add([x])",
        "class money:\n    pass\nkept = [add]\nmoney.show = kept[0]",
        "HELD.append(add)",
        "HELD[0:] = [add]",
        "def get(): return add\nclass money:\n    pass\nmoney.show = get()",
        "Till().held.append(add)",
        "def mine(x): return add([x])\nHELD.append(mine)",
        "def mine(x): return add([x])\nclass money:\n    show = mine",
        "def mine(x): return add([x])\nclass money:\n    pass\nmoney.show = mine",
        "class mine:\n    def __call__(self, x): return add([x])\nclass money:\n    pass\nmoney.show = mine()",
        "class money:\n    pass\nt = Till()\nmoney.show = t.open",
        "class money:\n    pass\nkept = []\nkept.append(add)\nmoney.show = kept.pop()",
        "class money:\n    def show(x, f=add): return f([x])",
        "def put(f=add):\n    money.show = f\nclass money:\n    pass",
        "def put(f):\n    money.show = f\nclass money:\n    pass\nput(add)",
        "class Own:\n    def put(self, f): money.show = f\nclass money:\n    pass\nOwn().put(add)",
        "class money:\n    pass\nputs = (lambda f=add: setattr)",
        "class money:\n    pass\nfor money.show in [add]: pass",
        "class money:\n    pass\n[0 for money.show in [add]]",
        "class money:\n    pass\n(n, money.show) = (1, add)",
        "class held:\n    def __enter__(self): return add\nclass money:\n    pass\nwith held() as money.show: pass",
        "def money(f): pass\nmoney(add)",
        "class money:\n    pass\n@money.show\ndef mine(x): return add([x])",
    ],
)
def test_a_stub_holds_no_function_of_the_file(added: str) -> None:
    file = (
        "HELD = []\ndef ring(prices):\n    return money.show(prices)\n\ndef add(prices):\n    return sum(prices)\n"
        "class Till:\n    def open(self): return 1\n"
    )
    check_additions = language("python").drivers.check_additions
    check_additions(f"import money\n{file}", f"class money:\n    def show(x): return 1\n{file}total = add([1])\n")
    with pytest.raises(Refused, match=r"keeps \w+ in a place that the file may call"):
        check_additions(f"import money\n{file}", f"{file}{added}\n")


@pytest.mark.parametrize(
    "added",
    [
        "for name, f in [('add', add), ('ring', ring)]:\n    print(name, f([1]))",
        "print(', '.join(map(str, map(add, [[1]]))))",
        "def case(x): return add([x])\ndef main():\n    for f in [case]: print(f(1))\nmain()",
        "def twice(f, x): return f(f(x))\ntotal = twice(add, [1])\nprint(total)",
        "t = Till()\nt.items = [add([1])]\nprint(t.open())",
        "class money:\n    def show(self, open):\n        total = open\n        return total\ntotal = add([1])",
    ],
)
def test_a_driver_may_hold_the_functions_of_the_file(added: str) -> None:
    file = (
        "def ring(prices):\n    return money.show(prices)\n\ndef add(prices):\n    return sum(prices)\n"
        "class Till:\n    def open(self): return 1\n"
    )
    language("python").drivers.check_additions(f"import money\n{file}", f"{file}{added}\n")


JAVASCRIPT = """\
const money = require("money");
const HELD = [];
function ring(prices) { return money.show(prices); }
function add(prices) { return prices.length; }
class Till { open() { return 1; } }
"""


@pytest.mark.parametrize(
    "added",
    [
        "const money = { show: add };",
        "const money = { show(x) { return add([x]); } };",
        "const money = { show: (x) => add([x]) };",
        "class money { static show = add }",
        "function money(x) { return add([x]); }",
        "const money = {}; money.show = add;",
        "const money = {}; const kept = [add]; money.show = kept[0];",
        "const money = {}; const kept = []; kept.push(add); money.show = kept.pop();",
        "const mine = (x) => add([x]); const money = { show: mine };",
        "function mine(x) { return add([x]); } const money = {}; money.show = mine;",
        "class Mine { show(x) { return add([x]); } } const money = new Mine();",
        "const money = {}; const t = new Till(); money.show = t.open;",
        "const money = { show(x, f = add) { return f([x]); } };",
        "const money = {}; function put(f) { money.show = f; } put(add);",
        "const money = {}; function put(f = add) { money.show = f; } put();",
        "const money = {}; function get() { return add; } money.show = get();",
        "const money = {}; for (money.show of [add]) {}",
        "HELD.push(add);",
        "HELD.push((x) => add([x]));",
        "HELD[0] = add;",
        "const money = { on(f) {} }; money.on(add);",
        "function money(f) {} money(add);",
    ],
)
def test_a_stub_of_javascript_holds_no_function_of_the_file(added: str) -> None:
    check_additions = language("javascript").drivers.check_additions
    _, _, rest = JAVASCRIPT.partition("\n")
    check_additions(JAVASCRIPT, f"const money = {{ show: (x) => x }};\n{rest}console.log(ring([1]));\n")
    with pytest.raises(Refused, match=r"keeps \w+ in a place that the file may call|patches HELD"):
        check_additions(JAVASCRIPT, f"{rest if 'money' in added else JAVASCRIPT}{added}\n")


@pytest.mark.parametrize(
    "added",
    [
        "for (const [name, f] of [['add', add], ['ring', ring]]) console.log(name, f([1]));",
        "console.log([[1]].map(add).join(', '));",
        "const show = (x) => console.log(add(x)); [[1]].forEach(show);",
        "Promise.resolve(ring([1])).then((x) => console.log(add([x])));",
        "const t = new Till(); t.items = [add([1])]; console.log(t.open());",
        "const money = { show(open) { const total = open; return total; } }; const total = add([1]);",
        "class Fake extends Till { open() { return add([1]); } } console.log(new Fake().open());",
    ],
)
def test_a_driver_of_javascript_may_hold_the_functions_of_the_file(added: str) -> None:
    _, _, rest = JAVASCRIPT.partition("\n")
    text = f"{rest if 'money' in added else JAVASCRIPT}{added}\n"
    language("javascript").drivers.check_additions(JAVASCRIPT, text)


JAVA = """\
import java.util.*;
import java.util.function.*;
import shop.Money;
class Till {
    static List<IntUnaryOperator> HELD = new ArrayList<>();
    List<IntUnaryOperator> rules = HELD;
    static int twice(int a) { return a + a; }
    int add(int a) { return Money.of(twice(a)); }
    List<IntUnaryOperator> held() { return HELD; }
}
"""
JAVA_STUB = "class Money { static int of(int a) { return a; } }"


@pytest.mark.parametrize(
    ("stub", "added"),
    [
        ("class Money { static int of(int a) { return Till.twice(a); } }", ""),
        ("class Money { static int of(int a) { return new Till().add(a); } }", ""),
        ("class Money { static Till till; static int of(int a) { return till.add(a); } }", ""),
        ("class Money { static IntUnaryOperator f = Till::twice; }", ""),
        (
            "class Own { static int a(int a) { return Till.twice(a); } } class "
            "Money { static int of(int a) { return Own.a(a); } }",
            "",
        ),
        ("class Money { static IntUnaryOperator f; }", "Money.f = Till::twice;"),
        ("class Money { static IntUnaryOperator f; }", "Money.f = n -> Till.twice(n);"),
        ("class Money { static IntUnaryOperator f; }", "Till t = new Till(); Money.f = n -> t.add(n);"),
        ("class Money { static IntUnaryOperator f; }", "Till t = new Till(); Money.f = t::add;"),
        ("class Money { static IntUnaryOperator f; }", "IntUnaryOperator g = Till::twice; Money.f = g;"),
        (
            "class Money { static IntUnaryOperator f; }",
            "List<IntUnaryOperator> g = new ArrayList<>(); g.add(Till::twice); Money.f = g.get(0);",
        ),
        ("class Money { static void on(IntUnaryOperator f) {} }", "Money.on(Till::twice);"),
        ("class Money { Money(IntUnaryOperator f) {} }", "new Money(Till::twice);"),
        (JAVA_STUB, "Till.HELD.add(Till::twice);"),
        (JAVA_STUB, "new Till().held().set(0, Till::twice);"),
        (JAVA_STUB, "Till t = new Till(); t.rules.add(Till::twice);"),
        (
            JAVA_STUB,
            "Till t = new Till(); t.rules.add(new IntUnaryOperator() { public int "
            "applyAsInt(int n) { return t.add(n); } });",
        ),
    ],
)
def test_a_stub_of_java_holds_no_method_of_the_file(stub: str, added: str) -> None:
    with pytest.raises(Refused, match=r"keeps \w+ in a place that the file may call"):
        _check_java(stub, added)


@pytest.mark.parametrize(
    ("stub", "added"),
    [
        (JAVA_STUB, "System.out.println(new Till().add(Till.twice(1)));"),
        (JAVA_STUB, "System.out.println(new Till().held().stream().mapToInt(f -> Till.twice(f.applyAsInt(1))).sum());"),
        (
            "interface Money { static int of(int a) { return a; } void take(Till "
            "t); default Till give() { return null; } }",
            "",
        ),
        ("class Money { List<Integer> all = new ArrayList<>(); int of(int a) { all.add(a); return a; } }", ""),
        (
            JAVA_STUB,
            "List<Integer> all = new ArrayList<>(); all.add(Till.twice(1)); "
            "all.replaceAll(Till::twice); System.out.println(all);",
        ),
        (JAVA_STUB, "Till t = new Till(); t.rules.add(n -> n + 1); System.out.println(t.rules.size());"),
    ],
)
def test_a_driver_of_java_may_call_the_methods_of_the_file(stub: str, added: str) -> None:
    _check_java(stub, added)


def _check_java(stub: str, added: str) -> None:
    file = JAVA.replace("import shop.Money;\n", "")
    main = f"class Main {{ public static void main(String[] args) {{ {added} }} }}"
    language("java").drivers.check_additions(JAVA, f"{file}{stub}\n{main}\n")
