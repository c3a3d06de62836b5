"""What dead code looks like in each language, in the language's own words.

In the texts NEW is a fresh variable, VALUE what it is given, ITEM a fresh loop variable, CONDITION one that never
holds, PARAM a parameter of the function around, FIRST and SECOND fresh functions, NAME a name, NUMBER a number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

#: Matches nowhere.
_NEVER = re.compile(r"(?!)")
_ALWAYS = re.compile("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A statement whose body is never run."""

    text: str
    constant: bool = True  #: whether the compiler allows a condition that it can work out


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The dead code of one language, and the code that would notice it."""

    variable: str  #: a fresh variable before its number
    function: str  #: a fresh function before its number
    parameter: str = "PARAM"  #: how a parameter is read
    literals: tuple[str, ...]  #: false conditions that a compiler can work out
    others: tuple[str, ...] = ()  #: false conditions that it cannot
    #: False whatever the parameter holds: none compares it by its own idea of equality, by which NaN is not itself
    #: and an array no truth value.
    about: tuple[str, ...]
    loud: str  #: prints, and is false
    branches: tuple[Branch, ...]
    top: Literal["top", "member"] = "top"  #: where functions and globals stand
    declaration: tuple[str, ...]  #: of a global
    functions: tuple[str, ...]  #: seven that would not end
    sees_code: re.Pattern[str]  #: reads lines, frames or its own source: nothing is inserted
    sees_top: re.Pattern[str]  #: may list, or make up, the names of the top level
    sees_locals: re.Pattern[str]  #: may list a function's names, in that function
    #: where a program that others import has no call: what says that they do not get every name of it
    sealed: re.Pattern[str]
    #: gives another meaning to a name that the texts use, or takes what is printed
    meddles: re.Pattern[str]
    called: frozenset[str]  #: those names
    drops: re.Pattern[str] = _NEVER  #: may leave a parameter without a value, in that function
    fixed: bool = False  #: whether closures read only what is never assigned again


PYTHON = Wording(
    variable="spare_",
    function="idle_",
    literals=("False", "None", "0", "''"),
    # Lists take an element for equal to itself without asking it.
    about=("[PARAM] != [PARAM]", "not [PARAM] == [PARAM]"),
    loud="print('PARAM')",
    branches=(
        Branch(text="if CONDITION:\n    NEW = VALUE"),
        Branch(text="while CONDITION:\n    NEW = VALUE"),
        Branch(text="for ITEM in range(0):\n    NEW = VALUE"),
        Branch(text="NEW = VALUE if CONDITION else NUMBER"),
    ),
    declaration=("NAME = NUMBER",),
    functions=(
        "def FIRST(n):\n    return FIRST(n + 1)",
        "def FIRST(count):\n    while True:\n        count += NUMBER",
        "def FIRST(n):\n    return SECOND(n - 1)\ndef SECOND(n):\n    return FIRST(n + 1)",
        "def FIRST(total):\n    for step in iter(int, NUMBER):\n        total += step\n    return total",
        "def FIRST(items):\n    for item in items:\n        items.append(item)\n    return items",
        "def FIRST(n):\n    again = lambda k: again(k * 2)\n    return again(n)",
        "def FIRST(low, high):\n    while low < high or low >= high:\n        low, high = high, low\n    return low",
    ),
    sees_code=re.compile(
        r"\b(?:getsource|getsourcelines|getsourcefile|findsource|__code__|co_\w+|f_(?:locals|globals|lineno|back|code|lasti)"
        r"|tb_(?:lineno|frame)|currentframe|_getframe|settrace|setprofile|linecache|extract_(?:stack|tb)|getframeinfo)\b"
    ),
    sees_top=re.compile(
        r"\b(?:globals|vars|dir|eval|exec|__globals__|getmembers|sys\.modules|import __main__|__getattr__|get_type_hints)\b"
    ),
    sees_locals=re.compile(r"\b(?:locals|vars|dir)\b"),
    sealed=re.compile(r"\b__all__\b"),
    meddles=re.compile(r"import \(?\*|\bbuiltins\b|__builtins__|stdout|\b(?:def|class) (?:print|range)\b"),
    called=frozenset({"print", "range"}),
    drops=re.compile(r"\b(?:del|as)\b"),
)

JAVASCRIPT = Wording(
    variable="spare",
    function="idle",
    literals=("false", "null", "0", "''"),
    about=("!PARAM && PARAM", "!Object.is(PARAM, PARAM)"),
    loud="console.log('PARAM')",
    branches=(
        Branch(text="if (CONDITION) {\n    let NEW = VALUE;\n}"),
        Branch(text="while (CONDITION) {\n    let NEW = VALUE;\n}"),
        Branch(text="for (let ITEM = 0; ITEM < 0; ITEM++) {\n    let NEW = VALUE;\n}"),
        Branch(text="let NEW = CONDITION ? VALUE : NUMBER;"),
    ),
    declaration=("let NAME = NUMBER;", "const NAME = NUMBER;"),
    functions=(
        "function FIRST(n) {\n    return FIRST(n + 1);\n}",
        "function FIRST(count) {\n    while (true) {\n        count += NUMBER;\n    }\n}",
        "function FIRST(n) {\n    return SECOND(n - 1);\n}\nfunction SECOND(n) {\n    return FIRST(n + 1);\n}",
        "function FIRST(total) {\n    for (;;) {\n        total -= NUMBER;\n    }\n}",
        "function FIRST(items) {\n    for (const item of items) {\n        items.push(item);\n    }\n    return items;\n}",
        "function* FIRST(n) {\n    yield n;\n    yield* FIRST(n + 1);\n}",
        "const FIRST = (low, high) => (low < high ? FIRST(high, low) : FIRST(low, high + 1));",
    ),
    sees_code=re.compile(r"\b(?:captureStackTrace|prepareStackTrace|stackTraceLimit)\b"),
    sees_top=re.compile(r"\b(?:globalThis|window|self|global|frames|eval|with|Function|vm)\b|\bthis\b(?!\.)"),
    sees_locals=_NEVER,
    sealed=re.compile(r"\b(?:require|module|exports|import|export)\b"),
    meddles=re.compile(r"\bconsole\b(?!\.)|\bconsole\.\w+\s*=|stdout|\bObject\b(?=\s*=[^=])|\bObject\.is\s*="),
    called=frozenset({"console", "Object"}),
)

PHP = Wording(
    variable="spare_",
    function="idle_",
    parameter="$PARAM",
    literals=("false", "null", "0", "''"),
    about=("!$PARAM && $PARAM", "isset($PARAM) && $PARAM === null"),
    loud='!print "PARAM\\n"',
    branches=(
        Branch(text="if (CONDITION) {\n    $NEW = VALUE;\n}"),
        Branch(text="while (CONDITION) {\n    $NEW = VALUE;\n}"),
        Branch(text="foreach ([] as $ITEM) {\n    $NEW = VALUE;\n}"),
        Branch(text="$NEW = (CONDITION) ? VALUE : NUMBER;"),
    ),
    declaration=("$NAME = NUMBER;",),
    functions=(
        "function FIRST($n) {\n    return FIRST($n + 1);\n}",
        "function FIRST($count) {\n    while (true) {\n        $count += NUMBER;\n    }\n}",
        "function FIRST($n) {\n    return SECOND($n - 1);\n}\nfunction SECOND($n) {\n    return FIRST($n + 1);\n}",
        "function FIRST($total) {\n    for (;;) {\n        $total -= NUMBER;\n    }\n}",
        "function FIRST($items) {\n    for ($k = 0; $k < count($items); $k++) {\n        $items[] = $k;\n    }\n"
        "    return $items;\n}",
        "function FIRST($n) {\n    yield $n;\n    yield from FIRST($n + 1);\n}",
        "function FIRST($low) {\n    again:\n    $low++;\n    goto again;\n}",
    ),
    sees_code=re.compile(
        r"\b(?:__LINE__|debug_backtrace|debug_print_backtrace|getLine|getTrace\w*|ticks|token_get_all|getStartLine)\b"
    ),
    sees_top=re.compile(
        r"\b(?:GLOBALS|get_defined_vars|get_defined_functions|compact|extract|parse_str|eval|include|include_once|require"
        r"|require_once)\b|\$\$|\$\{"
    ),
    sees_locals=re.compile(r"\b(?:get_defined_vars|include|include_once|require|require_once)\b"),
    sealed=_NEVER,  # the variables and functions of a file are those of the file that includes it
    meddles=re.compile(r"\bob_\w+|php://"),
    called=frozenset(),
    drops=re.compile(r"\bunset\b"),
)

JAVA = Wording(
    variable="spare",
    function="idle",
    literals=("false", "!true", "0 > 1"),
    others=('"".length() > 0',),
    about=("PARAM != PARAM", "!(PARAM == PARAM)"),
    loud='System.out.append("PARAM\\n") == null',
    branches=(
        Branch(text="if (CONDITION) {\n    var NEW = VALUE;\n}"),
        Branch(text="while (CONDITION) {\n    var NEW = VALUE;\n}", constant=False),
        Branch(text="for (int ITEM = 0; ITEM < 0; ITEM++) {\n    var NEW = VALUE;\n}"),
        Branch(text="var NEW = (CONDITION) ? VALUE : NUMBER;"),
    ),
    top="member",
    declaration=("private static int NAME = NUMBER;", "private static final int NAME = NUMBER;"),
    functions=(
        "private static int FIRST(int n) {\n    return FIRST(n + 1);\n}",
        "private static int FIRST(int count) {\n    while (true) {\n        count += NUMBER;\n    }\n}",
        "private static int FIRST(int n) {\n    return SECOND(n - 1);\n}\n"
        "private static int SECOND(int n) {\n    return FIRST(n + 1);\n}",
        "private static void FIRST(long total) {\n    for (;;) {\n        total -= NUMBER;\n    }\n}",
        "private static long FIRST(long low, long high) {\n    do {\n        low = high - low;\n    } while (true);\n}",
        "private static int FIRST(int[] items) {\n    for (int k = 0; k < items.length; k &= NUMBER) {\n"
        "        items[k]++;\n    }\n    return items.length;\n}",
        "private static int FIRST(char[] text) {\n    again: while (true) {\n        for (char c : text) {\n"
        "            continue again;\n        }\n    }\n}",
    ),
    sees_code=re.compile(r"\b(?:getStackTrace|getLineNumber|StackWalker|StackTraceElement)\b"),
    sees_top=re.compile(
        r"\b(?:getDeclaredFields?|getDeclaredMethods?|getFields?|getMethods?|ObjectStreamClass|MethodHandles)\b"
    ),
    sees_locals=_NEVER,
    sealed=_ALWAYS,  # private members are nobody else's
    meddles=re.compile(r"\bSystem\b(?!\.)|\bjava\b(?!\.)|\bsetOut\b"),
    called=frozenset({"System", "java"}),
    fixed=True,
)

WORDINGS: Mapping[str, Wording] = {"python": PYTHON, "javascript": JAVASCRIPT, "php": PHP, "java": JAVA}
