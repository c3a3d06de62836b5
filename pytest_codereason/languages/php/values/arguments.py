"""PHP: the arguments of a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_codereason.core import Arguments
from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.frame.arguments import ArgumentReader
from pytest_codereason.languages.php.values.literals import PHPReader, make_parser, write

if TYPE_CHECKING:
    from tree_sitter import Node


def read_arguments(text: str) -> Arguments:
    """The arguments of a call, with a text that is written from their values.

    Raises:
        NotALiteral: An argument is neither a literal nor a form that is worked out.
    """
    reader, nodes = _ArgumentReader.read_call(make_parser(), text, ";")
    names, values = [], []
    for node in nodes:
        names.append(reader.read_name(node))
        values.append(reader.on_argument(node, 1))
    texts = (f"{name} {write(value)}" if name else write(value) for name, value in zip(names, values, strict=True))
    return Arguments(tuple(values), tuple(names), ", ".join(texts), literal=reader.literal)


class _ArgumentReader(ArgumentReader, PHPReader):
    """Reads arguments: literals, ``'a' . 'b'``, ``range(1, 3)``, ``str_repeat('a', 3)``, ``array_fill(0, 3, 1)``."""

    concatenation = "."

    def read_name(self, node: Node) -> str:
        """The parameter that an argument names, with the mark after the name. Empty if the argument names none.

        Raises:
            NotALiteral: the name has other characters than letters, digits and underscores. PHP takes more.
        """
        name = node.child_by_field_name("name")
        if name is None:
            return ""
        if not self.text(name).isidentifier():
            raise NotALiteral("not a literal: an argument whose name is not of letters")
        return f"{self.text(name)}:"

    def on_argument(self, node: Node, depth: int) -> Any:
        name = node.child_by_field_name("name")
        inside = [child for child in node.named_children if child.type != "comment" and child != name]
        if node.type != "argument" or len(inside) != 1:
            raise NotALiteral("not a literal: an argument that is not a value")
        return self.value(inside[0], depth)

    def on_function_call_expression(self, node: Node, depth: int) -> Any:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None or any(map(self.read_name, self.elements(arguments))):
            raise NotALiteral("not a literal: a call")
        self.literal = False
        values = [self.on_argument(argument, depth) for argument in self.elements(arguments)]
        match self.text(function), values:
            case "str_repeat", [str(text), count] if type(count) is int and count >= 0:
                return self.room.repeat(text, count)
            case "array_fill", [0, count, value] if type(values[0]) is type(count) is int and count >= 0:
                return self.room.repeat([value], count)
            case "range", [first, last] if type(first) is type(last) is int:
                self.room.take(abs(last - first) + 1)
                return list(range(first, last + 1) if first <= last else range(first, last - 1, -1))
        raise NotALiteral("not a literal: a call")
