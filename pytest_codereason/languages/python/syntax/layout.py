"""Gives a Python program a uniform layout, from its tokens.

One statement a line, four blanks a level, no comments, no blank lines, one blank around operators. Text with a
meaning is kept: strings as they are written, docstrings (they are values), parentheses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.printing import CodeLayout, LayoutTable, Token
from pytest_codereason.languages.frame.tables import split_kinds
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.python.syntax.tree import parse

if TYPE_CHECKING:
    from tree_sitter import Node

_SUITES = frozenset({"block", "module"})
#: What begins a line though it is no statement of its own.
_CLAUSES = split_kinds("elif_clause else_clause except_clause finally_clause case_clause")
_PREFIXED = split_kinds(
    """list_splat dictionary_splat list_splat_pattern dictionary_splat_pattern splat_pattern splat_type
    keyword_separator unary_operator"""
)
#: What the only argument of a call is called here where it is a generator.
_ARGUMENT = "generator_argument"
#: Parents of a bracket that follows a name without a blank.
_ATTACHED = frozenset({"argument_list", "parameters", "subscript", "type_parameter", "class_pattern", _ARGUMENT})
#: Parents of a comma that says nothing before a closing bracket.
_TRIMMED = split_kinds(
    """argument_list parameters list set dictionary tuple list_pattern dict_pattern class_pattern
    import_from_statement"""
)
#: Parents of a ``=`` without blanks.
_TIGHT = frozenset({"keyword_argument", "default_parameter", "keyword_pattern"})
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


class PythonLayout(CodeLayout):
    """The layout of Python."""

    table = LayoutTable(
        whole=frozenset({"string", "relative_import"}),
        dropped=frozenset({"comment", "line_continuation"}),
        indenting=frozenset(),
    )

    @classmethod
    def parse(cls, source: str) -> Tree:
        """The tree of a program, the last line of which has an end."""
        return parse(source if source.endswith("\n") else f"{source}\n")

    def begins_line(self, node: Node, parent: Node) -> bool:
        """Statements, clauses, and what stands behind a decorator."""
        return parent.type in _SUITES or parent.type == "decorated_definition" or node.type in _CLAUSES

    def hangs(self, node: Node, parent: Node) -> bool:
        """A block."""
        return node.type == "block"

    def name_parent(self, node: Node) -> str:
        """A generator that is the only argument of a call stands in for the list of arguments."""
        around = node.parent if node.type == "generator_expression" else None
        argument = around is not None and around.type == "call" and node.prev_sibling is not None
        return _ARGUMENT if argument else node.type

    def write(self, kind: str, text: str) -> str:
        """A string with plain line ends, and the points of an import without blanks."""
        return text.replace("\r\n", "\n") if kind == "string" else "".join(text.split())

    def drops(self, node: Node, parent: Node) -> bool:
        """Brackets around imported names, semicolons, and a comma before a closing bracket that makes no tuple."""
        if node.type in ("(", ")"):
            return parent.type == "import_from_statement"
        if node.type != "," or parent.type not in _TRIMMED:
            return node.type == ";"
        following = node.next_sibling
        while following is not None and following.type in self.table.dropped:
            following = following.next_sibling
        if following is None or following.type not in _CLOSING:
            return False
        return parent.type != "tuple" or [child.type for child in parent.children].count(",") > 1

    def is_tight(self, left: Token, right: Token) -> bool:
        """Whether no blank stands between two tokens."""
        if left.kind in _OPENING or right.kind in _CLOSING or right.kind == "," or left.kind == ".":
            return True
        if right.kind == ".":
            return left.kind != "integer"
        if right.text == ":":
            return left.kind != ","
        if left.kind == ":" and left.parent == "slice":
            return True
        if right.kind in ("(", "[") and right.parent in _ATTACHED:
            return True
        if left.kind == "type" and right.kind in ("(", "["):  # of ``type(x).y = z``
            return True
        if left.text == "=":
            return left.parent in _TIGHT
        if right.text == "=":
            return right.parent in _TIGHT
        if left.kind == "@" and left.parent == "decorator":
            return True
        return left.first and left.parent in _PREFIXED
