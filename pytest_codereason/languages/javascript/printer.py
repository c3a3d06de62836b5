"""Generated programs in JavaScript."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from pytest_codereason.core.language.printing import (
    ATOM,
    BRACES,
    COMMON,
    COMPARISON,
    OR,
    PRODUCT,
    UNARY,
    Form,
    Printer,
    infix,
    postfix,
    wrapped,
)
from pytest_codereason.core.language.pseudocode import FunctionDefinition, Module, Name, Type


class JavaScriptPrinter(Printer):
    """Writes ``let``, ``const`` and strict comparisons."""

    rank = 1
    forms: ClassVar[Mapping[str, Form]] = {
        **COMMON,
        **BRACES,
        "//": Form("Math.floor({} / {})", ATOM, (PRODUCT, UNARY)),
        "max": wrapped("Math.max({}, {})"),
        "min": wrapped("Math.min({}, {})"),
        "length": postfix("{}.length"),
        "size": postfix("{}.length"),
        "item": postfix("{}[{}]"),
        "character": postfix("{}[{}]"),
        "last": postfix("{0}[{0}.length - 1]"),
        "concatenate": COMMON["+"],
        "upper": postfix("{}.toUpperCase()"),
        "text": wrapped("String({})"),
        **dict.fromkeys(("==", "same"), infix("===", COMPARISON)),
        **dict.fromkeys(("!=", "different"), infix("!==", COMPARISON)),
        "contains": postfix("{}.includes({})"),
        "from": postfix("{}.slice({})"),
        "until": postfix("{}.slice(0, {})"),
        "new": wrapped("[{}]"),
        "smallest": wrapped("Math.min(...{})"),
        "get": postfix("{}[{}]"),
        "row": postfix("{}[{}]"),
        "head": postfix("{}.slice(0, {})"),
        "piece": postfix("{}.slice({}, {})"),
        "tail": postfix("{}.slice({})"),
        "earlier": Form("{0}[{1}] < {0}[{2}]", COMPARISON, (ATOM, OR, OR)),
        "cell": wrapped("new Cell({})"),
    }
    mutations: ClassVar[Mapping[str, str]] = {
        "append": "{}.push({})",
        "pop": "{}.pop()",
        "sort": "{}.sort((a, b) => a - b)",
        "put": "{}[{}] = {}",
        "drop": "{}.shift()",
        "remove": "{0}.splice({0}.indexOf({1}), 1)",
        "postpone": "{0}.push({0}.splice({1}, 1)[0])",
        "rotate": "{0}.push(...{0}.splice(0, {1}))",
    }

    def write_program(self, module: Module) -> str:
        """The definitions, with an empty line between them."""
        return "\n\n".join(self.write_definitions(module)) + "\n"

    def write_class(self, fields: tuple[str, ...]) -> Iterator[str]:
        """``class Cell``, with a constructor."""
        yield "class Cell {"
        yield f"    constructor({', '.join(fields)}) {{"
        yield from (f"        this.{field} = {field};" for field in fields)
        yield from ("    }", "}")

    def write_header(self, function: FunctionDefinition) -> str:
        """``function f(n)``."""
        return f"function {function.name}({', '.join(parameter.name for parameter in function.parameters)})"

    def write_count(self, variable: str, stop: str) -> str:
        """``for (let i = 0; i < 3; i++)``."""
        return f"for (let {variable} = 0; {variable} < {stop}; {variable}++)"

    def write_each(self, variable: str, over: str, kind: Type) -> str:
        """``for (const v of xs)``."""
        return f"for (const {variable} of {over})"

    def write_augmentation(self, target: str, operator: str, value: str) -> str:
        """``x += 1``, ``x = Math.floor(x / 2)``."""
        if operator == "//":
            return f"{target} = Math.floor({target} / {value})"
        return super().write_augmentation(target, operator, value)

    def write_assignment(self, target: Name, value: str, *, declares: bool, once: bool) -> str:
        """``const x = 1``, or ``let`` if another statement changes the variable."""
        word = "" if not declares else "const " if once else "let "
        return f"{word}{target.name} = {value}"
