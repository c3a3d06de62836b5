"""Gives a PHP program a uniform layout without comments. The tokens stay the same.

One statement a line, four spaces a level, one space between tokens unless the common style of PHP has none, an empty
line around functions and classes. Strings, heredocs and the text outside PHP stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.printing import CodeLayout, LayoutTable, LeafPiece, Token
from pytest_codereason.languages.frame.tables import split_kinds
from pytest_codereason.languages.php.syntax.grammar import CLASSES, STRUCTURE
from pytest_codereason.languages.php.syntax.tree import STRINGS, PHPTree

if TYPE_CHECKING:
    from tree_sitter import Node

#: Nodes whose braces, or colon and last word, end lines.
_BRACED = split_kinds("compound_statement declaration_list enum_declaration_list switch_block match_block use_list")
_SPACED = CLASSES | {"function_definition", "method_declaration"}
#: Statements and clauses whose body may be a lone statement.
_HEADS = frozenset(STRUCTURE.bodies)
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


class PHPLayout(CodeLayout):
    """The layout of PHP."""

    table = LayoutTable(
        whole=STRINGS
        | split_kinds("variable_name qualified_name relative_name namespace_name text_interpolation php_tag"),
        dropped=split_kinds("comment text"),
        indenting=_BRACED,
        labelled=split_kinds("colon_block case_statement default_statement"),
        labels=frozenset({":", ";"}),
        emptied=False,
    )
    tree: PHPTree
    parse = PHPTree

    def begins_line(self, node: Node, parent: Node) -> bool:
        """Statements of a sequence, members of a class, cases."""
        if parent.type in STRUCTURE.sequences:
            return node.type in STRUCTURE.statements
        return node.is_named and parent.type in _BRACED

    def hangs(self, node: Node, parent: Node) -> bool:
        """The body of a statement that has no braces."""
        if parent.type not in _HEADS or node.type not in STRUCTURE.statements or node.type == "compound_statement":
            return False
        return parent.type != "else_clause" or node.type != "if_statement"

    def stands_apart(self, node: Node, parent: Node, last: Token) -> bool:
        """Functions and classes, and what follows them."""
        before = node.prev_named_sibling
        while before is not None and before.type in self.table.dropped:
            before = before.prev_named_sibling
        return before is not None and before.type != "php_tag" and bool({node.type, before.type} & _SPACED)

    def measure(self, node: Node, parent: Node) -> LeafPiece:
        """The added opening tag has no length, and the text outside PHP belongs to the tags."""
        start, end = node.start_byte, node.end_byte
        if node.type == "php_tag" and parent.type == "program":
            return LeafPiece(0, 0 if self.tree.opening else end)
        if node.type == "text_interpolation" and start < end and node.children[-1].type != "php_tag":
            end = len(self.tree.bytes)
        return LeafPiece(start, end)

    def is_tight(self, left: Token, right: Token) -> bool:
        """Whether no blank stands between two tokens."""
        return _is_tight_after(left, right) or _is_tight_before(left, right)

    def ends_line(self, token: Token) -> bool:
        """Behind a tag, but not behind ``<?=``."""
        return token.kind in ("text_interpolation", "php_tag") and token.text[-1] != "="

    def keeps_line(self, token: Token) -> bool:
        """A closing tag, which begins a text."""
        return token.kind == "text_interpolation"

    def end(self, text: str, last: Token | None) -> str:
        """No line ends behind a text, which is printed; a program without code is its text."""
        if last is None:
            return "" if self.tree.opening else self.tree.source
        return text if last.kind == "text_interpolation" else f"{text}\n"


def _is_tight_after(left: Token, right: Token) -> bool:
    """Whether no space follows ``left``."""
    text, parent = left.text, left.parent
    if text in _OPEN:
        return True
    if text == "{":
        return parent not in _BRACED
    if text == "&" and parent in _REFERENCES:
        return True
    if parent in _PREFIXES:
        return left.first and left.kind == text and text[-1] + right.text[0] not in ("++", "--", "&&")
    if parent in _TYPES:
        return left.kind == text and text in "|&?("
    return text in "$=" and parent in ("dynamic_variable_name", "declare_directive")


def _is_tight_before(left: Token, right: Token) -> bool:
    """Whether no space stands before ``right``."""
    parent = right.parent
    match right.text:
        case "(":
            bound = parent in _CALLS
        case "[":
            bound = parent == "subscript_expression"
        case "}":
            bound = parent not in _BRACED
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
