"""Finds the places in a PHP program that a perturbation may change or comment on.

The span of a ``condition`` is the text between its parentheses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Site, SiteKind
from pytest_codereason.languages.php.syntax.outline import ASSIGNMENTS, PHPOutline, PHPVisit
from pytest_codereason.languages.php.syntax.purity import PHPPurity
from pytest_codereason.languages.php.syntax.tree import PHPTree, is_constant, list_children, read_string

if TYPE_CHECKING:
    from tree_sitter import Node

_LOOPS = {"for_statement": "for", "foreach_statement": "for", "while_statement": "while", "do_statement": "do"}
_DECIDES = {
    "if_statement": "if",
    "else_if_clause": "if",
    "while_statement": "while",
    "do_statement": "do",
    "for_statement": "for",
    "conditional_expression": "conditional",
}
COMPARISONS = frozenset({"==", "===", "!=", "!==", "<>", "<", "<=", ">", ">="})
_LITERALS = {"integer": "int", "float": "float", "boolean": "bool", "null": "null"}
#: Functions that build, search or take apart arrays and strings.
COLLECTIONS = frozenset(
    """array_combine array_count_values array_diff array_fill array_filter array_flip array_intersect array_key_exists
    array_keys array_map array_merge array_pad array_pop array_push array_reverse array_search array_shift array_slice
    array_splice array_sum array_unique array_unshift array_values asort count explode implode in_array join krsort
    ksort ltrim range rsort rtrim sort str_contains str_pad str_repeat str_replace str_split str_starts_with
    str_ends_with strlen strpos strrev strrpos strtolower strtoupper substr substr_count trim uasort ucfirst ucwords
    uksort usort""".split()
)
#: Nodes that may have a site.
_MARKED = frozenset({*_LOOPS, *_DECIDES, *ASSIGNMENTS, *_LITERALS, "string", "encapsed_string"}) | {
    "return_statement",
    "function_call_expression",
}


def list_sites(outline: PHPOutline, declared: frozenset[str]) -> tuple[Site, ...]:
    """All sites in the order of the source. ``declared`` are the program's functions, in lower case."""
    tree = outline.tree
    purity = PHPPurity(tree, declared)
    visits = [visit for visit in outline.visits if visit.kind in _MARKED and visit.place.statement]
    collected = [site for visit in visits for site in _list_sites_at(tree, visit, purity, declared)]
    return tuple(sorted(collected, key=lambda site: site.span.start))


def _list_sites_at(tree: PHPTree, visit: PHPVisit, purity: PHPPurity, declared: frozenset[str]) -> Iterator[Site]:
    node, kind = visit.node, visit.kind
    if kind in _LOOPS:
        yield _make_site(tree, "loop", node, visit, _LOOPS[kind])
    if kind in _DECIDES:
        yield from _list_conditions(tree, visit, _DECIDES[kind], node.child_by_field_name("condition"), purity)
    if kind == "return_statement":
        yield _make_site(tree, "return", node, visit, "")
    elif kind in ASSIGNMENTS:
        operator = _find_operator(node)
        yield _make_site(tree, "assignment", node, visit, "=" if operator is None else tree.text(operator), pure=False)
    elif kind in _LITERALS:
        yield _make_site(tree, "literal", node, visit, _LITERALS[kind])
    elif read_string(node, tree) is not None and (visit.parent is None or visit.parent.type != "encapsed_string"):
        yield _make_site(tree, "literal", node, visit, "str")
    elif kind == "function_call_expression":
        yield from _call(tree, visit, purity, declared)


def _call(tree: PHPTree, visit: PHPVisit, purity: PHPPurity, declared: frozenset[str]) -> Iterator[Site]:
    callee = visit.node.child_by_field_name("function")
    name = tree.text(callee).lstrip("\\").lower() if callee is not None else ""
    arguments = list_children(visit.node.children[-1])
    if name in declared:
        return
    if name in COLLECTIONS:
        yield _make_site(tree, "collection-operation", visit.node, visit, name, pure=purity.of(visit.node))
    elif name == "assert" and arguments and arguments[0].named_child_count == 1:
        yield from _list_conditions(tree, visit, "assert", arguments[0].named_children[0], purity)


def _list_conditions(
    tree: PHPTree, visit: PHPVisit, holder: str, node: Node | None, purity: PHPPurity
) -> Iterator[Site]:
    if node is not None and node.type == "parenthesized_expression" and holder != "conditional":
        node = next(iter(list_children(node)), None)
    short = holder == "conditional" and visit.node.child_by_field_name("body") is None
    if node is None or node.type == "sequence_expression" or short:  # `$x ?: 1` uses the value, not its truth alone
        return
    if holder == "conditional" and is_constant(node):
        return
    inner: Node | None = node
    while inner is not None and inner.type == "parenthesized_expression":
        inner = next(iter(list_children(inner)), None)
    form = "other"
    if inner is not None and inner.type == "boolean":
        form = "constant"
    elif inner is not None and inner.type == "binary_expression" and (operator := _find_operator(inner)) is not None:
        form = "comparison" if tree.text(operator) in COMPARISONS else "other"
    yield _make_site(tree, "condition", node, visit, form, holder=holder, pure=purity.of(node))


def _make_site(
    tree: PHPTree, kind: SiteKind, node: Node, visit: PHPVisit, form: str, *, holder: str = "", pure: bool = True
) -> Site:
    span, statement = tree.span(node), visit.place.statement
    return Site(
        kind=kind,
        span=span,
        statement=statement or span,
        function=visit.place.function,
        form=form,
        holder=holder,
        pure=pure,
    )


def _find_operator(node: Node) -> Node | None:
    return node.child_by_field_name("operator") or next((n for n in node.children if not n.is_named), None)
