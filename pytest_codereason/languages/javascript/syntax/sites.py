"""Finds the places in a JavaScript program that a perturbation may change or comment on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Site, SiteKind, new
from pytest_codereason.languages.javascript.syntax.outline import JavaScriptOutline, JavaScriptVisit
from pytest_codereason.languages.javascript.syntax.tree import list_children, list_directives, read_words

if TYPE_CHECKING:
    from tree_sitter import Node

#: Methods of arrays, sets, maps and strings that change a collection or make one of another.
COLLECTION_METHODS = read_words(
    """add clear concat delete entries every fill filter find findIndex flat flatMap forEach get has includes indexOf
    join keys lastIndexOf map padEnd padStart pop push reduce reduceRight repeat replace replaceAll reverse set shift
    slice some sort splice split substr substring toLowerCase toUpperCase trim trimEnd trimStart unshift
    values"""
)
_COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!=", "===", "!==", "in", "instanceof"})
_DECIDES = {
    "if_statement": "if",
    "while_statement": "while",
    "do_statement": "do",
    "for_statement": "for",
    "ternary_expression": "conditional",
}
_LOOPS = {"while_statement": "while", "do_statement": "do", "for_statement": "for", "for_in_statement": "for"}
_CHANGES = frozenset({"update_expression", "augmented_assignment_expression"})
_LITERALS = {"string": "str", "true": "bool", "false": "bool", "null": "null", "number": ""}
#: Nodes that have a site.
_HOLDERS = frozenset(
    {*_DECIDES, *_LOOPS, *_CHANGES, *_LITERALS, "return_statement", "assignment_expression"}
    | {"variable_declarator", "call_expression"}
)
_KEY_FIELDS = ("key", "name", "property", "source", "alias")


def list_sites(outline: JavaScriptOutline) -> tuple[Site, ...]:
    """Every site, in the order of the source. None says that it is pure."""
    tree = outline.tree
    prologues = {n.id for node, _ in outline.lists for n in list_directives(node)}
    collected = []
    for visit in outline.visits:
        statement = visit.frame.statement
        if statement is None or visit.kind not in _HOLDERS:
            continue
        for kind, node, form, holder in _list_kinds(outline, visit):
            if kind == "literal" and visit.parent is not None and visit.parent.id in prologues:
                continue
            site = (kind, tree.span(node), statement, visit.frame.function, form, holder, False, ())
            collected.append(new(Site, site))
    return tuple(sorted(collected, key=lambda s: (s.span.start, -s.span.end)))


def _list_kinds(outline: JavaScriptOutline, visit: JavaScriptVisit) -> Iterator[tuple[SiteKind, Node, str, str]]:
    """The sites of a node: kind, the node of the span, form, holder."""
    tree, node, kind = outline.tree, visit.node, visit.kind
    if kind in _DECIDES and (condition := _find_condition(node)):
        yield "condition", condition, _name_form(outline, condition), _DECIDES[kind]
    if kind in _LOOPS:
        yield "loop", node, _LOOPS[kind], ""
    elif kind == "return_statement":
        yield "return", node, "value" if list_children(node) else "", ""
    elif kind == "assignment_expression" or (kind == "variable_declarator" and node.child_by_field_name("value")):
        yield "assignment", node, "=", ""
    elif kind in _CHANGES and (operator := node.child_by_field_name("operator")):
        yield "assignment", node, tree.text(operator), ""
    elif kind in _LITERALS and _is_value(visit):
        yield "literal", node, _LITERALS[kind] or _read_number(tree.text(node)), ""
    elif kind == "call_expression" and (method := _name_method(outline, node)) in COLLECTION_METHODS:
        yield "collection-operation", node, method, ""


def _find_condition(node: Node) -> Node | None:
    """The expression of a condition, without the parentheses."""
    condition = node.child_by_field_name("condition")
    if condition is not None and condition.type == "parenthesized_expression":
        return next(iter(list_children(condition)), None)
    return None if condition is None or condition.type == "empty_statement" else condition


def _name_form(outline: JavaScriptOutline, condition: Node) -> str:
    if condition.type in ("true", "false"):
        return "constant"
    operator = condition.child_by_field_name("operator")
    is_binary = condition.type == "binary_expression" and operator is not None
    return "comparison" if is_binary and operator is not None and operator.type in _COMPARISONS else "other"


def _is_value(visit: JavaScriptVisit) -> bool:
    """Whether a literal is a value, not a key, a method's name or a module's path."""
    parent = visit.parent
    return parent is not None and all(parent.child_by_field_name(name) != visit.node for name in _KEY_FIELDS)


def _read_number(text: str) -> str:
    if text[:2].lower() in ("0x", "0o", "0b"):
        return "int"
    return "float" if "." in text or "e" in text.lower() else "int"


def _name_method(outline: JavaScriptOutline, call: Node) -> str:
    function = call.child_by_field_name("function")
    name = function.child_by_field_name("property") if function and function.type == "member_expression" else None
    return outline.tree.text(name) if name else ""
