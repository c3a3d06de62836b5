"""JavaScript: the arguments of a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_codereason.core import Arguments
from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.frame.arguments import ArgumentReader
from pytest_codereason.languages.javascript.syntax.tree import make_parser
from pytest_codereason.languages.javascript.values.literals import Collection, JavaScriptReader, write

if TYPE_CHECKING:
    from tree_sitter import Node


def read_arguments(text: str) -> Arguments:
    """The arguments of a call, with a text that is written from their values.

    Raises:
        NotALiteral: An argument is neither a literal nor a form that is read beside them.
    """
    reader, nodes = _ArgumentReader.read_call(make_parser(), text)
    values = tuple(reader.value(node, 1) for node in nodes)
    return Arguments(values, ("",) * len(values), ", ".join(map(write, values)), literal=reader.literal)


class _ArgumentReader(ArgumentReader, JavaScriptReader):
    """Reads arguments: literals, and ``new Set([1])``, ``new Map([[1, 2]])``, ``'a' + 'b'``, ``'a'.repeat(3)``,
    ``Array(3).fill(0)``.
    """

    def on_new_expression(self, node: Node, depth: int) -> Any:
        name, arguments = node.child_by_field_name("constructor"), self.read_inside(node, depth)
        self.literal = False
        match self.text(name) if name else "", arguments:
            case "Set", [] | [list()]:
                return Collection("Set", tuple(item for items in arguments for item in items))
            case "Map", [] | [list()]:
                pairs = [item for items in arguments for item in items]
                if all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
                    return Collection("Map", tuple(pairs))
        raise NotALiteral("not a literal: a new object")

    def on_call_expression(self, node: Node, depth: int) -> Any:
        function, arguments = node.child_by_field_name("function"), self.read_inside(node, depth)
        owner = function and function.child_by_field_name("object")
        method = function and function.child_by_field_name("property")
        self.literal = False
        if owner and method and function and function.type == "member_expression":
            match self.text(method), arguments:
                case "repeat", [count] if type(count) is int and count >= 0:
                    if isinstance(text := self.value(owner, depth), str):
                        return self.room.repeat(text, count)
                case "fill", [value]:
                    return self.room.repeat_apart([value], self._read_length(owner, depth))
        raise NotALiteral("not a literal: a call")

    def _read_length(self, node: Node, depth: int) -> int:
        """The 3 of ``Array(3)`` and ``new Array(3)``."""
        name = node.child_by_field_name("function") or node.child_by_field_name("constructor")
        arguments = self.read_inside(node, depth)
        match self.text(name) if name else "", arguments:
            case "Array", [length] if type(length) is int and length >= 0:
                return length
        raise NotALiteral("not a literal: a call")
