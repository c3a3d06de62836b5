"""Says between which tokens of a PHP line no space stands."""

from __future__ import annotations

from typing import NamedTuple


class Token(NamedTuple):
    """A leaf of the syntax tree."""

    text: str
    kind: str
    parent: str  #: the type of the node around it
    first: bool = False  #: whether it is the first in there


_OPEN = frozenset({"(", "[", "#[", "\\", "...", "->", "?->", "::"})
_CLOSE = frozenset({")", "]", ",", ";", "\\", "->", "?->", "::"})
#: Nodes whose parenthesis follows a name or keyword at once.
_CALLS = frozenset(
    {
        *("arguments", "formal_parameters", "list_literal", "array_creation_expression"),
        *("exit_statement", "unset_statement", "declare_statement"),
    }
)
_PREFIXES = frozenset({"unary_op_expression", "error_suppression_expression", "update_expression"})
_REFERENCES = frozenset({"reference_modifier", "by_ref", "reference_assignment_expression"})
_TYPES = frozenset({"union_type", "intersection_type", "type_list", "disjunctive_normal_form_type", "optional_type"})
#: Nodes whose braces hold something else than a name or an expression.
_BLOCKS = frozenset(
    {
        *("compound_statement", "declaration_list", "enum_declaration_list"),
        *("switch_block", "match_block", "use_list"),
    }
)


def is_tight(left: Token, right: Token) -> bool:
    """Whether ``right`` follows ``left`` without a space."""
    return _open(left, right) or _is_closed(left, right)


def _open(left: Token, right: Token) -> bool:
    """Whether no space follows ``left``."""
    text, parent = left.text, left.parent
    if text in _OPEN:
        return True
    if text == "{":
        return parent not in _BLOCKS
    if text == "&" and parent in _REFERENCES:
        return True
    if parent in _PREFIXES:
        return left.first and left.kind == text and text[-1] + right.text[0] not in ("++", "--", "&&")
    if parent in _TYPES:
        return left.kind == text and text in "|&?("
    return text in "$=" and parent in ("dynamic_variable_name", "declare_directive")


def _is_closed(left: Token, right: Token) -> bool:
    """Whether no space stands before ``right``."""
    parent = right.parent
    match right.text:
        case "(":
            bound = parent in _CALLS
        case "[":
            bound = parent == "subscript_expression"
        case "}":
            bound = parent not in _BLOCKS
        case "{":
            bound = parent == "dynamic_variable_name"
        case ":":
            bound = parent != "conditional_expression" or left.text == "?"
        case "++" | "--":
            bound = parent == "update_expression" and not right.first
        case "|" | "&":
            bound = parent in _TYPES
        case "=":
            bound = parent == "declare_directive"
        case text:
            bound = text in _CLOSE
    return bound
