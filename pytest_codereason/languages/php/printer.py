"""Generated programs in PHP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pytest_codereason.core.language.printing import (
    BRACES,
    COMMON,
    COMPARISON,
    SUM,
    Form,
    Printer,
    infix,
    postfix,
    wrapped,
)
from pytest_codereason.core.language.pseudocode import FunctionDefinition, Module, Type


class PHPPrinter(Printer):
    """Writes PHP after an opening tag, with strict comparisons."""

    rank = 3
    branches = ("if ", "} elseif ", "} else")
    forms: ClassVar[Mapping[str, Form]] = {
        **COMMON,
        **BRACES,
        "//": wrapped("intdiv({}, {})"),
        "max": wrapped("max({}, {})"),
        "min": wrapped("min({}, {})"),
        "length": wrapped("strlen({})"),
        "size": wrapped("count({})"),
        "item": postfix("{}[{}]"),
        "character": postfix("{}[{}]"),
        "last": postfix("{0}[count({0}) - 1]"),
        # Looser than a sum since PHP 8, as tight before.
        "concatenate": infix(".", SUM),
        "upper": wrapped("strtoupper({})"),
        "text": wrapped("strval({})"),
        **dict.fromkeys(("==", "same"), infix("===", COMPARISON)),
        **dict.fromkeys(("!=", "different"), infix("!==", COMPARISON)),
        "contains": wrapped("in_array({1}, {0})"),
        "from": wrapped("array_slice({}, {})"),
        "until": wrapped("array_slice({}, 0, {})"),
        "new": wrapped("[{}]"),
    }
    mutations: ClassVar[Mapping[str, str]] = {
        "append": "{}[] = {}",
        "pop": "array_pop({})",
        "sort": "sort({})",
        "put": "{}[{}] = {}",
    }

    def write_program(self, module: Module) -> str:
        """The functions, with an empty line between them."""
        return "<?php\n" + "\n\n".join("\n".join(self.write_function(one)) for one in module.functions) + "\n"

    def write_header(self, function: FunctionDefinition) -> str:
        """``function f($n)``."""
        parameters = ", ".join(self.write_name(parameter.name) for parameter in function.parameters)
        return f"function {function.name}({parameters})"

    def write_name(self, name: str) -> str:
        """``$x``."""
        return f"${name}"

    def write_count(self, variable: str, stop: str) -> str:
        """``for ($i = 0; $i < 3; $i++)``."""
        return f"for ({variable} = 0; {variable} < {stop}; {variable}++)"

    def write_each(self, variable: str, over: str, kind: Type) -> str:
        """``foreach ($xs as $v)``, or a loop over the characters of a string."""
        return f"foreach ({f'str_split({over})' if kind == 'str' else over} as {variable})"

    def write_augmentation(self, target: str, operator: str, value: str) -> str:
        """``$x += 1``, ``$s .= 'a'``, ``$x = intdiv($x, 2)``."""
        if operator == "//":
            return f"{target} = intdiv({target}, {value})"
        return f"{target} {'.' if operator == 'concatenate' else operator}= {value}"
