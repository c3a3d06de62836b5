"""Generated programs in PHP."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from pytest_codereason.core.language.printing import (
    ATOM,
    BRACES,
    COMMON,
    COMPARISON,
    OR,
    SUM,
    Form,
    Printer,
    infix,
    postfix,
    wrapped,
)
from pytest_codereason.core.language.pseudocode import (
    Expression,
    FunctionDefinition,
    Literal,
    Module,
    Operation,
    Type,
)


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
        "smallest": wrapped("min({})"),
        "get": postfix("{}[{}]"),
        "row": postfix("{}[{}]"),
        "head": wrapped("substr({}, 0, {})"),
        "piece": wrapped("substr({}, {}, {})"),
        "tail": wrapped("substr({}, {})"),
        "earlier": Form("{0}[{1}] < {0}[{2}]", COMPARISON, (ATOM, OR, OR)),
        "cell": wrapped("new Cell({})"),
    }
    mutations: ClassVar[Mapping[str, str]] = {
        "append": "{}[] = {}",
        "pop": "array_pop({})",
        "sort": "sort({})",
        "put": "{}[{}] = {}",
        "drop": "array_shift({})",
        "remove": "array_splice({0}, array_search({1}, {0}), 1)",
        "postpone": "{0}[] = array_splice({0}, {1}, 1)[0]",
        "rotate": "{0} = array_merge(array_slice({0}, {1}), array_slice({0}, 0, {1}))",
    }

    def write_program(self, module: Module) -> str:
        """The definitions, with an empty line between them."""
        return "<?php\n" + "\n\n".join(self.write_definitions(module)) + "\n"

    def write_class(self, fields: tuple[str, ...]) -> Iterator[str]:
        """``class Cell``, whose constructor declares its fields."""
        yield "class Cell {"
        yield f"    public function __construct({', '.join(f'public ${field}' for field in fields)}) {{}}"
        yield "}"

    def write_header(self, function: FunctionDefinition) -> str:
        """``function f($n)``."""
        parameters = ", ".join(self.write_name(parameter.name) for parameter in function.parameters)
        return f"function {function.name}({parameters})"

    def write_name(self, name: str) -> str:
        """``$x``."""
        return f"${name}"

    def write_field(self, cell: str, field: str) -> str:
        """``$x->a``."""
        return f"{cell}->{field}"

    def write_expression(self, expression: Expression, level: int = OR) -> str:
        """An expression; a piece of a text is said by its length."""
        match expression:
            case Operation("piece", (text, Literal(int() as start), Literal(int() as stop))):
                expression = Operation("piece", (text, Literal(start), Literal(stop - start)))
        return super().write_expression(expression, level)

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
