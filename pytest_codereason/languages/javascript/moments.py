"""Writes into a JavaScript file what notes each line that runs, and what variables hold before some of them.

Every call of a note is written with a number of its own, and V8's stack says whether it is the very call that is
written there::

    const f = (n) => g(n);
    const f = (n) => {const codereason$f=codereason$frame();try{codereason$note(codereason$f,1);return(g(n))}
        catch(codereason$e){codereason$note(codereason$f,0,codereason$e);throw codereason$e}};
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from pytest_codereason.core.text import edits
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.javascript.probes import Owner, ProbeWriter
from pytest_codereason.languages.javascript.syntax.tree import FUNCTIONS

if TYPE_CHECKING:
    from tree_sitter import Node

#: A variable that can be looked at.
_NAME = re.compile(r"(?!\d)[\w$]+")


class Mark(NamedTuple):
    """One call of a note."""

    kind: Literal["line", "raise", "open", "close"]  #: a line is about to run; an exception; a file begins, or ends
    line: int = 0
    outside: bool = False  #: whether the line stands outside of functions
    cleaning: bool = False  #: whether it stands in a ``finally``, where an exception may be under way
    probe: int = -1  #: the probe that looks at variables there


class Noted(NamedTuple):
    """A file with calls of notes."""

    text: str
    marks: list[Mark]  #: by their numbers, less that of the first
    offsets: list[int]  #: where each call begins in the text


def write_notes(
    tree: Tree, prefix: str, probes: Mapping[int, tuple[int, Sequence[str]]], *, module: bool, first: int
) -> Noted:
    """A file with calls of notes in it.

    Args:
        tree: The file.
        prefix: What the names of the witness begin with.
        probes: By their lines: the numbers of the probes, and the names that they look at.
        module: Whether the file is an ES module.
        first: The number of the first mark.
    """
    writer = _NoteWriter(tree, prefix, probes, module=module, first=first)
    writer.write()
    text = edits.apply(tree.source, writer.list_edits()).text
    places = re.finditer(re.escape(f"{prefix}note({prefix}f,") + r"(\d+)", text)
    offsets = {int(found[1]) - first: found.start() for found in places}
    return Noted(text, writer.marks, [offsets[number] for number in range(len(writer.marks))])


def evaluates_here(tree: Tree) -> bool:
    """Whether a program may declare names in a function from a text, or in an object."""
    waiting = [tree.root]
    while waiting:
        node = waiting.pop()
        if node.type == "with_statement" or (node.type == "identifier" and node.text == b"eval"):
            return True
        waiting += node.children
    return False


class _NoteWriter(ProbeWriter):
    """Collects the edits of one file."""

    def __init__(
        self, tree: Tree, prefix: str, probes: Mapping[int, tuple[int, Sequence[str]]], *, module: bool, first: int
    ) -> None:
        super().__init__(tree, {tree.root.id: 0}, prefix, module=module, first_place=0)
        self.probes, self.first = probes, first
        self.marks: list[Mark] = []

    def note(self, mark: Mark, given: str = "") -> str:
        """The call of a note."""
        self.marks.append(mark)
        return f"{self.prefix}note({self.prefix}f,{self.first + len(self.marks) - 1}{given});"

    def write_file(self, root: Node) -> None:
        """Says that the code of the file runs, and that it has ended."""
        p = self.prefix
        self.write_beginning(root, f"const {p}f={p}frame();{self.note(Mark('open'))}")
        self.close(len(self.tree.source), f"\n;{self.note(Mark('close'))}")

    def write_function(self, node: Node) -> Owner:
        """Gives each call of a function a frame, and says when an exception leaves it."""
        p, owner = self.prefix, Owner(0, node.id, waits=False)
        if (body := node.child_by_field_name("body")) is not None:
            raised = self.note(Mark("raise"), f",{p}e")
            self.write_body(body, owner, f"const {p}f={p}frame();", f"catch({p}e){{{raised}throw {p}e}}")
        return owner

    def write_node(self, node: Node, owner: Owner) -> None:
        """Nothing else is written."""

    def count_line(self, node: Node, parent: Node, owner: Owner) -> None:
        """Notes the line of a statement. What is imported is there before any line runs."""
        if node.type != "import_statement":
            super().count_line(node, parent, owner)

    def count_text(self, node: Node, owner: Owner) -> str:
        """The call that notes the line of a node, empty if its function notes that line already."""
        line = node.start_point[0] + 1
        if (owner.root, line) in self.lines:
            return ""
        self.lines.add((owner.root, line))
        outside = owner.root == self.tree.root.id
        probe, names = self.probes.get(line, (-1, ()))
        looks = "".join(f",()=>{name if _NAME.fullmatch(name) else 'null'}" for name in names)
        return self.note(Mark("line", line, outside, _is_cleaning(node), probe), looks)


def _is_cleaning(node: Node) -> bool:
    """Whether a node of a function stands in a ``finally`` of it."""
    around: Node | None = node
    while around is not None and (around is node or around.type not in FUNCTIONS):
        if around.type == "finally_clause":
            return True
        around = around.parent
    return False
