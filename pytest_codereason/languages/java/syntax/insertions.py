"""Finds where code can be inserted into a Java program, and which definitions can be moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Insertion, Place, Span, Unit, new
from pytest_codereason.languages.java.syntax.flow import completes
from pytest_codereason.languages.java.syntax.outline import CLASSES, COMMENTS, METHODS, find_indent, list_steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from pytest_codereason.languages.frame.tree import Tree
    from pytest_codereason.languages.java.syntax.outline import JavaOutline


def list_insertions(outline: JavaOutline, varying: frozenset[str]) -> list[Insertion]:
    """The places for a statement, member or class, without places that the compiler calls unreachable."""
    tree = outline.tree
    places = [
        place for node, function in outline.sequences for place in _list_statements(tree, node, function, varying)
    ]
    for node, _ in outline.bodies:
        if _takes_members(node):
            places += _list_around(tree, list_steps(node), node, "member")
    places += _list_around(tree, [n for n in tree.root.named_children if n.type in CLASSES], None, "top")
    return sorted(places, key=lambda place: place.at)


def _takes_members(node: Node) -> bool:
    """Whether a body takes any method or field. Interfaces, records and anonymous classes do not."""
    owner = node.parent
    return node.type == "enum_body_declarations" or (owner is not None and owner.type == "class_declaration")


def _list_statements(tree: Tree, node: Node, function: str, varying: frozenset[str]) -> Iterator[Insertion]:
    sequence = list_steps(node)
    blanks = find_indent(tree, node)
    for step in sequence:
        if step.type != "explicit_constructor_invocation":
            yield _make_before(tree, tree.at(step.start_byte), "statement", function)
    if node.type != "switch_block_statement_group" and completes(sequence, tree, varying):
        yield _make_at_end(tree, node, "statement", function, blanks)


def _make_before(tree: Tree, at: int, place: Place, function: str = "") -> Insertion:
    blanks = tree.indent(at)
    return new(Insertion, (at, place, function, blanks, "", tree.newline + blanks, True))


def _make_at_end(tree: Tree, node: Node, place: Place, function: str, blanks: str) -> Insertion:
    """The place before the closing brace of a body."""
    brace = tree.at(node.end_byte) - 1
    start, newline = tree.line_start(brace), tree.newline
    if tree.source[start:brace].strip():
        outer = tree.indent(brace)
        return Insertion(
            at=brace, place=place, function=function, indent=blanks, before=newline + blanks, after=newline + outer
        )
    return Insertion(at=start, place=place, function=function, indent=blanks, before=blanks, after=newline)


def _list_around(tree: Tree, nodes: list[Node], body: Node | None, place: Place) -> Iterator[Insertion]:
    for node in nodes:
        yield _make_before(tree, include_comments(tree, node).start, place)
    if body is None:
        newline = tree.newline
        end = len(tree.source)
        started = not tree.source or tree.source.endswith("\n")
        yield Insertion(at=end, place=place, function="", indent="", before="" if started else newline, after=newline)
    elif body.type == "class_body":
        yield _make_at_end(tree, body, place, "", find_indent(tree, body))


def include_comments(tree: Tree, node: Node) -> Span:
    """The span of a definition with the comments right above it."""
    first = node
    while (above := first.prev_sibling) is not None and above.type in COMMENTS:
        gap = tree.bytes[above.end_byte : first.start_byte]
        start = tree.at(above.start_byte)
        alone = not tree.source[tree.line_start(start) : start].strip()
        if not alone or gap.count(b"\n") > 1:
            break
        first = above
    return Span(tree.at(first.start_byte), tree.at(node.end_byte))


def list_units(outline: JavaOutline) -> list[Unit]:
    """Methods, constructors and classes within a class. Fields stay, because their order matters.

    The compiler numbers the anonymous and local classes of a class in order: ``Main$1``, ``Main$2``. So members with
    such classes stay too, where there are several.
    """
    movable = []
    seen: set[str] = set()
    for body, path in outline.bodies:
        parent = f"{path}@{outline.tree.at(body.start_byte)}" if path in seen else path
        seen.add(path)
        numbered = [member.id for member in body.named_children if _holds_numbered_class(member)]
        for member in body.named_children:
            name = member.child_by_field_name("name")
            if member.type in METHODS | CLASSES and name is not None and not (numbered[1:] and member.id in numbered):
                span = include_comments(outline.tree, member)
                qualified = f"{path}.{outline.tree.text(name)}"
                movable.append(Unit(name=qualified, span=span, parent=parent, needs=frozenset()))
    return sorted(movable, key=lambda unit: unit.span)


def _holds_numbered_class(member: Node) -> bool:
    """Whether a member of a class has an anonymous or a local class in its own code."""
    if member.type in CLASSES:
        return False  # its classes are numbered on their own
    waiting = [member]
    while waiting:
        node = waiting.pop()
        if node is not member and node.type in CLASSES | {"class_body"}:
            return True
        waiting += node.named_children
    return False
