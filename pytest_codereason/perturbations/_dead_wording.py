"""What dead code looks like in each language, in the language's own words.

The blanks in the texts: ``x`` is a fresh variable, ``v`` what it is given, ``i`` a fresh loop variable, ``c`` a
condition that never holds, ``p`` a parameter of the function around, ``f`` and ``g`` fresh functions, ``name`` the
name of a global, ``n`` a number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The dead code of one language, and the code that would notice it."""

    variable: str  #: a fresh variable before its number
    function: str  #: a fresh function before its number
    parameter: str = "%(p)s"  #: how a parameter is read
    literals: tuple[str, ...]  #: false conditions that a compiler can work out
    others: tuple[str, ...] = ()  #: false conditions that it cannot
    #: False whatever the parameter holds: none compares it by its own idea of equality, by which NaN is not itself
    #: and an array no truth value.
    about: tuple[str, ...]
    loud: str  #: prints, and is false
    branches: tuple[str, ...]  #: statements whose body is never run
    #: Those of them whose condition the compiler must not be able to work out.
    opaque: frozenset[str] = frozenset()
    top: Literal["top", "member"] = "top"  #: where functions and globals stand
    declaration: tuple[str, ...]  #: of a global
    functions: tuple[str, ...]  #: seven that would not end
    #: Words of programs that may look at their lines, frames or source: nothing is inserted.
    sees_code: frozenset[str]
    #: Words of programs that may list the names of the top level, or look them up by a computed string.
    sees_top: frozenset[str]
    #: Words of functions that may list their names.
    sees_locals: frozenset[str] = frozenset()
    #: Words of functions that may leave a parameter without a value.
    drops: frozenset[str] = frozenset()
    #: Words of a program without a call that say that others, who import it, do not get every name of it.
    sealed: frozenset[str] = frozenset()
    called: frozenset[str]  #: the names that the texts use without declaring them
    meddles: re.Pattern[str]  #: gives these another meaning, or takes what is printed
    fixed: bool = False  #: whether closures read only what is never assigned again


PYTHON = Wording(
    variable="spare_",
    function="idle_",
    literals=("False", "None", "0", "''"),
    # Lists take an element for equal to itself without asking it.
    about=("[%(p)s] != [%(p)s]", "not [%(p)s] == [%(p)s]"),
    loud="print('%(p)s')",
    branches=(
        "if %(c)s:\n    %(x)s = %(v)s",
        "while %(c)s:\n    %(x)s = %(v)s",
        "for %(i)s in range(0):\n    %(x)s = %(v)s",
        "%(x)s = %(v)s if %(c)s else %(n)s",
    ),
    declaration=("%(name)s = %(n)s",),
    functions=(
        "def %(f)s(n):\n    return %(f)s(n + 1)",
        "def %(f)s(count):\n    while True:\n        count += %(n)s",
        "def %(f)s(n):\n    return %(g)s(n - 1)\ndef %(g)s(n):\n    return %(f)s(n + 1)",
        "def %(f)s(total):\n    for step in iter(int, %(n)s):\n        total += step\n    return total",
        "def %(f)s(items):\n    for item in items:\n        items.append(item)\n    return items",
        "def %(f)s(n):\n    again = lambda k: again(k * 2)\n    return again(n)",
        "def %(f)s(low, high):\n    while low < high or low >= high:\n        low, high = high, low\n    return low",
    ),
    sees_code=frozenset(
        {
            *("getsource", "getsourcelines", "findsource", "__code__", "linecache", "settrace", "setprofile"),
            *("currentframe", "_getframe", "getframeinfo", "f_locals", "f_globals", "f_lineno", "f_back", "f_code"),
            *("tb_lineno", "tb_frame", "extract_stack", "extract_tb", "__line__"),
        }
    ),
    sees_top=frozenset(
        {
            *("globals", "vars", "dir", "eval", "exec", "__globals__", "__dict__", "__getattr__", "modules"),
            *("getmembers", "get_type_hints"),
        }
    ),
    sees_locals=frozenset({"locals", "vars", "dir"}),
    drops=frozenset({"del", "as"}),
    sealed=frozenset({"__all__"}),
    called=frozenset({"print", "range"}),
    meddles=re.compile(r"import \(?\*|builtins|stdout"),
)

JAVASCRIPT = Wording(
    variable="spare",
    function="idle",
    literals=("false", "null", "0", "''"),
    about=("!%(p)s && %(p)s", "!Object.is(%(p)s, %(p)s)"),
    loud="console.log('%(p)s')",
    branches=(
        "if (%(c)s) {\n    let %(x)s = %(v)s;\n}",
        "while (%(c)s) {\n    let %(x)s = %(v)s;\n}",
        "for (let %(i)s = 0; %(i)s < 0; %(i)s++) {\n    let %(x)s = %(v)s;\n}",
        "let %(x)s = %(c)s ? %(v)s : %(n)s;",
    ),
    declaration=("let %(name)s = %(n)s;", "const %(name)s = %(n)s;"),
    functions=(
        "function %(f)s(n) {\n    return %(f)s(n + 1);\n}",
        "function %(f)s(count) {\n    while (true) {\n        count += %(n)s;\n    }\n}",
        "function %(f)s(n) {\n    return %(g)s(n - 1);\n}\nfunction %(g)s(n) {\n    return %(f)s(n + 1);\n}",
        "function %(f)s(total) {\n    for (;;) {\n        total -= %(n)s;\n    }\n}",
        "function %(f)s(items) {\n    for (const item of items) {\n        items.push(item);\n    }\n}",
        "function* %(f)s(n) {\n    yield n;\n    yield* %(f)s(n + 1);\n}",
        "const %(f)s = (low, high) => (low < high ? %(f)s(high, low) : %(f)s(low, high + 1));",
    ),
    sees_code=frozenset({"captureStackTrace", "prepareStackTrace", "stackTraceLimit"}),
    sees_top=frozenset({"globalThis", "window", "self", "global", "frames", "eval", "with", "Function", "vm"}),
    sealed=frozenset({"require", "module", "exports", "import", "export"}),
    called=frozenset({"console", "Object"}),
    meddles=re.compile(r"\bconsole\b(?!\.)|\bconsole\.\w+\s*=|stdout|\bObject\.is\s*="),
)

PHP = Wording(
    variable="spare_",
    function="idle_",
    parameter="$%(p)s",
    literals=("false", "null", "0", "''"),
    about=("!$%(p)s && $%(p)s", "isset($%(p)s) && $%(p)s === null"),
    loud='!print "%(p)s\\n"',
    branches=(
        "if (%(c)s) {\n    $%(x)s = %(v)s;\n}",
        "while (%(c)s) {\n    $%(x)s = %(v)s;\n}",
        "foreach ([] as $%(i)s) {\n    $%(x)s = %(v)s;\n}",
        "$%(x)s = (%(c)s) ? %(v)s : %(n)s;",
    ),
    declaration=("$%(name)s = %(n)s;",),
    functions=(
        "function %(f)s($n) {\n    return %(f)s($n + 1);\n}",
        "function %(f)s($count) {\n    while (true) {\n        $count += %(n)s;\n    }\n}",
        "function %(f)s($n) {\n    return %(g)s($n - 1);\n}\nfunction %(g)s($n) {\n    return %(f)s($n + 1);\n}",
        "function %(f)s($total) {\n    for (;;) {\n        $total -= %(n)s;\n    }\n}",
        "function %(f)s($items) {\n    for ($k = 0; $k < count($items); $k++) {\n        $items[] = $k;\n    }\n"
        "    return $items;\n}",
        "function %(f)s($n) {\n    yield $n;\n    yield from %(f)s($n + 1);\n}",
        "function %(f)s($low) {\n    again:\n    $low++;\n    goto again;\n}",
    ),
    sees_code=frozenset(
        {
            *("__LINE__", "debug_backtrace", "debug_print_backtrace", "getLine", "getTrace", "getTraceAsString"),
            *("getStartLine", "ticks", "register_tick_function", "token_get_all"),
        }
    ),
    sees_top=frozenset(
        {
            *("GLOBALS", "get_defined_vars", "get_defined_functions", "compact", "extract", "parse_str", "eval"),
            *("include", "include_once", "require", "require_once"),
        }
    ),
    sees_locals=frozenset({"get_defined_vars", "include", "include_once", "require", "require_once", "eval"}),
    drops=frozenset({"unset"}),
    # Nothing seals a file: its variables and functions are those of the file that includes it.
    called=frozenset(),
    meddles=re.compile(r"\bob_\w|php://"),
)

_JAVA_WHILE = "while (%(c)s) {\n    var %(x)s = %(v)s;\n}"
JAVA = Wording(
    variable="spare",
    function="idle",
    literals=("false", "!true", "0 > 1"),
    others=('"".length() > 0',),
    about=("%(p)s != %(p)s", "!(%(p)s == %(p)s)"),
    loud='System.out.append("%(p)s\\n") == null',
    branches=(
        "if (%(c)s) {\n    var %(x)s = %(v)s;\n}",
        _JAVA_WHILE,
        "for (int %(i)s = 0; %(i)s < 0; %(i)s++) {\n    var %(x)s = %(v)s;\n}",
        "var %(x)s = (%(c)s) ? %(v)s : %(n)s;",
    ),
    opaque=frozenset({_JAVA_WHILE}),
    top="member",
    declaration=("private static int %(name)s = %(n)s;", "private static final int %(name)s = %(n)s;"),
    functions=(
        "private static int %(f)s(int n) {\n    return %(f)s(n + 1);\n}",
        "private static int %(f)s(int count) {\n    while (true) {\n        count += %(n)s;\n    }\n}",
        "private static int %(f)s(int n) {\n    return %(g)s(n - 1);\n}\n"
        "private static int %(g)s(int n) {\n    return %(f)s(n + 1);\n}",
        "private static void %(f)s(long total) {\n    for (;;) {\n        total -= %(n)s;\n    }\n}",
        "private static long %(f)s(long low, long high) {\n    do {\n        low = high - low;\n    } while (true);\n}",
        "private static int %(f)s(int[] items) {\n    for (int k = 0; k < items.length; k &= %(n)s) {\n"
        "        items[k]++;\n    }\n    return items.length;\n}",
        "private static int %(f)s(char[] text) {\n    again: while (true) {\n        for (char c : text) {\n"
        "            continue again;\n        }\n    }\n}",
    ),
    sees_code=frozenset({"getStackTrace", "getLineNumber", "StackWalker", "StackTraceElement"}),
    sees_top=frozenset(
        {
            *("getDeclaredField", "getDeclaredFields", "getDeclaredMethod", "getDeclaredMethods", "getDeclaredMembers"),
            *("ObjectStreamClass",),
        }
    ),
    sealed=frozenset({"class"}),  # private members are nobody else's
    called=frozenset({"System"}),
    meddles=re.compile(r"\bSystem\b(?!\.)|\bsetOut\b"),
    fixed=True,
)

WORDINGS: Mapping[str, Wording] = {"python": PYTHON, "javascript": JAVASCRIPT, "php": PHP, "java": JAVA}
