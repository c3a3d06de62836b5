"""The rules of PHP that no table says: text outside of the code, calls of ``assert``, constant expressions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import SiteKind
from pytest_codereason.languages.frame.hooks import Hooks
from pytest_codereason.languages.php.syntax.grammar import PLACES, STRUCTURE
from pytest_codereason.languages.php.syntax.tree import is_constant, list_children, read_string

if TYPE_CHECKING:
    from tree_sitter import Node


class PHPHooks(Hooks):
    """The rules of PHP."""

    @cached_property
    def declared(self) -> frozenset[str]:
        """The functions and methods of the program, in lower case."""
        definitions = self.tree.find_nodes("function_definition", "method_declaration")
        names = [definition.child_by_field_name("name") for definition in definitions]
        return frozenset([self.tree.text(name).lower() for name in names if name is not None])

    def read_name(self, node: Node) -> str:
        """A name, or that of a plain variable without ``$``; none of anything else that is given a value."""
        if node.type == "variable_name":
            node = node.named_children[0]
        return self.tree.text(node) if node.type == "name" else ""

    def name_holder(self, kind: str, node: Node) -> str:
        """That of a class without a name."""
        return "class"

    def read_callee(self, node: Node) -> str:
        """The name of a function of the library, with or without its namespace; case does not count."""
        name = self.tree.text(node).lstrip("\\").lower()
        return "" if name in self.declared else name

    def find_condition(self, node: Node) -> Node | None:
        """That of ``assert``."""
        callee = node.child_by_field_name("function")
        if callee is None or self.read_callee(callee) != "assert":
            return None
        first = next(iter(list_children(node.children[-1])), None)
        return first.named_children[0] if first is not None and first.named_child_count == 1 else None

    def is_site(self, kind: SiteKind, node: Node, parent: Node, holder: Node) -> bool:
        """No string with values in it, and no condition that is more than its truth, or a constant expression."""
        if kind == "literal" and PLACES.literals[node.type] == "str":
            return read_string(node, self.tree) is not None
        if kind != "condition" or holder.type != "conditional_expression":
            return node.type != "sequence_expression"
        return holder.child_by_field_name("body") is not None and not is_constant(node)  # ``$x ?: 1`` uses the value

    def takes_statements(self, sequence: Node) -> bool:
        """A file whose code is inside the braces of namespaces takes none, and neither does one without any."""
        if sequence.parent is not None:
            return True
        statements = STRUCTURE.list_statements(sequence)
        if any(n.type == "namespace_definition" and n.child_by_field_name("body") for n in statements):
            return False
        return bool(statements) and statements[-1].type not in PLACES.first

    def takes_before(self, node: Node) -> bool:
        """Not where ``<?=`` prints a value: the one behind it, or one behind a comma."""
        before = node.prev_sibling
        while before is not None and before.type == "comment":
            before = before.prev_sibling
        if before is not None and self.tree.bytes.endswith(b",", 0, before.end_byte):
            return False
        while before is not None and before.type == "text_interpolation":
            before = before.children[-1]
        return before is None or before.type != "php_tag" or before.end_byte - before.start_byte != len("<?=")

    def takes_after(self, sequence: Node, statements: Sequence[Node]) -> bool:
        """Not where a closing tag ends the last statement, and not before the ``elseif:`` of an ``if:``."""
        if sequence.type == "colon_block":
            return False
        return not statements or self.tree.text(statements[-1])[-1] in ";}:"

    def leaves(self, statement: Node) -> bool | None:
        """``throw`` is an expression."""
        thrown = statement.type == "expression_statement" and STRUCTURE.name_kind(statement.type, statement) == "throw"
        return True if thrown else None
