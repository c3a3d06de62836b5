"""Gives a PHP program a uniform layout without comments. The tokens stay the same.

One statement a line, four spaces a level, one space between tokens unless the common style of PHP has none, an empty
line around functions and classes. Strings, heredocs and the text outside PHP stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from pytest_codereason.languages.frame.layout import LaidOut
from pytest_codereason.languages.php.syntax.grammar import CLASSES, STRUCTURE
from pytest_codereason.languages.php.syntax.spacing import Token, is_tight
from pytest_codereason.languages.php.syntax.tree import STRINGS, PHPTree

if TYPE_CHECKING:
    from tree_sitter import Node

#: Nodes taken as they are.
_WHOLE = STRINGS | {
    *("variable_name", "qualified_name", "relative_name", "namespace_name"),
    *("text_interpolation", "php_tag"),
}
#: Nodes whose braces, or colon and last word, end lines.
_BRACED = frozenset(
    {
        *("compound_statement", "declaration_list", "enum_declaration_list"),
        *("switch_block", "match_block", "use_list"),
    }
)
_COLONED = frozenset({"colon_block", "case_statement", "default_statement"})
_SPACED = CLASSES | {"function_definition", "method_declaration"}
#: Statements and clauses whose body may be a lone statement.
_HEADS = frozenset(
    {
        *("if_statement", "else_clause", "else_if_clause", "while_statement"),
        *("do_statement", "for_statement", "foreach_statement", "declare_statement"),
    }
)


class _Visit(NamedTuple):
    event: Literal["enter", "leave"]
    node: Node
    parent: Node | None
    before: Node | None  #: the named sibling before it


@dataclass(slots=True)
class _Page:
    """The text so far."""

    parts: list[str] = field(default_factory=list)
    indent: int = 0
    ended: bool = False  #: whether the next token begins a line
    spaced: bool = False  #: with an empty line before it
    last: Token | None = None

    def end(self, step: int = 0) -> None:
        """Ends the line. The next line is ``step`` levels deeper."""
        self.ended = True
        self.indent += step

    def put(self, token: Token) -> None:
        """Writes a token."""
        leaves = token.kind == "text_interpolation"
        if self.last is not None:
            if self.ended and not leaves:
                self.parts.append(("\n\n" if self.spaced else "\n") + "    " * self.indent)
            elif leaves or not is_tight(self.last, token):
                self.parts.append(" ")
        self.parts.append(token.text)
        self.last, self.spaced = token, False
        self.ended = token.kind in ("text_interpolation", "php_tag") and token.text[-1] != "="


def normalise(source: str) -> LaidOut:
    """``source`` in the uniform layout, with its map.

    Raises:
        DoesNotParse: the text is not PHP.
    """
    # Parses anew for the map: a layout is kept for long, and would keep its tree as long.
    return LaidOut(source, _print(PHPTree(source)), lambda: _find_tokens(PHPTree(source)))


def _find_tokens(tree: PHPTree) -> Iterator[tuple[int, int]]:
    """The spans of the tokens. Text outside PHP belongs to the tags."""
    for visit in _walk_visits(tree.root):
        node, parent = visit.node, visit.parent
        if visit.event == "enter" and (node.type in _WHOLE or not node.child_count):
            start, end = _measure_extent(tree, node, parent)
            if start < end:
                yield tree.at(start), tree.at(end)


def _print(tree: PHPTree) -> str:
    page = _Page()
    for visit in _walk_visits(tree.root):
        node, parent = visit.node, visit.parent
        if visit.event == "leave":
            _leave(page, node, parent)
            continue
        _enter(page, visit)
        if node.type in _WHOLE or not node.child_count:
            _visit_leaf(page, tree, node, parent)
    if page.last is None:
        return tree.source if not tree.opening else ""
    end = "" if page.last.kind == "text_interpolation" else "\n"
    return "".join(page.parts) + end


def _walk_visits(root: Node) -> Iterator[_Visit]:
    """Every node, on the way down and up, except comments, nodes in strings and text outside PHP."""
    stack = [_Visit("enter", root, None, None)]
    while stack:
        visit = stack.pop()
        yield visit
        node = visit.node
        if visit.event == "leave" or node.type in _WHOLE or not node.child_count:
            continue
        stack.append(_Visit("leave", node, visit.parent, None))
        below: list[_Visit] = []
        before = None
        for child in node.children:
            if child.type not in ("comment", "text"):
                below.append(_Visit("enter", child, node, before))
                before = child if child.is_named else before
        stack.extend(reversed(below))


def _enter(page: _Page, visit: _Visit) -> None:
    node, parent, before = visit.node, visit.parent, visit.before
    if parent is None or not node.is_named:
        return
    if (parent.type in STRUCTURE.sequences and node.type in STRUCTURE.statements) or (
        parent.type in _BRACED - STRUCTURE.sequences
    ):
        page.end()
        if before is not None and before.type != "php_tag":
            page.spaced = node.type in _SPACED or before.type in _SPACED
    elif _is_lone(node, parent):
        page.end(1)


def _leave(page: _Page, node: Node, parent: Node | None) -> None:
    if node.type in _COLONED or (parent is not None and _is_lone(node, parent)):
        page.end(-1)


def _is_lone(node: Node, parent: Node) -> bool:
    """Whether a statement is the body of another without braces."""
    if parent.type not in _HEADS or node.type not in STRUCTURE.statements or node.type == "compound_statement":
        return False
    return parent.type != "else_clause" or node.type != "if_statement"


def _measure_extent(tree: PHPTree, node: Node, parent: Node | None) -> tuple[int, int]:
    """Start and end of a leaf, in bytes. The added opening tag has no length."""
    start, end = node.start_byte, node.end_byte
    if node.type == "php_tag" and parent is not None and parent.type == "program":
        start = 0  # with the text before it
        if tree.opening:
            end = 0
    elif node.type == "text_interpolation" and start < end and node.children[-1].type != "php_tag":
        end = len(tree.bytes)
    return start, end


def _visit_leaf(page: _Page, tree: PHPTree, node: Node, parent: Node | None) -> None:
    start, end = _measure_extent(tree, node, parent)
    kind, holder = node.type, parent.type if parent is not None else ""
    if start == end:
        return
    if holder in _BRACED and kind in ("}", "endswitch"):
        page.end(-1)
    text = tree.bytes[start:end].decode()
    page.put(Token(text, kind, holder, parent is not None and parent.start_byte == start))
    if (holder in _BRACED and kind in ("{", ":")) or (holder in _COLONED and kind in (":", ";")):
        page.end(1)
