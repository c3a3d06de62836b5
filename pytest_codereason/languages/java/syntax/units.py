"""Finds the definitions of a Java program that can change places with their neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Span, Unit
from pytest_codereason.languages.frame.insertions import include_comments
from pytest_codereason.languages.frame.outline import Outline
from pytest_codereason.languages.java.syntax.grammar import CLASSES, METHODS, STRUCTURE

if TYPE_CHECKING:
    from tree_sitter import Node


def list_units(outline: Outline) -> list[Unit]:
    """Methods, constructors and classes within a class. Fields stay, because their order matters.

    The compiler numbers the anonymous and local classes of a class in order: ``Main$1``, ``Main$2``. So members with
    such classes stay too, where there are several.
    """
    movable = []
    seen: set[str] = set()
    tree = outline.tree
    for body, _, frame, kind in outline.visits:
        if kind not in STRUCTURE.resetting:
            continue
        path = frame.path
        parent = f"{path}@{tree.at(body.start_byte)}" if path in seen else path
        seen.add(path)
        numbered = [member.id for member in body.named_children if _holds_numbered_class(member)]
        for member in body.named_children:
            name = member.child_by_field_name("name")
            if member.type in METHODS | CLASSES and name is not None and not (numbered[1:] and member.id in numbered):
                first = include_comments(tree, STRUCTURE, member)
                span = Span(tree.at(first.start_byte), tree.at(member.end_byte))
                qualified = f"{path}.{tree.text(name)}"
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
