"""Writes small pieces of JavaScript code: comments, prints, conditions, dead code."""

from __future__ import annotations

import json
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
from pytest_codereason.languages.javascript.syntax.tree import GLOBALS, RESERVED

COMMENTS = CommentForms(mark="//", line_ends=re.compile(r"\r\n|[\n\r\u2028\u2029]"))

#: A comparison always gives a boolean and runs no code where both sides are the same. Only NaN differs from itself.
EQUALITY = EqualityForms(
    rebound_behind=re.compile(
        r"\s*(?:=(?![=>])|(?:[-+*/%&|^]|\*\*|&&|\|\||\?\?|<<|>>>?)=|\+\+|--|(?:of|in)\b|[\]},)][^;{]*[^=!<>]=(?![=>]))"
    ),
    rebound_before=re.compile(r"(?:\+\+|--|\.\.\.)\s*\Z"),
    aliases=frozenset({"arguments"}),
    irregular=re.compile(r"[\[{=]|\.\.\."),
)

#: The templates of CodeCrash, appendix B.1.2, in JavaScript, and what takes their place where they are unsafe. None is
#: ``eval``: where it stands, no name can be changed any more.
CONDITIONS = ConditionForms(
    templates=[
        *list_templates(
            "comparison constant",
            [("[(@)][0]", "")],
            [("(() => (@))()", "pure ungraphed")],
            [("(@) === ({p} === {p})", "equal"), ("(@) === {same}", "")],
            [("(@) !== ({p} !== {p})", "equal"), ("(@) !== {other}", "")],
            [("!!-~(@) === ({copy})", "pure")],
        ),
        *list_templates("comparison", [("!!+(@)", "")]),
        *list_templates("constant", [("JSON.parse(String(@))", "")]),
        *list_templates("other", [("!!(@)", "")], [("(@) || false", "")], [("(@) && true", "")], [("[(@)][0]", "")]),
    ],
    of_variable=("(typeof {0} === typeof {0})", "(typeof {0} !== typeof {0})"),
    of_numbers=("===", "!=="),
    sees_names=re.compile(r"\b(?:eval|with)\b"),
    names=frozenset({"JSON", "String"}),
    redeclares=True,
)

DEAD_CODE = DeadCodeForms(
    variable="Temp_Var_",
    constant_conditions=("false", "null", "0", "''"),
    parameter_conditions=(
        ("%(p)s !== %(p)s", "!%(p)s && %(p)s"),
        ("!(%(p)s === %(p)s)", "!Object.is(%(p)s, %(p)s)"),
    ),
    printing_condition=("console.log(%(p)s)", "console.log(%(p)s === null)"),
    branches=(
        "if (%(c)s) {\n    let %(x)s = %(p)s;\n}",
        "while (%(c)s) {\n    let %(x)s = %(p)s;\n}",
        "for (let %(i)s = 0; %(i)s < 0; %(i)s++) {\n    let %(x)s = %(p)s;\n}",
        "let %(x)s = %(c)s ? %(p)s : %(p)s;",
    ),
    globals=("let %(name)s = %(n)s;", "const %(name)s = %(n)s;"),
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
    sealed_by=frozenset({"require", "module", "exports", "import", "export"}),
    names=frozenset({"console", "Object"}),
    redefines=re.compile(r"\bconsole\b(?!\.)|\bconsole\.\w+\s*=|stdout|\bObject\.is\s*="),
)

PRINTING = PrintForms(
    redirects=re.compile(
        r"\bconsole\b(?!\s*(?:\?\.|\.)\s*\w+\s*\()|\bconsole\s*\.\s*\w+\s*=(?!=)|\bstdout\b(?!\s*\.\s*write\s*\()"
    ),
    name="console",
    at_top=True,
)

#: The kinds of operations on collections by the name of the operation; misleading messages are about a kind.
OPERATIONS = {
    "push": "append",
    "concat": "extend",
    "unshift": "insert",
    "delete": "remove",
    **dict.fromkeys(("pop", "shift"), "pop"),
    "sort": "sort",
    "reverse": "reverse",
    "set": "update",
    "add": "add",
    "split": "split",
    "join": "join",
    **dict.fromkeys(("replace", "replaceAll"), "replace"),
    "toLowerCase": "lower",
    "toUpperCase": "upper",
}

FAULTS = FaultForms(
    arithmetic={
        **{"+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "**": "*"},
        **{"+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "%=": "/="},
    },
    connectives={"&&": "||", "||": "&&"},
    quantifiers={"some": "every", "every": "some", "&": "|", "|": "&", "&=": "|=", "|=": "&="},
    opposites={
        **{"===": "!==", "!==": "===", "==": "!=", "!=": "=="},
        **{"<": ">=", ">=": "<", ">": "<=", "<=": ">"},
    },
    negation="!",
    truths=("true", "false"),
    returning=("return;", "return {};"),
    messages=re.compile(r"(?:console|throw|process)\b"),
    describing=frozenset({"toString", "toJSON", "inspect"}),
)


class JavaScriptDialect(Dialect):
    """Writes pieces of JavaScript."""

    comments = COMMENTS
    words = RESERVED | GLOBALS
    operations = OPERATIONS
    equality = EQUALITY
    conditions = CONDITIONS
    dead_code = DEAD_CODE
    printing = PRINTING
    sees_order = DEAD_CODE.sees_code | {"getOwnPropertyNames", "getOwnPropertyDescriptors", "ownKeys", "stack"}
    faults = FAULTS
    worked_examples = read_worked_examples(__package__)

    def print_statement(self, text: str) -> str:
        """A call of ``console.log`` with one string."""
        return f"console.log({json.dumps(text, ensure_ascii=not text.isprintable())});"
