"""Says which Java expressions are pure or constant, and where control flow ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.tree import Tree, walk
from pytest_codereason.languages.java.syntax.grammar import PLACES, STRUCTURE

if TYPE_CHECKING:
    from tree_sitter import Node

_VARYING = frozenset(
    {
        *("method_invocation", "array_access", "assignment_expression", "update_expression", "instanceof_expression"),
        *("object_creation_expression", "lambda_expression", "null_literal", "this"),
    }
)

_COMPLETE = frozenset(
    ("expression_statement", "explicit_constructor_invocation", "assert_statement", "enhanced_for_statement", ";")
)

_PURE = frozenset(
    {
        *("identifier", "this", "parenthesized_expression", "unary_expression", "binary_expression", "field_access"),
        *("ternary_expression", "instanceof_expression", "array_access", "cast_expression", "type_identifier"),
        *("integral_type", "floating_point_type", "boolean_type", "array_type", "dimensions", "generic_type"),
        *("type_arguments", "wildcard", "scoped_type_identifier", "string_fragment", "escape_sequence"),
        *(*PLACES.literals, *STRUCTURE.comments),
    }
)


def introduces(node: Node) -> bool:
    """Whether an expression declares a variable by a pattern."""
    return any(
        n.type in ("type_pattern", "record_pattern")
        or (n.type == "instanceof_expression" and n.child_by_field_name("name") is not None)
        for n in walk(node)
    )


def is_steady(node: Node, tree: Tree, varying: frozenset[str]) -> bool:
    """Whether the compiler may take an expression for a constant. ``varying`` are variables that are no constants."""
    return not any(
        inner.type in _VARYING or (inner.type == "identifier" and tree.text(inner) in varying) for inner in walk(node)
    )


def is_pure(node: Node, tree: Tree, classes: frozenset[str]) -> bool:
    """Whether evaluating an expression once more, or not at all, cannot be noticed, unless by an exception.

    A pure expression calls nothing, assigns nothing and reads no field of ``classes``: a first use of a class may run
    its initialiser.
    """
    return all(
        inner.type in _PURE
        and not (inner.type == "identifier" and tree.text(inner) in classes)
        and inner.child_by_field_name("name") is None  # of a pattern
        for inner in walk(node)
        if inner.is_named
    )


def completes(sequence: list[Node], tree: Tree, varying: frozenset[str]) -> bool:
    """Whether the compiler certainly accepts code after a sequence of statements as reachable."""
    if not sequence:
        return True
    last = sequence[-1]
    parts: list[Node | None]
    match last.type:
        case "if_statement":
            parts = [last.child_by_field_name(name) for name in ("consequence", "alternative")]
            return any(part is None or completes(_list_inside(part), tree, varying) for part in parts)
        case "while_statement" | "for_statement":
            condition = last.child_by_field_name("condition")
            return condition is not None and not is_steady(condition, tree, varying)
        case "block" | "synchronized_statement":
            return completes(_list_inside(last.child_by_field_name("body") or last), tree, varying)
        case "try_statement" | "try_with_resources_statement":
            return _try_completes(last, tree, varying)
    # A switch, a labelled statement or a `do` may complete, but that takes more to see.
    return last.type in _COMPLETE or last.type.endswith("_declaration")


def _list_inside(node: Node) -> list[Node]:
    return STRUCTURE.list_statements(node) if node.type == "block" else [node]


def _try_completes(node: Node, tree: Tree, varying: frozenset[str]) -> bool:
    parts = [n for n in node.named_children if n.type in ("block", "catch_clause", "finally_clause")]
    ends: dict[bool, list[bool]] = {}
    for part in parts:
        block = part if part.type == "block" else part.named_children[-1]
        ends.setdefault(part.type == "finally_clause", []).append(
            completes(STRUCTURE.list_statements(block), tree, varying)
        )
    return any(ends.get(False, [])) and all(ends.get(True, []))
