"""What no table says of a language: rules that are the language's own, and not only other names of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from pytest_codereason.core.language.structure import SiteKind
    from pytest_codereason.languages.frame.tables import Kinds
    from pytest_codereason.languages.frame.tree import Tree


class Hooks:
    """The rules of most languages, for one program. A language overrides those in which it differs."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def read_name(self, node: Node) -> str:
        """The name that a node stands for, of a function or of what a value is given to; empty for a computed one."""
        return self.tree.text(node)

    def name_holder(self, kind: str, node: Node) -> str | None:
        """The name of a class that has none in its field; ``None`` if it may be given one."""
        return None

    def read_callee(self, node: Node) -> str:
        """The name of what is called, as the names of operations are written; empty for what is none."""
        return self.tree.text(node)

    def name_statement(self, kind: str, node: Node) -> str:
        """The kind of a statement, where the table says ``kind``."""
        return kind

    def is_method(self, kind: str, node: Node, methods: Kinds) -> bool:
        """Whether a function is a method."""
        return kind in methods

    def is_block(self, sequence: Node, statements: Sequence[Node]) -> bool:
        """Whether the statements of a sequence stand on lines of their own, or may."""
        return True

    def name_condition(self, holder: str, node: Node) -> str:
        """What a condition decides, where the table says ``holder`` of the node that holds it."""
        return holder

    def find_condition(self, node: Node) -> Node | None:
        """The condition of a node that has it in no field ``condition``."""
        return None

    def is_site(self, kind: SiteKind, node: Node, parent: Node, holder: Node) -> bool:
        """Whether a place of this kind may be changed.

        Args:
            parent: what the node of the site, or of the condition, stands in.
            holder: what the condition decides for; of any other site, its own node.
        """
        return True

    def takes_statements(self, sequence: Node) -> bool:
        """Whether statements may be put into a sequence."""
        return True

    def count_fixed(self, sequence: Node, statements: Sequence[Node]) -> int:
        """How many of its statements must stay first."""
        return 0

    def takes_before(self, node: Node) -> bool:
        """Whether something may stand right before a statement or member."""
        return True

    def takes_after(self, sequence: Node, statements: Sequence[Node]) -> bool:
        """Whether something may stand behind the last statement of a sequence or the last member of a body."""
        return True

    def leaves(self, statement: Node) -> bool | None:
        """Whether nothing behind a statement is reached; ``None`` if the table knows."""
        return None
