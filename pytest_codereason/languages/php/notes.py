"""Writes calls of the witness into a PHP file.

Nothing is written over and no line end is added, so every statement keeps its line::

    function f($n) { return g(fn($x) => $x + $n); }
    function f($n) {\\Codereason\\Witness::enter(§0§); return g(fn($x) => (...::enter(§1§))?:($x + $n)); }

``§0§`` stands for the number of a mark between two NUL: just before the file is compiled, the witness writes a secret
there. So a call is believed if it knows the secret of its place.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

from pytest_codereason.core.text import edits
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.php.bodies import CLOSURES
from pytest_codereason.languages.php.syntax.grammar import CLASSES, FUNCTIONS, STRUCTURE
from pytest_codereason.languages.php.syntax.hooks import PHPHooks
from pytest_codereason.languages.php.syntax.tree import list_children

if TYPE_CHECKING:
    from tree_sitter import Node

WITNESS = "\\Codereason\\Witness::"
INCLUDES = frozenset(f"{word}{once}_expression" for word in ("include", "require") for once in ("", "_once"))
#: Statements that are no lines: what they do is done before the file runs, or they do nothing.
_IDLE = frozenset(
    {
        *(*CLASSES, "function_definition", "namespace_definition", "namespace_use_declaration", "declare_statement"),
        *("compound_statement", "empty_statement", "named_label_statement"),
    }
)


class SecretMark(NamedTuple):
    """One call of the witness."""

    kind: Literal["enter", "again", "load", "line", "look", "frame", "raise"]
    body: int = 0  #: the number of the body that begins or goes on
    line: int = 0
    outside: bool = False  #: whether the line stands outside of functions
    cleaning: bool = False  #: whether it stands in a ``finally``, where an exception may be under way
    probe: int = -1  #: the probe that looks at variables there
    arrow: bool = False  #: whether it is the line of an arrow function


class NotedFile(NamedTuple):
    """A file with calls of the witness: pieces of text, with the mark of each place between two of them."""

    pieces: list[str]
    marks: list[int]


class BodyOwner(NamedTuple):
    """The function or file whose body is written into."""

    node: Node
    number: int


class NoteWriter(ABC):
    """Collects the edits of one file.

    Args:
        tree: The file.
        numbers: The number of each body, by the id of its node.
        marks: What the calls written so far say; those of this file are added.
    """

    def __init__(self, tree: Tree, numbers: Mapping[int, int], marks: list[SecretMark]) -> None:
        self.tree, self.numbers, self.marks = tree, numbers, marks
        self.hooks = PHPHooks(tree)
        self.lines: set[tuple[int, int]] = set()  #: lines that are noted, with the node of their function
        #: edits under what orders them: the offset; what ends there before what begins; the inner end first
        self.edits: list[tuple[int, bool, int, int, edits.Edit]] = []
        self.step = 0

    def write(self) -> NotedFile:
        """The file with all calls.

        Raises:
            DoesNotParse: The program would do something else, or notice.
        """
        root = self.tree.root
        waiting: list[tuple[Node, Node, BodyOwner]] = [
            (child, root, BodyOwner(root, self.numbers[root.id])) for child in reversed(root.children)
        ]
        while waiting:
            node, parent, owner = waiting.pop()
            self.step += 1
            self.check(node)
            if node.type in FUNCTIONS and node.id in self.numbers:
                owner = BodyOwner(node, self.numbers[node.id])
                self.write_function(node, owner)
            else:
                self.write_node(node, parent, owner)
            waiting += [(child, node, owner) for child in reversed(node.children)]
        text = edits.apply(self.tree.source, [edit for *_, edit in sorted(self.edits, key=lambda each: each[:4])]).text
        parts = text.split("\0")
        return NotedFile(parts[::2], [int(number) for number in parts[1::2]])

    # what one file says

    @abstractmethod
    def write_function(self, node: Node, owner: BodyOwner) -> None:
        """Says that a function begins."""

    @abstractmethod
    def note_line(self, node: Node, owner: BodyOwner) -> str:
        """An expression, which is false, that notes that a line of a function is about to run; empty if none does."""

    def write_node(self, node: Node, parent: Node, owner: BodyOwner) -> None:
        """Writes at a node that begins no function."""
        if node.type in INCLUDES:
            self.write_load(node)
        elif node.type == "function_call_expression" and self.is_call_of(node, "eval"):
            for argument in node.child_by_field_name("arguments").named_children:  # type: ignore[union-attr]
                self.surround(argument, f"{WITNESS}text((string)(", "))")
        elif node.type == "else_if_clause":
            self.write_condition(node, owner)
        elif node.type in STRUCTURE.statements and node.type not in _IDLE:
            self.write_statement(node, parent, owner)

    def write_load(self, node: Node) -> None:
        """Hands what a file is loaded by to the witness, which gives the file with its calls."""
        operand = node.named_children[-1]
        once = str("_once" in node.type).lower()
        self.surround(operand, f"{self.call('load', SecretMark('load'))[:-1]},(string)(", f"),__DIR__,{once})")

    def write_condition(self, node: Node, owner: BodyOwner) -> None:
        """Notes the line of an ``elseif``, which is no statement."""
        held = node.child_by_field_name("condition")
        inner = held.named_children[0] if held is not None and held.named_children else None
        if inner is not None and (note := self.note_line(inner, owner)):
            self.surround(inner, f"{note}||(", ")")

    def write_statement(self, node: Node, parent: Node, owner: BodyOwner) -> None:
        """Notes the line of a statement, if it is the first of its function on that line."""
        if parent.type in STRUCTURE.sequences:
            if not (note := self.note_line(node, owner)):
                return
            if self.hooks.takes_before(node):
                self.open(self.tree.at(node.start_byte), f"{note};")
            else:
                self.write_before(next(iter(list_children(node))), note)  # what ``<?=`` prints
        elif node != parent.child_by_field_name("body") or self.tree.text(node)[-1] not in ";}":
            return
        elif note := self.note_line(node, owner):
            self.surround(node, f"{{{note};", "}")

    def write_body(self, node: Node, beginning: str, ending: str) -> None:
        """Writes behind the opening brace of a function, and before the closing one."""
        body = node.child_by_field_name("body")
        assert body is not None
        start, end = self.tree.at(body.start_byte) + 1, self.tree.at(body.end_byte) - 1
        self.open(start, beginning)
        if ending:
            (self.open if start == end else self.close)(end, ending)

    def write_arrow(self, node: Node, note: str) -> None:
        """Writes before the value of an arrow function."""
        body = node.child_by_field_name("body")
        assert body is not None
        self.write_before(body, note)

    def write_before(self, value: Node, note: str) -> None:
        """Writes before an expression. What is noted is false, so the value is what stands behind."""
        self.surround(value, f"({note})?:(", ")")

    # pieces

    def call(self, name: str, mark: SecretMark, given: str = "") -> str:
        """A call of the witness with a mark of its own."""
        self.marks.append(mark)
        return f"{WITNESS}{name}(\0{len(self.marks) - 1}\0{given})"

    def open(self, at: int, text: str) -> None:
        """Writes before what begins at an offset."""
        self.edits.append((at, True, self.step, len(self.edits), edits.Insert(at, text)))

    def close(self, at: int, text: str) -> None:
        """Writes behind what ends at an offset."""
        self.edits.append((at, False, -self.step, len(self.edits), edits.Insert(at, text)))

    def surround(self, node: Node, before: str, after: str) -> None:
        """Writes before and behind a node."""
        self.open(self.tree.at(node.start_byte), before)
        self.close(self.tree.at(node.end_byte), after)

    def is_first(self, node: Node, owner: BodyOwner) -> bool:
        """Whether no line of a function is noted yet where a node begins."""
        key = (owner.node.id, node.start_point[0])
        first = key not in self.lines
        self.lines.add(key)
        return first

    def is_call_of(self, node: Node, name: str) -> bool:
        """Whether a node calls a function of the language by its name."""
        return self.tree.read(node, "function").lstrip("\\").lower() == name

    def check(self, node: Node) -> None:
        """Checks that calls of the witness may stand in a node.

        Raises:
            DoesNotParse: They may not.
        """
        if node.type == "property_hook":
            raise DoesNotParse("the program has hooks of properties")
        if node.type == "declare_directive" and b"ticks" in (node.text or b"").lower():
            raise DoesNotParse("the program counts ticks")
        if node.type == "arrow_function" and node.child_by_field_name("reference_modifier") is not None:
            raise DoesNotParse("an arrow function of the program gives a reference")
        if node.type == "function_call_expression" and self.is_call_of(node, "assert") and _holds_edits(node):
            raise DoesNotParse("an assertion of the program holds a function, and its message would show it")


class EntryWriter(NoteWriter):
    """Notes where functions begin, and the lines if they are counted.

    Args:
        twins: The bodies that others share a line with.
        counts: Whether lines are counted.
    """

    def __init__(
        self, tree: Tree, numbers: Mapping[int, int], marks: list[SecretMark], twins: frozenset[int], *, counts: bool
    ) -> None:
        super().__init__(tree, numbers, marks)
        self.twins, self.counts = twins, counts

    def write_function(self, node: Node, owner: BodyOwner) -> None:
        """Says that a function begins."""
        entered = self.call("enter", SecretMark("enter", owner.number))
        if node.type == "arrow_function":
            body = node.child_by_field_name("body")
            assert body is not None
            line = self.note_line(body, owner)
            self.write_arrow(node, f"{entered}||{line}" if line else entered)
        else:
            self.write_body(node, f"{entered};", "")

    def write_node(self, node: Node, parent: Node, owner: BodyOwner) -> None:
        """Says besides where a generator goes on, if its line does not tell which one it is."""
        super().write_node(node, parent, owner)
        if node.type == "yield_expression" and owner.number in self.twins:
            self.surround(node, f"{self.call('again', SecretMark('again', owner.number))[:-1]},(", "))")

    def note_line(self, node: Node, owner: BodyOwner) -> str:
        """A call that counts the line."""
        if not self.counts or not self.is_first(node, owner):
            return ""
        return self.call("line", SecretMark("line", line=node.start_point[0] + 1))


def find_name(files: Mapping[str, str]) -> str:
    """What the variables of the witness begin with: no program has it."""
    name = "codereason_"
    while any(name in text for text in files.values()):
        name += "_"
    return name


def _holds_edits(node: Node) -> bool:
    waiting = list(node.children)
    while waiting:
        inner = waiting.pop()
        if inner.type in FUNCTIONS or inner.type in INCLUDES or inner.type in CLOSURES:
            return True
        waiting += inner.children
    return False


#: What ends the code of a file, so that its data begin at an offset.
HALT = re.compile(r"__halt_compiler", re.IGNORECASE)
