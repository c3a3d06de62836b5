"""Lists the functions, statements and blocks of a program in one walk over its tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.core.language.structure import Block, Function, Span, Statement
from pytest_codereason.languages.frame.hooks import Hooks
from pytest_codereason.languages.frame.tables import Structure
from pytest_codereason.languages.frame.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

STEP = "    "


class Frame(NamedTuple):
    """What stands around a node."""

    path: str = ""  #: qualified name of the innermost function, class or named object
    function: str = ""  #: qualified name of the innermost function with a name
    depth: int = 0  #: blocks around it within its function
    statement: Span | None = None  #: the innermost statement


class Visit(NamedTuple):
    """A named node, the node above it, and what stands around it. A statement stands around itself."""

    node: Node
    parent: Node | None
    frame: Frame
    kind: str  #: the type of the node


class Sequence(NamedTuple):
    """A list of statements, with what stands around them."""

    node: Node
    parent: Node | None
    frame: Frame
    statements: list[Node]


class Outline:
    """A program's functions, statements and blocks, with every named node but comments, outer before inner.

    Functions are also methods, and values that a variable or property names, where the language has such.
    """

    def __init__(self, tree: Tree, structure: Structure, hooks: Hooks) -> None:
        self.tree, self.structure, self.hooks = tree, structure, hooks
        self.functions: list[Function] = []
        self.statements: list[Statement] = []
        self.blocks: list[Block] = []
        self.visits: list[Visit] = []
        self.sequences: list[Sequence] = []  #: behind ``blocks``
        #: of each function and class, by the id of its node, the qualified name of what the code in it belongs to
        self.owners: dict[int, str] = {}
        self._bodies: dict[int, Frame] = {}  #: what stands around the bodies of functions whose header is outside
        self._walk()

    def _walk(self) -> None:
        kinds, comments, framing = self.tree.kinds, self.structure.comments, self.structure.framing
        closed = self.structure.closed
        stack: list[tuple[Node, Node | None, Frame]] = [(self.tree.root, None, Frame())]
        while stack:
            node, parent, frame = stack.pop()
            kind = kinds[node.kind_id]
            if kind in comments:
                continue
            if kind in framing:
                frame = self._enter(kind, node, parent, frame)
            else:  # most nodes are parts of expressions
                self.visits.append(Visit(node, parent, frame, kind))
            if kind not in closed and (children := node.named_children):
                children.reverse()
                stack += [(child, node, frame) for child in children]

    def _enter(self, kind: str, node: Node, parent: Node | None, frame: Frame) -> Frame:
        """Notes a node. Returns what stands around its children."""
        structure = self.structure
        if structure.is_statement(kind, node, parent):
            span = self.tree.span(node)
            said = self.hooks.name_statement(structure.name_kind(kind, node), node)
            self.statements.append(Statement(said, span, frame.function, frame.depth))
            deeper = kind in structure.deepening and (parent is None or parent.type not in structure.chained)
            frame = frame._replace(depth=frame.depth + deeper, statement=span)
        self.visits.append(Visit(node, parent, frame, kind))
        if kind in structure.sequences:
            frame = self._bodies.pop(node.id, frame)
            self._enter_sequence(node, parent, frame)
        elif kind in structure.functions:
            return self._enter_function(kind, node, parent, frame)
        elif kind in structure.resetting:
            return Frame(frame.path)
        elif kind in structure.holders or kind in structure.nameable:
            path = _qualify(frame.path, self._name(kind, node, parent))
            self.owners[node.id] = path
            return frame._replace(path=path)
        return frame

    def _enter_sequence(self, node: Node, parent: Node | None, frame: Frame) -> None:
        statements = self.structure.list_statements(node)
        if not self.hooks.is_block(node, statements):
            return
        self.sequences.append(Sequence(node, parent, frame, statements))
        span = self._measure(node, statements)
        self.blocks.append(Block(span, self._find_indent(node, statements), frame.function))

    def _enter_function(self, kind: str, node: Node, parent: Node | None, frame: Frame) -> Frame:
        structure, body = self.structure, node.child_by_field_name("body")
        name = self._name(kind, node, parent)
        qualified = _qualify(frame.path, name) if name else frame.function
        self.owners[node.id] = qualified
        if not name or (body is None and structure.needs_body):
            return frame
        inside = self.tree.span(body or node)
        if body is not None and body.type in structure.sequences:
            inside = self._measure(body, structure.list_statements(body))
        parameters = tuple(self._list_parameters(node))
        method = self.hooks.is_method(kind, node, structure.methods)
        whole = parent if parent is not None and parent.type in structure.wrapping else node
        self.functions.append(Function(qualified, self.tree.span(whole), inside, parameters, method))
        within = Frame(qualified, qualified, 0, frame.statement)
        if body is None or not structure.opens_behind:
            return within
        self._bodies[body.id] = within
        return frame

    def _name(self, kind: str, node: Node, parent: Node | None) -> str:
        """The name of a function, class or value: its own, else the one that the node above gives it."""
        structure, hooks = self.structure, self.hooks
        if (own := node.child_by_field_name(structure.holders.get(kind, "name"))) is not None:
            return hooks.read_name(own)
        if kind in structure.holders and (name := hooks.name_holder(kind, node)) is not None:
            return name
        if parent is None or kind not in structure.nameable or parent.type not in structure.given:
            return ""
        target = parent.child_by_field_name(structure.given[parent.type])
        return "" if target is None else hooks.read_name(target)

    def _list_parameters(self, node: Node) -> Iterator[str]:
        for name in ("parameters", "parameter"):
            if (parameters := node.child_by_field_name(name)) is not None:
                return list_bound(self.tree, self.structure, parameters)
        return iter(())

    def _measure(self, sequence: Node, statements: list[Node]) -> Span:
        """From the first statement of a sequence to the last; without any, between its braces or at its end."""
        tree = self.tree
        if statements:
            return Span(tree.at(statements[0].start_byte), tree.at(statements[-1].end_byte))
        if sequence.type in self.structure.braced:
            return Span(tree.at(sequence.start_byte) + 1, tree.at(sequence.end_byte) - 1)
        end = len(tree.source) if sequence.parent is None else tree.at(sequence.end_byte)
        return Span(end, end)

    def _find_indent(self, sequence: Node, statements: list[Node]) -> str:
        """What stands before the statements of a sequence on their lines, or would stand there."""
        tree = self.tree
        for statement in statements:
            at = tree.at(statement.start_byte)
            blanks = tree.indent(at)
            if tree.line_start(at) + len(blanks) == at:
                return blanks
        if sequence.parent is None:
            return ""
        outer = tree.indent(tree.at(sequence.start_byte))
        return outer + ("\t" if outer.startswith("\t") else STEP)


def list_bound(tree: Tree, structure: Structure, node: Node) -> Iterator[str]:
    """The names that parameters or a pattern bind."""
    stack = [node]
    while stack:
        part = stack.pop()
        if part.type in structure.names:
            yield tree.text(part)
        elif (fields := structure.binding.get(part.type)) is not None:
            stack += [inner for name in fields for inner in reversed(part.children_by_field_name(name))]
        else:
            stack += reversed(structure.list_children(part))


def _qualify(path: str, name: str) -> str:
    return f"{path}.{name}" if path and name else path or name
