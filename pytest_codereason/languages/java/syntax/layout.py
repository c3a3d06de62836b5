"""Gives a Java program a uniform layout without comments."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.layout import LaidOut, walk_tokens
from pytest_codereason.languages.java.syntax.escapes import parse_program
from pytest_codereason.languages.java.syntax.grammar import CLASSES, METHODS, STRUCTURE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from pytest_codereason.languages.frame.tree import Tree

_INDENT = "    "
_BODIES = frozenset({"class_body", "interface_body", "enum_body_declarations", "annotation_type_body", "switch_block"})
_FIELDS = frozenset({"field_declaration", "constant_declaration", "annotation_type_element_declaration"})
_GENERIC = frozenset({"type_arguments", "type_parameters"})
#: Nodes with braces around what stands on lines of its own.
_BRACED = (STRUCTURE.sequences | _BODIES | {"enum_body"}) - {"switch_block_statement_group", "enum_body_declarations"}
_CLOSING = frozenset({")", "]", ",", ";", ".", "::", "...", "["})
_OPENING = frozenset({"(", "[", ".", "::", "@"})
#: Lists in parentheses that follow a name without a blank.
_ATTACHED = frozenset({"argument_list", "formal_parameters", "annotation_argument_list", "record_pattern_body"})
_WHOLE = frozenset({"string_literal"})
_LABELS = frozenset({"switch_block_statement_group", "switch_label", "labeled_statement"})


def normalise(source: str) -> LaidOut:
    """``source`` without comments, one statement a line, indented by four blanks; its tokens are the same.

    Raises:
        DoesNotParse: the text is not Java.
    """
    return LaidOut(source, _print(parse_program(source)), partial(_list_tokens, source))


def _list_tokens(source: str) -> Iterable[tuple[int, int]]:
    """Start and end of each token. Parses the text again, because a stored layout would keep its tree in memory."""
    tree = parse_program(source)
    return tree.spans(walk_tokens(tree.root, _WHOLE, STRUCTURE.comments))


def _print(tree: Tree) -> str:
    lines, apart = _list_line_starts(tree)
    text: list[str] = []
    indent = 0  # of the line that is being written
    inside = [0]  # of the lines within each open brace
    grouped = [False]  # whether these stand after a `case:`
    before: Node | None = None
    for token in walk_tokens(tree.root, _WHOLE, STRUCTURE.comments):
        word = tree.text(token).replace("\r\n", "\n")
        closes = word == "}" and _name_parent(token) in _BRACED
        level = inside[-1] + grouped[-1]
        if closes:
            level = inside.pop() - 1
            grouped.pop()
        elif _name_parent(token) == "switch_label":
            level = inside[-1]
        if before is None:
            pass
        elif token.start_byte in lines or (closes and before.type != "{"):
            indent = level
            text.append(("\n\n" if token.start_byte in apart and before.type != "{" else "\n") + _INDENT * indent)
        else:
            text.append(_choose_gap(before, token))
        text.append(word)
        if word == "{" and _name_parent(token) in _BRACED:
            inside.append(indent + 1)
            grouped.append(False)
        elif word == ":" and _name_parent(token) == "switch_block_statement_group":
            grouped[-1] = True
        before = token
    return "".join(text) + "\n" if text else ""


def _name_parent(node: Node) -> str:
    return node.parent.type if node.parent is not None else ""


def _list_line_starts(tree: Tree) -> tuple[set[int], set[int]]:
    """The offsets in bytes where a line begins, and those where an empty line stands before."""
    lines: set[int] = set()
    apart: set[int] = set()
    stack = [tree.root]
    while stack:
        node = stack.pop()
        stack.extend(node.named_children)
        if node.type in STRUCTURE.sequences:
            lines |= {step.start_byte for step in STRUCTURE.list_statements(node)}
        elif node.type in _BODIES or node.parent is None:
            members = [n for n in node.named_children if n.type not in STRUCTURE.comments]
            lines |= {member.start_byte for member in members}
            apart |= {m.start_byte for m in members if m.type in METHODS | CLASSES}
        elif node.type == "enum_body":
            lines |= {n.start_byte for n in [n for n in node.named_children if n.type not in STRUCTURE.comments][:1]}
        elif node.type == "modifiers" and _name_parent(node) in METHODS | CLASSES | _FIELDS:
            lines |= _list_annotation_ends(node)
    return lines, apart


def _list_annotation_ends(modifiers: Node) -> set[int]:
    starts = set()
    for annotation in modifiers.named_children:
        following = annotation.next_sibling or modifiers.next_sibling
        while following is not None and following.type in STRUCTURE.comments:
            following = following.next_sibling
        if following is not None and annotation.type not in STRUCTURE.comments:
            starts.add(following.start_byte)
    return starts


def _choose_gap(before: Node, token: Node) -> str:
    """The text between two tokens on one line."""
    return "" if _is_tight_after(before, token) or _is_tight_before(before, token) else " "


def _is_tight_after(before: Node, token: Node) -> bool:
    """Whether no blank stands after ``before``."""
    word, parent = before.type, before.parent
    kind = _name_parent(before)
    if word in _OPENING or (word == "{" and (token.type == "}" or kind not in _BRACED)):
        return True
    if parent is None:
        return False
    if kind == "unary_expression":
        # `- -x` is not `--x`.
        return token.type[0] != word[0] or token.type[0] not in "+-"
    if kind == "update_expression" and word in ("++", "--"):
        return parent.start_byte == before.start_byte
    if kind in _GENERIC:
        holder = _name_parent(parent)
        return word == "<" or (word == ">" and holder in ("method_invocation", "method_reference"))
    return False


def _is_tight_before(before: Node, token: Node) -> bool:
    """Whether no blank stands before ``token``."""
    word, parent = token.type, token.parent
    kind = _name_parent(token)
    if word in _CLOSING or (word == "}" and kind not in _BRACED):
        return True
    if parent is None:
        return False
    tight = False
    if word == "(":
        tight = kind in _ATTACHED and _name_parent(parent) != "lambda_expression"
    elif word == "{":
        tight = before.type == "]"
    elif word == ":":
        tight = kind in _LABELS
    elif word in ("++", "--"):
        tight = kind == "update_expression" and parent.end_byte == token.end_byte
    elif kind in _GENERIC and word in ("<", ">"):
        tight = word == ">" or before.type in ("identifier", "type_identifier")
    return tight
