"""Finds the definitions of a JavaScript program that can change places with their neighbours.

Function declarations are hoisted, so their order has no meaning. The order of methods in a class matters only for their
enumeration. A class exists only after its declaration. So a class is movable only if nothing but classes and functions
stands before the last class, and if its definition runs no code except for the name of its base.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Span, Unit
from pytest_codereason.languages.frame.insertions import include_comments
from pytest_codereason.languages.frame.outline import Outline, Visit
from pytest_codereason.languages.javascript.syntax.grammar import FUNCTION_DECLARATIONS
from pytest_codereason.languages.javascript.syntax.tree import (
    COMMENTS,
    list_children,
    list_directives,
)

if TYPE_CHECKING:
    from tree_sitter import Node

#: Fields of classes, in the grammars of JavaScript and of what derives from it.
FIELDS = frozenset({"field_definition", "public_field_definition"})


def list_units(outline: Outline) -> tuple[Unit, ...]:
    """Every unit, in the order of the source.

    A unit names its surroundings by a qualified name. If that name is missing or used twice, ``@`` and the offset of
    the body follow.
    """
    seen: set[str] = set()
    movable: list[Unit] = []
    for visit in outline.visits:
        if _holds_units(outline, visit):
            node, path = visit.node, visit.frame.path
            parent = f"{path}@{outline.tree.at(node.start_byte)}" if path in seen else path
            seen.add(path)
            find = _list_methods if node.type == "class_body" else _list_functions_and_classes
            movable.extend(find(outline, node, parent))
    return tuple(sorted(movable, key=lambda u: (u.span.start, -u.span.end)))


def _holds_units(outline: Outline, visit: Visit) -> bool:
    is_body = visit.kind == "statement_block" and visit.parent is not None and visit.parent.id in outline.owners
    return is_body or visit.kind in ("program", "class_body")


def _list_functions_and_classes(outline: Outline, body: Node, parent: str) -> Iterator[Unit]:
    statements = outline.structure.list_statements(body)[len(list_directives(body)) :]
    signed = _list_signed(outline, map(_unwrap, statements))
    siblings = [(n, _find_definition(n)) for n in statements if _unwrap(n).type not in outline.structure.closed]
    named = [(n, d, outline.tree.read(d)) for n, d in siblings if d is not None]
    counts = Counter(name for _, _, name in named)
    classes = {name for _, d, name in named if d.type == "class_declaration"}
    movable = _classes_are_movable([d for _, d in siblings], classes, outline)
    for node, definition, name in named:
        is_class = definition.type == "class_declaration"
        if counts[name] == 1 and name and name not in signed and (movable or not is_class):
            needs = {_name_base(outline, definition)} & classes if is_class else set()
            yield Unit(name=name, span=_measure(outline, node), parent=parent, needs=frozenset(needs))


def _classes_are_movable(definitions: list[Node | None], classes: set[str], outline: Outline) -> bool:
    last = max((i for i, d in enumerate(definitions) if d is not None), default=-1)
    before = definitions[: last + 1]
    return bool(classes) and all(
        d is not None and (d.type != "class_declaration" or _runs_nothing(outline, d)) for d in before
    )


def _runs_nothing(outline: Outline, definition: Node) -> bool:
    """Whether a class is defined without running code: no static parts, computed names, decorators, odd bases."""
    body = definition.child_by_field_name("body")
    if body is None or (_list_bases(outline, definition) and not _name_base(outline, definition)):
        return False
    return all(
        member.type == "method_definition"
        and all(n.type not in ("computed_property_name", "decorator") for n in member.named_children)
        for member in list_children(body)
        if member.type not in outline.structure.closed
    ) and all(n.type != "decorator" for n in definition.named_children)


def _name_base(outline: Outline, definition: Node) -> str:
    bases = _list_bases(outline, definition)
    return outline.tree.text(bases[0]) if bases and bases[0].type == "identifier" else ""


def _list_bases(outline: Outline, definition: Node) -> list[Node]:
    """What a class extends."""
    heritage = next((n for n in definition.named_children if n.type == "class_heritage"), None)
    found = [n for n in list_children(heritage) if n.type not in outline.structure.closed] if heritage else []
    return found[0].children_by_field_name("value") if found and found[0].type == "extends_clause" else found


def _list_methods(outline: Outline, body: Node, parent: str) -> Iterator[Unit]:
    children = [n for n in body.children if n.type not in COMMENTS]
    signed = _list_signed(outline, children)
    if any(a.type in FIELDS and b.type != ";" for a, b in pairwise(children)):
        return  # a field that a method such as *m() could be read on to
    methods = [n for n in children if n.type == "method_definition"]
    counts = Counter(outline.tree.read(n) for n in methods)
    for node in methods:
        name = outline.tree.read(node)
        plain = all(n.type not in ("computed_property_name", "decorator") for n in node.named_children)
        if plain and counts[name] == 1 and name not in signed:
            yield Unit(name=name, span=_measure(outline, node), parent=parent, needs=frozenset())


def _list_signed(outline: Outline, siblings: Iterable[Node]) -> set[str]:
    """The names of signatures, which stand right before the function or method that they are of."""
    return {outline.tree.read(node) for node in siblings if node.type in outline.structure.closed}


def _unwrap(statement: Node) -> Node:
    """What a statement declares, perhaps after ``export``."""
    return statement.child_by_field_name("declaration") or statement


def _find_definition(statement: Node) -> Node | None:
    """The function or class that a statement declares."""
    inner = _unwrap(statement)
    return inner if inner.type in FUNCTION_DECLARATIONS or inner.type == "class_declaration" else None


def _measure(outline: Outline, node: Node) -> Span:
    """The span of a definition with the comments right above it."""
    tree = outline.tree
    return Span(tree.at(include_comments(tree, outline.structure, node).start_byte), tree.at(node.end_byte))
