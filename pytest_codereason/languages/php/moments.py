"""Writes into a PHP file what notes each line that runs, and what variables hold before some of them.

::

    function f($n) { return $n; }
    function f($n) {$codereason_f=frame(§0§);try{ line(§1§,$codereason_f); return $n; }
        catch(\\Throwable $codereason_e){raise(§2§,$codereason_f,$codereason_e);throw $codereason_e;}}

A function's number stands in a variable of it. So a program that reaches variables by their names has no moments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.php.notes import BodyOwner, NoteWriter, SecretMark
from pytest_codereason.languages.php.syntax.grammar import FUNCTIONS

if TYPE_CHECKING:
    from tree_sitter import Node

#: Functions that see or set all variables. None of them can be called but by its name.
_REACHING = frozenset({b"eval", b"extract", b"get_defined_vars"})
_NAMING = frozenset({"function_call_expression", "qualified_name", "namespace_use_clause"})


class MomentWriter(NoteWriter):
    """Notes every line that runs, and the exceptions that leave functions.

    Args:
        name: What the variables of the witness begin with.
        probes: The numbers of the probes, by their lines.
    """

    def __init__(
        self, tree: Tree, numbers: Mapping[int, int], marks: list[SecretMark], name: str, probes: Mapping[int, int]
    ) -> None:
        super().__init__(tree, numbers, marks)
        self.name, self.probes = name, probes

    def write_function(self, node: Node, owner: BodyOwner) -> None:
        """Gives each call of a function a number, and says when an exception leaves it."""
        frame = self.call("frame", SecretMark("frame"))
        if node.type == "arrow_function":
            body = node.child_by_field_name("body")
            assert body is not None
            self.write_arrow(node, self.note(body, owner, frame, arrow=True))
        else:
            number, error = f"${self.name}f", f"${self.name}e"
            raised = self.call("raise", SecretMark("raise"), f",{number},{error}")
            ending = f"}}catch(\\Throwable {error}){{{raised};throw {error};}}"
            self.write_body(node, f"{number}={frame};try{{", ending)

    def note_line(self, node: Node, owner: BodyOwner) -> str:
        """A call that notes the line, and one that looks at variables if a probe asks for it."""
        if not self.is_first(node, owner):
            return ""
        return self.note(node, owner, "" if owner.node == self.tree.root else f"${self.name}f")

    def note(self, node: Node, owner: BodyOwner, frame: str, *, arrow: bool = False) -> str:
        """The expression that notes the line of a node."""
        line = node.start_point[0] + 1
        probe = self.probes.get(line, -1)
        outside = owner.node == self.tree.root
        mark = SecretMark("line", 0, line, outside, _is_cleaning(node), probe, arrow)
        noted = self.call("line", mark, f",{frame}" if frame else "")
        if probe < 0:
            return noted
        looked = self.call("look", SecretMark("look", probe=probe), ",\\get_defined_vars()")
        return f"({noted}&&{looked})"

    def check(self, node: Node) -> None:
        """Checks besides that the program does not reach variables by their names."""
        super().check(node)
        if node.type == "dynamic_variable_name":
            reaches = node.named_children[0].type != "name"  # "${x}" in a text
        else:
            named = node.type == "name" and node.parent is not None and node.parent.type in _NAMING
            reaches = named and (node.text or b"").lower() in _REACHING
        if reaches:
            raise DoesNotParse("the program reaches variables by their names")


def _is_cleaning(node: Node) -> bool:
    """Whether a node of a function stands in a ``finally`` of it."""
    around: Node | None = node
    while around is not None and (around is node or around.type not in FUNCTIONS):
        if around.type == "finally_clause":
            return True
        around = around.parent
    return False
