"""Prints a program in a uniform layout, token by token: where lines begin, how deep they are, where no blank stands.

A language says in a table which nodes are leaves and which have lines within, and in a few methods where lines begin
and between which tokens no blank stands. The tokens stay the same and in their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from pytest_codereason.languages.frame.layout import LaidOut
from pytest_codereason.languages.frame.tables import Kinds
from pytest_codereason.languages.frame.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

_STEP = "    "
#: What opens and closes a node with lines within.
_OPENING, _CLOSING = frozenset({"{", ":"}), frozenset({"}", "endswitch"})


class Token(NamedTuple):
    """A text that is printed as it is."""

    text: str
    kind: str  #: the type of its node
    parent: str  #: the type of the node around it
    around: str  #: the type of the node around that
    first: bool  #: whether it is the first in its parent
    last: bool  #: whether it is the last there


class LeafPiece(NamedTuple):
    """A stretch of a node that is printed as it is, by offsets in bytes."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutTable:
    """What the nodes of a language are called where it is laid out."""

    whole: Kinds  #: nodes that are printed as they are
    dropped: Kinds  #: nodes that are not printed
    indenting: Kinds  #: nodes whose braces stand around lines
    labelled: Kinds = frozenset()  #: nodes in which what follows the colon is one level deeper: ``case 1:``
    labels: frozenset[str] = frozenset({":"})  #: the signs of such a colon
    emptied: bool = True  #: whether braces with nothing between them stand on one line


class CodeLayout:
    """Lays out one program. A language overrides the rules below."""

    table: ClassVar[LayoutTable]

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    @classmethod
    def parse(cls, source: str) -> Tree:
        """The tree of a program."""
        raise NotImplementedError

    def begins_line(self, node: Node, parent: Node) -> bool:
        """Whether a line begins at a node."""
        raise NotImplementedError

    def hangs(self, node: Node, parent: Node) -> bool:
        """Whether a node stands on lines of its own, one level deeper."""
        return False

    def stands_apart(self, node: Node, parent: Node, last: Token) -> bool:
        """Whether an empty line stands before a node that begins a line. ``last`` is the token before it."""
        return False

    def is_tight(self, left: Token, right: Token) -> bool:
        """Whether no blank stands between two tokens of a line."""
        raise NotImplementedError

    def cut(self, node: Node) -> Sequence[Node | LeafPiece] | None:
        """The parts of a node whose children are not all that is printed; ``None`` for any other."""
        return None

    def measure(self, node: Node, parent: Node) -> LeafPiece:
        """The text of a leaf."""
        return LeafPiece(node.start_byte, node.end_byte)

    def name_parent(self, node: Node) -> str:
        """What a node is called as the parent of a token."""
        return node.type

    def write(self, kind: str, text: str) -> str:
        """The text of a token of this type."""
        return text

    def drops(self, node: Node, parent: Node) -> bool:
        """Whether a token is not printed."""
        return False

    def lacks_end(self, node: Node, parent: Node | None) -> bool:
        """Whether a semicolon belongs behind a node that has none."""
        return False

    def ends_line(self, token: Token) -> bool:
        """Whether a line begins behind a token, wherever it stands."""
        return False

    def keeps_line(self, token: Token) -> bool:
        """Whether no line begins before a token, wherever it stands."""
        return False

    def end(self, text: str, last: Token | None) -> str:
        """The text with its end."""
        return text if last is None else f"{text}\n"

    @classmethod
    def normalise(cls, source: str) -> LaidOut:
        """The program in the uniform layout, with its map.

        Raises:
            DoesNotParse: the text is no program of the language.
        """
        layout = cls(cls.parse(source))
        text = layout.end(*_Printer(layout).print())
        # Parses anew for the map: a layout is kept for long, and would keep its tree as long.
        return LaidOut(source, text, lambda: cls(cls.parse(source)).list_spans())

    def list_parts(self, node: Node) -> Sequence[Node | LeafPiece] | None:
        """What a node consists of; ``None`` for a leaf."""
        if node.child_count and node.type not in self.table.whole:
            return self.cut(node) or node.children
        return None

    def list_spans(self) -> Iterator[tuple[int, int]]:
        """Start and end of each token, dropped ones too but for comments."""
        stack: list[tuple[Node | LeafPiece, Node | None]] = [(self.tree.root, None)]
        while stack:
            part, parent = stack.pop()
            if isinstance(part, LeafPiece):
                if part.start < part.end:
                    yield self.tree.at(part.start), self.tree.at(part.end)
            elif part.type in self.table.dropped:
                continue
            elif (parts := self.list_parts(part)) is not None:
                stack += [(inner, part) for inner in reversed(parts)]
            elif parent is not None:
                stack.append((self.measure(part, parent), part))


class _Leave(NamedTuple):
    """The end of a node."""

    level: int  #: of the lines behind it
    hung: bool


class _Printer:
    """Prints one program."""

    def __init__(self, layout: CodeLayout) -> None:
        self._layout, self._table, self._tree = layout, layout.table, layout.tree
        self._out: list[str] = []
        self._last: Token | None = None
        self._around: list[Node] = []  #: the nodes around, the innermost last
        self._level = 0
        self._labelled: list[int] = []  #: the levels of the labels around
        self._begins = False  #: whether the next token begins a line
        self._apart = False  #: with an empty line before it

    def print(self) -> tuple[str, Token | None]:
        """The text without the end of its last line, and the last token."""
        stack: list[Node | LeafPiece | _Leave] = [self._tree.root]
        kinds, dropped = self._tree.kinds, self._table.dropped
        while stack:
            part = stack.pop()
            if isinstance(part, _Leave):
                self._leave(part)
            elif isinstance(part, LeafPiece):
                self._put(part, self._around[-1], *self._around[-2:-4:-1])
            elif kinds[part.kind_id] not in dropped:
                self._enter(part, stack)
        return "".join(self._out), self._last

    def _enter(self, node: Node, stack: list[Node | LeafPiece | _Leave]) -> None:
        """Prints a leaf; of any other node, puts what is within onto the stack."""
        layout, around = self._layout, self._around
        hung, level = False, self._level
        if around:
            parent = around[-1]
            hung = layout.hangs(node, parent)
            if hung or layout.begins_line(node, parent):
                self._begins = True
                self._level += hung
                self._apart |= not hung and self._last is not None and layout.stands_apart(node, parent, self._last)
        parts = layout.list_parts(node)
        if parts is None and around:
            self._put(layout.measure(node, around[-1]), node, *around[:-3:-1])
            if hung:  # else the level stays, which a brace sets
                self._leave_level(level, hung)
            return
        around.append(node)
        if node.type in self._table.labelled:
            self._labelled.append(self._level)
        stack.append(_Leave(level, hung))
        stack += reversed(parts or [])

    def _leave(self, step: _Leave) -> None:
        node = self._around.pop()
        if self._layout.lacks_end(node, self._around[-1] if self._around else None):
            self._emit(Token(";", ";", node.type, "", first=False, last=True))
        if node.type in self._table.labelled:
            self._labelled.pop()
            self._begins = True
        self._leave_level(*step)

    def _leave_level(self, level: int, hung: bool) -> None:
        self._begins = self._begins or hung
        self._level = level

    def _put(self, piece: LeafPiece, node: Node, parent: Node, around: Node | None = None) -> None:
        """Prints a piece of a node, and counts levels."""
        layout, kind, table = self._layout, self._tree.kinds[node.kind_id], self._table
        if piece.start == piece.end or layout.drops(node, parent):
            return
        text = layout.write(kind, self._tree.bytes[piece.start : piece.end].decode())
        first, last = parent.start_byte == piece.start, parent.end_byte == piece.end
        holder = self._tree.kinds[parent.kind_id]
        beyond = "" if around is None else self._tree.kinds[around.kind_id]
        token = Token(text, kind, layout.name_parent(parent), beyond, first, last)
        braced = holder in table.indenting
        if braced and kind in _CLOSING:
            self._level -= 1
            self._begins = not table.emptied or self._last is None or self._last.kind != "{"
        self._emit(token)
        if braced and kind in _OPENING:
            self._level += 1
        elif kind in table.labels and holder in table.labelled:
            self._level = self._labelled[-1] + 1

    def _emit(self, token: Token) -> None:
        """Prints a token with the blanks before it."""
        if self._last is not None:
            kept = self._layout.keeps_line(token)
            if self._begins and not kept:
                self._out.append(("\n\n" if self._apart else "\n") + _STEP * self._level)
            elif kept or not self._layout.is_tight(self._last, token):
                self._out.append(" ")
        self._out.append(token.text)
        self._begins, self._apart = self._layout.ends_line(token), False
        self._last = token
