"""Finds where text can be inserted into a PHP program, and which definitions can be moved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from pytest_codereason.core.language.structure import Insertion, Span, Unit
from pytest_codereason.languages.php.syntax.outline import PHPOutline, PHPVisit, list_statements
from pytest_codereason.languages.php.syntax.tree import CLASSES, PHPTree, list_children

if TYPE_CHECKING:
    from tree_sitter import Node

_LEAVES = frozenset({"return_statement", "break_statement", "continue_statement", "exit_statement", "goto_statement"})
_MEMBERS = frozenset({"declaration_list"})
_DEFINITIONS = CLASSES | {"function_definition"}
#: Statements that may stand above the first definition without being run.
_HEADERS = frozenset({"declare_statement", "namespace_definition", "namespace_use_declaration", "const_declaration"})


def list_insertions(outline: PHPOutline) -> tuple[Insertion, ...]:
    """Every place between the statements of a block, between members, and at the top, in order."""
    places: list[Insertion] = []
    for visit in outline.lists:
        places.extend(_list_places_of_statements(outline.tree, visit))
    places.extend(
        insertion
        for visit in outline.visits
        if visit.kind in _MEMBERS
        for insertion in _list_places_among(outline.tree, visit, "member", list_children(visit.node))
    )
    return tuple(sorted(places, key=lambda insertion: (insertion.at, insertion.place)))


def _list_places_of_statements(tree: PHPTree, visit: PHPVisit) -> Iterator[Insertion]:
    statements = list_statements(visit.node)
    if visit.node.type != "program":
        yield from _list_places_among(tree, visit, "statement", statements)
        return
    namespaces = [i for i, n in enumerate(statements) if n.type == "namespace_definition"]
    if any(statements[i].child_by_field_name("body") is not None for i in namespaces):
        return  # all code is inside the braces
    directives = [i for i, n in enumerate(statements) if n.type == "declare_statement"]
    first = max([-1, *namespaces, *directives]) + 1
    if not statements[first:]:
        return
    yield from _list_places_among(tree, visit, "statement", statements[first:])
    yield from _list_places_among(tree, visit, "top", statements[first:])


def _list_places_among(
    tree: PHPTree, visit: PHPVisit, place: Literal["statement", "member", "top"], nodes: list[Node]
) -> Iterator[Insertion]:
    """The places before each of ``nodes`` and after the last."""
    newline = tree.newline
    reachable = True
    function = visit.place.function
    for node in nodes:
        at = tree.at(node.start_byte)
        if not _is_echoed(tree, node):
            indent = tree.indent(at)
            yield Insertion(
                at=at,
                place=place,
                function=function,
                indent=indent,
                before="",
                after=newline + indent,
                reachable=reachable,
            )
        reachable = reachable and not _leaves(node)
    end = _end(tree, visit.node, nodes)
    if end is not None:
        outer = tree.indent(end)
        indent = tree.indent(tree.at(nodes[-1].start_byte)) if nodes else outer + "    "
        line_end = tree.source.find("\n", end)
        rest = tree.source[end : line_end if line_end >= 0 else None].strip()
        yield Insertion(
            at=end,
            place=place,
            function=function,
            indent=indent,
            before=newline + indent,
            after=newline + outer if rest else "",
            reachable=reachable,
        )


def _end(tree: PHPTree, holder: Node, nodes: list[Node]) -> int | None:
    """The place after the last of ``nodes``. ``None`` if a closing tag ends the last.

    There is none in a block without braces either: an ``if`` would take the ``elseif:`` after the block for its own.
    """
    opening = tree.text(holder)[:1]
    if opening == ":":
        return None
    if not nodes:
        return tree.at(holder.start_byte) + 1 if opening == "{" else None
    end = tree.at(nodes[-1].end_byte)
    return end if tree.source[end - 1] in ";}:" else None


def _is_echoed(tree: PHPTree, node: Node) -> bool:
    """Whether ``<?=`` prints the value of a statement: the value behind it, or one behind a comma."""
    before = node.prev_sibling
    while before is not None and before.type == "comment":
        before = before.prev_sibling
    if before is not None and tree.bytes.endswith(b",", 0, before.end_byte):
        return True
    while before is not None and before.type == "text_interpolation":
        before = before.children[-1]
    return before is not None and before.type == "php_tag" and before.end_byte - before.start_byte == 3


def _leaves(node: Node) -> bool:
    if node.type == "expression_statement":
        return any(n.type == "throw_expression" for n in list_children(node))
    return node.type in _LEAVES


def list_units(outline: PHPOutline) -> tuple[Unit, ...]:
    """The functions and classes at the top that PHP knows from the start, and the methods of classes.

    PHP may declare a class with a parent, interfaces or traits only when execution reaches it. So such a class is left
    out if other statements stand before the last definition.
    """
    tree, root = outline.tree, outline.tree.root
    movable = (
        []
        if any(n.type == "namespace_definition" for n in list_statements(root)[1:])
        else list(_list_definitions(tree, root))
    )
    seen: set[str] = set()
    for visit in outline.visits:
        if visit.kind in CLASSES and (body := visit.node.child_by_field_name("body")) is not None:
            name = visit.node.child_by_field_name("name")
            parent = tree.text(name) if name is not None else ""
            qualified = f"{visit.place.function}.{parent}" if visit.place.function else parent
            around = f"{qualified}@{tree.at(body.start_byte)}" if qualified in seen else qualified
            seen.add(qualified)
            for node in list_children(body):
                if node.type == "method_declaration":
                    movable.append(_make_unit(tree, node, around, frozenset()))
    return tuple(sorted(movable, key=lambda unit: unit.span))


def _list_definitions(tree: PHPTree, root: Node) -> Iterator[Unit]:
    statements = list_statements(root)
    nodes = [n for n in statements if n.type in _DEFINITIONS]
    names = {_name(tree, n) for n in nodes}
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


def _name(tree: PHPTree, node: Node) -> str:
    name = node.child_by_field_name("name")
    return tree.text(name) if name is not None else ""


def _make_unit(tree: PHPTree, node: Node, parent: str, needs: frozenset[str]) -> Unit:
    first = node
    while (
        (before := first.prev_sibling) is not None
        and before.type == "comment"
        and first.start_point[0] - before.end_point[0] <= 1
        and not _trails(before)
    ):
        first = before
    span = Span(tree.at(first.start_byte), tree.at(node.end_byte))
    return Unit(name=_name(tree, node), span=span, parent=parent, needs=needs)


def _trails(comment: Node) -> bool:
    """Whether a comment follows code on its line."""
    before = comment.prev_sibling
    return before is not None and before.type != "php_tag" and before.end_point[0] == comment.start_point[0]
