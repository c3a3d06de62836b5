"""Gives a JavaScript program a uniform layout: no comments, a statement a line, four blanks a block.

A line ends only between statements and between members of a class. Every semicolon is written, so no line end has a
meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pytest_codereason.languages.frame.printing import CodeLayout, LayoutTable, LeafPiece, Token
from pytest_codereason.languages.frame.tables import Kinds, Structure, split_kinds
from pytest_codereason.languages.javascript.syntax.grammar import STRUCTURE
from pytest_codereason.languages.javascript.syntax.tree import parse_source

if TYPE_CHECKING:
    from tree_sitter import Node

#: Nodes that end in a semicolon, written or not.
_TERMINATED = split_kinds(
    """break_statement continue_statement debugger_statement do_statement expression_statement export_statement
    field_definition import_statement lexical_declaration return_statement throw_statement
    variable_declaration"""
)
#: What stands behind ``export default`` without a semicolon.
_DEFINITIONS = frozenset({"function_expression", "generator_function", "class"})
_BRACED = frozenset({"statement_block", "class_body", "switch_body"})
#: What holds a statement that is none of a sequence.
_HOLDING = frozenset({"export_statement", "ambient_declaration"})
_CHOICES = frozenset({"ternary_expression", "conditional_type"})
_STARS = frozenset({"generator_function", "generator_function_declaration", "yield_expression"})
_PREFIXED = frozenset({"unary_expression", "update_expression"})
_NAMES = frozenset({"identifier", "property_identifier", "private_property_identifier", "string", "number"})
_TEMPLATE = "template_string"
_TIGHT_AFTER = frozenset({"(", "[", ".", "?.", "...", "@"})
_TIGHT_BEFORE = frozenset({")", "]", ",", ";", ".", "?."})


class JavaScriptLayout(CodeLayout):
    """The layout of JavaScript."""

    table = LayoutTable(
        whole=split_kinds("string regex number"),
        dropped=STRUCTURE.comments | {"hash_bang_line"},
        indenting=_BRACED,
        labelled=split_kinds("switch_case switch_default"),
    )
    parse = staticmethod(parse_source)
    structure: ClassVar[Structure] = STRUCTURE
    terminated: ClassVar[Kinds] = _TERMINATED
    members: ClassVar[Kinds] = frozenset({"field_definition"})  #: of those, what has its semicolon beside it

    def begins_line(self, node: Node, parent: Node) -> bool:
        """Statements of a sequence, members of a class, cases."""
        if parent.type in self.table.indenting:
            return node.is_named
        return parent.type in self.structure.sequences and self.structure.is_statement(node.type, node, parent)

    def hangs(self, node: Node, parent: Node) -> bool:
        """The body of a statement that has no braces."""
        if node.type == "statement_block" or parent.type in STRUCTURE.sequences | {"labeled_statement"}:
            return False
        if parent.type == "else_clause":
            return node.type in self.structure.statements and node.type != "if_statement"
        return self.structure.is_statement(node.type, node, parent)

    def cut(self, node: Node) -> list[Node | LeafPiece] | None:
        """A template: its texts stay, the code in it is laid out."""
        if node.type != _TEMPLATE:
            return None
        parts: list[Node | LeafPiece] = []
        at = node.start_byte
        for child in node.children:
            if child.type == "template_substitution":
                parts += [LeafPiece(at, child.start_byte + 2), *child.children[1:-1]]
                at = child.end_byte - 1
        return [*parts, LeafPiece(at, node.end_byte)]

    def write(self, kind: str, text: str) -> str:
        """A semicolon also where a line end stands for it."""
        return ";" if kind == ";" else text

    def lacks_end(self, node: Node, parent: Node | None) -> bool:
        """Whether a line end stands for a semicolon."""
        if node.type not in self.terminated or _find_last(node) == ";":
            return False
        if node.type in self.members:
            following = node.next_sibling
            while following is not None and following.type in STRUCTURE.comments:
                following = following.next_sibling
            return following is None or following.type not in (";", ",")
        if node.type == "export_statement":
            value = node.child_by_field_name("value")
            is_definition = value is not None and value.type in _DEFINITIONS
            return node.child_by_field_name("declaration") is None and not is_definition
        held = parent is not None and parent.type in _HOLDING
        return held or self.structure.is_statement(node.type, node, parent)

    def is_tight(self, left: Token, right: Token) -> bool:
        """Whether no blank stands between two tokens, which would not merge."""
        return _is_tight(left, right) and not _would_merge(left.text, right)


def _is_tight(left: Token, right: Token) -> bool:
    if right.kind == _TEMPLATE:
        return right.text[0] != "`" or right.parent == "call_expression"
    return (
        right.text in _TIGHT_BEFORE
        or left.text in _TIGHT_AFTER
        or (left.text == "{" and right.text == "}")
        or (left.kind == _TEMPLATE and left.text.endswith("${"))
        or (left.first and left.parent in _PREFIXED)
        or (left.text == "*" and left.parent == "method_definition")
        or _is_tight_for_its_place(left, right)
    )


def _is_tight_for_its_place(left: Token, right: Token) -> bool:
    """Whether a token follows without a blank in this construct."""
    match right.text:
        case "(":
            is_name = left.kind in _NAMES and left.parent in STRUCTURE.functions
            is_definition = right.parent == "formal_parameters" and (is_name or left.parent == "computed_property_name")
            tight = right.parent == "arguments" or is_definition
        case "[":
            tight = right.parent == "subscript_expression"
        case ":":
            tight = right.parent not in _CHOICES
        case "*":
            tight = right.parent in _STARS
        case "++" | "--":
            tight = not right.first
        case _:
            tight = False
    return tight


def _would_merge(left: str, right: Token) -> bool:
    """Whether two texts without a blank between them would be read as something else."""
    a, b = left[-1], right.text[0]
    if right.kind == _TEMPLATE:
        return False
    if _is_in_word(a) and _is_in_word(b):
        return True
    return (a == b and a in "+-/") or (b == "." and left.isdigit())


def _is_in_word(character: str) -> bool:
    return character.isalnum() or character in "_$\\#" or ord(character) > 127


def _find_last(node: Node) -> str:
    """The type of the last child of a node that is no comment."""
    return next(child.type for child in reversed(node.children) if child.type not in STRUCTURE.comments)
