"""Writes small pieces of Python code: comments, prints, conditions, dead code."""

from __future__ import annotations

import builtins
import keyword
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
from pytest_codereason.core.language.structure import Site
from pytest_codereason.languages.frame.examples import read_worked_examples
from pytest_codereason.languages.frame.words import match_words

#: Names that a program has without declaring them.
BUILTINS = frozenset(dir(builtins))
WORDS = frozenset(keyword.kwlist) | frozenset(keyword.softkwlist) | BUILTINS
COMMENTS = CommentForms(
    line_ends=re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]"),
    refused={**CommentForms().refused, re.compile(r"coding[:=]"): "'coding:', which declares the encoding of a file"},
)


def _takes_variable(site: Site, statement: str, text: str) -> bool:
    """Whether a condition may bind a variable: in a header of a function, not in a lambda or a comprehension."""
    header = site.holder in _HEADERS or (site.holder == "conditional" and not _INNER.search(statement))
    return header and ":=" not in text


_HEADERS = frozenset({"if", "while", "assert", "case"})
_INNER = re.compile(r"\b(?:for|lambda)\b")

#: An import of the standard library that gives no class which compares in a way of its own.
_PLAIN_IMPORT = re.compile(
    r"^[ \t]*(?:from[ ]{0}[ ]import[ ][^*\n]+|import[ ]{0}(?:[ ]as[ ]\w+)?)$".format(
        "(?:typing|re|string|math|heapq|bisect|itertools|functools|collections|copy)"
    ),
    re.MULTILINE,
)
#: What may bring in values of other types, or give an operator another meaning.
_FOREIGN_WORDS = frozenset("import class exec eval compile getattr setattr globals vars type memoryview".split())
_FOREIGN = re.compile(
    "|".join(
        (
            match_words(sorted(_FOREIGN_WORDS - {"eval"})),
            match_words(["eval"], then=r"\b(?!\(str\((?:True|False)\)\))"),
            "__",
        )
    )
)


def _is_plain(text: str, words: frozenset[str]) -> bool:
    if text.isascii() and words.isdisjoint(_FOREIGN_WORDS):
        return "__" not in text
    return not _FOREIGN.search(_PLAIN_IMPORT.sub("", text) if "import" in text else text)


EQUALITY = EqualityForms(
    is_plain=_is_plain,
    # Any number with a fraction: NaN comes out of infinite ones.
    unequal=re.compile(
        match_words("float complex pow math inf nan fsum".split())
        + r"|/(?<!//)(?!/)|\*\*|\.(?<=\d\.)|\.\d|j(?<=\dj)|e(?<=\de)[-+]?\d"
    ),
)

#: The templates of CodeCrash, appendix B.1.2: five for comparisons and constants, one for either,
#: four for other conditions. Behind each stands what takes its place where it is unsafe. A comparison may give any
#: value, such as numpy's arrays, so it is made a bool where it is compared.
_WALRUS = [("(_ := (@,)[0])", "closed variable spare"), ("({name} := (@,)[0])", "closed variable")]
CONDITIONS = ConditionForms(
    templates=[
        *list_templates(
            "comparison constant",
            _WALRUS,
            [("(lambda: @)()", "pure closed ungraphed")],
            [("(@) == ({p} == {p})", "boolean equal"), ("(@) == {same}", "boolean"), ("bool(@) == {same}", "")],
            [("(@) != ({p} != {p})", "boolean equal"), ("(@) != {other}", "boolean"), ("bool(@) != {other}", "")],
            [
                ("bool(-~(@)) == ({copy})", "obsolete"),  # Python 3.12 warns of ``~`` on a bool, 3.16 refuses it
                ("bool(-~int(@)) == ({copy})", "boolean pure"),
                ("bool(-~int(bool(@))) == bool({copy})", "pure"),
            ],
        ),
        *list_templates("comparison", [("bool(int(@))", "boolean"), ("bool(int(bool(@)))", "")]),
        *list_templates("constant", [("eval(str(@))", "")]),
        *list_templates("other", [("not not (@)", "")], [("(@) or False", "")], [("(@) and True", "")], _WALRUS),
    ],
    of_variable=("({0} is {0})", "({0} is not {0})"),
    of_numbers=("==", "!="),
    # A variable without a value raises another error in a function inside.
    sees_names=re.compile(
        match_words(
            "locals vars dir eval exec globals f_locals tb_frame co_varnames _getframe UnboundLocalError".split()
        )
    ),
    closed_by="class",
    names=frozenset({"bool", "int", "str", "eval"}),
    # Not called, or defined, or imported.
    redefines=re.compile(
        "|".join(
            (
                match_words(("bool", "int", "str", "eval"), unless_behind=r"[.\w]", then=r"\b(?!\()"),
                match_words(("def", "class"), then=r" (?:bool|int|str|eval)\b"),
                r"import \*",
            )
        )
    ),
    imports_all=re.compile(r"import \*"),
    drops=re.compile(match_words(("class", "del", "as"))),
    takes_variable=_takes_variable,
)

#: The false conditions and branches of CodeCrash, appendix B.1.3. The functions are this project's own.
DEAD_CODE = DeadCodeForms(
    variable="Temp_Var_",
    constant_conditions=("False", "None", "0", "''"),
    # Lists take an element for equal to itself without asking it.
    parameter_conditions=(("%(p)s != %(p)s", "[%(p)s] != [%(p)s]"), ("not %(p)s == %(p)s", "not [%(p)s] == [%(p)s]")),
    printing_condition=("print(%(p)s)", "print(%(p)s is None)"),
    prints_collections=True,
    branches=(
        "if %(c)s:\n    %(x)s = %(p)s",
        "while %(c)s:\n    %(x)s = %(p)s",
        "for %(i)s in range(0):\n    %(x)s = %(p)s",
        "%(x)s = %(p)s if %(c)s else %(p)s",
    ),
    globals=("%(name)s = %(n)s",),
    functions=(
        "def %(f)s(n):\n    return %(f)s(n + 1)",
        "def %(f)s(count):\n    while True:\n        count += %(n)s",
        "def %(f)s(n):\n    return %(g)s(n - 1)\ndef %(g)s(n):\n    return %(f)s(n + 1)",
        "def %(f)s(total):\n    for step in iter(int, %(n)s):\n        total += step\n    return total",
        "def %(f)s(items):\n    for item in items:\n        items.append(item)\n    return items",
        "def %(f)s(n):\n    step = lambda: n + step()\n    return step()",
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
    sealed_by=frozenset({"__all__"}),
    names=frozenset({"print", "range"}),
    redefines=re.compile(r"import \(?\*|builtins|stdout"),
)

PRINTING = PrintForms(
    # Each way begins with a letter of its own, so that the search jumps from one such letter to the next.
    redirects=re.compile(
        r"redirect_stdout|stdout(?<!\wstdout)(?:\s*=(?!=)|\.close\b)|builtins(?<!\wbuiltins)\b|dup2(?<!\wdup2)\b"
    ),
    name="print",
    at_top=True,
)

#: The kinds of operations on collections by the name of the operation; misleading messages are about a kind.
OPERATIONS = {
    "append": "append",
    "extend": "extend",
    "insert": "insert",
    "remove": "remove",
    "pop": "pop",
    "sort": "sort",
    "reverse": "reverse",
    "update": "update",
    "add": "add",
    "split": "split",
    "join": "join",
    "replace": "replace",
    "lower": "lower",
    "upper": "upper",
    "capitalize": "capitalize",
    "swapcase": "swapcase",
}

FAULTS = FaultForms(
    arithmetic={
        **{"+": "-", "-": "+", "*": "+", "/": "*", "//": "%", "%": "//", "**": "*"},
        **{"+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "//=": "%=", "%=": "//="},
    },
    connectives={"and": "or", "or": "and"},
    quantifiers={"any": "all", "all": "any", "&": "|", "|": "&", "&=": "|=", "|=": "&="},
    opposites={
        **{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"},
        **{"in": "not in", "not in": "in", "is": "is not", "is not": "is"},
    },
    negation="not ",
    truths=("True", "False"),
    returning=("return", "return {}"),
    messages=re.compile(r"(?:print|raise|assert|warnings|log(?:ger|ging)?)\b"),
    describing=frozenset({"__repr__", "__str__", "__format__"}),
)


class PythonDialect(Dialect):
    """Writes pieces of Python."""

    comments = COMMENTS
    words = WORDS
    operations = OPERATIONS
    equality = EQUALITY
    conditions = CONDITIONS
    dead_code = DEAD_CODE
    printing = PRINTING
    sees_order = DEAD_CODE.sees_code | {
        *("__subclasses__", "__init_subclass__", "metaclass", "getmembers", "globals", "locals", "vars", "dir"),
        *("__dict__", "traceback", "print_exc", "format_exc", "co_firstlineno"),
    }
    faults = FAULTS
    worked_examples = read_worked_examples(__package__)

    def print_statement(self, text: str) -> str:
        """``print('text')``."""
        return f"print({text!r})"
