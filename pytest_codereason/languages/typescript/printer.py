"""Generated programs in TypeScript."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_codereason.core.language.pseudocode import FunctionDefinition, Type
from pytest_codereason.languages.javascript.printer import JavaScriptPrinter

_TYPES: Mapping[Type, str] = {"int": "number", "str": "string", "bool": "boolean", "list": "number[]"}


class TypeScriptPrinter(JavaScriptPrinter):
    """Writes JavaScript, with the types of parameters and results."""

    rank = 5

    def write_header(self, function: FunctionDefinition) -> str:
        """``function f(n: number): string``."""
        parameters = ", ".join(f"{parameter.name}: {_TYPES[parameter.type]}" for parameter in function.parameters)
        return f"function {function.name}({parameters}): {_TYPES[function.result]}"
