"""A source parsed by tree-sitter, with offsets in characters."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import MAX_SOURCE, Span
from pytest_codereason.errors import DoesNotParse

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Parser, Query

#: Says how the grammar is to read a text, given what it made of the text: see :class:`Tree`.
Amend = Callable[[bytes, "Node"], bytes]
#: How often a text is amended: each time, more of it is read without an error.
_ROUNDS = 8


class Tree:
    """The syntax tree of one source text.

    Args:
        amend: Where the grammar reads a text in another way than the language does, another text of the same length
            that it reads rightly. For example, ``yield`` is a name in most JavaScript functions; ``yiel$`` always is.
            Nodes lie at the same places of both texts. All texts of nodes are those of the source.

    Raises:
        DoesNotParse: the text is too long, has a NUL or half a surrogate pair, or is not a program.
    """

    def __init__(self, parser: Parser, source: str, amend: Amend | None = None) -> None:
        if len(source) > MAX_SOURCE:
            raise DoesNotParse(f"longer than {MAX_SOURCE:,} characters")
        if (nul := source.find("\0")) >= 0:
            raise DoesNotParse("holds a NUL character", line=source.count("\n", 0, nul) + 1)
        try:
            self.bytes = source.encode()
        except UnicodeEncodeError as error:
            line = source.count("\n", 0, error.start) + 1
            raise DoesNotParse("holds half of a surrogate pair", line=line) from None
        self.source = source
        #: the source, where each of its characters is a byte, as in ASCII
        self.plain = source if len(self.bytes) == len(source) else None
        self._language = parser.language
        #: the type of a node by its ``kind_id``: ``node.type`` makes a new text every time
        self.kinds = _list_kinds(self._language)
        read, self.root = self.bytes, parser.parse(self.bytes).root_node
        for _ in range(_ROUNDS if amend else 0):
            assert amend is not None
            if (amended := amend(read, self.root)) == read:
                break
            read, self.root = amended, parser.parse(amended).root_node
        if self.root.has_error:
            raise self._describe_error()

    def _describe_error(self) -> DoesNotParse:
        fault = next((n for n in walk(self.root) if n.is_error or n.is_missing), self.root)
        line = fault.start_point[0] + 1
        if fault.is_missing:
            return DoesNotParse(f"{fault.type!r} is missing", line=line)
        text = " ".join(self.text(fault).split())[:40]
        return DoesNotParse(f"cannot be parsed at {text!r}" if text else "cannot be parsed", line=line)

    @cached_property
    def _characters(self) -> array[int] | None:
        """The character offset of each byte offset. ``None`` if all are the same."""
        if self.plain is not None:
            return None
        offsets = array("l")
        for i, character in enumerate(self.source):
            offsets.extend([i] * len(character.encode()))
        offsets.append(len(self.source))
        return offsets

    @cached_property
    def newline(self) -> str:
        """How its lines end."""
        return "\r\n" if "\r\n" in self.source else "\n"

    def find_nodes(self, *kinds: str) -> list[Node]:
        """The nodes of these kinds, in the order of the source, outer before inner.

        The parser's library searches for them, at a quarter of the cost of a walk.
        """
        import tree_sitter

        nodes = tree_sitter.QueryCursor(_compile_search(self._language, kinds)).captures(self.root).get("node", [])
        return sorted(nodes, key=lambda node: (node.start_byte, -node.end_byte))

    def at(self, byte: int) -> int:
        """The character offset of a byte offset."""
        characters = self._characters
        return byte if characters is None else characters[byte]

    def byte(self, at: int) -> int:
        """The byte offset of a character offset."""
        return at if self._characters is None else len(self.source[:at].encode())

    def span(self, node: Node) -> Span:
        """The span of a node."""
        return Span(self.at(node.start_byte), self.at(node.end_byte))

    def find_node(self, span: Span) -> Node | None:
        """The innermost named node with this span, by a descent from the root."""
        start, end = map(self.byte, span)
        node = self.root.named_descendant_for_byte_range(start, end)
        return node if node is not None and self.span(node) == span else None

    def text(self, node: Node) -> str:
        """The source of a node."""
        if self.plain is not None:
            return self.plain[node.start_byte : node.end_byte]
        return self.bytes[node.start_byte : node.end_byte].decode()

    def read(self, node: Node, field: str = "name") -> str:
        """The source of what stands in a field of a node; empty if nothing does."""
        inner = node.child_by_field_name(field)
        return "" if inner is None else self.text(inner)

    def line_start(self, at: int) -> int:
        """The offset at which the line of ``at`` begins."""
        return self.source.rfind("\n", 0, at) + 1

    def rest_of_line(self, at: int) -> str:
        """What stands behind ``at`` on its line."""
        end = self.source.find("\n", at)
        return self.source[at:end] if end >= 0 else self.source[at:]

    def indent(self, at: int) -> str:
        """The blanks at the beginning of the line of ``at``."""
        start = self.line_start(at)
        end = start
        while end < len(self.source) and self.source[end] in " \t":
            end += 1
        return self.source[start:end]


@cache
def _list_kinds(language: Language) -> tuple[str, ...]:
    return tuple(sys.intern(language.node_kind_for_id(i) or "") for i in range(language.node_kind_count))


@cache
def _compile_search(language: Language, kinds: tuple[str, ...]) -> Query:
    import tree_sitter

    named = [f"({kind})" for kind in kinds if language.id_for_node_kind(kind, True) is not None]
    signs = [f'"{kind}"' for kind in kinds if language.id_for_node_kind(kind, False) is not None]
    return tree_sitter.Query(language, f"[{' '.join([*named, *signs])}] @node")


def walk(node: Node) -> Iterator[Node]:
    """``node`` and all nodes below it, in the order of the source. Deep trees do not overflow the stack."""
    stack = [node]
    while stack:
        inner = stack.pop()
        yield inner
        stack.extend(reversed(inner.children))
