"""Finds the sites of a Java program: conditions, returns, loops, assignments, literals, operations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Site, SiteKind, Span, new
from pytest_codereason.languages.java.syntax.flow import introduces, is_pure, is_steady
from pytest_codereason.languages.java.syntax.tree import LITERALS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from pytest_codereason.languages.java.syntax.outline import JavaOutline, JavaVisit

LOOPS = {
    "for_statement": "for",
    "enhanced_for_statement": "for",
    "while_statement": "while",
    "do_statement": "do",
}
_HOLDERS = {
    "if_statement": "if",
    "while_statement": "while",
    "do_statement": "do",
    "for_statement": "for",
    "ternary_expression": "conditional",
    "assert_statement": "assert",
}
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
#: Methods of lists, maps, sets, strings and their builders, and of ``Collections`` and ``Arrays``.
_OPERATIONS = """
    add addAll append charAt clear contains containsAll containsKey containsValue delete endsWith entrySet fill get
    getOrDefault indexOf insert isEmpty join keySet lastIndexOf length merge offer peek poll pop push put putAll
    putIfAbsent remove removeAll removeIf replace replaceAll retainAll reverse set setCharAt size sort split startsWith
    subList substring toCharArray toLowerCase toUpperCase trim values
"""
OPERATIONS = frozenset(_OPERATIONS.split())
#: Where a literal is a constant of the compiler: changing it may clash with another one.
_FIXED = frozenset({"switch_label", "annotation_argument_list", "element_value_pair"})
#: Nodes that may have a site.
_MARKED = frozenset(
    {*_HOLDERS, *LOOPS, *LITERALS, "return_statement", "assignment_expression", "update_expression"}
    | {"variable_declarator", "method_invocation"}
)


def list_sites(outline: JavaOutline, classes: frozenset[str], varying: frozenset[str]) -> Iterator[Site]:
    """The sites of a program.

    Args:
        outline: the program.
        classes: the names of its classes.
        varying: names of variables that the compiler does not treat as constants.
    """
    for visit in outline.visits:
        kind = visit.kind
        if kind not in _MARKED or visit.statement is None:
            continue
        if kind in _HOLDERS and (site := _find_condition(outline, visit, classes, varying)):
            yield site
        if kind in LOOPS:
            yield _make_site("loop", outline.tree.span(visit.node), visit, LOOPS[kind])
        yield from _list_plain(outline, visit)


def _make_site(kind: SiteKind, span: Span, visit: JavaVisit, form: str) -> Site:
    return new(Site, (kind, span, visit.statement or span, visit.function, form, "", True, ()))


def _list_plain(outline: JavaOutline, visit: JavaVisit) -> Iterator[Site]:
    node, tree = visit.node, outline.tree
    match visit.kind:
        case "return_statement":
            yield _make_site("return", tree.span(node), visit, "")
        case "assignment_expression":
            if (operator := node.child_by_field_name("operator")) is not None:
                yield _make_site("assignment", tree.span(node), visit, tree.text(operator))
        case "update_expression":
            operator = next(child for child in node.children if not child.is_named)
            yield _make_site("assignment", tree.span(node), visit, tree.text(operator))
        case "variable_declarator":
            if node.child_by_field_name("value") is not None:
                yield _make_site("assignment", tree.span(node), visit, "=")
        case "method_invocation":
            name = node.child_by_field_name("name")
            if name and (method := tree.text(name)) in OPERATIONS and node.child_by_field_name("object"):
                yield _make_site("collection-operation", tree.span(node), visit, method)
        case kind if kind in LITERALS and not (node.parent and node.parent.type in _FIXED):
            yield _make_site("literal", tree.span(node), visit, LITERALS[kind])


def find_condition(node: Node) -> Node | None:
    """The condition of a statement or a conditional expression, without the parentheses."""
    if node.type == "assert_statement":
        return node.named_children[0]
    decided = node.child_by_field_name("condition")
    if decided is not None and decided.type == "parenthesized_expression" and node.type != "ternary_expression":
        return next(n for n in decided.named_children if not n.type.endswith("comment"))
    return decided


def _find_condition(
    outline: JavaOutline, visit: JavaVisit, classes: frozenset[str], varying: frozenset[str]
) -> Site | None:
    node, tree = find_condition(visit.node), outline.tree
    if node is None or introduces(node):  # a pattern's variable would not survive most rewriting
        return None
    form = "other"
    if node.type in ("true", "false"):
        form = "constant"
    elif visit.node.type in LOOPS and is_steady(node, tree, varying):
        return None  # the compiler knows its value, and what it can reach depends on it
    elif node.type == "binary_expression" and (operator := node.child_by_field_name("operator")):
        form = "comparison" if tree.text(operator) in _COMPARISONS else "other"
    holder = _HOLDERS[visit.node.type]
    site = _make_site("condition", tree.span(node), visit, form)
    return site._replace(holder=holder, pure=is_pure(node, tree, classes))
