"""The rules of Python that no table says: docstrings, plain texts, what stands on a line of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import SiteKind
from pytest_codereason.languages.frame.hooks import Hooks
from pytest_codereason.languages.frame.tables import Kinds
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.python.syntax.binder import is_alias
from pytest_codereason.languages.python.syntax.grammar import DEFINITIONS, PLACES, STRUCTURE

if TYPE_CHECKING:
    from tree_sitter import Node

#: Letters before the quotes of bytes, and of strings in which something is interpolated.
_NO_TEXT = frozenset("bftBFT")


class PythonHooks(Hooks):
    """The rules of Python."""

    def name_statement(self, kind: str, node: Node) -> str:
        """A name that gets a type and no value is declared; a name for a type is declared or, as ``type(x).y``, set."""
        if node.type == "type_alias_statement":
            return "declaration" if is_alias(node) else "assignment"
        inner = node.named_children[0] if kind == "assignment" else node
        return "declaration" if inner.type == "assignment" and not inner.child_by_field_name("right") else kind

    def is_method(self, kind: str, node: Node, methods: Kinds) -> bool:
        """A function in the body of a class, with decorators or without."""
        parent = node.parent
        if parent is not None and parent.type in STRUCTURE.wrapping:
            parent = parent.parent
        return parent is not None and parent.parent is not None and parent.parent.type == "class_definition"

    def is_block(self, sequence: Node, statements: Sequence[Node]) -> bool:
        """Not behind the colon of a header on its line."""
        if not statements:
            return sequence.parent is None
        at = self.tree.at(statements[0].start_byte)
        return not self.tree.source[self.tree.line_start(at) : at].strip(" \t\f")

    def find_condition(self, node: Node) -> Node | None:
        """What stands behind ``assert`` and the ``if`` of a comprehension, and between ``if`` and ``else``."""
        children = STRUCTURE.list_children(node)
        return children[1] if node.type == "conditional_expression" else children[0]

    def name_condition(self, holder: str, node: Node) -> str:
        """The guard of a case is no part of a comprehension."""
        guards = node.parent is not None and node.parent.type == "case_clause"
        return "case" if node.type == "if_clause" and guards else holder

    def is_site(self, kind: SiteKind, node: Node, parent: Node, holder: Node) -> bool:
        """No docstring, no text but a plain one, no complex number, and only whole statements that assign a value."""
        if kind == "assignment":
            if node.type == "type_alias_statement":
                return not is_alias(node)
            assigns = node.type == "augmented_assignment" or node.child_by_field_name("right") is not None
            return assigns and parent.type == "expression_statement"
        if kind != "literal":
            return True
        if PLACES.literals[node.type] == "str":
            return self._is_text(node) and not (parent.type == "expression_statement" and self.is_docstring(parent))
        return self.tree.text(node)[-1] not in "jJ"

    def _is_text(self, node: Node) -> bool:
        """Whether a string is plain: not bytes, and without interpolation."""
        if node.type == "concatenated_string":
            return all(self._is_text(part) for part in node.named_children if part.type == "string")
        text = self.tree.text(node)
        quote = text[-1]
        return text[0] == quote or _NO_TEXT.isdisjoint(text[: text.index(quote)])

    def is_docstring(self, statement: Node) -> bool:
        """Whether a statement is a string that is the first of a file, a class or a function."""
        around = statement.parent
        if around is None or (around.parent is not None and around.parent.type not in DEFINITIONS):
            return False
        if statement.type != "expression_statement" or STRUCTURE.list_statements(around)[0] != statement:
            return False
        return statement.named_children[0].type in ("string", "concatenated_string")

    def count_fixed(self, sequence: Node, statements: Sequence[Node]) -> int:
        """A docstring stays first, and so do imports from the future."""
        fixed = int(bool(statements) and self.is_docstring(statements[0]))
        if sequence.parent is None:
            future = [i + 1 for i, n in enumerate(statements) if n.type == "future_import_statement"]
            fixed = max([fixed, *future])
        return fixed

    def takes_before(self, node: Node) -> bool:
        """Only before what is first on its line, where the line before does not continue."""
        return begins_line(self.tree, self.tree.at(node.start_byte))

    def takes_after(self, sequence: Node, statements: Sequence[Node]) -> bool:
        """Only behind what is last on its line."""
        return not statements or ends_line(self.tree, self.tree.at(statements[-1].end_byte))

    def leaves(self, statement: Node) -> bool | None:
        """An ``if`` with an ``else``, of which every branch leaves."""
        if statement.type != "if_statement":
            return None
        clauses = STRUCTURE.list_children(statement)
        if clauses[-1].type != "else_clause":
            return False
        bodies = [clauses[1], *(clause.named_children[-1] for clause in clauses[2:])]
        return all(any(map(self._leaves, STRUCTURE.list_statements(body))) for body in bodies)

    def _leaves(self, statement: Node) -> bool:
        return statement.type in PLACES.leaving or bool(self.leaves(statement))


def begins_line(tree: Tree, at: int) -> bool:
    """Whether what begins at a place is first on its line, and the line before does not continue."""
    line = tree.line_start(at)
    blanks = tree.source[line:at]
    if blanks.strip(" \t\f") or "\f" in blanks.lstrip("\f"):
        return False
    return not tree.source.endswith(("\\\n", "\\\r\n"), max(0, line - 3), line)


def ends_line(tree: Tree, at: int) -> bool:
    """Whether nothing but a comment follows on the line of a place."""
    return PLACES.trailing.match(tree.source, at) is not None
