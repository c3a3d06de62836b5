"""Finds where a statement, a member of a class or a definition can be put into a program.

The places are between the statements of a sequence, and never in a body without braces. Inserted text gets lines of its
own. So an inserted comment hides no code, and a statement that ends with its line still does.
"""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.core.language.structure import Insertion, Place, Span
from pytest_codereason.languages.frame.outline import STEP, Outline, Sequence, Visit
from pytest_codereason.languages.frame.tables import CodePlaces, Structure
from pytest_codereason.languages.frame.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node


def list_insertions(outline: Outline, places: CodePlaces) -> tuple[Insertion, ...]:
    """Every insertion, in the order of the source."""
    reader = _Reader(outline, places)
    found: list[Insertion] = []
    for sequence in outline.sequences:
        if outline.hooks.takes_statements(sequence.node):
            reader.ends.append([])
            around = "" if sequence.parent is None else sequence.parent.type
            for place in places.top if sequence.parent is None else (places.held.get(around, "statement"),):
                found += reader.list_among_statements(sequence, place)
    found += chain(*reversed(reader.ends))  # of those in one place the innermost comes first
    for visit in outline.visits:
        if visit.kind in places.members:
            found += reader.list_among_members(visit)
    return tuple(sorted(found, key=lambda insertion: insertion.at))


class _Spot(NamedTuple):
    """What the insertions of one list share."""

    place: Place
    function: str
    indent: str | None = None  #: of their lines, where that has a meaning


class _Reader:
    """Reads the sequences and the bodies of classes of one program."""

    def __init__(self, outline: Outline, places: CodePlaces) -> None:
        self._tree, self._structure, self._hooks = outline.tree, outline.structure, outline.hooks
        self._places = places
        #: statements that are not reached, with their function: one declared in them is hoisted, and so reached
        self._dead: list[tuple[Span, str]] = []
        self.ends: list[list[Insertion]] = []  #: the places behind the last statement of each sequence

    def list_among_statements(self, sequence: Sequence, place: Place) -> list[Insertion]:
        """The places before each statement of a sequence and after the last."""
        node, statements, places = sequence.node, sequence.statements, self._places
        indent = self._read_indent(statements[0]) if statements and places.indented else None
        spot = _Spot(place, sequence.frame.function, indent)
        span, found = self._tree.span(node), []
        alive = not any(
            dead.start <= span.start and span.end <= dead.end and (function == spot.function or not places.hoisted)
            for dead, function in self._dead
        )
        first = self._hooks.count_fixed(node, statements)
        if sequence.parent is None:
            first = max([first, *(i + 1 for i, n in enumerate(statements) if n.type in places.first)])
        for i, statement in enumerate(statements):
            alive = alive or statement.type in places.reviving
            if i >= first and self._hooks.takes_before(statement):
                found.append(self._put_before(spot, statement, reachable=alive))
            if not alive:
                self._dead.append((self._tree.span(statement), spot.function))
            if not places.strict or statement == statements[-1]:  # else the compiler says that it is reached
                alive = alive and not self.leaves(statement)
        if (places.strict and not alive) or not self._hooks.takes_after(node, statements):
            return found
        if statements:
            last = statements[-1]
            self.ends[-1].append(self._put_after(spot, last, _find_end(last).end_byte, reachable=alive))
        elif sequence.parent is None or node.type in self._structure.braced:
            found.append(self._put_within(spot, node, reachable=alive))
        return found

    def list_among_members(self, visit: Visit) -> list[Insertion]:
        """The places around the members of a class."""
        body = visit.node
        function = "" if visit.kind in self._structure.resetting else visit.frame.function
        spot = _Spot(self._places.members[visit.kind], function)
        children = [child for child in body.children if child.type not in self._structure.comments]
        members = [child for child in children if child.is_named]
        found = [
            self._put_before(
                spot, include_comments(self._tree, self._structure, member) if self._places.above else member
            )
            for member in members
            if self._hooks.takes_before(member)
        ]
        if not self._hooks.takes_after(body, members):
            return found
        if not members:
            return [self._put_within(spot, body)]
        last = next((before for before, brace in pairwise(children) if brace.type == "}"), members[-1])
        return [*found, self._put_after(spot, members[-1], last.end_byte)]

    def leaves(self, statement: Node) -> bool:
        """Whether execution never reaches the code after a statement."""
        structure = self._structure
        if (known := self._hooks.leaves(statement)) is not None:
            return known
        if statement.type in self._places.leaving:
            return True
        if statement.type in structure.braced:
            return any(map(self.leaves, structure.list_statements(statement)))
        if statement.type == "if_statement":
            branches = [statement.child_by_field_name(name) for name in ("consequence", "alternative")]
            return all(branch is not None and self.leaves(branch) for branch in branches)
        if statement.type == "else_clause":
            return any(map(self.leaves, structure.list_children(statement)[:1]))
        return False

    def _read_indent(self, first: Node) -> str:
        """What stands before the first statement of a sequence on its line, behind the end of a page."""
        at = self._tree.at(first.start_byte)
        return self._tree.source[self._tree.line_start(at) : at].rpartition("\f")[2]

    def _put_before(self, spot: _Spot, node: Node, *, reachable: bool = True) -> Insertion:
        """The place above a statement or member, after a new line if it shares its line."""
        tree = self._tree
        at = tree.at(node.start_byte)
        newline = tree.newline
        indent = tree.indent(at) if spot.indent is None else spot.indent
        if spot.indent is not None or not tree.source[tree.line_start(at) : at].strip():
            return Insertion(at, spot.place, spot.function, indent, "", newline + indent, reachable)
        indent += STEP
        return Insertion(at, spot.place, spot.function, indent, newline + indent, newline + indent, reachable)

    def _put_after(self, spot: _Spot, node: Node, end: int, *, reachable: bool = True) -> Insertion:
        """The place below a statement or member that ends at byte ``end``, and below the comment on its line."""
        tree, newline = self._tree, self._tree.newline
        at, start = tree.at(end), tree.at(node.start_byte)
        indent = tree.indent(start) if spot.indent is None else spot.indent
        if spot.indent is None and tree.source[tree.line_start(start) : start].strip():
            indent += STEP
        rest = self._places.trailing.match(tree.source, at)
        at, after = (rest.end(), "") if rest else (at, newline + tree.indent(at))
        return Insertion(at, spot.place, spot.function, indent, newline + indent, after, reachable)

    def _put_within(self, spot: _Spot, node: Node, *, reachable: bool = True) -> Insertion:
        """The place between braces with only comments in them, or in such a program."""
        tree, newline = self._tree, self._tree.newline
        if node.parent is None:
            at = len(tree.source)
            before = "" if tree.source[-1:] in ("", "\n") else newline
            return Insertion(at, spot.place, spot.function, "", before, newline, reachable)
        at = tree.at(node.start_byte) + 1
        outer = tree.indent(at)
        indent = outer + STEP
        after = newline + outer if tree.rest_of_line(at).strip() else ""
        return Insertion(at, spot.place, spot.function, indent, newline + indent, after, reachable)


def _find_end(statement: Node) -> Node:
    """Its last node: the semicolon behind it, where a grammar ends the statement before this."""
    behind = statement.next_sibling
    return behind if behind is not None and behind.type == ";" else statement


def include_comments(tree: Tree, structure: Structure, node: Node) -> Node:
    """The first of the comments right above a definition, each on lines of its own; else the definition."""
    first = node
    while (above := first.prev_sibling) is not None and above.type in structure.comments:
        start = tree.at(above.start_byte)
        gap = tree.bytes[above.end_byte : first.start_byte].count(b"\n")
        if tree.source[tree.line_start(start) : start].strip() or gap > 1:
            break
        first = above
    return first
