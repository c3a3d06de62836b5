"""Gives a Java program a uniform layout without comments: a statement a line, four blanks a block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.printing import CodeLayout, LayoutTable, Token
from pytest_codereason.languages.frame.tables import split_kinds
from pytest_codereason.languages.java.syntax.escapes import parse_program
from pytest_codereason.languages.java.syntax.grammar import CLASSES, METHODS, STRUCTURE

if TYPE_CHECKING:
    from tree_sitter import Node

_BODIES = split_kinds("class_body interface_body enum_body_declarations annotation_type_body switch_block")
_FIELDS = split_kinds("field_declaration constant_declaration annotation_type_element_declaration")
_GENERIC = split_kinds("type_arguments type_parameters")
#: Nodes with braces around what stands on lines of its own.
_BRACED = (STRUCTURE.braced | _BODIES | {"enum_body"}) - {"enum_body_declarations"}
_CLOSING = frozenset({")", "]", ",", ";", ".", "::", "...", "["})
_OPENING = frozenset({"(", "[", ".", "::", "@"})
#: Lists in parentheses that follow a name without a blank.
_ATTACHED = split_kinds("argument_list formal_parameters annotation_argument_list record_pattern_body")
_LABELS = split_kinds("switch_block_statement_group switch_label labeled_statement")


class JavaLayout(CodeLayout):
    """The layout of Java."""

    table = LayoutTable(
        whole=split_kinds("string_literal"),
        dropped=STRUCTURE.comments,
        indenting=_BRACED,
        labelled=split_kinds("switch_block_statement_group"),
    )
    parse = staticmethod(parse_program)

    def begins_line(self, node: Node, parent: Node) -> bool:
        """Statements of a sequence, members of a class, cases, constants of an enum, what follows an annotation."""
        if parent.type in STRUCTURE.sequences:
            return STRUCTURE.is_statement(node.type, node, parent)
        before = _find_before(node)
        if parent.type == "enum_body":
            return before is not None and before.type == "{" and node.is_named
        if parent.type in _BODIES or parent.type == "program":
            return node.is_named
        if parent.type == "modifiers":
            return _is_annotation(before) and parent.parent is not None and _is_annotated(parent.parent)
        if before is None or before.type != "modifiers" or not _is_annotated(parent):
            return False
        return _is_annotation(_find_last(before))

    def stands_apart(self, node: Node, parent: Node, last: Token) -> bool:
        """Methods and classes, but for the first."""
        is_member = parent.type in _BODIES or parent.type == "program"
        return is_member and node.type in METHODS | CLASSES and last.kind != "{"

    def write(self, kind: str, text: str) -> str:
        """A text of several lines with plain line ends."""
        return text.replace("\r\n", "\n")

    def is_tight(self, left: Token, right: Token) -> bool:
        """Whether no blank stands between two tokens."""
        return _is_tight_after(left, right) or _is_tight_before(left, right)


def _find_before(node: Node) -> Node | None:
    """What stands before a node and is no comment."""
    before = node.prev_sibling
    while before is not None and before.type in STRUCTURE.comments:
        before = before.prev_sibling
    return before


def _find_last(node: Node) -> Node | None:
    return next((child for child in reversed(node.children) if child.type not in STRUCTURE.comments), None)


def _is_annotation(node: Node | None) -> bool:
    return node is not None and node.is_named


def _is_annotated(node: Node) -> bool:
    """Whether the annotations of a node stand on lines of their own."""
    return node.type in METHODS | CLASSES | _FIELDS


def _is_tight_after(left: Token, right: Token) -> bool:
    """Whether no blank stands after a token."""
    if left.kind in _OPENING or (left.kind == "{" and (right.kind == "}" or left.parent not in _BRACED)):
        return True
    if left.parent == "unary_expression":  # `- -x` is not `--x`
        return right.kind[0] != left.kind[0] or right.kind[0] not in "+-"
    if left.parent == "update_expression" and left.kind in ("++", "--"):
        return left.first
    if left.parent in _GENERIC:
        return left.kind == "<" or (left.kind == ">" and left.around in ("method_invocation", "method_reference"))
    return False


def _is_tight_before(left: Token, right: Token) -> bool:
    """Whether no blank stands before a token."""
    kind, parent = right.kind, right.parent
    if kind in _CLOSING or (kind == "}" and parent not in _BRACED):
        return True
    match kind:
        case "(":
            return parent in _ATTACHED and right.around != "lambda_expression"
        case "{":
            return left.kind == "]"
        case ":":
            return parent in _LABELS
        case "++" | "--":
            return parent == "update_expression" and right.last
        case "<" | ">":
            return parent in _GENERIC and (kind == ">" or left.kind in ("identifier", "type_identifier"))
    return False
