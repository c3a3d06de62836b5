"""What the languages share in reading the arguments of a call.

``f([0] * 3, b: 2)`` in a reply is read into the values ``[0, 0, 0]`` and ``2``. The text of the reply ends there: what
is run is written anew from these values.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any, Self, TypeVar

from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.frame.literals import MAX_CHARS, TreeReader

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

#: Characters, elements and digits that one answer may ask to be worked out: ``'a' * 10**9`` is a short text.
MAX_WEIGHT = 100_000

#: Nodes that say nothing about a tree, by the names of all grammars.
_COMMENTS = frozenset({"comment", "html_comment", "line_comment", "block_comment"})

Sequence = TypeVar("Sequence", str, bytes, list[Any], tuple[Any, ...])


class Room:
    """How much may still be worked out for one answer."""

    def __init__(self) -> None:
        self._left = MAX_WEIGHT

    def take(self, weight: int) -> None:
        """Makes the room smaller.

        Raises:
            NotALiteral: there is not enough room.
        """
        self._left -= weight
        if self._left < 0:
            raise NotALiteral(f"works out more than {MAX_WEIGHT:,} characters or elements")

    def hold(self, value: Any) -> Any:
        """``value``, which was worked out."""
        self.take(weigh_value(value))
        return value

    def repeat(self, value: Sequence, count: int) -> Sequence:
        """``value`` so many times, one after the other."""
        self.take(weigh_value(value) * max(count, 0))
        return value * count

    def repeat_apart(self, value: Sequence, count: int) -> Sequence:
        """The same in a language that puts one object in all places: refused if that shows when the object changes.

        Raises:
            NotALiteral: the value holds something that can be changed.
        """
        if count > 1 and any(map(_can_change, value)):
            raise NotALiteral("not a literal: one list in several places")
        return self.repeat(value, count)

    def join(self, left: Sequence, right: Sequence) -> Sequence:
        """``right`` after ``left``."""
        return self.hold(left + right)  # type: ignore[no-any-return]


def weigh_value(value: Any) -> int:
    """The characters, elements and digits of a value, roughly."""
    if isinstance(value, str | bytes):
        return 1 + len(value)
    if isinstance(value, int):
        return 1 + value.bit_length() // 3
    if isinstance(value, dict):
        return 1 + sum(weigh_value(key) + weigh_value(item) for key, item in value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return 1 + sum(map(weigh_value, value))
    return 1


def _can_change(value: Any) -> bool:
    """Whether a value is no plain one: a list, and a tuple that holds a list."""
    if isinstance(value, tuple):
        return any(map(_can_change, value))
    return not (value is None or isinstance(value, str | bytes | int | float | Enum | frozenset | range))


class ArgumentReader(TreeReader):
    """Reads arguments off a tree-sitter tree: literals, and short forms that are worked out or written anew."""

    concatenation = "+"  #: the operator that joins two strings

    def __init__(self, source: bytes) -> None:
        super().__init__(source)
        self.literal = True  #: whether all arguments are literals
        self.room = Room()

    @classmethod
    def read_call(cls, parser: Parser, text: str, end: str = "") -> tuple[Self, list[Node]]:
        """The nodes of the arguments ``text``, and what reads them; ``end`` closes a statement in the language.

        Raises:
            NotALiteral: the text is not the arguments of one call, or too long.
        """
        if len(text) > MAX_CHARS:
            raise NotALiteral(f"longer than {MAX_CHARS:,} characters")
        try:
            source = f"f({text})".encode()
        except UnicodeEncodeError:
            raise NotALiteral("holds half of a surrogate pair") from None
        reader = cls(source)
        root = parser.parse(source + end.encode()).root_node
        statements = [] if root.has_error else _list_inside(root)
        calls = _list_inside(statements[0]) if len(statements) == 1 else []
        arguments = calls[0].child_by_field_name("arguments") if len(calls) == 1 else None
        if arguments is None or arguments.start_byte != 1 or arguments.end_byte != len(source):
            raise NotALiteral("not the arguments of one call")
        return reader, reader.elements(arguments)

    def combine(self, operator: str, left: Any, right: Any) -> Any:
        """Arithmetic between numbers, or two strings joined."""
        if operator != self.concatenation or type(left) is not str or type(right) is not str:
            return self.room.hold(super().combine(operator, left, right))
        self.literal = False
        return self.room.join(left, right)


def _list_inside(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type not in _COMMENTS]


def equal_trees(parser: Parser, left: str, right: str, end: str = "") -> bool:
    """Whether two texts are one syntax tree as the arguments of a call. Comments and brackets around a value differ."""
    try:
        first, second = (_flatten_call(parser, text, end) for text in (left, right))
    except NotALiteral:
        return False
    return first == second


def _flatten_call(parser: Parser, text: str, end: str) -> list[tuple[str, bytes]]:
    reader, nodes = ArgumentReader.read_call(parser, text, end)
    return [part for node in nodes for part in _flatten(reader, node)]


def _flatten(reader: ArgumentReader, root: Node) -> Iterator[tuple[str, bytes]]:
    """Each node's type and where it ends, with the text of strings and of nodes without others inside."""
    nodes: list[Node | None] = [root]
    while nodes:
        node = nodes.pop()
        if node is None:
            yield "", b""
        elif node.type == "parenthesized_expression" and len(inside := _list_inside(node)) == 1:
            nodes.append(inside[0])
        elif node.type not in _COMMENTS:
            whole = not node.named_child_count or "string" in node.type
            yield node.type, reader.raw(node) if whole else b""
            nodes += [None] if whole else [None, *reversed(node.children)]
