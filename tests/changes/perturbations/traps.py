# ruff: noqa: E501 - a program stands on few lines
"""Programs that a careless change breaks, each under the name of what breaks it: for every perturbation there is."""

from __future__ import annotations

from collections.abc import Mapping

#: By language: what lies in wait, with a program and its entry call.
TRAPS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "python": {
        "statements above __future__": (
            '"""Doc."""\nfrom __future__ import annotations\n\ndef f(x: Missing) -> Missing:\n    """In."""\n    y = x\n    return [y, __doc__, f.__doc__, f.__annotations__["x"]]\n',
            "f(3)",
        ),
        "keyword names": (
            "def g(first, *rest, key=1, **more):\n    if key > 1:\n        first += key\n    return first, rest, sorted(more)\n"
            "def f(key, other=2):\n    return g(key, 5, key=other, first_one=3), dict(key=key, other=other), '{key}'.format(key=key)\n",
            "f(key=3, other=4)",
        ),
        "members of classes": (
            "import enum\nfrom dataclasses import dataclass\nclass Kind(enum.Enum):\n    LOW = 1\n    HIGH = 2\n    def up(self):\n        return Kind.HIGH if self is Kind.LOW else self\n"
            "@dataclass(order=True)\nclass Box:\n    side: int\n    kind: Kind = Kind.LOW\n    def area(self, scale=1):\n        side = self.side * scale\n        return side * side\n"
            "def f(side):\n    box = Box(side=side)\n    return box.area(scale=2), box.kind.up().name, [k.name for k in Kind], repr(box)\n",
            "f(3)",
        ),
        "module aliases": (
            "import math as m, os.path\nfrom collections import Counter as C\ndef f(m2):\n    join = os.path.join('a', 'b')\n    if m.floor(m2) > 1:\n        return join, C('aab')['a']\n    return m.pi\n",
            "f(2.5)",
        ),
        "annotations": (
            "from typing import Optional\nTotal = int\ndef f(x: Total, y: 'Optional[Total]' = None) -> list[Total]:\n    total: Total = x\n    count: Total\n    count = total + (y or 0)\n    return [count, sorted(f.__annotations__)]\n",
            "f(3)",
        ),
        "global, nonlocal, except as": (
            "total = 1\ndef f(x):\n    global total\n    total += x\n    def g(step):\n        nonlocal x\n        try:\n            x += step\n            if x > 4:\n                raise ValueError(x)\n"
            "        except ValueError as error:\n            x = error.args[0] + 1\n        try:\n            return error\n        except NameError:\n            return x\n    return g(2), x, total\n",
            "f(3)",
        ),
        "an element before its target": (
            "def f(xs, x=9):\n    pairs = [(x, y) for x in xs if x for y in range(x) if y < 2]\n    table = {x: [x for x in range(x)] for x in xs}\n    return pairs, table, {y for y, *_ in pairs}, x, list(x for x in xs)\n",
            "f([3, 1])",
        ),
        "a condition with side effects": (
            "def f(xs):\n    seen = []\n    def say(x):\n        seen.append(x)\n        return x\n    it = iter(xs)\n    while say(len(xs)) > 1 and xs.pop() != 4:\n        pass\n"
            "    found = 2 in it\n    if say(1) == say(1) < say(2):\n        seen.append('in')\n    return seen, found, [1 if say(x) > 1 else 0 for x in xs]\n",
            "f([2, 4, 5])",
        ),
        "a walrus": (
            "def f(xs):\n    if (n := len(xs)) > 2:\n        xs = xs[1:]\n    while (last := xs.pop()) != 3 if xs else False:\n        n += last\n    found = [y for x in xs if (y := x + 1) > 1]\n    return n, last, found, any((hit := x) > 2 for x in [1, 3]) and hit\n",
            "f([4, 3, 2, 1])",
        ),
        "an underscore": (
            "def f(x):\n    _ = 3\n    for _ in range(x):\n        if _ == 1:\n            continue\n    a, _, *__ = 1, 2, 3\n    if x != _:\n        return _, __, (lambda: _)()\n    return a\n",
            "f(3)",
        ),
        "a parameter that is NaN or deleted": (
            "def f(x, y=float('nan'), z=1):\n    if x > 2:\n        del z\n    same = 1 if y == y else 2\n    while x != 0:\n        x -= 1\n        if y != y:\n            same += 1\n    try:\n        return same, z\n    except NameError:\n        return same, x\n",
            "f(3)",
        ),
        "a loop variable of an outer name": (
            "i = 7\nitem = [1]\ndef f(x):\n    def g():\n        return i + len(item)\n    total = i + x\n    for k in range(2):\n        total += k + i\n    return total, g()\n",
            "f(3)",
        ),
        "a global named like a builtin": (
            "def g(list, sum=0):\n    for id in list:\n        sum += id\n    return sum\ndef f(max, type=1):\n    len = max + type\n    return g(list(range(len))), sum([1, 2]), id is not None\n",
            "f(3)",
        ),
        "print of its own": (
            "said = []\ndef print(*args):\n    said.append(args)\ndef f(x):\n    for y in range(x):\n        print(y)\n    return len(said)\n",
            "f(3)",
        ),
        "output that is read": (
            "import io, contextlib\ndef f(x):\n    out = io.StringIO()\n    with contextlib.redirect_stdout(out):\n        for y in range(x):\n            print(y)\n    return out.getvalue()\n",
            "f(3)",
        ),
        "hot loops": (
            "def f(x):\n    total = 0\n    for i in range(x):\n        for j in range(x):\n            for k in range(20):\n                if (i + j) % 2 == k:\n                    total += k\n    return total\n",
            "f(60)",
        ),
        "text that looks like code": (
            "def f(x):\n    text = '''if x > 1:\n    return # no\n\"\"\"'''\n    return text + f'{x + 1:>{x}} {\"y\" if x > 2 else \"n\"}' + r'\\d' 'def f(x):' % ()\n",
            "f(3)",
        ),
        "generators, decorators, async, match": (
            "import asyncio, functools, contextlib\ndef twice(g):\n    @functools.wraps(g)\n    def run(*args, **kwargs):\n        return g(*args, **kwargs) * 2\n    return run\n"
            "@contextlib.contextmanager\ndef held(x):\n    try:\n        yield x + 1\n    finally:\n        x = 0\n@twice\ndef g(x):\n    with held(x) as y, held(y):\n        return y\n"
            "def count(n):\n    while n:\n        n -= 1 if (yield n) is None else 2\n    return 'end'\nasync def later(x):\n    async def each():\n        for y in range(x):\n            yield y\n    return [y async for y in each() if y != 1]\n"
            "def f(x):\n    match [x, {'k': (x, 2)}]:\n        case [int(a), {'k': (b, *c)}] if a == b:\n            it = count(a)\n            next(it)\n            return g(a), it.send(1), c, asyncio.run(later(a)), g.__name__\n        case _:\n            return None\n",
            "f(3)",
        ),
    },
    "javascript": {
        "closures, hoisting, shadows": (
            "'use strict';\nvar total = 1;\nfunction f(x, y = x > 2 ? g(x) : 0) {\n    const seen = [];\n    for (let i = 0; i < x; i++) { seen.push(() => i); }\n    { let x = 5; total += x; }\n"
            "    if (typeof later === 'undefined') { var later = seen.map((h) => h()); }\n    function g(x) { return x === 3 ? inner : x; }\n    var inner = 4;\n    return [later, total, y, x];\n}\nfunction g(x) { return -x; }\n",
            "f(3)",
        ),
        "keys, shorthands, destructuring": (
            "function g({ a, b: { c = 1, ...rest } = {} }, ...more) {\n    if (c > 1) { a += c; }\n    return { a, c, rest, more, ['k' + a]: 1, get d() { return a; }, m() { return c; } };\n}\n"
            "function f(a) {\n    const b = { c: a, z: 1 };\n    const { d, ...kept } = g({ a, b }, a);\n    return [JSON.stringify(kept), d, kept.m()];\n}\n",
            "f(3)",
        ),
        "classes": (
            "class A {\n    #n = 1;\n    static made = 0;\n    constructor(n) { this.#n = n; A.made++; }\n    get n() { return this.#n; }\n    *[Symbol.iterator]() { for (let i = 0; i < this.#n; i++) { yield i; } }\n    static { this.made = 5; }\n}\n"
            "class B extends A {\n    constructor(n) { super(n + 1); this.extra = n; }\n    n2(k) { return super.n + k; }\n}\nfunction f(n) { const b = new B(n); return [...b, b.n2(n), A.made, Object.keys(b)]; }\n",
            "f(3)",
        ),
        "a condition with side effects": (
            "function f(x) {\n    let n = 0;\n    const g = () => ++n;\n    const o = { get v() { n += 10; return n; } };\n    while (g() < x && o.v > 0) { }\n    const re = /a/g;\n    if (re.test('aab')) { n += re.lastIndex; }\n"
            "    if ((n = n + 1) === 2 || n) { n++; }\n    return [n, g() > 1 ? g() : 0];\n}\n",
            "f(3)",
        ),
        "NaN, undefined, holes": (
            "function f(x, nan = NaN, none) {\n    const all = [, 1];\n    if (nan !== nan) { x += 1; }\n    if (none === undefined) { x += all.length; }\n    if (!(none > 1) && !(none <= 1)) { x *= 2; }\n    return [x, nan == nan ? 1 : 2, 0 in all, Object.is(-0, 0)];\n}\n",
            "f(3)",
        ),
        "labels, switch, try, no semicolons": (
            "function f(x) {\n    let out = []\n    outer: for (const a of [1, 2, 3]) {\n        for (const b in { p: 1, q: 2 }) {\n            if (a === 2) continue outer\n            if (a > x) break outer\n            out.push(a + b)\n        }\n    }\n"
            "    switch (x) {\n        case 3: { let out2 = 1; out.push(out2) }\n        default: out.push('d')\n        case 4: out.push('e'); break\n    }\n    try { null.x } catch ({ name }) { out.push(name) } finally { x++ }\n    do x--; while (x > 0)\n    if (x) out.push(1); else if (x === 0) out.push(2)\n    return out\n}\n",
            "f(3)",
        ),
        "generators and promises": (
            "function* count(n) { while (n > 0) { const got = yield n; n -= got === undefined ? 1 : got; } return 'end'; }\nasync function later(x) { return (await x) > 2 ? 'big' : 'small'; }\n"
            "function f(x) { const it = count(x); it.next(); return [it.next(2).value, [...count(2)], typeof later(x).then]; }\n",
            "f(3)",
        ),
        "console of its own": (
            "const said = [];\nconst console = { log: (x) => { said.push(x); } };\nfunction f(x) { for (let i = 0; i < x; i++) { console.log(i); } return said; }\n",
            "f(3)",
        ),
        "text that looks like code": (
            "function f(x) {\n    const t = `if (${x > 2 ? `in ${x}` : ''}) { return // no\n}`;\n    return t + '/* no */' + /[/]\\/\\/}/.source + \"function f\";\n}\n",
            "f(3)",
        ),
        "arguments and this": (
            "function g(a, b) { arguments[0] = 9; return [a, arguments.length, this === undefined]; }\nfunction f(x) { if (arguments.length === 1) { return [g(x), g.length, [1, 2].map(parseInt)]; } return x; }\n",
            "f(3)",
        ),
    },
    "php": {
        "references, statics, closures": (
            "<?php\nfunction g(array &$xs, int ...$more) {\n    static $calls = 0;\n    $calls++;\n    foreach ($xs as $k => &$x) {\n        if ($x > 1) { $x += $calls; }\n    }\n    unset($x);\n    return fn($y) => $y + $calls + count($more);\n}\n"
            "function f($n) {\n    $xs = [1, 2, $n];\n    $h = g($xs, 1, 2);\n    $total = 0;\n    $add = function ($y) use (&$total, $h) { $total += $h($y); };\n    array_walk($xs, $add);\n    return [$xs, $total, compact('n')];\n}\n",
            "f(3)",
        ),
        "named arguments and variables in strings": (
            "<?php\nfunction g($first, $second = 2, ...$rest) {\n    if ($second === 5) { $first .= '!'; }\n    return \"$first {$second} ${second} \" . json_encode($rest);\n}\nfunction f($x) {\n    $o = ['k' => $x];\n    return g(second: 5, first: \"x$o[k]\") . <<<T\n      $x {$o['k']}\n      T;\n}\n",
            "f(3)",
        ),
        "globals and names made up": (
            "<?php\n$total = 1;\nfunction g() { global $total; return ++$total + $GLOBALS['total']; }\nfunction f($x) {\n    $name = 'x';\n    $copy = $$name;\n    $call = 'g';\n    return [$copy, $call(), isset($missing), array_keys(get_defined_vars())];\n}\n",
            "f(3)",
        ),
        "classes, enums, match": (
            "<?php\ndeclare(strict_types=1);\nnamespace A\\B;\nuse InvalidArgumentException as Bad;\nenum Kind: int { case Low = 1; case High = 2; const TOP = self::High; public function up(): self { return $this === self::Low ? self::TOP : $this; } }\n"
            "abstract class Shape { protected static int $made = 0; public function __construct(public readonly int $side) { static::$made++; } abstract function area(): int; }\n"
            "final class Square extends Shape { function area(): int { return $this->side ** 2; } static function made(): int { return self::$made; } }\n"
            "function f(int $x): array {\n    $s = new Square(side: $x);\n    try { if ($x > 2) { throw new Bad('big'); } } catch (Bad | \\TypeError $e) { $x = strlen($e->getMessage()); } finally { $x++; }\n"
            "    return [$s->area(), Square::made(), Kind::from(1)->up()->name, match (true) { $x > 3 => 'a', default => 'b' }, $s?->side];\n}\n",
            r"\A\B\f(3)",
        ),
        "a condition with side effects": (
            "<?php\nfunction f($x) {\n    $n = 0;\n    $g = function () use (&$n) { return ++$n; };\n    while ($g() < $x and $n++ < 9) { }\n    if ($y = next($GLOBALS['argv_']) or !$y) { $n += 10; }\n    for ($i = 0, $j = 5; $i < $j; $i++, $j--) { $n += $i; }\n    if (@$missing['a'] === 1): $n = 0; elseif ($n > 1): $n *= 2; else: $n = 3; endif;\n    return [$n, $g() > 1 ? $g() : 0];\n}\n$argv_ = [1, 2];\n",
            "f(3)",
        ),
        "NAN, null and loose comparisons": (
            "<?php\nfunction f($x, $nan = NAN, $none = null) {\n    if ($nan != $nan) { $x++; }\n    if ($none == false && '1' == '01' && null <=> false) { $x = 0; }\n    $x = $none ?? $x;\n    $none ??= 4;\n    return [$x, is_nan($nan), $none, 'abc' == 0 ? 1 : 2];\n}\n",
            "f(3)",
        ),
        "output that is read, a generator, goto": (
            "<?php\nfunction g($n) { while ($n > 0) { $got = yield $n => $n * 2; $n -= $got ?? 1; } return 7; }\nfunction f($x) {\n    ob_start();\n    echo $x;\n    $said = ob_get_clean();\n    $it = g($x);\n    $all = iterator_to_array($it);\n    $k = 0;\n    again:\n    if (++$k < 3) { goto again; }\n    return [$said, $all, $it->getReturn(), $k];\n}\n",
            "f(3)",
        ),
        "text outside": (
            "<p>\n<?php function f($x) { if ($x): ?>\n  <b><?= $x ?></b>\n<?php endif; return $x; } ?>\n</p>\n<?php $after = 1;\n",
            "f(3)",
        ),
    },
    "java": {
        "what javac must know": (
            "class P {\n    static int g(int x) {\n        while (true) {\n            if (x > 5) {\n                return x;\n            }\n            x++;\n        }\n    }\n    static int f(int x) {\n        final int k;\n        if (x > 2) {\n            k = 1;\n        } else {\n            k = 2;\n        }\n"
            "        int z;\n        do {\n            z = g(k);\n        } while (false);\n        switch (x) {\n            case 3:\n                z += 1;\n            case 4:\n                break;\n            default:\n                throw new IllegalStateException();\n        }\n        return z;\n    }\n}\n",
            "P.f(3)",
        ),
        "captured variables, lambdas, anonymous classes": (
            "import java.util.*;\nimport java.util.function.*;\nclass P {\n    int n = 2;\n    static List<Integer> f(int x) {\n        int y = x + 1;\n        List<Integer> out = new ArrayList<>();\n        Function<Integer, Integer> g = z -> {\n            int w = z > 1 ? z + y : z;\n            return w;\n        };\n"
            "        Comparator<Integer> c = new Comparator<>() {\n            int calls = 0;\n            public int compare(Integer a, Integer b) {\n                calls++;\n                return b - a;\n            }\n        };\n        for (int i = 0; i < x; i++) {\n            out.add(g.apply(i));\n        }\n        out.sort(c);\n        Runnable r = () -> out.add(new P().n + y);\n        r.run();\n        return out;\n    }\n}\n",
            "P.f(3)",
        ),
        "a condition with side effects": (
            "class P {\n    static int n = 0;\n    static int g() {\n        return ++n;\n    }\n    static int f(int x) {\n        while (g() < x && n++ < 9) {\n        }\n        int y;\n        if ((y = x) > 2 && g() > 1) {\n            y += n;\n        }\n        for (int i = 0, j = 5; i < j; i++, j--) {\n            y += g() > i ? 1 : 2;\n        }\n        assert g() > 0;\n        return y + n;\n    }\n}\n",
            "P.f(3)",
        ),
        "NaN, boxes and constants": (
            "class P {\n    static final int K = 4;\n    static String f(double x, Integer a, Integer b) {\n        double nan = Double.NaN;\n        StringBuilder s = new StringBuilder();\n        if (nan != nan) {\n            s.append(1);\n        }\n        if (x == x) {\n            s.append(2);\n        }\n        if (a != null && a.equals(b)) {\n            s.append(3);\n        }\n        Boolean t = x > 2;\n        if (t) {\n            s.append(K > 3 ? 'a' : 'b');\n        }\n        byte q = K > 3 ? 1 : 2;\n        return s.append(q).toString();\n    }\n}\n",
            "P.f(3.0, 1000, 1000)",
        ),
        "overloads, fields, inheritance": (
            "interface Shape {\n    int SIDES = 3;\n    default int area(int scale) {\n        return scale * SIDES;\n    }\n}\nclass A implements Shape {\n    protected int n = 4;\n    static int made;\n    A() {\n        this(2);\n    }\n    A(int n) {\n        super();\n        this.n += n;\n        made++;\n    }\n    int go(int x) {\n        return n + x;\n    }\n    int go(long x) {\n        return -1;\n    }\n}\n"
            'class B extends A {\n    int go(int n) {\n        return super.go(n) + this.n;\n    }\n}\nclass P {\n    enum Kind {\n        LOW, HIGH {\n            int w() {\n                return 2;\n            }\n        };\n        int w() {\n            return 1;\n        }\n    }\n    static int f(int n) {\n        A a = new B();\n        return a.go(n) + a.go(1L) + a.area(n) + A.made + Kind.valueOf("HIGH").w();\n    }\n}\n',
            "P.f(3)",
        ),
        "records, switch expressions, patterns, text blocks": (
            "import java.util.*;\nclass P {\n    record Point(int x, int y) {\n        Point {\n            if (x < 0) {\n                throw new IllegalArgumentException();\n            }\n        }\n        int sum() {\n            return x + y;\n        }\n    }\n    static String f(Object o) {\n        if (o instanceof Integer k && k > 2) {\n            var p = new Point(k, 1);\n"
            '            String s = switch (p.x()) {\n                case 1, 2 -> "low";\n                case 3 -> {\n                    int y = p.sum();\n                    yield "three" + y;\n                }\n                default -> "high";\n            };\n            String t = """\n                if (x > 1) { // no\n                  \\""" }\n                """;\n            outer:\n            for (char c : s.toCharArray()) {\n                for (;;) {\n                    if (c == \'r\') {\n                        break outer;\n                    }\n                    continue outer;\n                }\n            }\n            return s + t.length() + p;\n        }\n        return "";\n    }\n}\n',
            "P.f(3)",
        ),
    },
    "typescript": {
        "a type and a value of one name": (
            "interface Box<T> { n: T }\nconst Box = <T,>(n: T): Box<T> => ({ n });\ntype n = number;\nfunction f(x: n): [n, string] {\n    const n: Box<n> = Box(x);\n    if (n.n > 2) { return [n.n, typeof n]; }\n    return [x, ''];\n}\n",
            "f(3)",
        ),
        "signatures, predicates, casts": (
            "function g(a: number): number;\nfunction g(a: string): string;\nfunction g(a: any): any { return isText(a) ? a + '!' : (a as number) * 2; }\nfunction isText(a: unknown): a is string { return typeof a === 'string'; }\nfunction f(x: number) {\n    let y = x satisfies number;\n    while (y! < 9) { y = g(y) as typeof x; }\n    return [y, g('a')];\n}\n",
            "f(3)",
        ),
        "classes with types": (
            "abstract class A<T extends object = {}> {\n    declare hidden: T;\n    protected n?: number;\n    [key: string]: unknown;\n    abstract m(k: number): number;\n    get twice(): number { return this.m(2); }\n}\nclass B extends A implements Iterable<number> {\n    private readonly k = 4\n    override m(n: number): number { return n * this.k; }\n    *[Symbol.iterator](): Iterator<number> { yield this.twice; }\n}\nfunction f(this: void, x: number) { const b: A = new B(); return [...(b as B), Object.keys(b), x]; }\n",
            "f(3)",
        ),
        "names in types": (
            "const limit = 3;\ntype Limited = (limit: number, ...rest: typeof limit[]) => limit is 3;\ntype Keys<K> = { [limit in keyof K]: K[limit] extends infer limit ? limit : never };\nfunction f(x: number): number {\n    const pick: { [limit: string]: number } = { a: limit, limit: x };\n    return pick.limit > limit ? pick.a : pick.limit + limit;\n}\n",
            "f(3)",
        ),
    },
}
