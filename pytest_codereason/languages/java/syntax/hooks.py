"""The rules of Java that no table says: what the compiler knows of conditions, and where it takes members."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import SiteKind
from pytest_codereason.languages.frame.hooks import Hooks
from pytest_codereason.languages.java.syntax.declarations import Declarations, collect_declarations
from pytest_codereason.languages.java.syntax.flow import completes, introduces, is_steady
from pytest_codereason.languages.java.syntax.grammar import CLASSES, LOOPS

if TYPE_CHECKING:
    from tree_sitter import Node


class JavaHooks(Hooks):
    """The rules of Java."""

    @cached_property
    def declared(self) -> Declarations:
        """What the program declares."""
        return collect_declarations(self.tree)

    def read_name(self, node: Node) -> str:
        """The name of a class without what stands in angle brackets."""
        return self.tree.text(node).split("<")[0]

    def find_condition(self, node: Node) -> Node | None:
        """That of ``assert``."""
        return node.named_children[0] if node.type == "assert_statement" else None

    def is_site(self, kind: SiteKind, node: Node, parent: Node, holder: Node) -> bool:
        """No condition of a pattern, and none of a loop whose value the compiler knows: what is reached depends on it.

        A variable of a pattern would not survive most rewriting.
        """
        if kind == "collection-operation":
            return node.child_by_field_name("object") is not None
        if kind != "condition" or node.type in ("true", "false"):
            return True
        steady = holder.type in LOOPS and is_steady(node, self.tree, self.declared.varying)
        return not steady and not introduces(node)

    def takes_before(self, node: Node) -> bool:
        """Interfaces, records and anonymous classes do not take any method or field; a constructor's call is first."""
        body = node.parent
        if body is None or body.parent is None:
            return node.type in CLASSES
        return node.type != "explicit_constructor_invocation" and _takes_members(body)

    def takes_after(self, sequence: Node, statements: Sequence[Node]) -> bool:
        """The same; and a ``case`` ends where the next begins."""
        return sequence.type not in _OPEN and _takes_members(sequence)

    def leaves(self, statement: Node) -> bool:
        """As the compiler says."""
        return not completes([statement], self.tree, self.declared.varying)


_OPEN = frozenset({"switch_block_statement_group", "enum_body_declarations"})


def _takes_members(body: Node) -> bool:
    """Whether a body takes what may be put into it; every body but one of classes does."""
    return body.type != "class_body" or (body.parent is not None and body.parent.type == "class_declaration")
