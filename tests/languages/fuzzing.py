"""Answers to input questions as an attacker writes them: literals, code, comments and broken text, mixed at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

#: Texts that open, close or hide something in one language or another.
TOKENS = [
    *["'", '"', "`", "'''", '"""', "\\", "\\'", '\\"', "\\u000a", "\\u0022", "\\u002a/", "${", "{$", "#{", "\0"],
    *["#", "//", "/*", "*/", "<!--", "-->", "/**/", "?>", "<?php", "<?=", "<<<A\n", "\nA;\n", "=>", "x=>", "->", "::"],
    *["(", ")", "[", "]", "{", "}", ")]}", "{{", "}}", ",", ";", ":", "=", "==", "+", "-", "*", "**", ".", "...", "@"],
    *["\n", "\r", "\r\n", "\t", " ", "\u2028", "\u00a0", "\ufeff", "é", "😀", "f", "f(", "f(1)", "b=", "b:", "new "],
    *["\x1a", "L", "nan", "NaN", "NAN", "1e999", "0x1F", "017", "1_0", "1n", "1L", "08", "9" * 30, "True", "null"],
    "Double.NaN",
]


@dataclass(frozen=True)
class Grammar:
    """What answers of a language are made of; ``{}`` is another expression."""

    literals: Sequence[str]
    forms: Sequence[str]
    code: Sequence[str]
    comments: Sequence[str]
    name: str = ""  #: before an argument that names its parameter

    def draw_answer(self, random: Random) -> str:
        """The text between the brackets of a call."""
        names = ["", "", self.name]
        arguments = [
            random.choice(names) + self._draw(random, random.randint(0, 3)) for _ in range(random.randint(1, 3))
        ]
        text = random.choice([", ", ","]).join(arguments)
        for _ in range(random.choice([0, 0, 0, 1, 2, 4])):
            text = self._break(random, text)
        return text

    def _draw(self, random: Random, depth: int) -> str:
        kind = random.random()
        if depth == 0 or kind < 0.4:
            return random.choice(self.literals)
        if kind < 0.85:
            return self._fill(random, random.choice(self.forms), depth)
        if kind < 0.95:
            return self._fill(random, random.choice(self.comments), depth)
        return self._fill(random, random.choice(self.code), depth)

    def _fill(self, random: Random, form: str, depth: int) -> str:
        first, *rest = form.split("{}")
        return first + "".join(self._draw(random, depth - 1) + part for part in rest)

    def _break(self, random: Random, text: str) -> str:
        """The text with something put in, taken out, or there twice."""
        start = random.randint(0, len(text))
        end = min(len(text), start + random.randint(0, 6))
        match random.randrange(5):
            case 0:
                return text[:start] + text[end:]
            case 1:
                return text[:end] + text[start:]
            case 2:
                return text[:start] + random.choice(self.code).replace("{}", "1") + text[start:]
        return text[:start] + random.choice(TOKENS) + text[start:]


_STRINGS = ["''", "'a'", '"b\\n"', "'\\''", '"\\""', "'é😀'", "'#'", "'/*'", "'//'", "'\\\\'", '"a,b"', "'f(1)'", "')'"]
_NUMBERS = ["0", "1", "-1", "2.5", "1e300", "-0.0", "12345678901234567890", "007", "0x1F", "1 + 2", "2 * 3 - 1", "(4)"]

GRAMMARS = {
    "python": Grammar(
        literals=[
            *_STRINGS,
            *_NUMBERS,
            *["True", "None", "nan", "-inf", "float('nan')", "b'\\xff'", "r'\\d'", "'''a\nb'''", '"a" "b"', "set()"],
        ],
        forms=[
            *["[{}, {}]", "[{}]", "({}, {})", "({},)", "{{}: {}}", "{'a': {}}", "{{}}", "[*{}]", "{} + {}", "{} * 3"],
            *["3 * {}", "list({})", "tuple({})", "set({})", "dict(a={})", "dict({})", "range(3)", "frozenset({})"],
            *["'-'.join({})", "'a b'.split()", "'a'.upper()", "-{}", "({})", "range({}, {})", "{} ** {}"],
        ],
        code=[
            *["__import__('os').write(3, b'x')", "exit(0)", "lambda: {}", "{} if {} else {}", "{} or {}", "f({})"],
            *["f'{{}}'", "[x for x in {}]", "(x := {})", "{}[{}]", "len({})", "**{}", "globals()", "{}.__class__", "x"],
            *["'{}'.format(1)", "set.__init__", "await {}", "yield", "{} is {}", "not {}", "~{}", "...", "1j"],
        ],
        comments=["{} # {}\n", "#{}\n{}", "{} \\\n + {}", "'''{}''' {}", "{} '''{}'''"],
        name="b=",
    ),
    "javascript": Grammar(
        literals=[
            *_STRINGS,
            *_NUMBERS,
            *["true", "null", "undefined", "NaN", "-Infinity", "1n", "-2n", "`a`", "`a\nb`", "'\\x41\\u{1F600}'", ".5"],
        ],
        forms=[
            *["[{}, {}]", "[{}]", "{a: {}}", "{'b': {}, 1: {}}", "{['__proto__']: {}}", "{} + {}", "{}.repeat(3)"],
            *["Array(3).fill({})", "new Array(2).fill({})", "new Set([{}])", "new Set({})", "new Map([[{}, {}]])"],
            *["-{}", "({})", "new Map()", "{} / {}", "{} % {}"],
        ],
        code=[
            *["process.exit(0)", "x => {}", "() => {{}}", "{} ? {} : {}", "{} || {}", "f({})", "`${{}}`", "...{}", "x"],
            *["{__proto__: {}}", "{get a() { return {} }}", "{[{}]: {}}", "new Function('x')", "{}[{}]", "/{}/"],
            *["f`a`"],
            *["(1, {})", "new Set([1], {})", "{}.repeat({})", "a = {}", "function(){}", "class {}", "!{}", "{}\n({})"],
        ],
        comments=["{} // {}\n", "/* {} */ {}", "{} /* {} */", "<!-- {}\n{}", "{}\n--> {}\n"],
    ),
    "php": Grammar(
        literals=[
            *_STRINGS,
            *_NUMBERS,
            *["true", "null", "NAN", "-INF", "PHP_INT_MIN", '"\\x41\\u{1F600}\\101"', "b'a'", "1_000", '"\\$a"'],
        ],
        forms=[
            *["[{}, {}]", "[{}]", "array({})", "['a' => {}]", "[{} => {}]", "array(1 => {}, {})", "{} . {}", "-{}"],
            *["str_repeat('ab', 3)", "array_fill(0, 3, {})", "range(1, 5)", "({})", "range({}, {})", "{} / {}"],
            *["[{},]"],
        ],
        code=[
            *["exit(0)", "fn($x) => {}", "{} ? {} : {}", "{} || {}", "f({})", '"${x}"', '"{$x}"', "...{}", "$x", "&$x"],
            *["`id`", "<<<A\n{}\nA", "[...{}]", "{}[{}]", "PHP_VERSION", "(int) {}", "new A({})", "eval('x')", "!{}"],
            *["str_repeat(times: 2, string: 'a')", "print {}", "{} ?> {} <?php ", "@{}", "$x = {}", "include {}"],
        ],
        comments=["{} // {}\n", "{} # {}\n", "/* {} */ {}", "#[{}]\n{}", "{} // ?> {}\n"],
        name="b: ",
    ),
    "java": Grammar(
        literals=[
            *['""', '"a"', '"b\\n"', '"\\""', "'a'", "'\\''", '"é😀"', '"//"', '"/*"', '"\\\\"', '"\\u0041"'],
            *['"\\101"'],
            *[number for number in _NUMBERS if number != "12345678901234567890"],
            *["1L", "2.5f", "1d", "0b11", "true", "null", "Double.NaN", "Integer.MAX_VALUE", '"""\n  a\n  """'],
            *["'\\7'"],
        ],
        forms=[
            *["List.of({}, {})", "Arrays.asList({})", "Map.of({}, {})", "new ArrayList<>({})", "new int[] {{}, {}}"],
            *["new ArrayList<Long>(List.of({}))", "new int[][] {{{}}, {}}", "(long) {}", "(short) ({})", "(String) {}"],
            *["new HashMap<String, int[]>() {{ put({}, {}); }}", "new java.util.TreeSet<>({})", "Set.of({})"],
            *["[{}, {}]"],
            *["Pair.with({}, {})", "Optional.of({})", "{} + {}", '"ab".repeat(3)', "({})", "-{}", "{{}, {}}"],
            *["new LinkedList<>() {{ add({}); add({}); }}", "Map.ofEntries(Map.entry({}, {}))", "Integer.valueOf({})"],
        ],
        code=[
            *["System.exit(0)", "() -> {}", "{} ? {} : {}", "f({})", "new Foo({})", "(Foo) {}", "(@A long) {}", "x"],
            *["new ArrayList<>() {{ for (add({});;) { System.exit(0); } }}"],
            *["new ArrayList<>() { int f() { return 1; } }"],
            *["new ArrayList<>() {{ add({}); } int x = f(1);}", "(Runnable & List) {}", "List.<Foo>of({})", "{}.class"],
            *["new Outer().new Inner({})", "new int[{}]", "new int[] {}[0]", "{} == {}", "x = {}"],
            *["List.of({}).get(0)"],
            *["new @A ArrayList<>()", "new ArrayList<@A Long>()", "switch ({}) { default -> 1; }", "Foo::new"],
        ],
        comments=["{} // {}\n", "/* {} */ {}", "{} // \\u000a {}\n", "{} /* \\u002a/ {} /* */", "(/* {} */ long) {}"],
    ),
}
