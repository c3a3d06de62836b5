"""Generated programs in Java."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pytest_codereason.core.language.printing import (
    ATOM,
    BRACES,
    COMMON,
    OR,
    PRODUCT,
    UNARY,
    Form,
    Printer,
    infix,
    postfix,
    wrapped,
)
from pytest_codereason.core.language.pseudocode import Datum, FunctionDefinition, Module, Name, Type

TYPES: Mapping[Type, str] = {"int": "int", "str": "String", "bool": "boolean", "list": "List<Integer>"}


class JavaPrinter(Printer):
    """Writes static methods of the class ``Problem``."""

    rank = 2
    top_level = False
    forms: ClassVar[Mapping[str, Form]] = {
        **COMMON,
        **BRACES,
        "//": infix("/", PRODUCT),
        "max": wrapped("Math.max({}, {})"),
        "min": wrapped("Math.min({}, {})"),
        "length": postfix("{}.length()"),
        "size": postfix("{}.size()"),
        "item": postfix("{}.get({})"),
        "character": Form("String.valueOf({}.charAt({}))", ATOM, (ATOM, OR)),
        "last": postfix("{0}.get({0}.size() - 1)"),
        "concatenate": COMMON["+"],
        "upper": postfix("{}.toUpperCase()"),
        "text": wrapped("String.valueOf({})"),
        "same": postfix("{}.equals({})"),
        "different": Form("!{}.equals({})", UNARY, (ATOM, OR)),
        "contains": postfix("{}.contains({})"),
        "from": postfix("new ArrayList<>({0}.subList({1}, {0}.size()))"),
        "until": postfix("new ArrayList<>({}.subList(0, {}))"),
        "new": wrapped("new ArrayList<>(List.of({}))"),
    }
    mutations: ClassVar[Mapping[str, str]] = {
        "append": "{}.add({})",
        "pop": "{0}.remove({0}.size() - 1)",
        "sort": "Collections.sort({})",
        "put": "{}.set({}, {})",
    }

    def write_program(self, module: Module) -> str:
        """The text of a class with all its imports."""
        methods = "\n\n".join("\n".join(f"    {line}" for line in self.write_function(one)) for one in module.functions)
        imports = "import java.util.*;\n\n" if any(word in methods for word in ("List", "Collections")) else ""
        return f"{imports}class Problem {{\n{methods}\n}}\n"

    def write_call(self, module: Module) -> str:
        """``Problem.f(1)``."""
        return f"Problem.{super().write_call(module)}"

    def write_header(self, function: FunctionDefinition) -> str:
        """``public static int f(int n)``."""
        parameters = ", ".join(f"{TYPES[parameter.type]} {parameter.name}" for parameter in function.parameters)
        return f"public static {TYPES[function.result]} {function.name}({parameters})"

    def write_count(self, variable: str, stop: str) -> str:
        """``for (int i = 0; i < 3; i++)``."""
        return f"for (int {variable} = 0; {variable} < {stop}; {variable}++)"

    def write_each(self, variable: str, over: str, kind: Type) -> str:
        """``for (int v : xs)``, or a loop over the characters as strings."""
        return f'for (String {variable} : {over}.split(""))' if kind == "str" else f"for (int {variable} : {over})"

    def write_literal(self, value: Datum) -> str:
        """A literal. Lists in it can be changed by the program."""
        if not isinstance(value, tuple):
            return super().write_literal(value)
        return self.forms["new"].text.format(", ".join(map(str, value))) if value else "new ArrayList<>()"

    def write_augmentation(self, target: str, operator: str, value: str) -> str:
        """``x += 1``, ``x /= 2``."""
        return super().write_augmentation(target, "/" if operator == "//" else operator, value)

    def write_assignment(self, target: Name, value: str, *, declares: bool, once: bool) -> str:
        """``int x = 1``."""
        return f"{TYPES[target.type] + ' ' if declares else ''}{target.name} = {value}"
