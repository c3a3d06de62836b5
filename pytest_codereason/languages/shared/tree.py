"""A source parsed by tree-sitter, with offsets in characters."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from pytest_codereason.core.lazy import lazy
from pytest_codereason.core.structure import MAX_SOURCE, Span, new
from pytest_codereason.errors import DoesNotParse

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Parser


class Tree:
    """The syntax tree of one source text.

    Raises:
        DoesNotParse: the text is too long, has a NUL or half a surrogate pair, or is not a program.
    """

    def __init__(self, parser: Parser, source: str) -> None:
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
        #: what was parsed, where its characters are bytes
        self._plain = source if len(self.bytes) == len(source) else None
        #: the type of a node by its ``kind_id``: ``node.type`` makes a new text every time
        self.kinds = _list_kinds(parser.language)
        self.root = parser.parse(self.bytes).root_node
        if self.root.has_error:
            raise self._describe_error()

    def _describe_error(self) -> DoesNotParse:
        fault = next((n for n in walk(self.root) if n.is_error or n.is_missing), self.root)
        line = fault.start_point[0] + 1
        if fault.is_missing:
            return DoesNotParse(f"{fault.type!r} is missing", line=line)
        text = " ".join(self.text(fault).split())[:40]
        return DoesNotParse(f"cannot be parsed at {text!r}" if text else "cannot be parsed", line=line)

    @lazy
    def _characters(self) -> array[int] | None:
        """The character offset of each byte offset. ``None`` if all are the same."""
        if self._plain is not None:
            return None
        offsets = array("l")
        for i, character in enumerate(self.source):
            offsets.extend([i] * len(character.encode()))
        offsets.append(len(self.source))
        return offsets

    def at(self, byte: int) -> int:
        """The character offset of a byte offset."""
        characters = self._characters
        return byte if characters is None else characters[byte]

    def spans(self, nodes: Iterable[Node]) -> list[Span]:
        """The spans of nodes."""
        characters = self._characters
        if characters is None:
            return [new(Span, (node.start_byte, node.end_byte)) for node in nodes]
        return [Span(characters[node.start_byte], characters[node.end_byte]) for node in nodes]

    def span(self, node: Node) -> Span:
        """The span of a node."""
        at = self.at
        return Span(at(node.start_byte), at(node.end_byte))

    def text(self, node: Node) -> str:
        """The source of a node."""
        if self._plain is not None:
            return self._plain[node.start_byte : node.end_byte]
        return self.bytes[node.start_byte : node.end_byte].decode()

    def line_start(self, at: int) -> int:
        """The offset at which the line of ``at`` begins."""
        return self.source.rfind("\n", 0, at) + 1

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


def walk(node: Node) -> Iterator[Node]:
    """``node`` and all nodes below it, in the order of the source. Deep trees do not overflow the stack."""
    stack = [node]
    while stack:
        inner = stack.pop()
        yield inner
        stack.extend(reversed(inner.children))
