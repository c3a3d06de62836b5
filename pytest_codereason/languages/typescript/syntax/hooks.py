"""The rules of TypeScript that no table says: those of JavaScript, and that signatures stand before their function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.languages.javascript.syntax.hooks import JavaScriptHooks
from pytest_codereason.languages.typescript.parsing import SIGNATURES
from pytest_codereason.languages.typescript.syntax.grammar import STRUCTURE

if TYPE_CHECKING:
    from tree_sitter import Node


class TypeScriptHooks(JavaScriptHooks):
    """The rules of TypeScript."""

    fields = frozenset({"public_field_definition"}) | SIGNATURES

    def takes_before(self, node: Node) -> bool:
        """Nothing stands between the signatures of a function and its body."""
        before = node.prev_sibling
        while before is not None and (before.type == ";" or before.type in STRUCTURE.comments):
            before = before.prev_sibling
        if before is None:
            return True
        signature = before.child_by_field_name("declaration") or before
        return signature.type not in ("function_signature", "method_signature") and super().takes_before(node)
