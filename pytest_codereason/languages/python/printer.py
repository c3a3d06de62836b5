"""Generated programs in Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from pytest_codereason.core.language.printing import (
    AND,
    ATOM,
    COMMON,
    COMPARISON,
    NOT,
    OR,
    PRODUCT,
    Form,
    Printer,
    infix,
    postfix,
    wrapped,
)
from pytest_codereason.core.language.pseudocode import FunctionDefinition, Module, Type


class PythonPrinter(Printer):
    """Writes Python in the style of PEP 8."""

    rank = 0
    opening = ":"
    semicolon = ""
    condition = "{}"
    group = "{}"
    branches = ("if ", "elif ", "else")
    forms: ClassVar[Mapping[str, Form]] = {
        **COMMON,
        "//": infix("//", PRODUCT),
        "max": wrapped("max({}, {})"),
        "min": wrapped("min({}, {})"),
        "length": wrapped("len({})"),
        "size": wrapped("len({})"),
        "item": postfix("{}[{}]"),
        "character": postfix("{}[{}]"),
        "last": postfix("{}[-1]"),
        "concatenate": COMMON["+"],
        "upper": postfix("{}.upper()"),
        "text": wrapped("str({})"),
        "same": COMMON["=="],
        "different": COMMON["!="],
        "contains": Form("{1} in {0}", COMPARISON, (COMPARISON + 1, COMPARISON + 1)),
        "and": infix("and", AND),
        "or": infix("or", OR),
        "not": Form("not {}", NOT, (NOT,)),
        "from": postfix("{}[{}:]"),
        "until": postfix("{}[:{}]"),
        "new": wrapped("[{}]"),
        "smallest": wrapped("min({})"),
        "get": postfix("{}[{}]"),
        "row": postfix("{}[{}]"),
        "head": postfix("{}[:{}]"),
        "piece": postfix("{}[{}:{}]"),
        "tail": postfix("{}[{}:]"),
        "earlier": Form("{0}[{1}] < {0}[{2}]", COMPARISON, (ATOM, OR, OR)),
        "cell": wrapped("Cell({})"),
    }
    mutations: ClassVar[Mapping[str, str]] = {
        "append": "{}.append({})",
        "pop": "{}.pop()",
        "sort": "{}.sort()",
        "put": "{}[{}] = {}",
        "drop": "{}.pop(0)",
        "remove": "{}.remove({})",
        "postpone": "{0}.append({0}.pop({1}))",
        "rotate": "{0} = {0}[{1}:] + {0}[:{1}]",
    }

    def write_program(self, module: Module) -> str:
        """The definitions, with two empty lines between them."""
        return "\n\n\n".join(self.write_definitions(module)) + "\n"

    def write_class(self, fields: tuple[str, ...]) -> Iterator[str]:
        """``class Cell``, with ``__init__``."""
        yield "class Cell:"
        yield f"    def __init__(self, {', '.join(fields)}):"
        yield from (f"        self.{field} = {field}" for field in fields)

    def write_header(self, function: FunctionDefinition) -> str:
        """``def f(n)``."""
        return f"def {function.name}({', '.join(parameter.name for parameter in function.parameters)})"

    def write_count(self, variable: str, stop: str) -> str:
        """``for i in range(3)``."""
        return f"for {variable} in range({stop})"

    def write_each(self, variable: str, over: str, kind: Type) -> str:
        """``for v in xs``."""
        return f"for {variable} in {over}"

    def close_block(self) -> Iterator[str]:
        """Nothing, because the indentation ends the block."""
        yield from ()
