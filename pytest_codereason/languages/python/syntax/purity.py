"""Says which Python expressions are pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pytest_codereason.languages.python.syntax.grammar import STRUCTURE

if TYPE_CHECKING:
    from tree_sitter import Node

#: Nodes whose evaluation is taken to have no effect, as long as all nodes inside are of these.
_PURE = frozenset(
    {
        *["identifier", "integer", "float", "true", "false", "none", "string", "string_start", "string_content"],
        *["string_end", "escape_sequence", "concatenated_string", "parenthesized_expression", "not_operator"],
        *["unary_operator", "binary_operator", "boolean_operator", "comparison_operator", "conditional_expression"],
        *["tuple", "list", "set", "dictionary", "pair", "ellipsis", "comment", "line_continuation"],
    }
)
_DISPLAYS = frozenset({"string", "concatenated_string", "tuple", "list", "set", "dictionary"})


def is_pure(node: Node, kinds: Sequence[str]) -> bool:
    """Whether an expression consists of names, literals, operators and displays only.

    Operators are assumed to have no side effects. Only ``in`` may have one, because it consumes an iterator. So ``in``
    is pure only before a literal.
    """
    stack = [node]
    while stack:
        inner = stack.pop()
        kind = kinds[inner.kind_id]
        if kind == "identifier":
            continue
        if kind not in _PURE and inner.is_named:
            return False
        children = inner.named_children
        if kind == "comparison_operator":
            operators = [operator.type for operator in inner.children_by_field_name("operators")]
            operands = STRUCTURE.list_children(inner)
            for operator, operand in zip(operators, operands[1:], strict=False):
                if operator in {"in", "not in"} and operand.type not in _DISPLAYS:
                    return False
        stack += children
    return True
