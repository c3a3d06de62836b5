"""Finds the definitions of a PHP program that can change places with their neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Span, Unit
from pytest_codereason.languages.frame.insertions import include_comments
from pytest_codereason.languages.frame.outline import Outline
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.php.syntax.grammar import CLASSES, STRUCTURE
from pytest_codereason.languages.php.syntax.tree import list_children

if TYPE_CHECKING:
    from tree_sitter import Node

_DEFINITIONS = CLASSES | {"function_definition"}
#: Statements that may stand above the first definition without being run.
_HEADERS = frozenset({"declare_statement", "namespace_definition", "namespace_use_declaration", "const_declaration"})


def list_units(outline: Outline) -> tuple[Unit, ...]:
    """The functions and classes at the top that PHP knows from the start, and the methods of classes.

    PHP may declare a class with a parent, interfaces or traits only when execution reaches it. So such a class is left
    out if other statements stand before the last definition.
    """
    tree, root = outline.tree, outline.tree.root
    movable = (
        []
        if any(n.type == "namespace_definition" for n in STRUCTURE.list_statements(root)[1:])
        else list(_list_definitions(tree, root))
    )
    seen: set[str] = set()
    for visit in outline.visits:
        if visit.kind in CLASSES and (body := visit.node.child_by_field_name("body")) is not None:
            parent = tree.read(visit.node)
            qualified = f"{visit.frame.function}.{parent}" if visit.frame.function else parent
            around = f"{qualified}@{tree.at(body.start_byte)}" if qualified in seen else qualified
            seen.add(qualified)
            for node in list_children(body):
                if node.type == "method_declaration":
                    movable.append(_make_unit(tree, node, around, frozenset()))
    return tuple(sorted(movable, key=lambda unit: unit.span))


def _list_definitions(tree: Tree, root: Node) -> Iterator[Unit]:
    statements = STRUCTURE.list_statements(root)
    nodes = [n for n in statements if n.type in _DEFINITIONS]
    names = {tree.read(n) for n in nodes}
    last = statements.index(nodes[-1]) if nodes else 0
    first = all(n.type in _DEFINITIONS | _HEADERS for n in statements[:last])
    for node in nodes:
        bases = {tree.text(n) for n in _list_bases(node)}
        if first or not bases:
            yield _make_unit(tree, node, "", frozenset(bases & names))


def _list_bases(node: Node) -> Iterator[Node]:
    body = node.child_by_field_name("body")
    holders = [*node.children, *(body.children if body is not None and node.type in CLASSES else ())]
    for holder in holders:
        if holder.type in ("base_clause", "class_interface_clause", "use_declaration"):
            yield from (n for n in list_children(holder) if n.type in ("name", "qualified_name"))


def _make_unit(tree: Tree, node: Node, parent: str, needs: frozenset[str]) -> Unit:
    first = include_comments(tree, STRUCTURE, node)
    span = Span(tree.at(first.start_byte), tree.at(node.end_byte))
    return Unit(name=tree.read(node), span=span, parent=parent, needs=needs)
