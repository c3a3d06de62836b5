"""Writes small pieces of Java code: comments, prints, conditions, dead code."""

from __future__ import annotations

import re

from pytest_codereason.core import Dialect
from pytest_codereason.core.language.dialects import (
    CommentForms,
    ConditionForms,
    DeadCodeForms,
    EqualityForms,
    FaultForms,
    PrintForms,
    list_templates,
)
from pytest_codereason.languages.frame.examples import read_worked_examples
from pytest_codereason.languages.java.syntax.tree import WORDS
from pytest_codereason.languages.java.values.data import write

COMMENTS = CommentForms(
    mark="//",
    refused={
        re.compile(r"(?<!\\)(?:\\\\)*\\u"): r"\u, which Java reads as an escape even in comments",
        re.compile("[\0\x1a\ud800-\udfff]"): "a control character that ends a file, or half of a surrogate pair",
    },
)

#: Objects are equal to themselves by ``==``, boxed numbers too.
EQUALITY = EqualityForms(declared_unequal=re.compile(r"\b(?:float|double)\s+\Z"))

#: The templates of CodeCrash, appendix B.1.2, in Java, and what takes their place where they are unsafe. What the
#: compiler knows of a condition it must still know: from that it decides what can be reached and which variables are
#: assigned.
CONDITIONS = ConditionForms(
    templates=[
        *list_templates(
            "comparison constant",
            [("(@) == ({p} == {p})", "equal"), ("(@) == {same}", "")],
            [("(@) != ({p} != {p})", "equal"), ("(@) != {other}", "")],
            [("-~((@) ? 1 : 0) == 2", "")],
            [("((@) ? true : false)", "")],
            [("(@) ^ {other}", "")],
        ),
        *list_templates("comparison", [("(new boolean[] {{@}})[0]", "varying")]),
        *list_templates("constant", [('((@) ? "true" : "false") == "true"', "")]),
        *list_templates(
            "other", [("!!(@)", "")], [("(@) || false", "")], [("(@) && true", "")], [("((@) ? true : false)", "")]
        ),
    ],
    of_variable=("java.util.Objects.equals({0}, {0})", "!java.util.Objects.equals({0}, {0})"),
    of_numbers=("==", "!="),
    names=frozenset({"java"}),
    imports_all=re.compile(r"\bjava\b(?!\s*\.)"),  # a variable, a class or the like of that name hides the package
    captures_constants=True,
    compiled_holders=frozenset({"while", "do", "for"}),
)

_WHILE = "while (%(c)s) {\n    var %(x)s = %(p)s;\n}"
DEAD_CODE = DeadCodeForms(
    variable="Temp_Var_",
    constant_conditions=("false", "!true", "0 > 1"),
    computed_conditions=('"".length() > 0',),
    parameter_conditions=(("%(p)s != %(p)s", ""), ("!(%(p)s == %(p)s)", "")),
    printing_condition=(
        'System.out.append(%(p)s + "\\n") == null',
        'System.out.append((%(p)s == %(p)s) + "\\n") == null',
    ),
    branches=(
        "if (%(c)s) {\n    var %(x)s = %(p)s;\n}",
        _WHILE,
        "for (int %(i)s = 0; %(i)s < 0; %(i)s++) {\n    var %(x)s = %(p)s;\n}",
        "var %(x)s = (%(c)s) ? %(p)s : %(p)s;",
    ),
    computed_branches=frozenset({_WHILE}),
    top="member",
    globals=("private static int %(name)s = %(n)s;", "private static final int %(name)s = %(n)s;"),
    functions=(
        "private static int %(f)s(int n) {\n    return %(f)s(n + 1);\n}",
        "private static int %(f)s(int count) {\n    while (true) {\n        count += %(n)s;\n    }\n}",
        "private static int %(f)s(int n) {\n    return %(g)s(n - 1);\n}\n"
        "private static int %(g)s(int n) {\n    return %(f)s(n + 1);\n}",
        "private static void %(f)s(long total) {\n    for (;;) {\n        total -= %(n)s;\n    }\n}",
        "private static long %(f)s(long low, long high) {\n    do {\n        low = high - low;\n    } while (true);\n}",
        "private static int %(f)s(int[] items) {\n    for (int k = 0; k < items.length; k &= %(n)s) {\n"
        "        items[k]++;\n    }\n    return items.length;\n}",
        "private static int %(f)s(char[] text) {\n    while (true) {\n        for (char c : text) {\n"
        "            text[0] = c;\n        }\n    }\n}",
    ),
    sees_code=frozenset({"getStackTrace", "getLineNumber", "StackWalker", "StackTraceElement"}),
    sees_top=frozenset(
        {
            *("getDeclaredField", "getDeclaredFields", "getDeclaredMethod", "getDeclaredMethods", "getDeclaredMembers"),
            *("ObjectStreamClass",),
        }
    ),
    sealed_by=frozenset({"class"}),  # private members are nobody else's
    names=frozenset({"System"}),
    redefines=re.compile(r"\bSystem\b(?!\.)|\bsetOut\b"),
    captures_constants=True,
)

PRINTING = PrintForms(redirects=re.compile(r"\bSystem\b(?!\s*\.)|\bset(?:Out|IO)\s*\("))

#: The kinds of operations on collections by the name of the operation; misleading messages are about a kind.
OPERATIONS = {
    **dict.fromkeys(("append", "push", "offer"), "append"),
    "addAll": "extend",
    "insert": "insert",
    **dict.fromkeys(("remove", "removeAll", "removeIf", "delete"), "remove"),
    **dict.fromkeys(("pop", "poll"), "pop"),
    "sort": "sort",
    "reverse": "reverse",
    **dict.fromkeys(("put", "putAll", "merge", "putIfAbsent"), "update"),
    "add": "add",
    "split": "split",
    "join": "join",
    **dict.fromkeys(("replace", "replaceAll"), "replace"),
    "toLowerCase": "lower",
    "toUpperCase": "upper",
}

FAULTS = FaultForms(
    arithmetic={
        **{"+": "-", "-": "+", "*": "+", "/": "*", "%": "/"},
        **{"+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "%=": "/="},
    },
    connectives={"&&": "||", "||": "&&"},
    quantifiers={"anyMatch": "allMatch", "allMatch": "anyMatch", "&": "|", "|": "&", "&=": "|=", "|=": "&="},
    opposites={"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"},
    negation="!",
    truths=("true", "false"),
    returning=("return;", "return {};"),
    refuses_dead_code=True,
    messages=re.compile(r"(?:System\s*\.\s*(?:out|err)|throw|assert|log(?:ger)?|LOG(?:GER)?)\b"),
    describing=frozenset({"toString", "hashCode"}),
)


class JavaDialect(Dialect):
    """Writes pieces of Java."""

    comments = COMMENTS
    words = WORDS
    operations = OPERATIONS
    equality = EQUALITY
    conditions = CONDITIONS
    dead_code = DEAD_CODE
    printing = PRINTING
    sees_order = DEAD_CODE.sees_code | {
        *("getDeclaredMethods", "getMethods", "getDeclaredConstructors", "getConstructors", "getDeclaredClasses"),
        *("printStackTrace", "dumpStack"),
    }
    faults = FAULTS
    worked_examples = read_worked_examples(__package__)
    declaration = (
        "Write the imports and then one class Problem, not public, in which {function} is a public static method whose "
        "parameters take the values of that call. The class has no main method."
    )

    def print_statement(self, text: str) -> str:
        """``System.out.println("text");``."""
        return f"System.out.println({write(str(text))});"

    def call_function(self, function: str, arguments: str) -> str:
        """A call of the static method of :attr:`declaration`."""
        return f"Problem.{function}({arguments})"
