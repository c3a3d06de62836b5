"""Generated programs in TypeScript."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pytest_codereason.core.language.pseudocode import FunctionDefinition, Type
from pytest_codereason.languages.javascript.printer import JavaScriptPrinter

_TYPES: Mapping[Type, str] = {
    "int": "number",
    "str": "string",
    "bool": "boolean",
    "list": "number[]",
    "dict": "Record<string, number>",
    "grid": "number[][]",
    "cell": "Cell",
}


class TypeScriptPrinter(JavaScriptPrinter):
    """Writes JavaScript, with the types of parameters and results."""

    rank = 5

    def write_header(self, function: FunctionDefinition) -> str:
        """``function f(n: number): string``."""
        parameters = ", ".join(f"{parameter.name}: {_TYPES[parameter.type]}" for parameter in function.parameters)
        return f"function {function.name}({parameters}): {_TYPES[function.result]}"

    def write_class(self, fields: tuple[str, ...]) -> Iterator[str]:
        """``class Cell``, with its fields and a constructor."""
        yield "class Cell {"
        yield from (f"    {field}: number;" for field in fields)
        yield f"    constructor({', '.join(f'{field}: number' for field in fields)}) {{"
        yield from (f"        this.{field} = {field};" for field in fields)
        yield from ("    }", "}")
