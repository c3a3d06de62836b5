"""The rules of JavaScript that no table says: directives, names of properties, fields without a semicolon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import SiteKind
from pytest_codereason.languages.frame.hooks import Hooks
from pytest_codereason.languages.javascript.syntax.grammar import STRUCTURE
from pytest_codereason.languages.javascript.syntax.tree import list_directives

if TYPE_CHECKING:
    from tree_sitter import Node

_COMPUTED = frozenset({"computed_property_name", "subscript_expression", "object_pattern", "array_pattern"})


class JavaScriptHooks(Hooks):
    """The rules of JavaScript."""

    fields = frozenset({"field_definition"})

    def read_name(self, node: Node) -> str:
        """A property's text without quotes, or a plain path such as ``exports.f``."""
        text = self.tree.text(node)
        if node.type == "string":
            return text[1:-1]
        if node.type == "member_expression":
            return text if text.replace(".", "").replace("_", "").replace("$", "").isalnum() else ""
        return "" if node.type in _COMPUTED else text

    def is_site(self, kind: SiteKind, node: Node, parent: Node, holder: Node) -> bool:
        """No directive is a literal."""
        if kind != "literal" or node.type != "string" or parent.type != "expression_statement":
            return True
        around = parent.parent
        return around is None or around.type not in STRUCTURE.sequences or parent not in list_directives(around)

    def count_fixed(self, sequence: Node, statements: Sequence[Node]) -> int:
        """Directives stay first."""
        return len(list_directives(sequence))

    def takes_before(self, node: Node) -> bool:
        """A field without a semicolon might be read on."""
        return node.type == "comment" or not self._ends_open(node.prev_sibling)

    def takes_after(self, sequence: Node, statements: Sequence[Node]) -> bool:
        """A field without a semicolon might be read on."""
        return sequence.type != "class_body" or not self._ends_open(sequence.children[-1].prev_sibling)

    def _ends_open(self, before: Node | None) -> bool:
        while before is not None and before.type in STRUCTURE.comments:
            before = before.prev_sibling
        return before is not None and before.type in self.fields
