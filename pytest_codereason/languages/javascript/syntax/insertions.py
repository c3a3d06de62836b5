"""Finds where a statement, class member or top-level declaration can be inserted into a JavaScript program.

The places are between the statements of a list, never after ``return`` and never in a body without braces. Inserted
text gets lines of its own. So an inserted comment hides no code, and a statement that ends with its line still does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Insertion, Place, Span
from pytest_codereason.languages.javascript.syntax.outline import JavaScriptOutline, list_statements
from pytest_codereason.languages.javascript.syntax.tree import COMMENTS, list_children, list_directives

if TYPE_CHECKING:
    from tree_sitter import Node

_LEAVES = frozenset({"return_statement", "throw_statement", "break_statement", "continue_statement"})
_REST_OF_LINE = re.compile(r"[ \t]*(?://[^\r\n\u2028\u2029]*|/\*[^*\r\n]*\*/[ \t]*)?(?=[\r\n\u2028\u2029]|\Z)")
_STEP = "    "


def list_insertions(outline: JavaScriptOutline) -> tuple[Insertion, ...]:
    """Every insertion, in the order of the source."""
    places: list[Insertion] = []
    dead: list[tuple[Span, str]] = []
    newline = outline.tree.newline
    for node, frame in outline.lists:
        place: Place = "top" if node.type == "program" else "statement"
        places.extend(_list_statements(_Spot(outline, newline, place, frame.function), node, dead))
    for visit in outline.visits:
        if visit.kind == "class_body":
            places.extend(_list_members(_Spot(outline, newline, "member", visit.frame.function), visit.node))
    return tuple(sorted(places, key=lambda i: i.at))


def ends(statement: Node) -> bool:
    """Whether execution never reaches the code after a statement."""
    if statement.type in _LEAVES:
        return True
    if statement.type == "statement_block":
        return any(ends(n) for n in list_statements(statement))
    if statement.type == "if_statement":
        alternative = statement.child_by_field_name("alternative")
        consequence = statement.child_by_field_name("consequence")
        branches = [consequence, *(list_children(alternative)[:1] if alternative else [None])]
        return all(branch is not None and ends(branch) for branch in branches)
    return False


@dataclass(frozen=True, slots=True)
class _Spot:
    """The settings that the insertions of one list share."""

    outline: JavaScriptOutline
    newline: str
    place: Place
    function: str

    def insertion(self, at: int, indent: str, before: str, after: str, *, reachable: bool = True) -> Insertion:
        return Insertion(
            at=at,
            place=self.place,
            function=self.function,
            indent=indent,
            before=before,
            after=after,
            reachable=reachable,
        )

    def before(self, node: Node, *, reachable: bool = True) -> Insertion:
        """The place above a statement or member, after a new line if it shares its line."""
        tree = self.outline.tree
        at = tree.at(node.start_byte)
        indent = tree.indent(at)
        if not tree.source[tree.line_start(at) : at].strip():
            return self.insertion(at, indent, "", self.newline + indent, reachable=reachable)
        indent += _STEP
        return self.insertion(at, indent, self.newline + indent, self.newline + indent, reachable=reachable)

    def after(self, node: Node, end: int, *, reachable: bool = True) -> Insertion:
        """The place below a statement or member that ends at byte ``end``, and below the comment on its line."""
        tree = self.outline.tree
        at, start = tree.at(end), tree.at(node.start_byte)
        indent = tree.indent(start)
        if tree.source[tree.line_start(start) : start].strip():
            indent += _STEP
        rest = _REST_OF_LINE.match(tree.source, at)
        at, after = (rest.end(), "") if rest else (at, self.newline + tree.indent(at))
        return self.insertion(at, indent, self.newline + indent, after, reachable=reachable)

    def within(self, node: Node, *, reachable: bool = True) -> Insertion:
        """The place between braces with only comments in them, or in such a program."""
        tree = self.outline.tree
        if node.type == "program":
            at = len(tree.source)
            before = "" if tree.source[-1:] in ("", "\n") else self.newline
            return self.insertion(at, "", before, self.newline, reachable=reachable)
        at = tree.at(node.start_byte) + 1
        outer = tree.indent(at)
        indent = outer + _STEP
        return self.insertion(at, indent, self.newline + indent, self.newline + outer, reachable=reachable)


def _list_statements(spot: _Spot, node: Node, dead: list[tuple[Span, str]]) -> Iterator[Insertion]:
    tree = spot.outline.tree
    span = tree.span(node)
    # A function declared behind a return is hoisted, and so reached; its name tells it apart.
    alive = not any(s.start <= span.start and span.end <= s.end and name == spot.function for s, name in dead)
    statements = list_statements(node)
    first = len(list_directives(node))
    first = max([first, *(i + 1 for i, n in enumerate(statements) if n.type == "import_statement")])
    for statement in statements[first:]:
        yield spot.before(statement, reachable=alive)
        if not alive:
            dead.append((tree.span(statement), spot.function))
        alive = alive and not ends(statement)
    if statements:
        yield spot.after(statements[-1], statements[-1].end_byte, reachable=alive)
    elif node.type in ("program", "statement_block"):
        yield spot.within(node, reachable=alive)


def _list_members(spot: _Spot, body: Node) -> Iterator[Insertion]:
    """The places around the members of a class, except after a field without a semicolon."""
    children = [n for n in body.children if n.type not in COMMENTS]
    members = [n for n in children if n.is_named]
    if not members:
        yield spot.within(body)
        return
    for previous, child in pairwise(children):
        if previous.type == "field_definition" or (child.type != "}" and not child.is_named):
            continue
        if child.type != "}":
            yield spot.before(child)
        else:
            yield spot.after(members[-1], previous.end_byte)
