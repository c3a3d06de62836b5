"""Generated programs in Java."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import indent
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
from pytest_codereason.core.language.pseudocode import (
    Assign,
    Block,
    Datum,
    Expression,
    FunctionDefinition,
    Module,
    Name,
    Operation,
    Place,
    Set,
    Statement,
    Swap,
    Type,
    find_type,
)

TYPES: Mapping[Type, str] = {
    "int": "int",
    "str": "String",
    "bool": "boolean",
    "list": "List<Integer>",
    "dict": "Map<String, Integer>",
    "grid": "List<List<Integer>>",
    "cell": "Cell",
}
#: What holds the value of a place while places are swapped, by its type.
_HOLDERS: Mapping[Type, str] = {"int": "t", "list": "row", "cell": "old"}


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
        "smallest": wrapped("Collections.min({})"),
        "get": postfix("{}.get({})"),
        "row": postfix("{}.get({})"),
        "head": postfix("{}.substring(0, {})"),
        "piece": postfix("{}.substring({}, {})"),
        "tail": postfix("{}.substring({})"),
        "earlier": Form("{0}.charAt({1}) < {0}.charAt({2})", COMPARISON, (ATOM, OR, OR)),
        "cell": wrapped("new Cell({})"),
    }
    mutations: ClassVar[Mapping[str, str]] = {
        "append": "{}.add({})",
        "pop": "{0}.remove({0}.size() - 1)",
        "sort": "Collections.sort({})",
        "put": "{}.set({}, {})",
        "drop": "{}.remove(0)",
        "remove": "{}.remove(Integer.valueOf({}))",
        "postpone": "{0}.add({0}.remove({1}))",
        "rotate": "Collections.rotate({}, -{})",
    }

    def write_program(self, module: Module) -> str:
        """The text of a class with all its imports."""
        members = "\n\n".join(indent(one, "    ") for one in self.write_definitions(module))
        imports = "import java.util.*;\n\n" if any(word in members for word in ("List", "Map", "Collections")) else ""
        return f"{imports}class Problem {{\n{members}\n}}\n"

    def write_class(self, fields: tuple[str, ...]) -> Iterator[str]:
        """``static class Cell``, with its fields and a constructor."""
        yield "static class Cell {"
        yield f"    int {', '.join(fields)};"
        yield ""
        yield f"    Cell({', '.join(f'int {field}' for field in fields)}) {{"
        yield from (f"        this.{field} = {field};" for field in fields)
        yield from ("    }", "}")

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
        """A literal. Lists and maps in it can be changed by the program."""
        match value:
            case ():
                return "new ArrayList<>()"
            case tuple():
                return self.forms["new"].text.format(", ".join(map(self.write_literal, value)))
            case Mapping():
                return f"new TreeMap<>({super().write_literal(value)})"
            case _:
                return super().write_literal(value)

    def write_setting(self, place: Place, value: str) -> str:
        """``d.put("a", value)``, ``xs.set(0, value)``, ``x.a = value``."""
        match place:
            case Operation(operator, (owner, key)):
                word = "put" if operator == "get" else "set"
                return f"{self.write_expression(owner)}.{word}({self.write_expression(key)}, {value})"
            case _:
                return super().write_setting(place, value)

    def lower_swap(self, swap: Swap) -> Block:
        """Places swapped one by one: ``int t = a``, ``a = b``, ``b = t``."""
        kind = find_type(swap.places[0])
        holder = Name(_HOLDERS[kind], kind)
        pairs = zip(swap.places, (*swap.places[1:], holder), strict=True)
        return (Assign(holder, swap.places[0]), *(_assign(place, value) for place, value in pairs))

    def write_augmentation(self, target: str, operator: str, value: str) -> str:
        """``x += 1``, ``x /= 2``."""
        return super().write_augmentation(target, "/" if operator == "//" else operator, value)

    def write_assignment(self, target: Name, value: str, *, declares: bool, once: bool) -> str:
        """``int x = 1``."""
        return f"{TYPES[target.type] + ' ' if declares else ''}{target.name} = {value}"


def _assign(place: Place, value: Expression) -> Statement:
    return Assign(place, value) if isinstance(place, Name) else Set(place, value)
