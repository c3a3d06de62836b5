"""Writes small pieces of TypeScript code: those of JavaScript, with types where the compiler wants them."""

from __future__ import annotations

import re
from dataclasses import replace

from pytest_codereason.languages.frame.examples import read_worked_examples
from pytest_codereason.languages.frame.tables import split_kinds
from pytest_codereason.languages.javascript import dialect as javascript

#: Words that stand before a name or in a type.
_WORDS = split_kinds(
    """abstract any as asserts bigint boolean declare infer is keyof module namespace never number object override
    readonly satisfies string symbol type undefined unique unknown"""
)
assert javascript.EQUALITY.rebound_behind is not None
EQUALITY = replace(
    javascript.EQUALITY,
    rebound_behind=re.compile(rf"(?:!(?=\s))?{javascript.EQUALITY.rebound_behind.pattern}"),
    irregular=re.compile(r"(?:\A|[(,])\s*[\[{]|=(?!>)|\.\.\."),  # a type has brackets too
)

DEAD_CODE = replace(
    javascript.DEAD_CODE,
    functions=(
        "function %(f)s(n: number): number {\n    return %(f)s(n + 1);\n}",
        "function %(f)s(count: number): number {\n    while (true) {\n        count += %(n)s;\n    }\n}",
        "function %(f)s(n: number): number {\n    return %(g)s(n - 1);\n}\n"
        "function %(g)s(n: number): number {\n    return %(f)s(n + 1);\n}",
        "function %(f)s(total: number): number {\n    for (;;) {\n        total -= %(n)s;\n    }\n}",
        "function %(f)s(items: number[]): void {\n    for (const item of items) {\n        items.push(item);\n    }\n}",
        "function* %(f)s(n: number): Generator<number> {\n    yield n;\n    yield* %(f)s(n + 1);\n}",
        "const %(f)s = (low: number, high: number): number => (low < high ? %(f)s(high, low) : %(f)s(low, high + 1));",
    ),
)


class TypeScriptDialect(javascript.JavaScriptDialect):
    """Writes pieces of TypeScript."""

    words = javascript.JavaScriptDialect.words | _WORDS
    equality = EQUALITY
    dead_code = DEAD_CODE
    worked_examples = read_worked_examples(__package__)
